"""How much of a model has been walked: its calls, its responses, and pairs of successive ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from icepick.protocol.automaton import Automaton, Edge, Key
from icepick.protocol.tree import Send

START: Key = ()
"""In place of a branch: the run begins."""

Pair = tuple[Key, Key]
"""A branch and the next one; with START, the branch that a run begins with."""


@dataclass(frozen=True, slots=True)
class Share:
    """So much of something."""

    covered: int
    total: int

    @property
    def percent(self) -> float:
        """In percent; nothing to cover is covered."""
        return 100.0 if not self.total else 100.0 * self.covered / self.total

    def __str__(self) -> str:
        return f"{self.covered}/{self.total}"


@dataclass(frozen=True, slots=True)
class Coverage:
    """What has been taken of a model, and the pairs that have not, as edges of the model."""

    branches: Share
    responses: Share
    pairs: Share
    missing: tuple[tuple[Edge | None, Edge], ...] = ()

    @property
    def is_full(self) -> bool:
        """Whether nothing is left."""
        parts = (self.branches, self.responses, self.pairs)
        return all(part.covered == part.total for part in parts)


def all_pairs(automaton: Automaton) -> dict[Pair, tuple[Edge | None, Edge]]:
    """Every pair of branches that can follow one another, with the first edges that do."""
    found: dict[Pair, tuple[Edge | None, Edge]] = {}
    for edge in automaton.edges_of(0):
        found.setdefault((START, edge.key), (None, edge))
    for edge in automaton.edges:
        for following in automaton.edges_of(edge.target):
            found.setdefault((edge.key, following.key), (edge, following))
    return found


class Tally:
    """Counts what runs take; a pair counts once, wherever it is taken."""

    def __init__(self, automaton: Automaton) -> None:
        self._automaton = automaton
        self._pairs = all_pairs(automaton)
        self._taken: dict[Pair, int] = {}
        self._last: Key = START

    def begin(self) -> None:
        """A new run starts."""
        self._last = START

    def took(self, edge: Edge) -> None:
        """The run took an edge."""
        pair = (self._last, edge.key)
        self._taken[pair] = self._taken.get(pair, 0) + 1
        self._last = edge.key

    def times(self, pair: Pair) -> int:
        """How often a pair has been taken."""
        return self._taken.get(pair, 0)

    def coverage(self) -> Coverage:
        """How far it is by now."""
        keys = {key for _, key in self._taken}
        sends, receives = _keys(self._automaton.edges)
        missing = tuple(edges for pair, edges in self._pairs.items() if pair not in self._taken)
        return Coverage(
            Share(len(sends & keys), len(sends)),
            Share(len(receives & keys), len(receives)),
            Share(len(self._pairs) - len(missing), len(self._pairs)),
            missing,
        )


def _keys(edges: Iterable[Edge]) -> tuple[set[Key], set[Key]]:
    sends = {edge.key for edge in edges if isinstance(edge.branch, Send)}
    return sends, {edge.key for edge in edges} - sends
