"""Updates that create what is not there: a convention of a service, no fault of it."""

from __future__ import annotations

from collections.abc import Iterator

from icepick.execute.blame import UPSERTED
from icepick.execute.types import Judged


class Upserts:
    """The operations that were seen to do so."""

    def __init__(self) -> None:
        self._operations: dict[str, None] = {}

    def see(self, judged: Judged) -> None:
        """Take in the verdict on a call."""
        if judged.reason == UPSERTED:
            self._operations[judged.operation] = None

    def learned(self) -> Iterator[tuple[str, str]]:
        """Each of them, and what there is to say of it."""
        for operation in self._operations:
            yield operation, "an update of what is absent creates it"
