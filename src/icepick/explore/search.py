"""Breadth-first exploration of whole blocks of states at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from icepick.explore.columns import Column, chosen_dtype
from icepick.explore.evaluate import Evaluation
from icepick.explore.layout import Array
from icepick.explore.machine import Machine, compile_model
from icepick.explore.symmetry import Symmetry
from icepick.explore.types import Callback, Edges, Exploration, Progress, Violation
from icepick.explore.visited import state_set
from icepick.model.types import (
    Model,
)

BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop. All are looked at after each block of states, so they may be passed a bit."""

    max_states: int | None = None
    max_memory: int | None = None
    max_transitions: int | None = None

    @property
    def block(self) -> int:
        """Smaller blocks where few states are wanted."""
        if self.max_states is None:
            return BLOCK
        return min(BLOCK, max(16, self.max_states // 64))

    def reason(self, states: int, memory: int, transitions: int) -> str | None:
        """Why to stop now, or nothing."""
        if self.max_states is not None and states > self.max_states:
            return f"there are more than {self.max_states} states"
        if self.max_memory is not None and memory > self.max_memory:
            return f"more than {self.max_memory} bytes are needed"
        if self.max_transitions is not None and transitions > self.max_transitions:
            return f"there are more than {self.max_transitions} transitions"
        return None


def explore(  # noqa: PLR0913 (each is a bound or a way to go about it, by name)
    model: Model,
    *,
    max_states: int | None = None,
    max_memory: int | None = None,
    max_transitions: int | None = None,
    graph: bool = True,
    symmetry: bool = False,
    progress: Callback | None = None,
) -> Exploration:
    """Explore every reachable state.

    `max_memory` is in bytes, `max_transitions` are those of the states that were gone through.
    Without `graph` transitions are counted and not kept. With
    `symmetry` only one of the states that differ by an exchange of values is explored.
    """
    machine = compile_model(model)
    limits = Limits(max_states, max_memory, max_transitions)
    search = _Search(machine, limits, Symmetry(machine.layout) if symmetry else None, graph=graph)
    return search.run(progress)


class _Search:
    """One exploration while it runs."""

    def __init__(
        self, machine: Machine, limits: Limits, symmetry: Symmetry | None, *, graph: bool
    ) -> None:
        self._machine = machine
        self._limits = limits
        self._symmetry = symmetry
        self._set = state_set(machine.layout)
        self._states = [Column(machine.layout.dtype) for _ in range(machine.layout.words)]
        self._levels = [0]
        self._degrees = Column(chosen_dtype(len(machine.actions)))
        self._taken = np.zeros(len(machine.actions), dtype=np.int64)
        self._finals = Column(np.uint32)
        self._broken: list[tuple[int, int] | None] = [None] * len(machine.invariants)
        self._actions = Column(chosen_dtype(max(len(machine.actions) - 1, 0))) if graph else None
        self._targets = Column(np.uint32) if graph else None
        self._fresh: list[Array] = []
        self._waiting = 0
        self._expanded = 0

    def run(self, progress: Callback | None) -> Exploration:
        level = self._machine.layout.initial()
        self._set.add(level)
        stopped = None
        while level.shape[1] and stopped is None:
            self._number_level(level)
            stopped = self._expand_level(level, progress)
            level = self._next_level()
        if level.shape[1]:
            self._number_level(level)
        self._watch_the_rest()
        return self._result(stopped)

    def _number_level(self, level: Array) -> None:
        for column, word in zip(self._states, level, strict=True):
            column.append(word)
        self._levels.append(len(self._states[0]))

    def _watch_the_rest(self) -> None:
        """Final states and invariants are looked at in every state, expanded or not."""
        for start in range(self._expanded, len(self._states[0]), BLOCK):
            block = np.stack([column.view[start : start + BLOCK] for column in self._states])
            self._watch(self._machine.evaluation(block), start)

    def _watch(self, asked: Evaluation, start: int) -> None:
        finals = np.flatnonzero(asked.truth(self._machine.final))
        self._finals.append(finals + start)
        self._look_for_violations(asked, start)

    def _look_for_violations(self, asked: Evaluation, start: int) -> None:
        for i, node in enumerate(self._machine.invariants):
            bad = np.flatnonzero(~asked.truth(node))
            if len(bad):
                first, number = self._broken[i] or (start + int(bad[0]), 0)
                self._broken[i] = (first, number + len(bad))

    def _expand_level(self, level: Array, progress: Callback | None) -> str | None:
        block = self._limits.block
        for start in range(0, level.shape[1], block):
            self._expand(level[:, start : start + block])
            waiting = level.shape[1] - min(start + block, level.shape[1]) + self._waiting
            edges = int(self._taken.sum())
            if progress is not None:
                progress(Progress(len(self._levels) - 2, self._known(), edges, waiting))
            stopped = self._limits.reason(self._known(), self._memory(), edges)
            if stopped is not None and waiting:
                return stopped
        return None

    def _expand(self, states: Array) -> None:
        asked = self._machine.evaluation(states)
        self._watch(asked, self._expanded)
        degrees = np.zeros(states.shape[1], dtype=self._degrees.view.dtype)
        found: list[tuple[int, Array, Array]] = []
        for action, step in enumerate(self._machine.steps):
            rows, targets = self._machine.successors(action, states, asked)
            if len(rows):
                np.add(degrees, asked.truth(step.guard), out=degrees)
                self._taken[action] += len(rows)
                found.append((action, rows, targets))
        if self._symmetry is not None:
            found = self._symmetry.representatives(found)
        handles = [(action, rows, self._add(targets)) for action, rows, targets in found]
        self._degrees.append(degrees)
        self._expanded += states.shape[1]
        self._keep_edges(degrees, handles)

    def _add(self, targets: Array) -> Array:
        handles, fresh = self._set.add(targets)
        if fresh.shape[1]:
            self._fresh.append(fresh)
            self._waiting += fresh.shape[1]
        return handles

    def _keep_edges(self, degrees: Array, found: list[tuple[int, Array, Array]]) -> None:
        """Sort by source: every state has as many places in a row as it has transitions."""
        if self._actions is None or self._targets is None:
            return
        ends = np.cumsum(degrees, dtype=np.intp)
        total = int(ends[-1])
        actions, targets = self._actions.grow(total), self._targets.grow(total)
        ends -= degrees
        for action, rows, handles in found:
            places = ends.take(rows)
            targets[places] = handles
            actions[places] = action
            ends[rows] = places + 1

    def _next_level(self) -> Array:
        layout = self._machine.layout
        if not self._fresh:
            return np.zeros((layout.words, 0), dtype=layout.dtype)
        level = np.concatenate(self._fresh, axis=1)
        self._fresh, self._waiting = [], 0
        if layout.words == 1:
            level.sort(axis=1)
            return level
        return level[:, np.lexsort(level[::-1])]

    def _known(self) -> int:
        return len(self._states[0]) + self._waiting

    def _memory(self) -> int:
        columns = [*self._states, self._degrees, self._finals, self._actions, self._targets]
        held = sum(column.nbytes for column in columns if column is not None)
        return held + self._set.nbytes + sum(fresh.nbytes for fresh in self._fresh)

    def _result(self, stopped: str | None) -> Exploration:
        states = np.stack([column.finish() for column in self._states])
        degrees = self._degrees.finish()
        return Exploration(
            machine=self._machine,
            states=states,
            levels=np.array(self._levels, dtype=np.int64),
            expanded=self._expanded,
            degrees=degrees,
            taken=self._taken,
            finals=self._finals.finish(),
            edges=self._edges(states, degrees),
            orbits=None if self._symmetry is None else self._symmetry.orbit_sizes(states),
            violations=self._violations(),
            stopped=stopped,
        )

    def _edges(self, states: Array, degrees: Array) -> Edges | None:
        if self._actions is None or self._targets is None:
            return None
        offsets = np.zeros(len(degrees) + 1, dtype=chosen_dtype(max(len(self._targets), 2**31)))
        np.cumsum(degrees, out=offsets[1:])
        actions, targets = self._actions.finish(), self._targets.finish()
        self._set.number(states)
        for start in range(0, len(targets), BLOCK):
            targets[start : start + BLOCK] = self._set.numbers(targets[start : start + BLOCK])
        return Edges(offsets, actions, targets)

    def _violations(self) -> tuple[Violation, ...]:
        return tuple(
            Violation(invariant.name, *broken)
            for invariant, broken in zip(
                self._machine.layout.model.invariants, self._broken, strict=True
            )
            if broken is not None
        )
