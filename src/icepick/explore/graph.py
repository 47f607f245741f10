"""Ways through an explored state graph, and states in a form that people read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from icepick.errors import Code, ExploreError
from icepick.explore.ground import GroundAction
from icepick.explore.layout import Array, Layout, value_text
from icepick.explore.symmetry import Symmetry
from icepick.explore.types import Edges, Exploration
from icepick.model.types import (
    Resource,
)

BLOCK = 1 << 16
NO_PARENT = np.uint64(2**64 - 1)

State = dict[str, dict[str, dict[str, str]]]
"""Instances by resource and value name, with their fields as text."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A transition on the way, and the state that it leads to."""

    action: GroundAction
    state: State


def decode(layout: Layout, packed: Array) -> State:
    """A packed state (an integer per word) with names."""
    block = np.asarray(packed, dtype=layout.dtype).reshape(layout.words, 1)
    state: State = {}
    for resource in layout.model.resources:
        state[resource.name] = {}
        for value, position in enumerate(layout.positions(resource.name)):
            digit = int(layout.digit(block, position)[0])
            if digit:
                state[resource.name][resource.value_name(value)] = _record(layout, resource, digit)
    return state


def _record(layout: Layout, resource: Resource, digit: int) -> dict[str, str]:
    record: dict[str, str] = {}
    for field, place in zip(resource.fields, layout.records[resource.name], strict=True):
        code = place.values[(digit - 1) // place.weight % len(place.values)]
        record[field.name] = value_text(layout.model, field.domain, code, layout.symbols)
    return record


def state_text(state: State) -> str:
    """A decoded state on one line: `Player p1; Tournament t1 (capacity 2)`."""
    parts = [
        f"{resource} {name}" + (f" ({', '.join(map(' '.join, fields.items()))})" if fields else "")
        for resource, instances in state.items()
        for name, fields in instances.items()
    ]
    return "; ".join(parts) or "nothing exists"


def edges_of(exploration: Exploration) -> Edges:
    """The transitions, or an `ExploreError` if they were only counted."""
    if exploration.edges is None:
        raise ExploreError(
            Code.NO_GRAPH,
            "the transitions of this exploration were counted, not kept",
            hint="Explore with graph=True.",
        )
    return exploration.edges


def outgoing(exploration: Exploration, state: int) -> list[tuple[int, int]]:
    """The transitions of a state as (index of the ground action, target)."""
    edges = edges_of(exploration)
    if state >= exploration.expanded:
        return []
    part = slice(int(edges.offsets[state]), int(edges.offsets[state + 1]))
    return list(zip(edges.actions[part].tolist(), edges.targets[part].tolist(), strict=True))


def sources(exploration: Exploration, start: int, stop: int) -> Array:
    """The source states of the transitions from index `start` to `stop`."""
    offsets = edges_of(exploration).offsets
    return np.searchsorted(offsets, np.arange(start, stop), side="right") - 1


def parents(exploration: Exploration) -> Array:
    """For every state the index of the first transition that leads to it, a shortest way.

    The initial state has `NO_PARENT`.
    """
    edges = edges_of(exploration)
    found = np.full(exploration.states.shape[1], NO_PARENT, dtype=np.uint64)
    for stop in range(len(edges.targets), 0, -BLOCK):
        start = max(0, stop - BLOCK)
        # Backwards, so that of several transitions to one state the first is written last.
        found[edges.targets[start:stop][::-1]] = np.arange(start, stop, dtype=np.uint64)[::-1]
    found[0] = NO_PARENT
    return found


def path_to(exploration: Exploration, state: int) -> list[tuple[int, int, int]]:
    """A shortest way as (source, index of the ground action, target)."""
    path: list[tuple[int, int, int]] = []
    while state:
        source, action = _predecessor(exploration, state)
        path.append((source, action, state))
        state = source
    return path[::-1]


def _predecessor(exploration: Exploration, state: int) -> tuple[int, int]:
    depth = exploration.depth(state)
    first, after = int(exploration.levels[depth - 1]), int(exploration.levels[depth])
    if exploration.edges is None:
        return _predecessor_again(exploration, state, first, min(after, exploration.expanded))
    edges = exploration.edges
    start = int(edges.offsets[first])
    stop = int(edges.offsets[min(after, exploration.expanded)])
    edge = start + int(np.argmax(edges.targets[start:stop] == state))
    return int(sources(exploration, edge, edge + 1)[0]), int(edges.actions[edge])


def _predecessor_again(
    exploration: Exploration, state: int, first: int, after: int
) -> tuple[int, int]:
    """Take the transitions of a level once more until one leads to the state."""
    wanted = exploration.states[:, state]
    symmetry = _symmetry(exploration)
    for start in range(first, after, BLOCK):
        block = exploration.states[:, start : min(start + BLOCK, after)]
        best: tuple[int, int] | None = None
        for action, rows, targets in _all_successors(exploration, block):
            reached = targets if symmetry is None else symmetry.representative(targets)
            hits = np.flatnonzero((reached == wanted[:, np.newaxis]).all(axis=0))
            if len(hits) and (best is None or start + int(rows[hits[0]]) < best[0]):
                best = (start + int(rows[hits[0]]), action)
        if best is not None:
            return best
    raise AssertionError("a state without a predecessor was never found by exploration")


def _all_successors(
    exploration: Exploration, block: Array, name: str | None = None
) -> Iterator[tuple[int, Array, Array]]:
    asked = exploration.machine.evaluation(block)
    for action, ground in enumerate(exploration.actions):
        if name is None or ground.action == name:
            rows, targets = exploration.machine.successors(action, block, asked)
            if len(rows):
                yield action, rows, targets


def _symmetry(exploration: Exploration) -> Symmetry | None:
    return None if exploration.orbits is None else Symmetry(exploration.machine.layout)


def trace(exploration: Exploration, state: int) -> tuple[TraceStep, ...]:
    """A shortest way to a state, every step a transition from the state before it."""
    layout = exploration.machine.layout
    symmetry = _symmetry(exploration)
    now = layout.initial()
    steps: list[TraceStep] = []
    for _, action, target in path_to(exploration, state):
        if symmetry is None:
            now = exploration.states[:, target : target + 1]
        else:
            action, now = _concrete(exploration, symmetry, now, action, target)  # noqa: PLW2901
        steps.append(TraceStep(exploration.actions[action], decode(layout, now)))
    return tuple(steps)


def _concrete(
    exploration: Exploration, symmetry: Symmetry, now: Array, action: int, target: int
) -> tuple[int, Array]:
    """The like of a transition between representatives that starts in this very state."""
    wanted = exploration.states[:, target : target + 1]
    name = exploration.actions[action].action
    for like, _, reached in _all_successors(exploration, now, name):
        if (symmetry.representative(reached) == wanted).all():
            return like, reached
    raise AssertionError("an exchange of values keeps every transition")
