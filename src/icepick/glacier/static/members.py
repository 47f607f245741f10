"""Whether an object can have a field, through references, `allOf`, `anyOf` and `oneOf`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from icepick.glacier.static.kinds import ANYTHING, NOTHING, Kinds, either, kinds
from icepick.openapi.shape import Schemas, reference_name
from icepick.openapi.types import Schema


class Presence(Enum):
    """What a schema says of a field: declared, allowed, not declared but not forbidden, forbidden,
    or nothing at all."""

    DECLARED = "declared"
    ALLOWED = "allowed"
    UNDECLARED = "undeclared"
    FORBIDDEN = "forbidden"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Member:
    """A field of an object, and the schema of its value."""

    presence: Presence
    schema: Schema = field(default_factory=dict)


_SILENT = Member(Presence.SILENT)
_ALLOWED = Member(Presence.ALLOWED)
_UNDECLARED = Member(Presence.UNDECLARED)
_FORBIDDEN = Member(Presence.FORBIDDEN)


def member(schema: Schema, name: str, schemas: Schemas, seen: Kinds = frozenset()) -> Member:
    """What a schema says of a field."""
    found = _together([_own(schema, name), *_parts(schema, name, schemas, seen)])
    closed = schema.get("unevaluatedProperties") == NOTHING
    if closed and found.presence in {Presence.UNDECLARED, Presence.SILENT}:
        return _FORBIDDEN
    return found


def _own(schema: Schema, name: str) -> Member:
    declared = schema.get("properties", {})
    if name in declared:
        return Member(Presence.DECLARED, declared[name])
    for pattern, found in schema.get("patternProperties", {}).items():
        if _matches(pattern, name):
            return Member(Presence.DECLARED, found)
    others = schema.get("additionalProperties")
    if others is not None:
        return _FORBIDDEN if others == NOTHING else Member(Presence.ALLOWED, others)
    if "discriminator" in schema:
        return _ALLOWED  # a value may be of a schema that extends this one
    return _UNDECLARED if declared else _SILENT


def _matches(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except re.error:  # a pattern of another dialect may mean anything
        return True


def _parts(schema: Schema, name: str, schemas: Schemas, seen: Kinds) -> Iterator[Member]:
    reference = reference_name(schema)
    if reference is not None and reference not in seen:
        target = schemas.get(reference, ANYTHING)
        yield member(target, name, schemas, seen | {reference})
    for part in schema.get("allOf", ()):
        yield member(part, name, schemas, seen)
    for keyword in ("anyOf", "oneOf"):
        choices = [
            member(part, name, schemas, seen)
            for part in schema.get(keyword, ())
            if "object" in kinds(part, schemas, seen)
        ]
        yield _choice(choices)
    for part in _conditional(schema):
        found = member(part, name, schemas, seen)
        yield found if found.presence is Presence.DECLARED else _SILENT


def _conditional(schema: Schema) -> Iterator[Schema]:
    yield from (schema[keyword] for keyword in ("then", "else") if keyword in schema)
    yield from schema.get("dependentSchemas", {}).values()


def _together(members: Iterable[Member]) -> Member:
    """All of them describe the object: a declaration counts before all else."""
    found = list(members)
    declared = [m.schema for m in found if m.presence is Presence.DECLARED]
    if declared:
        return Member(Presence.DECLARED, _all(declared))
    for presence in (Presence.FORBIDDEN, Presence.ALLOWED, Presence.UNDECLARED):
        for one in found:
            if one.presence is presence:
                return one
    return _SILENT


def _choice(members: list[Member]) -> Member:
    """One of them describes the object, and nobody knows which."""
    presences = {m.presence for m in members}
    if presences <= {Presence.SILENT}:
        return _SILENT
    if Presence.DECLARED in presences:
        unsure = presences & {Presence.SILENT, Presence.ALLOWED}
        declared = [m.schema for m in members if m.presence is Presence.DECLARED]
        return Member(Presence.DECLARED, either([*declared, ANYTHING] if unsure else declared))
    if presences & {Presence.SILENT, Presence.ALLOWED}:
        return _ALLOWED
    return _UNDECLARED if Presence.UNDECLARED in presences else _FORBIDDEN


def _all(found: list[Schema]) -> Schema:
    return found[0] if len(found) == 1 else {"allOf": found}
