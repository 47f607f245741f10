"""Sequences that cover a model, if the service always gives the response hoped for.

It is the tour of `sequences` on the graph of the edges of an automaton: a node is an edge that was
just taken, an edge of it is a pair of successive ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from icepick.protocol.automaton import Automaton, Edge
from icepick.protocol.coverage import START, Pair
from icepick.protocol.tree import Send
from icepick.sequences.graph import Graph
from icepick.sequences.tour import Tour


@dataclass(frozen=True, slots=True)
class Tours:
    """Sequences of edges from the initial state that take every pair."""

    sequences: tuple[tuple[Edge, ...], ...]

    @property
    def calls(self) -> int:
        """How many calls they have together."""
        return sum(isinstance(edge.branch, Send) for one in self.sequences for edge in one)


def tours(automaton: Automaton, max_length: int = 200) -> Tours:
    """Sequences of at most that many messages."""
    graph, goals, order = _pairs_as_edges(automaton)
    if not graph.edges:
        return Tours(())
    found = Tour(graph, goals, max_length=max_length).sequences()
    targets = graph.targets.tolist()
    return Tours(
        tuple(tuple(automaton.edges[order[targets[edge]]] for edge in one) for one in found)
    )


def _pairs_as_edges(automaton: Automaton) -> tuple[Graph, np.ndarray, list[int]]:
    """The graph, the goal of each of its edges, and the edge behind each node (-1 at the start)."""
    order, depths = [-1], {-1: 0}
    numbers: dict[Pair, int] = {}
    offsets, heads, goals = [0], [], []
    for node in order:
        source = automaton.edges[node] if node >= 0 else None
        for edge in automaton.edges_of(source.target if source is not None else 0):
            if edge.number not in depths:
                depths[edge.number] = depths[node] + 1
                order.append(edge.number)
            heads.append(edge.number)
            pair = (source.key if source is not None else START, edge.key)
            goals.append(numbers.setdefault(pair, len(numbers)))
        offsets.append(len(heads))
    new = {old: number for number, old in enumerate(order)}
    levels = np.cumsum([0, *np.bincount([depths[old] for old in order])])
    graph = Graph(
        np.array(offsets),
        np.arange(len(heads)),
        np.array([new[head] for head in heads], dtype=np.uint32),
        np.array([], dtype=np.int64),
        levels,
    )
    return graph, np.array(goals, dtype=np.int64), order
