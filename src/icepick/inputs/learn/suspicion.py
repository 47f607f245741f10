"""How often a combination of strategies comes with an error (section 4.3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from icepick.inputs.case import Slot
from icepick.inputs.learn.types import Choice, Invalid
from icepick.inputs.types import Drawn, FromResponse, Strategy

THRESHOLD = 0.7
_WIDEST = 3
"""A combination of more inputs than this would exclude next to nothing."""


@dataclass(frozen=True, slots=True)
class Ran:
    """An executed input: the strategies it used, and the fragments of the answer."""

    choice: Choice
    fragments: frozenset[str] = field(default_factory=frozenset)


def suspicions(
    runs: Iterable[Ran], about: Mapping[str, tuple[Slot, ...]]
) -> Iterator[tuple[str, Invalid]]:
    """Every combination of strategies of the inputs a fragment is about, with its counts."""
    executed = list(runs)
    for fragment, slots in about.items():
        if not 0 < len(slots) <= _WIDEST:
            continue
        counted: dict[tuple[str, ...], list[int]] = {}
        shown: dict[tuple[str, ...], tuple[tuple[Slot, Strategy], ...]] = {}
        for run in executed:
            if any(slot not in run.choice for slot in slots):
                continue
            chosen = tuple((slot, run.choice[slot]) for slot in slots)
            key = tuple(str(strategy) for _, strategy in chosen)
            shown.setdefault(key, chosen)
            tally = counted.setdefault(key, [0, 0])
            tally[0] += fragment in run.fragments
            tally[1] += 1
        for key, (hits, uses) in counted.items():
            yield fragment, Invalid(fragment, shown[key], hits, uses)


def invalid(
    runs: Iterable[Ran], about: Mapping[str, tuple[Slot, ...]], threshold: float = THRESHOLD
) -> tuple[Invalid, ...]:
    """The combinations that are invalid: suspicious beyond the threshold.

    One use proves a fixed value or its absence wrong, but not a way to draw values.
    """
    return tuple(
        one
        for _, one in suspicions(runs, about)
        if one.suspicion > threshold and one.uses >= _least(one)
    )


def _least(one: Invalid) -> int:
    kinds = [type(strategy) for _, strategy in one.choice]
    return 3 if FromResponse in kinds else 2 if Drawn in kinds else 1
