"""What an explored model knows of a run: which values exist in a state, and shorter ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from icepick.execute.findings.confirm import Replay
from icepick.explore import Exploration, decode, outgoing, path_to
from icepick.explore.graph import edges_of, sources
from icepick.sequences.types import Call, Kind, Step

_REMEMBERED = 1 << 16


def existing(exploration: Exploration) -> Callable[[int], frozenset[str] | None]:
    """The values that exist in each state; None where states stand for others too."""

    @lru_cache(maxsize=_REMEMBERED)
    def values(state: int) -> frozenset[str] | None:
        if exploration.orbits is not None:
            return None
        found = decode(exploration.machine.layout, exploration.states[:, state])
        return frozenset(name for instances in found.values() for name in instances)

    return values


def replay_of(exploration: Exploration, calls: tuple[Call, ...]) -> Replay:
    """Shorter ways through a model; the first calls are its ground actions, in order."""
    ways = _Ways(exploration, calls)
    return Replay(ways.way, ways.shortest, ways.restated, ways.first)


class _Ways:
    def __init__(self, exploration: Exploration, calls: tuple[Call, ...]) -> None:
        self._exploration = exploration
        self._ground = calls[: len(exploration.actions)]
        self._numbers = {call: number for number, call in enumerate(self._ground)}

    def shortest(self, step: Step, source: int) -> Iterator[tuple[Step, ...]]:
        """The ways to the first state that allows the call, and to the one it was made in."""
        if self._exploration.orbits is not None:
            return
        number = self._numbers.get(step.call) if step.call.kind is Kind.TRANSITION else None
        first = self._first(number) if number is not None else None
        if first is not None and first[0] != source:
            yield (*(self.way(first[0]) or ()), Step(step.call, first[1]))
        yield (*(self.way(source) or ()), step)

    def first(self, operation: str) -> tuple[Step, ...] | None:
        """A shortest way to a call of this operation, with the call; None where there is none."""
        if self._exploration.orbits is not None:
            return None
        for number, call in enumerate(self._ground):
            found = self._first(number) if call.operation == operation else None
            if found is not None:
                return (*(self.way(found[0]) or ()), Step(call, found[1]))
        return None

    def _first(self, action: int) -> tuple[int, int] | None:
        """The source and target of the first transition by this action."""
        edges = edges_of(self._exploration)
        found = int(np.argmax(edges.actions == action))
        if edges.actions[found] != action:
            return None
        source = int(sources(self._exploration, found, found + 1)[0])
        return source, int(edges.targets[found])

    def way(self, state: int) -> tuple[Step, ...] | None:
        """A shortest way to a state."""
        if self._exploration.orbits is not None:
            return None
        return tuple(
            Step(self._ground[action], target)
            for _, action, target in path_to(self._exploration, state)
        )

    def restated(self, calls: tuple[Call, ...]) -> tuple[Step, ...] | None:
        """The states that calls lead to; None where the model does not allow one of them."""
        if self._exploration.orbits is not None:
            return tuple(Step(call, 0) for call in calls)
        state, steps = 0, []
        for call in calls:
            if call.kind is Kind.TRANSITION:
                action = self._numbers[call]
                targets = dict(outgoing(self._exploration, state))
                if action not in targets:
                    return None
                state = targets[action]
            steps.append(Step(call, state))
        return tuple(steps)
