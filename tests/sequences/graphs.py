"""Graphs written as lists of targets, numbered as exploration numbers them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from icepick.sequences.graph import Graph
from icepick.sequences.types import Batch

Adjacency = list[list[int]]


def graph(targets: Adjacency, finals: list[int]) -> tuple[Graph, list[int]]:
    """The part that can be reached from 0; and the old number of each state.

    The label of an edge is its number.
    """
    order, depths = [0], {0: 0}
    for state in order:
        for target in targets[state]:
            if target not in depths:
                depths[target] = depths[state] + 1
                order.append(target)
    new = {old: number for number, old in enumerate(order)}
    offsets = np.cumsum([0, *(len(targets[old]) for old in order)])
    heads = np.array([new[t] for old in order for t in targets[old]], dtype=np.uint32)
    levels = np.cumsum([0, *np.bincount([depths[old] for old in order])])
    ends = np.array(sorted(new[f] for f in finals if f in new), dtype=np.int64)
    return Graph(offsets, np.arange(len(heads)), heads, ends, levels), order


def sequences(batch: Batch) -> list[list[int]]:
    """The edges of each sequence."""
    bounds = batch.offsets.tolist()
    edges = batch.edges.tolist()
    return [edges[a:b] for a, b in pairwise(bounds)]


def is_walk(found: Graph, edges: list[int]) -> bool:
    """Whether the edges lead on from one another, beginning at the initial state."""
    origins, state = found.sources(), 0
    for edge in edges:
        if origins[edge] != state:
            return False
        state = int(found.targets[edge])
    return True
