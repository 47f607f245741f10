"""Ways to have had something: create it and delete it again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from icepick.explore import Exploration, outgoing
from icepick.explore.layout import Array
from icepick.model.types import Action, OneOf, Reference


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """Two ground actions, and the state between them."""

    actions: tuple[int, int]
    middle: int


class RoundTrips:
    """Two transitions that lead back to the very state they began in; each is looked for once."""

    def __init__(self, exploration: Exploration) -> None:
        self._exploration = exploration
        self._found: dict[tuple[int, str, int], RoundTrip | None] = {}
        self._about: dict[tuple[str, int], list[int]] = {}

    def of(self, state: int, resource: str, value: int) -> RoundTrip | None:
        """One from this state, with the value existing in between."""
        key = (state, resource, value)
        if key not in self._found:
            self._found[key] = next(self._trips(*key), None)
        return self._found[key]

    def _trips(self, state: int, resource: str, value: int) -> Iterator[RoundTrip]:
        exploration, machine = self._exploration, self._exploration.machine
        position = machine.layout.positions(resource)[value]
        here = exploration.states[:, state : state + 1]
        for first, middle in outgoing(exploration, state):
            there = self._after(first, here, middle)
            if machine.layout.digit(there, position)[0]:
                ways = self._back(there, middle, here, state, (resource, value))
                yield from (RoundTrip((first, second), middle) for second in ways)

    def _after(self, action: int, here: Array, middle: int) -> Array:
        if self._exploration.orbits is None:
            return self._exploration.states[:, middle : middle + 1]
        # With symmetry the state between stands for others, so the way back is not an edge.
        machine = self._exploration.machine
        return machine.successors(action, here, machine.evaluation(here))[1]

    def _back(
        self, there: Array, middle: int, here: Array, state: int, value: tuple[str, int]
    ) -> Iterator[int]:
        """The ground actions that lead from one state to the other."""
        exploration, machine = self._exploration, self._exploration.machine
        if exploration.orbits is None and middle < exploration.expanded:
            yield from (action for action, to in outgoing(exploration, middle) if to == state)
            return
        asked = machine.evaluation(there)
        for second in self._naming(*value):
            _, back = machine.successors(second, there, asked)
            if back.shape[1] and (back == here).all():
                yield second

    def _naming(self, resource: str, value: int) -> list[int]:
        """The ground actions that can remove a value alone: those that name it, or nothing."""
        key = (resource, value)
        if key not in self._about:
            actions = {one.name: one for one in self._exploration.model.actions}
            self._about[key] = [
                number
                for number, ground in enumerate(self._exploration.machine.actions)
                if not ground.bounds
                or value in _named(actions[ground.action], ground.bounds, resource)
            ]
        return self._about[key]


def _named(action: Action, bounds: tuple[object, ...], resource: str) -> list[object]:
    """The values of a resource that a ground action names."""
    kinds = (parameter.kind for parameter in action.parameters)
    return [
        bound
        for kind, bound in zip(kinds, bounds, strict=True)
        if isinstance(kind, OneOf) and kind.domain == Reference(resource)
    ]
