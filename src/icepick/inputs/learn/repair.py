"""Values put right so that the dependencies between inputs hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from icepick.inputs.case import Slot
from icepick.inputs.learn.space import Input
from icepick.inputs.learn.types import Kind, Relation
from icepick.inputs.merge import same
from icepick.inputs.types import Fixed, Null, Strategy, Why
from icepick.openapi.types import ABSENT, Json

_PASSES = 6
_REDRAWS = 12


@dataclass(slots=True)
class Draft:
    """An input in the making: `draw` gives a value for a strategy."""

    inputs: Mapping[Slot, Input]
    given: Mapping[Slot, Json]
    choice: dict[Slot, Strategy]
    values: dict[Slot, Json]
    draw: Callable[[Slot, Strategy], Json]

    def value(self, slot: Slot) -> Json:
        """The value that an input has so far."""
        return self.given[slot] if slot in self.given else self.values.get(slot, ABSENT)

    def fill(self, slot: Slot) -> None:
        """Give a value to an input that has none."""
        if slot in self.inputs:
            self.use(slot, self.inputs[slot].best)

    def use(self, slot: Slot, strategy: Strategy) -> None:
        """Draw a value for an input by this strategy."""
        self.choice[slot] = strategy
        self.values[slot] = self.draw(slot, strategy)

    def leave_out(self, slot: Slot) -> bool:
        """Leave an input out, where it may be."""
        if slot not in self.inputs or self.inputs[slot].required:
            return False
        self.choice[slot], self.values[slot] = Null(), ABSENT
        return True

    def put(self, slot: Slot, value: Json) -> bool:
        """Give an input this value."""
        if slot not in self.inputs:
            return False
        self.choice[slot], self.values[slot] = Fixed(value, Why.HINT), value
        return True


def repair(draft: Draft, relations: tuple[Relation, ...]) -> None:
    """Change as few values as possible until every relation holds, or for a few rounds."""
    for _ in range(_PASSES):
        broken = [one for one in relations if not _holds(draft, one)]
        if not broken:
            return
        for one in broken:
            _mend(draft, one)


def _is_there(draft: Draft, slot: Slot) -> bool:
    return draft.value(slot) is not ABSENT


def _condition(draft: Draft, one: Relation) -> bool:
    """Whether the other input is there, or has the value that matters."""
    value = draft.value(one.others[0])
    if one.value is ABSENT:
        return value is not ABSENT
    return value is not ABSENT and same(value, one.value)


def _holds(draft: Draft, one: Relation) -> bool:
    there = _is_there(draft, one.slot)
    match one.kind:
        case Kind.REQUIRES:
            return there or not _condition(draft, one)
        case Kind.ONLY_IF:
            return not there or _condition(draft, one)
        case Kind.NOT_WITH:
            return not (there and _condition(draft, one))
        case Kind.ONE_OF:
            return there or any(_is_there(draft, other) for other in one.others)
    if not there or not _is_there(draft, one.others[0]):
        return True
    return _ordered(one.kind, draft.value(one.slot), draft.value(one.others[0]))


def _ordered(kind: Kind, mine: Json, other: Json) -> bool:
    if kind is Kind.EQUAL:
        return same(mine, other)
    if kind is Kind.DIFFERENT:
        return not same(mine, other)
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (mine, other))
    if not numbers and not (isinstance(mine, str) and isinstance(other, str)):
        return True
    return bool(mine < other if kind is Kind.BEFORE else mine > other)


def _mend(draft: Draft, one: Relation) -> None:
    other = one.others[0]
    match one.kind:
        case Kind.REQUIRES | Kind.ONE_OF:
            draft.fill(one.slot)
        case Kind.ONLY_IF:
            if not draft.leave_out(one.slot):
                draft.fill(other) if one.value is ABSENT else draft.put(other, one.value)
        case Kind.NOT_WITH:
            if not draft.leave_out(one.slot):
                draft.leave_out(other)
        case Kind.EQUAL:
            draft.put(one.slot, draft.value(other))
        case _:
            _reorder(draft, one)


def _reorder(draft: Draft, one: Relation) -> None:
    """Swap two values that stand the wrong way round; draw again where that is no help."""
    other = one.others[0]
    mine, theirs = draft.value(one.slot), draft.value(other)
    both = one.slot in draft.inputs and other in draft.inputs
    if one.kind is not Kind.DIFFERENT and both and not same(mine, theirs):
        draft.values[one.slot], draft.values[other] = theirs, mine
        return
    for attempt in range(_REDRAWS):
        slot = (one.slot, other)[attempt % 2]
        ways = _ways(draft, slot)
        if ways:
            draft.use(slot, ways[attempt // 2 % len(ways)])
        if _holds(draft, one):
            return
    draft.leave_out(one.slot)


def _ways(draft: Draft, slot: Slot) -> list[Strategy]:
    ways = draft.inputs[slot].strategies if slot in draft.inputs else ()
    return [way for way in ways if not isinstance(way, Null)]
