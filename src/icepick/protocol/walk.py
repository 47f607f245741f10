"""Which call comes next: at random as in the paper, or towards what is not covered yet.

A tester chooses calls and the service chooses responses, so that `cover` cannot plan ahead for
good: it looks for the cheapest way to a pair of branches that has not been taken, through
responses that it may hope for, and looks again after every response. How much hope there is follows
from what was answered before; a response that never came in many tries is given up.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from random import Random
from typing import Protocol

from icepick.protocol.automaton import Automaton, Edge, Kind
from icepick.protocol.coverage import START, Coverage, Pair, Tally, all_pairs
from icepick.protocol.tree import Send

PATIENCE = 20
"""How often in a row a call is made in vain for one of its responses."""

FAITH = 3
"""How often in a row a call may get no response of the model at all."""


class Policy(Protocol):
    """Decides the calls of a run; it is told of every edge that the run takes."""

    @property
    def is_done(self) -> bool:
        """Whether another run would be in vain."""

    def begin(self) -> None:
        """A new run starts, in the initial state."""

    def next_send(self, state: int) -> Edge | None:
        """The call to make in a state; None where the run should stop there."""

    def took(self, edge: Edge) -> None:
        """The run took an edge: a call that was made, or a response that came."""


class RandomPolicy:
    """Every call of a choice by its weight, as in the paper; a run has at most `most` calls."""

    def __init__(self, automaton: Automaton, rng: Random, most: int = 50) -> None:
        self._automaton = automaton
        self._rng = rng
        self._most = most
        self._calls = 0

    @property
    def is_done(self) -> bool:
        """Never: chance may always bring something new."""
        return False

    def begin(self) -> None:
        """A new run starts."""
        self._calls = 0

    def next_send(self, state: int) -> Edge | None:
        """A call by chance."""
        edges = _sends(self._automaton, state)
        if not edges or self._calls >= self._most:
            return None
        weights = [edge.branch.weight for edge in edges if isinstance(edge.branch, Send)]
        return self._rng.choices(edges, weights)[0]

    def took(self, edge: Edge) -> None:
        """Count calls."""
        self._calls += isinstance(edge.branch, Send)


def _sends(automaton: Automaton, state: int) -> list[Edge]:
    if automaton.states[state].kind is not Kind.CHOOSE:
        return []
    return list(automaton.edges_of(state))


class CoverPolicy:
    """Takes every pair of successive branches that the service lets it take."""

    def __init__(self, automaton: Automaton, patience: int = PATIENCE) -> None:
        self._automaton = automaton
        self._patience = patience
        self._pairs = all_pairs(automaton)
        self._tally = Tally(automaton)
        self._came: dict[int, int] = {}
        self._missed: dict[int, int] = {}
        self._unanswered: dict[int, int] = {}
        self._last: Edge | None = None

    @property
    def is_done(self) -> bool:
        """Whether every pair is taken or given up."""
        return self._search(None, 0) is None

    @property
    def coverage(self) -> Coverage:
        """What has been taken so far."""
        return self._tally.coverage()

    def begin(self) -> None:
        """A new run starts."""
        self._tally.begin()
        self._last = None

    def took(self, edge: Edge) -> None:
        """Remember what was taken, and what the service answered."""
        self._tally.took(edge)
        if isinstance(edge.branch, Send):
            self._unanswered[edge.number] = self._unanswered.get(edge.number, 0) + 1
        else:
            self._answered(edge)
        self._last = edge

    def _answered(self, edge: Edge) -> None:
        if self._last is not None:
            self._unanswered[self._last.number] = 0
        for other in self._automaton.edges_of(edge.source):
            self._missed[other.number] = self._missed.get(other.number, 0) + 1
        self._missed[edge.number] = 0
        self._came[edge.number] = self._came.get(edge.number, 0) + 1

    def next_send(self, state: int) -> Edge | None:
        """The first call on the cheapest way to what is missing, or else to an end.

        A run that could only go on for ever stops where nothing new can be reached from.
        """
        return self._search(self._last, state) or self._search(self._last, state, home=True)

    def _search(self, last: Edge | None, state: int, *, home: bool = False) -> Edge | None:
        """The call that the cheapest way starts with: Dijkstra over edges, as pairs are wanted.

        From an end the way leads on to the next run, unless the end itself is looked for.
        """
        waiting: list[tuple[float, int, Edge | None, int, Edge | None]] = []
        heappush(waiting, (0.0, 0, last, state, None))
        seen: set[int] = set()
        count = 0
        while waiting:
            cost, _, before, at, first = heappop(waiting)
            number = -1 if before is None else before.number
            if number in seen:
                continue
            seen.add(number)
            if self._automaton.is_end(at):
                if home:
                    return first
                before, at = None, 0
            for edge, price in self._priced(before, at):
                if not home and self._is_wanted(before, edge):
                    # The next run begins by itself once this one has come to its end.
                    return first or edge
                count += 1
                heappush(waiting, (cost + price, count, edge, edge.target, first or edge))
        return None

    def _priced(self, before: Edge | None, state: int) -> Iterator[tuple[Edge, float]]:
        """The edges of a state: a call costs one, a response the more the rarer it comes."""
        edges = self._automaton.edges_of(state)
        if self._automaton.states[state].kind is Kind.CHOOSE:
            yield from ((edge, 1.0) for edge in edges)
            return
        if before is not None and self._unanswered.get(before.number, 0) >= FAITH:
            return
        tries = sum(self._came.get(edge.number, 0) for edge in edges)
        for edge in edges:
            if self._missed.get(edge.number, 0) < self._patience:
                yield edge, (tries + len(edges)) / (self._came.get(edge.number, 0) + 1) - 1

    def _is_wanted(self, before: Edge | None, edge: Edge) -> bool:
        pair: Pair = (before.key if before is not None else START, edge.key)
        return pair in self._pairs and not self._tally.times(pair)
