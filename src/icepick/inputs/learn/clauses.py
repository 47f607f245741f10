"""What was learned as GLACIER clauses: what a call requires of its inputs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from icepick.inputs.case import Slot
from icepick.inputs.learn.types import Invalid, Kind, Learned, Relation
from icepick.inputs.types import Fixed, Hint, Null
from icepick.openapi.types import ABSENT, Json
from icepick.resources.types import Location, Path

_FIELD = re.compile(r"[\w$@-]+")
_PARTS = {
    Location.BODY: "req_body(@)",
    Location.QUERY: "query_param(@)",
    Location.PATH: "path_param(@)",
    Location.HEADER: "req_header(@)",
}
_SIGNS = {Kind.BEFORE: "<", Kind.AFTER: ">", Kind.EQUAL: "=", Kind.DIFFERENT: "!="}


@dataclass(frozen=True, slots=True)
class LearnedClause:
    """A formula, and the sentence of the service that it is drawn from."""

    text: str
    reason: str = ""


def requires(learned: Learned) -> tuple[LearnedClause, ...]:
    """The clauses that an input must fulfil to be taken, as far as GLACIER can say it.

    Patterns, formats and what the service alone knows are left to the overlay.
    """
    found: dict[str, LearnedClause] = {}
    reasons = {slot: one.message for one in learned.heard for slot in one.slots}
    for slot, hint in learned.hints.items():
        for text in _of_hint(slot, hint):
            found.setdefault(text, LearnedClause(text, reasons.get(slot, "")))
    for slot in learned.forbidden:
        place = _place(slot)
        if place is not None:
            found.setdefault(
                f"{place} = null", LearnedClause(f"{place} = null", reasons.get(slot, ""))
            )
    for relation in learned.relations:
        said = _of_relation(relation)
        if said is not None:
            found.setdefault(said, LearnedClause(said, reasons.get(relation.slot, "")))
    for one in learned.invalid:
        ruled = _of_invalid(one)
        if ruled is not None:
            found.setdefault(ruled, LearnedClause(ruled, one.fragment))
    return tuple(found.values())


def _of_hint(slot: Slot, hint: Hint) -> Iterator[str]:
    place = _place(slot)
    if place is None:
        return
    there = f"{place} != null"
    if hint.required:
        yield there
    rules = []
    if hint.allowed and all(_is_plain(one) for one in hint.allowed):
        rules.append(f"{place} in [{', '.join(map(_value, hint.allowed))}]")
    if hint.minimum is not None:
        rules.append(f"{place} >= {_value(hint.minimum)}")
    if hint.maximum is not None:
        rules.append(f"{place} <= {_value(hint.maximum)}")
    if hint.min_length is not None:
        rules.append(f"{place}.len >= {hint.min_length}")
    if hint.max_length is not None:
        rules.append(f"{place}.len <= {hint.max_length}")
    for rule in rules:
        yield rule if hint.required else f"{there} => {rule}"


def _of_relation(one: Relation) -> str | None:
    mine = _place(one.slot)
    others = [_place(other) for other in one.others]
    if mine is None or None in others or not others:
        return None
    other = others[0]
    condition = f"{other} != null" if one.value is ABSENT else f"{other} = {_value(one.value)}"
    if one.value is not ABSENT and not _is_plain(one.value):
        return None
    match one.kind:
        case Kind.REQUIRES:
            return f"{condition} => {mine} != null"
        case Kind.ONLY_IF:
            return f"{mine} != null => {condition}"
        case Kind.NOT_WITH:
            return f"{condition} => {mine} = null"
        case Kind.ONE_OF:
            return " || ".join(f"{place} != null" for place in (mine, *others))
    return f"{mine} != null && {other} != null => {mine} {_SIGNS[one.kind]} {other}"


def _of_invalid(one: Invalid) -> str | None:
    """A combination of values and absences; one that draws its values says nothing of them."""
    if len(one.choice) < 2 or not all(isinstance(way, Fixed | Null) for _, way in one.choice):
        return None
    parts = []
    for slot, way in one.choice:
        place = _place(slot)
        if place is None or (isinstance(way, Fixed) and not _is_plain(way.value)):
            return None
        parts.append(f"{place} = {_value(way.value) if isinstance(way, Fixed) else 'null'}")
    return f"!({' && '.join(parts)})"


def _place(slot: Slot) -> str | None:
    """How a formula names an input; None for cookies and for elements of arrays."""
    location, path = slot
    base = _PARTS.get(location)
    if base is None or "[]" in path:
        return None
    return base + _access(path)


def _access(path: Path) -> str:
    if all(_FIELD.fullmatch(part) for part in path):
        return "{" + ".".join(path) + "}"
    return "".join(f"[{json.dumps(part)}]" for part in path)


def _is_plain(value: Json) -> bool:
    if isinstance(value, str):
        return "\n" not in value and value.isprintable()
    return value is None or isinstance(value, bool | int | float)


def _value(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
