"""Ways to have had something: create it and delete it again."""

from __future__ import annotations

from dataclasses import dataclass

from icepick.explore import Exploration, outgoing


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """Two ground actions, and the state between them."""

    actions: tuple[int, int]
    middle: int


def there_and_back(
    exploration: Exploration, state: int, resource: str, value: int
) -> RoundTrip | None:
    """Two transitions that lead back to this very state, with the value existing in between."""
    machine = exploration.machine
    position = machine.layout.positions(resource)[value]
    here = exploration.states[:, state : state + 1]
    asked = machine.evaluation(here)
    for first, middle in outgoing(exploration, state):
        _, there = machine.successors(first, here, asked)
        if not machine.layout.digit(there, position)[0]:
            continue
        # With symmetry the state between stands for others, so the way back is not an edge.
        further = machine.evaluation(there)
        for second in range(len(machine.actions)):
            _, back = machine.successors(second, there, further)
            if back.shape[1] and (back == here).all():
                return RoundTrip((first, second), middle)
    return None
