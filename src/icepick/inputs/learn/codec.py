"""What was learned as JSON, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from icepick.inputs.case import Slot
from icepick.inputs.learn.types import Blocked, Heard, Invalid, Kind, Learned, Relation
from icepick.inputs.types import (
    Drawn,
    Fixed,
    FromResponse,
    Hint,
    Null,
    RequiredIf,
    Strategy,
    Why,
)
from icepick.openapi.types import ABSENT, Json
from icepick.resources.types import Location

FORMAT = 1


def to_json(learned: Learned) -> dict[str, Json]:
    """What was learned of an operation, as JSON."""
    return {
        "format": FORMAT,
        "operation": learned.operation,
        "calls": learned.calls,
        "successes": learned.successes,
        "hints": [{"input": _slot(slot), **_hint(hint)} for slot, hint in learned.hints.items()],
        "relations": [_relation(one) for one in learned.relations],
        "unique": [_slot(slot) for slot in learned.unique],
        "existing": [_slot(slot) for slot in learned.existing],
        "forbidden": [_slot(slot) for slot in learned.forbidden],
        "undeclared": [
            {"input": _slot(slot), "schema": schema} for slot, schema in learned.undeclared.items()
        ],
        "examples": _by_slot(learned.examples),
        "invalid": [_invalid(one) for one in learned.invalid],
        "worked": _by_slot(learned.worked),
        "picky": _by_slot(learned.picky),
        "taken": _choice(learned.taken.items()),
        "free": [_slot(slot) for slot in learned.free],
        "vain": [{"input": _slot(slot), "times": times} for slot, times in learned.vain.items()],
        "blocked": _blocked(learned.blocked),
        "heard": [
            {"inputs": [_slot(slot) for slot in one.slots], "message": one.message}
            for one in learned.heard
        ],
    }


def from_json(value: Json) -> Learned | None:
    """The same read back; None where it is not of this form."""
    try:
        return _read(value) if value["format"] == FORMAT else None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None


def _read(value: Mapping[str, Any]) -> Learned:
    blocked = value["blocked"]
    return Learned(
        operation=str(value["operation"]),
        hints={_as_slot(one["input"]): _as_hint(one) for one in value["hints"]},
        relations=tuple(_as_relation(one) for one in value["relations"]),
        unique=_as_slots(value["unique"]),
        existing=_as_slots(value["existing"]),
        forbidden=_as_slots(value["forbidden"]),
        undeclared={_as_slot(one["input"]): one["schema"] for one in value.get("undeclared", ())},
        examples=_as_values(value["examples"]),
        invalid=tuple(_as_invalid(one) for one in value["invalid"]),
        worked=_as_values(value["worked"]),
        picky=_as_values(value.get("picky", ())),
        taken=dict(_as_choice(value.get("taken", ()))),
        free=_as_slots(value.get("free", ())),
        vain={_as_slot(one["input"]): int(one["times"]) for one in value.get("vain", ())},
        blocked=None if blocked is None else _as_blocked(blocked),
        heard=tuple(Heard(_as_slots(one["inputs"]), one["message"]) for one in value["heard"]),
        calls=int(value["calls"]),
        successes=int(value["successes"]),
    )


def _slot(slot: Slot) -> list[str]:
    return [slot[0].value, *slot[1]]


def _as_slot(value: Json) -> Slot:
    return Location(value[0]), tuple(map(str, value[1:]))


def _as_slots(value: Json) -> tuple[Slot, ...]:
    return tuple(map(_as_slot, value))


def _by_slot(values: Mapping[Slot, tuple[Json, ...]]) -> list[Json]:
    return [{"input": _slot(slot), "values": list(some)} for slot, some in values.items()]


def _as_values(value: Iterable[Mapping[str, Any]]) -> dict[Slot, tuple[Json, ...]]:
    return {_as_slot(one["input"]): tuple(one["values"]) for one in value}


def _hint(hint: Hint) -> dict[str, Json]:
    """The parts of a hint that say something."""
    found: dict[str, Json] = {}
    for part in fields(Hint):
        value = getattr(hint, part.name)
        if part.name == "required_if":
            value = [[one.sibling, *_given(one.value)] for one in value]
        if value not in (None, (), []):
            found[part.name] = list(value) if isinstance(value, tuple) else value
    return found


def _given(value: Json) -> list[Json]:
    return [] if value is ABSENT else [value]


def _as_hint(value: Mapping[str, Any]) -> Hint:
    known = {part.name: value[part.name] for part in fields(Hint) if part.name in value}
    known["allowed"] = tuple(known.get("allowed", ()))
    known["required_if"] = tuple(
        RequiredIf(one[0], *one[1:]) for one in known.get("required_if", ())
    )
    return Hint(**known)


def _relation(one: Relation) -> dict[str, Json]:
    found = {
        "kind": one.kind.value,
        "input": _slot(one.slot),
        "others": [_slot(slot) for slot in one.others],
    }
    return found if one.value is ABSENT else {**found, "value": one.value}


def _as_relation(value: Mapping[str, Any]) -> Relation:
    others = _as_slots(value["others"])
    return Relation(
        Kind(value["kind"]), _as_slot(value["input"]), others, value.get("value", ABSENT)
    )


def _invalid(one: Invalid) -> dict[str, Json]:
    return {
        "fragment": one.fragment,
        "choice": _choice(one.choice),
        "hits": one.hits,
        "uses": one.uses,
    }


def _as_invalid(value: Mapping[str, Any]) -> Invalid:
    choice = _as_choice(value["choice"])
    return Invalid(value["fragment"], choice, int(value["hits"]), int(value["uses"]))


def _choice(choice: Iterable[tuple[Slot, Strategy]]) -> list[Json]:
    return [{"input": _slot(slot), **_strategy(way)} for slot, way in choice]


def _as_choice(value: Iterable[Mapping[str, Any]]) -> tuple[tuple[Slot, Strategy], ...]:
    return tuple((_as_slot(one["input"]), _as_strategy(one)) for one in value)


def _strategy(strategy: Strategy) -> dict[str, Json]:
    if isinstance(strategy, Fixed):
        return {"fixed": strategy.value, "why": strategy.why.value}
    if isinstance(strategy, Drawn):
        return {"drawn": strategy.kind}
    if isinstance(strategy, FromResponse):
        return {"from": [strategy.operation, strategy.field]}
    return {"absent": True}


def _as_strategy(value: Mapping[str, Any]) -> Strategy:
    if "fixed" in value:
        return Fixed(value["fixed"], Why(value["why"]))
    if "drawn" in value:
        return Drawn(value["drawn"])
    if "from" in value:
        return FromResponse(*value["from"])
    return Null()


def _blocked(one: Blocked | None) -> Json:
    if one is None:
        return None
    return {
        "status": one.status,
        "fragment": one.fragment,
        "inputs": [_slot(slot) for slot in one.slots],
        "message": one.message,
    }


def _as_blocked(value: Mapping[str, Any]) -> Blocked:
    slots = _as_slots(value["inputs"])
    return Blocked(int(value["status"]), value["fragment"], slots, value["message"])
