"""What was learned, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from icepick.inputs.case import Slot
from icepick.inputs.learn.types import Invalid, Kind, Learned, Relation
from icepick.inputs.types import Hint
from icepick.openapi.types import ABSENT
from icepick.resources.types import Location

_VERBS = {
    Kind.BEFORE: "must be before",
    Kind.AFTER: "must be after",
    Kind.EQUAL: "must equal",
    Kind.DIFFERENT: "must differ from",
}


def explain(learned: Learned) -> tuple[str, ...]:
    """What is known of the inputs of an operation, one line for each thing, then why."""
    return tuple(_lines(learned))


def _lines(learned: Learned) -> Iterator[str]:
    yield f"{learned.operation}: {learned.successes} of {learned.calls} calls were taken"
    for slot, hint in learned.hints.items():
        for said in _hint(hint):
            yield f"{shown(slot)} {said}"
    yield from (f"{shown(slot)} must be new each time" for slot in learned.unique)
    yield from (f"{shown(slot)} must name something that exists" for slot in learned.existing)
    yield from (f"{shown(slot)} must not be sent" for slot in learned.forbidden)
    yield from (_relation(one) for one in learned.relations)
    yield from (_invalid(one) for one in learned.invalid)
    for heard in learned.heard:
        yield f"heard: {heard.message}"
    blocked = learned.blocked
    if blocked is not None:
        about = ", ".join(map(shown, blocked.slots)) or "no input by name"
        yield f"in the way: {blocked.status} about {about}: {blocked.message or 'no message'}"


def shown(slot: Slot) -> str:
    """An input by name, with its place where that is not the body."""
    name = ".".join(slot[1]).replace(".[]", "[]")
    return name if slot[0] is Location.BODY else f"{slot[0].value} {name}"


def _hint(hint: Hint) -> Iterator[str]:
    if hint.required:
        yield "is required"
    if hint.allowed:
        yield f"must be one of {', '.join(map(str, hint.allowed))}"
    if hint.pattern is not None:
        yield f"must match {hint.pattern}"
    if hint.format is not None:
        yield f"must be of the format {hint.format}"
    yield from _between(hint.minimum, hint.maximum, "")
    yield from _between(hint.min_length, hint.max_length, " characters")


def _between(low: float | None, high: float | None, unit: str) -> Iterator[str]:
    if low is not None:
        yield f"must be at least {low}{unit}"
    if high is not None:
        yield f"must be at most {high}{unit}"


def _relation(one: Relation) -> str:
    mine, other = shown(one.slot), shown(one.others[0])
    condition = f"{other} is there" if one.value is ABSENT else f"{other} is {one.value!r}"
    match one.kind:
        case Kind.REQUIRES:
            return f"{mine} is required if {condition}"
        case Kind.ONLY_IF:
            return f"{mine} must not be sent unless {condition}"
        case Kind.NOT_WITH:
            return f"{mine} must not be sent if {condition}"
        case Kind.ONE_OF:
            return f"one of {', '.join(map(shown, (one.slot, *one.others)))} is required"
    return f"{mine} {_VERBS[one.kind]} {other}"


def _invalid(one: Invalid) -> str:
    parts = ", ".join(f"{shown(slot)} = {way}" for slot, way in one.choice)
    return f"{{{parts}}} fails in {one.hits} of {one.uses} calls: {one.fragment}"
