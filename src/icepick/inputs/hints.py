"""Schemas as hints correct them."""

from __future__ import annotations

from typing import Any

from icepick.inputs.types import Hint, Hints
from icepick.openapi.shape import Schemas, properties, reference_name
from icepick.openapi.types import ABSENT, Schema
from icepick.resources.types import Path

_PARTS = ("allOf", "anyOf", "oneOf")
_ANNOTATIONS = {"description", "title", "readOnly", "writeOnly", "deprecated"}
_REPLACED = {
    "pattern": ("pattern", "format"),
    "format": ("format", "pattern"),
    "minimum": ("minimum", "exclusiveMinimum"),
    "maximum": ("maximum", "exclusiveMaximum"),
    "min_length": ("minLength",),
    "max_length": ("maxLength",),
}
"""The parts of a hint, the keyword that each becomes, and what it puts out of force."""


def with_hints(schema: Schema, schemas: Schemas, hints: Hints) -> Schema:
    """The schema with each hint in force at its field, whatever stood there before.

    Keep the result and pass it again: making it anew costs a compilation each time.
    """
    for path, hint in hints.items():
        schema = _at(schema, schemas, path, hint, frozenset())
    return schema


def _at(schema: Schema, schemas: Schemas, path: Path, hint: Hint, seen: frozenset[str]) -> Schema:
    name = reference_name(schema)
    if name is not None:
        if name in seen or name not in schemas:
            return schema
        target = _at(schemas[name], schemas, path, hint, seen | {name})
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return {"allOf": [target, _at(beside, schemas, path, hint, seen)]} if beside else target
    copy = dict(schema)
    for keyword in _PARTS:
        if keyword in copy:
            copy[keyword] = [_at(part, schemas, path, hint, seen) for part in copy[keyword]]
    if not path:
        return _overridden(copy, hint)
    return _inside(copy, schemas, path, hint)


def _inside(copy: dict[str, Any], schemas: Schemas, path: Path, hint: Hint) -> Schema:
    head, rest = path[0], path[1:]
    if head == "[]":
        if "items" in copy:
            copy["items"] = _at(copy["items"], schemas, rest, hint, frozenset())
        return copy
    declared = copy.get("properties", {})
    if head in declared or _undeclared(copy, head, schemas):
        inner = _at(declared.get(head, {}), schemas, rest, hint, frozenset())
        copy["properties"] = {**declared, head: inner}
        return copy if rest else _requiring(copy, head, hint)
    if not rest and hint.required is False:
        return _requiring(copy, head, hint)
    return copy


def _undeclared(schema: Schema, name: str, schemas: Schemas) -> bool:
    """Whether this is an object that knows nothing of a property; a service may know more."""
    return "properties" in schema and name not in properties(schema, schemas)


def _requiring(copy: dict[str, Any], name: str, hint: Hint) -> Schema:
    required = [one for one in copy.get("required", ()) if one != name or hint.required is None]
    if hint.required and name not in required:
        required.append(name)
    if required or "required" in copy:
        copy["required"] = required
    conditions = [
        {"if": _condition(one.sibling, one.value), "then": {"required": [name]}}
        for one in hint.required_if
    ]
    return {**copy, "allOf": [*copy.get("allOf", ()), *conditions]} if conditions else copy


def _condition(sibling: str, value: Any) -> Schema:
    if value is ABSENT:
        return {"required": [sibling]}
    return {"required": [sibling], "properties": {sibling: {"const": value}}}


def _overridden(copy: dict[str, Any], hint: Hint) -> Schema:
    if hint.allowed:
        kept = {key: value for key, value in copy.items() if key in _ANNOTATIONS}
        return {**kept, "enum": list(hint.allowed)}
    for part, keywords in _REPLACED.items():
        value = getattr(hint, part)
        if value is not None:
            copy = {key: old for key, old in copy.items() if key not in keywords}
            copy[keywords[0]] = value
    if hint.pattern is not None and hint.format is not None:
        copy |= {"pattern": hint.pattern, "format": hint.format}
    return copy
