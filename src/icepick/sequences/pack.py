"""Sequences of a tour as batches, and batches cut to a budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import numpy as np

from icepick.explore.layout import Array
from icepick.sequences.graph import Graph
from icepick.sequences.tour import Loop
from icepick.sequences.types import NO_EDGE, Batch

SEQUENCES = 1 << 12


def packed(graph: Graph, loops: Sequence[Loop], sequences: Iterable[list[int]]) -> Iterator[Batch]:
    """Batches of sequences of edges, in which complements (~) are numbers of loops."""
    waiting = iter(sequences)
    while some := tuple(islice(waiting, SEQUENCES)):
        yield _batch(graph, loops, some)


def _batch(graph: Graph, loops: Sequence[Loop], sequences: tuple[list[int], ...]) -> Batch:
    items = np.fromiter(chain.from_iterable(sequences), dtype=np.int64)
    sizes = np.ones(len(items), dtype=np.int64)
    looped = np.flatnonzero(items < 0)
    taken = [loops[~item] for item in items[looped].tolist()]
    sizes[looped] = [len(loop.calls) for loop in taken]
    ends = np.concatenate(([0], np.cumsum(sizes)))
    offsets = ends[np.concatenate(([0], np.cumsum([len(one) for one in sequences])))]
    edges = np.repeat(np.where(items < 0, NO_EDGE, items), sizes)
    calls, states = np.zeros((2, len(edges)), dtype=np.int64)
    moves = edges != NO_EDGE
    calls[moves] = graph.calls[edges[moves]]
    states[moves] = graph.targets[edges[moves]]
    for item, loop in zip(looped.tolist(), taken, strict=True):
        place = slice(int(ends[item]), int(ends[item + 1]))
        calls[place], states[place] = loop.calls, loop.states or loop.state
    return Batch(offsets, calls, states, edges)


def cut(batches: Iterable[Batch], max_calls: int) -> Iterator[Batch]:
    """The batches up to that many calls; the last sequence may end early."""
    for batch in batches:
        if max_calls <= 0:
            return
        yield batch if batch.offsets[-1] <= max_calls else _cut(batch, max_calls)
        max_calls -= int(batch.offsets[-1])


def _cut(batch: Batch, calls: int) -> Batch:
    kept: Array = batch.offsets[batch.offsets < calls]
    offsets = np.append(kept, calls)
    return Batch(offsets, batch.calls[:calls], batch.states[:calls], batch.edges[:calls])
