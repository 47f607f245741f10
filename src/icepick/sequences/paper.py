"""The algorithm of the ICEPICK paper, with pointers in place of paths.

Stage 1 walks breadth-first: an edge that finds a state is a tree edge, every other one ends a
path that stage 3 completes. Stage 2 finds the shortest way from each state to a final one. A
path is thus the tree's way to an edge, the edge, and the way on from its target; one more leads
to each final state. None of them is kept: blocks of paths are put together when asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from icepick.explore.layout import Array
from icepick.sequences.graph import UNREACHED, Graph, Ways, one_per_pair, ways_from, ways_to
from icepick.sequences.types import NO_EDGE, Batch

BLOCK = 1 << 15


@dataclass(frozen=True, slots=True, eq=False)
class Pointers:
    """Everything that a path is put together from."""

    graph: Graph
    sources: Array
    to: Ways
    onward: Ways
    kept: Array | None


def paper_batches(graph: Graph, *, transition_identity: bool = True) -> Iterator[Batch]:
    """The paper's paths: first those that are complete after stage 1, then the completed ones.

    Without transition identity parallel edges are one edge, as in the paper.
    """
    sources = graph.sources()
    kept = None if transition_identity else one_per_pair(graph, sources)
    pointers = Pointers(graph, sources, ways_to(graph), ways_from(graph, sources), kept)
    ends = _ends(graph)
    for start in range(0, len(ends), BLOCK):
        block = ends[start : start + BLOCK]
        yield _batch(pointers, block, np.full(len(block), NO_EDGE))
    is_tree = np.zeros(graph.edges, dtype=bool)
    is_tree[pointers.to.edges[1:]] = True
    for start in range(0, graph.edges, BLOCK):
        block = start + np.flatnonzero(~is_tree[start : start + BLOCK])
        if len(block):
            yield _batch(pointers, sources[block], block)


def _ends(graph: Graph) -> Array:
    """Final states; and those that nothing leaves, which no other path would come by."""
    is_end = graph.degrees() == 0
    is_end[graph.finals] = True
    return np.flatnonzero(is_end)


def _batch(pointers: Pointers, origins: Array, edges: Array) -> Batch:
    """The paths that reach the origins by the tree, take the edges and go on to a final state."""
    taken = edges != NO_EDGE
    after = origins.astype(np.int64)
    after[taken] = pointers.graph.targets[edges[taken]]
    onward = np.where(taken, pointers.onward.lengths[after], 0)
    onward[onward == UNREACHED] = 0
    before = pointers.to.lengths[origins].astype(np.int64)
    offsets = np.zeros(len(origins) + 1, dtype=np.int64)
    np.cumsum(before + taken + onward, out=offsets[1:])
    path = np.empty(offsets[-1], dtype=np.int64)
    _fill_backwards(pointers, path, offsets[:-1] + before - 1, origins)
    path[(offsets[:-1] + before)[taken]] = edges[taken]
    _fill_onwards(pointers, path, offsets[1:] - onward, after, onward)
    if pointers.kept is not None:
        path = pointers.kept[path]
    return Batch(offsets, pointers.graph.calls[path], pointers.graph.targets[path], path)


def _fill_backwards(pointers: Pointers, path: Array, places: Array, states: Array) -> None:
    while True:
        left = np.flatnonzero(states)
        if not len(left):
            return
        states, places = states[left], places[left]
        path[places] = pointers.to.edges[states]
        states, places = pointers.sources[path[places]], places - 1


def _fill_onwards(
    pointers: Pointers, path: Array, places: Array, states: Array, lengths: Array
) -> None:
    while True:
        left = np.flatnonzero(lengths)
        if not len(left):
            return
        states, places, lengths = states[left], places[left], lengths[left]
        path[places] = pointers.onward.edges[states]
        states, places, lengths = pointers.graph.targets[path[places]], places + 1, lengths - 1
