"""A model compiled to arithmetic on blocks of packed states."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from icepick.explore.circuit import Circuit, Op
from icepick.explore.evaluate import Evaluation
from icepick.explore.ground import GroundAction, ground_actions
from icepick.explore.layout import Array, Layout, layout_of
from icepick.explore.lower import Lowering
from icepick.explore.lower_effects import Effects
from icepick.model.check import check
from icepick.model.expressions import (
    And,
    Every,
    Exists,
    Expression,
    ValuesOf,
    Var,
)
from icepick.model.types import (
    Model,
)


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A compiled ground action.

    The next state is the state plus `shift` (one summand per word), plus what each table in
    `tables` (position, word, summand by digit) gives, plus the change of each digit in `digits`
    (position, node of the new digit). Words wrap around, so a summand may stand for a negative.
    """

    guard: int
    shift: tuple[int, ...]
    tables: tuple[tuple[int, int, Array], ...]
    digits: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """A compiled model: everything that exploration asks of it."""

    layout: Layout
    circuit: Circuit
    actions: tuple[GroundAction, ...]
    steps: tuple[Step, ...]
    invariants: tuple[int, ...]
    final: int

    def evaluation(self, states: Array) -> Evaluation:
        """The block of states, ready to be asked."""
        return Evaluation(self.circuit, self.layout, states)

    def successors(self, action: int, states: Array, asked: Evaluation) -> tuple[Array, Array]:
        """The rows of the states in which the ground action is enabled, and the next states."""
        step = self.steps[action]
        if step.guard == self.circuit.false:
            return np.zeros(0, dtype=np.intp), states[:, :0]
        rows = np.flatnonzero(asked.truth(step.guard))
        targets = states.take(rows, axis=1)
        for word, summand in enumerate(step.shift):
            if summand:
                targets[word] += targets.dtype.type(summand)
        for position, word, table in step.tables:
            targets[word] += table.take(asked.digit(position).take(rows))
        for position, node in step.digits:
            place = self.layout.places[position]
            change = asked.value(node).astype(np.int64) - asked.digit(position)
            moved = change.take(rows).astype(targets.dtype) * targets.dtype.type(place.weight)
            targets[place.word] += moved
        return rows, targets


def compile_model(model: Model) -> Machine:
    """Check the model and compile it; a `ModelError` if it makes no sense."""
    check(model)
    layout = layout_of(model)
    circuit = Circuit([place.radix for place in layout.places])
    lowering = Lowering(layout, circuit)
    actions = ground_actions(layout)
    steps = tuple(_step(lowering, action) for action in actions)
    invariants = tuple(lowering.condition(i.condition, {}) for i in model.invariants)
    final = lowering.condition(final_condition(model), {})
    return Machine(layout, circuit, actions, steps, invariants, final)


def final_condition(model: Model) -> Expression:
    """What makes a state final: what the model says, or that every value exists."""
    if model.final is not None:
        return model.final
    return And(
        tuple(
            Every("x", ValuesOf(resource.name), Exists(resource.name, Var("x")))
            for resource in model.resources
        )
    )


def _step(lowering: Lowering, ground: GroundAction) -> Step:
    action = next(a for a in lowering.layout.model.actions if a.name == ground.action)
    names = (parameter.name for parameter in action.parameters)
    binding = dict(zip(names, ground.bounds, strict=True))
    circuit = lowering.circuit
    effects = Effects(lowering, action, binding)
    guard = circuit.all(
        [lowering.condition(c.condition, binding) for c in action.guard] + effects.possible
    )
    return _changes(lowering, guard, effects.digits)


def _changes(lowering: Lowering, guard: int, digits: list[int]) -> Step:
    circuit, layout = lowering.circuit, lowering.layout
    modulus = 2 ** (8 * np.dtype(layout.dtype).itemsize)
    shift = [0] * layout.words
    tables: list[tuple[int, int, Array]] = []
    moved: list[tuple[int, int]] = []
    allowed = circuit.allowed(guard)
    for position, new in enumerate(digits):
        place, node = layout.places[position], circuit.nodes[new]
        if new == circuit.digit(position):
            continue
        if node.op is not Op.NUMBER and node.position != position:
            moved.append((position, new))
            continue
        change = np.broadcast_to(node.table, place.radix) - np.arange(place.radix)
        possible = np.unique(change[allowed.get(position, slice(None))])
        if len(possible) <= 1:
            only = int(possible[0]) if len(possible) else 0
            shift[place.word] = (shift[place.word] + only * place.weight) % modulus
        else:
            summands = [int(c) * place.weight % modulus for c in change]
            tables.append((position, place.word, np.array(summands, dtype=layout.dtype)))
    return Step(guard, tuple(shift), tuple(tables), tuple(moved))
