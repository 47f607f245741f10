"""What an exploration finds: states, edges, and what is remarkable about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from icepick.explore.ground import GroundAction
from icepick.explore.layout import Array
from icepick.explore.machine import Machine
from icepick.model.types import (
    Model,
)


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """The transitions, ordered by source and then by ground action.

    Those of state s are the elements offsets[s] to offsets[s + 1] of `actions` (indices of ground
    actions) and `targets` (numbers of states). Parallel transitions are different elements.
    """

    offsets: Array
    actions: Array
    targets: Array


@dataclass(frozen=True, slots=True)
class Violation:
    """An invariant that does not hold: in how many states, and the first of them."""

    invariant: str
    state: int
    states: int


@dataclass(frozen=True, slots=True)
class Totals:
    """How many states, transitions and final states there are."""

    states: int
    transitions: int
    finals: int


@dataclass(frozen=True, slots=True)
class Progress:
    """Where an exploration is: how deep, and what it found so far."""

    depth: int
    states: int
    transitions: int
    waiting: int


Callback = Callable[[Progress], None]


@dataclass(frozen=True, slots=True, eq=False)
class Exploration:
    """The reachable states, numbered breadth-first from 0, and the transitions between them.

    `states` are packed integers, one row per word. Level d holds the states levels[d] to
    levels[d + 1]; within a level they ascend. The first `expanded` states had all their
    transitions taken; `stopped` says why that is not all of them. `degrees` counts transitions
    by source, `taken` by ground action. With symmetry a state stands for the `orbits[s]` states
    that come from it by exchanging values, and so does each of its transitions.
    """

    machine: Machine
    states: Array
    levels: Array
    expanded: int
    degrees: Array
    taken: Array
    finals: Array
    edges: Edges | None = None
    orbits: Array | None = None
    violations: tuple[Violation, ...] = ()
    stopped: str | None = None

    @property
    def model(self) -> Model:
        """What was explored."""
        return self.machine.layout.model

    @property
    def actions(self) -> tuple[GroundAction, ...]:
        """The ground actions that edges count."""
        return self.machine.actions

    @property
    def found(self) -> Totals:
        """What is held here: with symmetry, representatives only."""
        return Totals(self.states.shape[1], int(self.taken.sum()), len(self.finals))

    @property
    def totals(self) -> Totals:
        """What the model has: with symmetry, every representative counts for its orbit."""
        if self.orbits is None:
            return self.found
        edges = self.orbits[: self.expanded].astype(object) * self.degrees
        finals = self.orbits[self.finals].astype(object)
        return Totals(int(self.orbits.astype(object).sum()), int(edges.sum()), int(finals.sum()))

    @property
    def deadlocks(self) -> Array:
        """The states that no transition leaves."""
        return np.flatnonzero(self.degrees == 0)

    @property
    def untaken(self) -> tuple[str, ...]:
        """The actions that no reachable state enables."""
        used = {action.action for action, n in zip(self.actions, self.taken, strict=True) if n}
        return tuple(a.name for a in self.model.actions if a.name not in used)

    def depth(self, state: int) -> int:
        """How many transitions the shortest way to the state has."""
        return int(np.searchsorted(self.levels, state, side="right")) - 1
