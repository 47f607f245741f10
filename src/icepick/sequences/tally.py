"""What a plan covers, measured on the sequences themselves."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from icepick.explore.layout import Array
from icepick.sequences.graph import Graph
from icepick.sequences.types import NO_EDGE, Batch, Call, Coverage, Gap, Kind, Summary


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """For how many states and transitions each one counts, and which transitions are alike."""

    states: Array
    edges: Array
    classes: Array


class Tally:
    """Counts while sequences go by."""

    def __init__(self, graph: Graph, worth: Worth | None) -> None:
        self._graph = graph
        self._worth = worth
        self._states = np.zeros(graph.states, dtype=bool)
        self._states[0] = True
        self._edges = np.zeros(graph.edges, dtype=bool)
        self._calls = np.zeros(0, dtype=np.int64)
        self._paths = 0
        self._shortest: int | None = None
        self._longest = 0

    def add(self, batch: Batch) -> None:
        """Count these sequences too."""
        lengths = np.diff(batch.offsets)
        if not len(lengths):
            return
        self._paths += len(lengths)
        shortest = int(lengths.min())
        self._shortest = shortest if self._shortest is None else min(self._shortest, shortest)
        self._longest = max(self._longest, int(lengths.max()))
        self._states[batch.states] = True
        self._edges[batch.edges[batch.edges != NO_EDGE]] = True
        made = np.bincount(batch.calls, minlength=len(self._calls))
        made[: len(self._calls)] += self._calls
        self._calls = made

    @property
    def uncovered_edges(self) -> Array:
        """The transitions that nothing like them was taken for."""
        if self._worth is None:
            return np.flatnonzero(~self._edges)
        done = np.zeros(len(self._edges), dtype=bool)
        done[self._worth.classes[self._edges]] = True
        return np.flatnonzero(~done[self._worth.classes])

    @property
    def uncovered_states(self) -> Array:
        """The states that no sequence comes by."""
        return np.flatnonzero(~self._states)

    def made(self, calls: tuple[Call, ...]) -> Counter[Kind]:
        """How many calls of each kind there are."""
        counted: Counter[Kind] = Counter()
        for call, number in zip(calls, self._calls.tolist(), strict=False):
            counted[call.kind] += number
        return counted

    def summary(
        self, calls: tuple[Call, ...], wanted: Counter[Kind], gaps: tuple[Gap, ...]
    ) -> Summary:
        """All numbers."""
        made = self.made(calls)
        covered = {kind: Coverage(made[kind], wanted[kind]) for kind in Kind}
        return Summary(
            paths=self._paths,
            calls=int(self._calls.sum()),
            shortest=self._shortest or 0,
            longest=self._longest,
            states=self._coverage(self.uncovered_states, self._graph.states, "states"),
            transitions=self._coverage(self.uncovered_edges, self._graph.edges, "edges"),
            updates=covered[Kind.UPDATE],
            reads=covered[Kind.READ],
            actions=covered[Kind.ACTION],
            refusals=covered[Kind.REFUSAL],
            gaps=gaps,
        )

    def _coverage(self, uncovered: Array, number: int, what: str) -> Coverage:
        if self._worth is None:
            return Coverage(number - len(uncovered), number)
        # Python's integers: an orbit may have more states than a word can count.
        worth = getattr(self._worth, what).astype(object)
        total = int(worth.sum()) if number else 0
        return Coverage(total - int(worth[uncovered].sum()), total)
