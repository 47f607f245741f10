"""Calls that the model forbids: where they are tried, and because of which part of the guard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from icepick.explore import Exploration, GroundAction
from icepick.explore.evaluate import Evaluation
from icepick.explore.layout import Array
from icepick.explore.lower import Lowering
from icepick.model.expressions import Exists, Expression, Not, Var
from icepick.model.types import Action, Conjunct, OneOf, Reference
from icepick.sequences.calls import Calls, binding
from icepick.sequences.contexts import Contexts
from icepick.sequences.deleted import RoundTrips
from icepick.sequences.groups import Block, Groups, blocks
from icepick.sequences.tour import Loop
from icepick.sequences.types import Kind, Refusals


@dataclass(frozen=True, slots=True)
class _Guard:
    """A ground action with the nodes of its guard's parts, and of the guard as a whole.

    A violation is a bit per part; the bit after the last one says that all parts hold and the
    effect is forbidden still, by something that refers to what would be deleted.
    """

    number: int
    action: Action
    ground: GroundAction
    parts: tuple[int, ...]
    whole: int

    @property
    def impossible(self) -> int:
        """The parts that no call can violate."""
        return sum(1 << i for i, c in enumerate(self.action.guard) if _is_implied(self.action, c))


def refusal_loops(
    exploration: Exploration, calls: Calls, which: Refusals, seed: int
) -> tuple[Loop, ...]:
    """The forbidden calls to try, each as a loop at the state where it is tried."""
    if which is Refusals.NONE:
        return ()
    guards = list(_guards(exploration))
    groups = Groups()
    for block, guard, rows, keys in _refused(exploration, guards, seed):
        groups.offer(block, rows, keys, guard.action.name, guard.number)
    one: list[Loop] = []
    deleted: list[Loop] = []
    trips = RoundTrips(exploration)
    for (_, key), state, number in groups.chosen():
        call = _call(calls, guards[number], key)
        one.append(Loop(state, (call,)))
        deleted += _of_deleted(trips, guards[number], key, one[-1])
    if which is Refusals.EACH:
        one = list(_each(exploration, guards, calls, seed))
    return (*one, *deleted)


def _of_deleted(trips: RoundTrips, guard: _Guard, key: int, loop: Loop) -> Iterator[Loop]:
    """The same call after what it misses was created and deleted, where that can be done."""
    values = binding(guard.action, guard.ground)
    for bit, conjunct in enumerate(guard.action.guard):
        match conjunct.condition:
            case Exists(resource, Var(name)) if key >> bit & 1:
                missed = values.get(name)
                one = missed if isinstance(missed, int) else None
                trip = trips.of(loop.state, resource, one) if one is not None else None
                if trip is not None:
                    states = (trip.middle, loop.state, loop.state)
                    yield Loop(loop.state, (*trip.actions, *loop.calls), states)
                    return


def _each(
    exploration: Exploration, guards: list[_Guard], calls: Calls, seed: int
) -> Iterator[Loop]:
    for block, guard, rows, keys in _refused(exploration, guards, seed):
        known = {key: (_call(calls, guard, key),) for key in np.unique(keys).tolist()}
        states = block.numbers[rows].tolist()
        for state, key in zip(states, keys.tolist(), strict=True):
            yield Loop(state, known[key])


def _guards(exploration: Exploration) -> Iterator[_Guard]:
    machine = exploration.machine
    lowering = Lowering(machine.layout, machine.circuit)
    actions = {action.name: action for action in exploration.model.actions}
    for number, ground in enumerate(machine.actions):
        action = actions[ground.action]
        bound = binding(action, ground)
        parts = tuple(lowering.condition(c.condition, bound) for c in action.guard)
        yield _Guard(number, action, ground, parts, machine.steps[number].guard)


def _refused(
    exploration: Exploration, guards: list[_Guard], seed: int
) -> Iterator[tuple[Block, _Guard, Array, Array]]:
    """For each ground action the rows where it is forbidden, with (context, violation) as key."""
    for block in blocks(exploration, seed):
        asked = exploration.machine.evaluation(block.states)
        contexts = Contexts(exploration.machine.layout, block.states)
        for guard in guards:
            violation = _violation(asked, guard)
            rows = np.flatnonzero(violation)
            if len(rows):
                context = _context(contexts, guard)[rows]
                yield block, guard, rows, (context << _bits(guard)) | violation[rows]


def _bits(guard: _Guard) -> int:
    return len(guard.parts) + 1


def _violation(asked: Evaluation, guard: _Guard) -> Array:
    """What is violated in each state; nothing where the call is allowed or cannot be made."""
    violated = np.where(asked.truth(guard.whole), 0, 1).astype(np.int64)
    forbidden = violated != 0
    parts = np.zeros(len(violated), dtype=np.int64)
    for bit, node in enumerate(guard.parts):
        parts |= (~asked.truth(node)).astype(np.int64) << bit
    violated = np.where(forbidden & (parts == 0), 1 << len(guard.parts), parts * forbidden)
    return np.where(violated & guard.impossible, 0, violated)


def _context(contexts: Contexts, guard: _Guard) -> Array:
    """The contexts of all instances that the call is about."""
    code = np.zeros(1, dtype=np.int64)
    for parameter, bound in zip(guard.action.parameters, guard.ground.bounds, strict=True):
        kind = parameter.kind
        if isinstance(bound, tuple):
            assert not isinstance(kind, OneOf)  # noqa: S101 (only sets are tuples)
            there = sum(contexts.present(kind.resource, v).astype(np.int64) for v in bound)
            code = (code * 64 + len(bound)) * 64 + there
        elif isinstance(kind, OneOf) and isinstance(kind.domain, Reference):
            resource = kind.domain.resource
            code = code * contexts.radix(resource) + contexts.of(resource, bound)
            # With others around, a rule that looks at the wrong instance can be seen.
            code = code * 2 + contexts.others(resource, bound)
    return np.broadcast_to(code, contexts.number)


def _call(calls: Calls, guard: _Guard, key: int) -> int:
    violated = tuple(text for bit, text in enumerate(_texts(guard.action)) if key >> bit & 1)
    return calls.add(calls.of(guard.ground, Kind.REFUSAL, violated))


def _texts(action: Action) -> list[str]:
    """What the bits of a violation say."""
    parts = [c.clause or _in_words(c.condition, i) for i, c in enumerate(action.guard, start=1)]
    return [*parts, "nothing refers to it"]


def _in_words(condition: Expression, number: int) -> str:
    match condition:
        case Exists(resource, Var(name)):
            return f"{resource} {name} exists"
        case Not(Exists(resource, Var(name))):
            return f"{resource} {name} does not exist"
    return f"part {number} of the guard"


def _is_implied(action: Action, conjunct: Conjunct) -> bool:
    """Whether no clause says it, and a call that breaks it means something else.

    Where the service chooses identifiers, nobody can ask for one that is taken; and a PUT of what
    exists is an update.
    """
    absent = isinstance(conjunct.condition, Not) and isinstance(conjunct.condition.part, Exists)
    return absent and conjunct.clause is None and action.operation is not None
