"""Updates that create what is not there, and creations of what is: conventions, no faults."""

from __future__ import annotations

from collections.abc import Iterator

from icepick.execute.judging.blame import KNOWN, PROVIDED, RENAMED, UPSERTED
from icepick.execute.types import Judged

_TOLD = {
    UPSERTED: "an update of what is absent creates it",
    PROVIDED: "it creates what it refers to, where that is not there",
    KNOWN: KNOWN,
    RENAMED: "it gives what it creates an identifier of its own, whatever it is sent",
}


class Upserts:
    """The operations that were seen to do so."""

    def __init__(self) -> None:
        self._operations: dict[tuple[str, str], None] = {}

    def see(self, judged: Judged) -> None:
        """Take in the verdict on a call."""
        if judged.reason in _TOLD:
            self._operations[judged.operation, judged.reason] = None

    def learned(self) -> Iterator[tuple[str, str]]:
        """Each of them, and what there is to say of it."""
        for operation, reason in self._operations:
            yield operation, _TOLD[reason]
