"""The state graph as plans use it: shortest ways from the initial state and to a final one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from icepick.explore import Exploration
from icepick.explore.graph import edges_of
from icepick.explore.layout import Array

UNREACHED = -1


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A labelled multigraph whose states are numbered breadth-first from 0, the initial one.

    Edges are ordered by source: those of state s are offsets[s] to offsets[s + 1] of `calls`
    and `targets`. Level d holds the states levels[d] to levels[d + 1].
    """

    offsets: Array
    calls: Array
    targets: Array
    finals: Array
    levels: Array

    @property
    def states(self) -> int:
        """How many there are."""
        return len(self.offsets) - 1

    @property
    def edges(self) -> int:
        """How many there are, parallel ones counted each."""
        return len(self.targets)

    def sources(self) -> Array:
        """The source of every edge."""
        return np.repeat(np.arange(self.states, dtype=np.uint32), self.degrees())

    def degrees(self) -> Array:
        """How many edges leave every state."""
        offsets = self.offsets.astype(np.int64)
        degrees: Array = offsets[1:] - offsets[:-1]
        return degrees

    def depths(self) -> Array:
        """How many calls the shortest way to every state has."""
        sizes = self.levels[1:] - self.levels[:-1]
        return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)


def graph_of(exploration: Exploration) -> Graph:
    """The graph of an exploration; a state that was not expanded has no edges."""
    edges = edges_of(exploration)
    states = exploration.states.shape[1]
    offsets = np.full(states + 1, edges.offsets[-1], dtype=edges.offsets.dtype)
    offsets[: len(edges.offsets)] = edges.offsets
    return Graph(offsets, edges.actions, edges.targets, exploration.finals, exploration.levels)


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """One edge per state on a shortest way, and the length of that way (or `UNREACHED`)."""

    edges: Array
    lengths: Array


def ways_to(graph: Graph) -> Ways:
    """From the initial state: the first edge that leads to each state."""
    first = np.zeros(graph.states, dtype=np.int64)
    # Backwards, so that of several edges to one state the first is written last.
    first[graph.targets[::-1]] = np.arange(graph.edges - 1, -1, -1)
    return Ways(first, graph.depths())


def ways_from(graph: Graph, sources: Array) -> Ways:
    """From each state to the nearest final one, by the first edge that brings it nearer."""
    lengths = np.full(graph.states, UNREACHED, dtype=np.int32)
    lengths[graph.finals] = 0
    first = np.zeros(graph.states, dtype=np.int64)
    waiting = np.arange(graph.edges)
    length = 0
    while len(waiting):
        waiting = waiting[lengths[sources[waiting]] == UNREACHED]
        near = waiting[lengths[graph.targets[waiting]] == length]
        if not len(near):
            break
        length += 1
        first[sources[near[::-1]]] = near[::-1]
        lengths[sources[near]] = length
    return Ways(first, lengths)


def one_per_pair(graph: Graph, sources: Array) -> Array:
    """For every edge the first one with the same source and target."""
    keys = sources.astype(np.int64) * graph.states + graph.targets
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    kept: Array = first[place]
    return kept
