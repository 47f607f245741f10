"""Updates, reads and actions: calls that the model does not count, and where they get a place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from icepick.explore import Exploration
from icepick.explore.layout import Array
from icepick.sequences.calls import Calls
from icepick.sequences.contexts import Contexts
from icepick.sequences.groups import Groups, blocks
from icepick.sequences.tour import Loop
from icepick.sequences.types import Call, Kind

UPDATES = (1, 1, 2)
"""The inputs of three updates in a row: the same twice must not differ from once, and another
one after it must replace it."""

AT_THRESHOLD = 3
"""The input of an update whose numbers are the last that its contract allows."""


@dataclass(frozen=True, slots=True)
class Upkeep:
    """An operation that changes no life cycle, and the resources whose instances it is about."""

    operation: str
    kind: Kind
    about: tuple[str, ...] = ()
    is_sure: bool = True
    """Whether it is refused where there is nothing that it could be about."""


def upkeep_loops(
    exploration: Exploration, operations: tuple[Upkeep, ...], calls: Calls, seed: int
) -> tuple[Loop, ...]:
    """A place for each update and action in every context of its instance, one for each read."""
    groups = Groups()
    members = [(one, values) for one in operations for values in _choices(exploration, one)]
    for block in blocks(exploration, seed):
        contexts = Contexts(exploration.machine.layout, block.states)
        for number, (one, values) in enumerate(members):
            rows = _possible(contexts, one, values)
            if len(rows):
                keys = _keys(contexts, one, values)[rows]
                groups.offer(block, rows, keys, one.operation, number)
    return tuple(
        Loop(state, _calls(exploration, calls, *members[number]))
        for _, state, number in groups.chosen()
    )


def refused_upkeep(
    exploration: Exploration, operations: tuple[Upkeep, ...], calls: Calls, seed: int
) -> tuple[Loop, ...]:
    """Updates and actions of what does not exist, where everything else they name does."""
    groups = Groups()
    changing = [
        one for one in operations if one.kind is not Kind.READ and one.about and one.is_sure
    ]
    members = [(one, values) for one in changing for values in _choices(exploration, one)]
    for block in blocks(exploration, seed):
        contexts = Contexts(exploration.machine.layout, block.states)
        for number, (one, values) in enumerate(members):
            rest = Upkeep(one.operation, one.kind, one.about[1:])
            there = np.zeros(contexts.number, dtype=bool)
            there[_possible(contexts, rest, values[1:])] = True
            rows = np.flatnonzero(there & ~contexts.present(one.about[0], values[0]))
            if len(rows):
                keys = np.zeros(len(rows), dtype=np.int64)
                groups.offer(block, rows, keys, one.operation, number)
    return tuple(
        Loop(state, (calls.add(_refused(exploration, *members[number])),))
        for _, state, number in groups.chosen()
    )


def _refused(exploration: Exploration, one: Upkeep, values: tuple[int, ...]) -> Call:
    names = _names(exploration, one, values)
    missing = f"{one.about[0]} {names[0]} exists"
    return Call(Kind.REFUSAL, one.operation, names, violated=(missing,))


def _choices(exploration: Exploration, one: Upkeep) -> Iterator[tuple[int, ...]]:
    model = exploration.model
    yield from product(*(range(model.resource(name).size) for name in one.about))


def _possible(contexts: Contexts, one: Upkeep, values: tuple[int, ...]) -> Array:
    """The rows in which all instances exist."""
    there = np.ones(contexts.number, dtype=bool)
    for resource, value in zip(one.about, values, strict=True):
        there &= contexts.present(resource, value)
    if one.kind is Kind.READ and len(one.about) == 2:
        # Whether one belongs to the other is asked where it does.
        joined = contexts.joined(one.about, values)
        there = there if joined is None else there & joined
    return np.flatnonzero(there)


def _keys(contexts: Contexts, one: Upkeep, values: tuple[int, ...]) -> Array:
    if one.kind is Kind.READ or not one.about:
        return np.zeros(contexts.number, dtype=np.int64)
    # With a second instance beside it, a change that spreads can be seen.
    alone = contexts.others(one.about[0], values[0]).astype(np.int64)
    return contexts.of(one.about[0], values[0]) * 2 + alone


def _calls(
    exploration: Exploration, calls: Calls, one: Upkeep, values: tuple[int, ...]
) -> tuple[int, ...]:
    names = _names(exploration, one, values)
    inputs = UPDATES if one.kind is Kind.UPDATE else (0,)
    return tuple(calls.add(Call(one.kind, one.operation, names, input=i)) for i in inputs)


def _names(exploration: Exploration, one: Upkeep, values: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(
        exploration.model.resource(resource).value_name(value)
        for resource, value in zip(one.about, values, strict=True)
    )
