"""Tours in an order that suits a budget: what matters most comes first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

from icepick.explore import Exploration
from icepick.explore.layout import Array
from icepick.sequences.graph import Graph
from icepick.sequences.tour import NO_GOAL, Loop, Tour, each_state


def budgeted(
    exploration: Exploration, graph: Graph, goals: Array, loops: tuple[Loop, ...], max_length: int
) -> Iterator[list[int]]:
    """First all states, then the calls at states, then transitions, those of rare actions first."""
    nothing = np.full(graph.edges, NO_GOAL)
    done = np.zeros(graph.edges, dtype=bool)
    first = Tour(graph, each_state(graph), (), max_length)
    second = Tour(graph, nothing, loops, max_length)
    for sequence in chain(first.sequences(), second.sequences()):
        done[goals[[item for item in sequence if item >= 0]]] = True
        yield sequence
    for mask in _by_rarity(exploration, graph):
        wanted = np.where(mask & ~done[goals], goals, NO_GOAL)
        for sequence in Tour(graph, wanted, (), max_length).sequences():
            done[goals[sequence]] = True
            yield sequence


def _by_rarity(exploration: Exploration, graph: Graph) -> Iterator[Array]:
    """The transitions of each action, as a mask; the action that is taken least comes first."""
    names = [ground.action for ground in exploration.actions]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    action = np.array([numbers[name] for name in names])[graph.calls]
    taken = np.bincount(action, minlength=len(numbers))
    for number in np.argsort(taken, kind="stable").tolist():
        yield action == number
