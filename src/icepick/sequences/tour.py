"""Cover every goal in few calls: walk on to what is near, and start again when nothing is.

A goal is a set of edges of which one must be taken: a single transition, all that lead to one
state, or all that join two states. Calls that leave the state as it is are loops at a state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from icepick.explore.layout import Array
from icepick.sequences.graph import Graph, ways_to

NO_GOAL = -1
MOST_LOOKED_AT = 3_000
"""How many states a detour is looked for in; past that, starting again costs less time."""


@dataclass(frozen=True, slots=True)
class Loop:
    """Calls, by index, that are made one after another in a state and end there again.

    `states` are those that the calls lead to, if any of them is another one.
    """

    state: int
    calls: tuple[int, ...]
    states: tuple[int, ...] = ()


def each_transition(graph: Graph) -> Array:
    """Every edge is a goal of its own."""
    return np.arange(graph.edges)


def each_state(graph: Graph) -> Array:
    """The goal of an edge is the state that it leads to; the initial one needs no call."""
    goals: Array = graph.targets.astype(np.int64)
    goals[goals == 0] = NO_GOAL
    return goals


def within(graph: Graph, sources: Array, max_length: int) -> Array:
    """Which edges can be taken in a sequence of that many calls at all."""
    reached: Array = graph.depths()[sources] < max_length
    return reached


class Tour:
    """One tour: its walk, and what is still to be done.

    A sequence is a list of edges, and of loops as the complements (~) of their numbers.
    """

    def __init__(
        self, graph: Graph, goals: Array, loops: Iterable[Loop] = (), max_length: int = 50
    ) -> None:
        sources = graph.sources()
        wanted = np.flatnonzero((goals != NO_GOAL) & within(graph, sources, max_length))
        self._max_length = max_length
        self._offsets = graph.offsets.tolist()
        self._targets = graph.targets.tolist()
        self._depths = graph.depths().tolist()
        self._sources = sources.tolist()
        self._parents = ways_to(graph).edges.tolist()
        self._goals = _only(goals, wanted).tolist()
        self._members = _members(goals, wanted)
        self._left = np.bincount(sources[wanted], minlength=graph.states).tolist()
        self._loops = tuple(loops)
        self._waiting: dict[int, list[int]] = {}
        self._queue_loops()
        self._first = 0

    def _queue_loops(self) -> None:
        for number, loop in enumerate(self._loops):
            if self._depths[loop.state] + len(loop.calls) <= self._max_length:
                self._waiting.setdefault(loop.state, []).append(number)
                self._left[loop.state] += 1

    def sequences(self) -> Iterator[list[int]]:
        """All of them, one after another."""
        while self._find_first():
            yield self._sequence()

    def _find_first(self) -> bool:
        """Move on to the first state, and so a nearest one, at which something is left."""
        while self._first < len(self._left) and not self._left[self._first]:
            self._first += 1
        return self._first < len(self._left)

    def _sequence(self) -> list[int]:
        state, path = self._first, self._way_to(self._first)
        length, useful = len(path), len(path)
        while True:
            if state in self._waiting:
                looped = self._take_loops(state, path, length)
                length, useful = length + looped, len(path) if looped else useful
            edge = self._choose(state) if length < self._max_length else None
            if edge is not None:
                path.append(edge)
                self._done(edge)
                state, length, useful = self._targets[edge], length + 1, len(path)
                continue
            detour = self._detour(state, self._max_length - length - 1)
            if not detour:
                return path[:useful]
            path += detour
            state, length = self._targets[detour[-1]], length + len(detour)

    def _way_to(self, state: int) -> list[int]:
        path: list[int] = []
        while state:
            path.append(self._parents[state])
            state = self._sources[path[-1]]
        return path[::-1]

    def _take_loops(self, state: int, path: list[int], length: int) -> int:
        """Make the calls that wait at a state while there is room; how many calls that were."""
        calls = 0
        later: list[int] = []
        for number in self._waiting.pop(state, ()):
            size = len(self._loops[number].calls)
            if length + calls + size > self._max_length:
                later.append(number)
                continue
            path.append(~number)
            self._left[state] -= 1
            calls += size
        if later:
            self._waiting[state] = later
        return calls

    def _choose(self, state: int) -> int | None:
        """Where something is left to do, far from the start, and little of it: less is stranded."""
        best: int | None = None
        rank = (False, -1, 0)
        if not self._left[state]:
            return None
        for edge in range(self._offsets[state], self._offsets[state + 1]):
            if self._goals[edge] != NO_GOAL:
                target = self._targets[edge]
                left = self._left[target]
                found = (left > 0, self._depths[target], -left)
                if best is None or found > rank:
                    best, rank = edge, found
        return best

    def _done(self, edge: int) -> None:
        for member in self._members.get(self._goals[edge], (edge,)):
            self._goals[member] = NO_GOAL
            self._left[self._sources[member]] -= 1

    def _detour(self, state: int, most: int) -> list[int]:
        """The shortest way to something left, if it is no longer than starting again."""
        if not self._find_first():
            return []
        reached: dict[int, int] = {state: NO_GOAL}
        border = [state]
        for _ in range(min(most, self._depths[self._first])):
            border, found = self._spread(border, reached)
            if found is not None:
                return self._way_back(found, reached)
            if len(reached) > MOST_LOOKED_AT:
                break
        return []

    def _spread(self, border: list[int], reached: dict[int, int]) -> tuple[list[int], int | None]:
        """One step further; of the states where something is left the one with the most."""
        found, most, following = None, 0, []
        for state in border:
            for edge in range(self._offsets[state], self._offsets[state + 1]):
                target = self._targets[edge]
                if target not in reached:
                    reached[target] = edge
                    following.append(target)
                    if self._left[target] > most:
                        found, most = target, self._left[target]
        return following, found

    def _way_back(self, state: int, reached: dict[int, int]) -> list[int]:
        path: list[int] = []
        while reached[state] != NO_GOAL:
            path.append(reached[state])
            state = self._sources[path[-1]]
        return path[::-1]


def _only(goals: Array, wanted: Array) -> Array:
    kept = np.full(len(goals), NO_GOAL, dtype=np.int64)
    kept[wanted] = goals[wanted]
    return kept


def _members(goals: Array, wanted: Array) -> dict[int, list[int]]:
    """The edges of each goal that has more than one."""
    order = wanted[np.argsort(goals[wanted], kind="stable")]
    starts = np.flatnonzero(np.diff(goals[order], prepend=NO_GOAL))
    groups = zip(starts.tolist(), [*starts[1:].tolist(), len(order)], strict=True)
    edges, names = order.tolist(), goals[order].tolist()
    return {names[a]: edges[a:b] for a, b in groups if b - a > 1} if len(order) else {}
