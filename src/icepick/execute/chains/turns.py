"""Which kinds of things operations took where several are possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from icepick.execute.chains.needs import Need
from icepick.inputs import Slot


@dataclass(slots=True)
class Turns:
    """Things of which kinds operations took, and how often they refused others, in all chains of
    a run."""

    taken: dict[tuple[str, str], Need] = field(default_factory=dict)
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)

    def note(self, operation: str, needs: Iterable[Need], *, worked: bool) -> None:
        """A call with things of these kinds; where it is refused, other kinds have their turn."""
        tried = {(operation, one.resource): one for one in needs}
        if worked:
            self.taken.update(tried)
        else:
            self.refused.update(tried.keys())

    def taken_by(self, operation: str, slot: Slot) -> list[Need]:
        """What an operation took in an input."""
        return [
            need for (name, _), need in self.taken.items() if (name, need.slot) == (operation, slot)
        ]
