"""Two schemas that must both hold, made one as far as their keywords allow."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from icepick.openapi.types import Json, Schema

Flat = dict[str, Any]
"""A schema without references, parts and choices.

Patterns stand as a list under `patterns`, schemas that must not hold under `nots`, the only names
allowed under `names`; `hard` is set where values must be tried against the schema.
"""

ALL_TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")


def _listed(value: Json) -> list[Json]:
    return list(value) if isinstance(value, list | tuple) else [value]


def types_of(flat: Mapping[str, Any]) -> list[str] | None:
    """The types that are allowed by name; None where none is named."""
    return _listed(flat["type"]) if "type" in flat else None


def same(one: Json, other: Json) -> bool:
    """Whether two values are the same in JSON, where true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def contains(values: list[Json], value: Json) -> bool:
    """Whether a value is among others, as JSON compares."""
    return any(same(value, one) for one in values)


def _types(one: Json, other: Json) -> list[str]:
    left, right = _listed(one), _listed(other)
    found = [kind for kind in left if kind in right]
    if "integer" in left + right and "integer" not in found and "number" in left + right:
        found = [kind for kind in found if kind != "number"]
        found += ["integer"] if _has_integer(left) and _has_integer(right) else []
    return found


def _has_integer(kinds: list[str]) -> bool:
    return "integer" in kinds or "number" in kinds


def _both(one: Schema, other: Schema) -> Schema:
    return one if one == other else {"allOf": [one, other]}


def _members(one: Mapping[str, Schema], other: Mapping[str, Schema]) -> dict[str, Schema]:
    shared = {name: _both(one[name], other[name]) for name in one if name in other}
    return {**one, **other, **shared}


def _elements(one: list[Schema], other: list[Schema]) -> list[Schema]:
    longer = one if len(one) >= len(other) else other
    return [*map(_both, one, other), *longer[min(len(one), len(other)) :]]


def _multiple(one: float, other: float) -> float:
    left, right = Fraction(str(one)), Fraction(str(other))
    found = Fraction(
        math.lcm(left.numerator, right.numerator), math.gcd(left.denominator, right.denominator)
    )
    return int(found) if found.denominator == 1 else float(found)


def _union(one: list[Json], other: list[Json]) -> list[Json]:
    return [*one, *(value for value in other if not contains(one, value))]


def _common(one: list[Json], other: list[Json]) -> list[Json]:
    return [value for value in one if contains(other, value)]


def _dependents(
    one: Mapping[str, list[str]], other: Mapping[str, list[str]]
) -> dict[str, list[str]]:
    return {name: _union(one.get(name, []), other.get(name, [])) for name in [*one, *other]}


_MERGES: dict[str, Callable[[Any, Any], Any]] = {
    "type": _types,
    "enum": _common,
    "names": _common,
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "minItems": max,
    "minProperties": max,
    "minContains": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
    "maxItems": min,
    "maxProperties": min,
    "maxContains": min,
    "multipleOf": _multiple,
    "patterns": _union,
    "nots": _union,
    "conditions": _union,
    "required": _union,
    "examples": _union,
    "properties": _members,
    "patternProperties": _members,
    "dependentSchemas": _members,
    "dependentRequired": _dependents,
    "items": _both,
    "contains": _both,
    "propertyNames": _both,
    "additionalProperties": _both,
    "unevaluatedProperties": _both,
    "prefixItems": _elements,
    "uniqueItems": lambda one, other: one or other,
    "readOnly": lambda one, other: one or other,
    "hard": lambda one, other: one or other,
}


def merged(one: Flat, other: Flat) -> Flat:
    """What both say; where a keyword cannot be merged, the first stays and values are tried."""
    found = {**other, **one}
    for key in one.keys() & other.keys():
        if key in _MERGES:
            found[key] = _MERGES[key](one[key], other[key])
        elif key in {"format", "contentEncoding"} and one[key] != other[key]:
            found["hard"] = True
    return found


def is_empty(flat: Flat) -> bool:
    """Whether the merge has shown that nothing can fit."""
    return flat.get("type") == [] or flat.get("enum") == [] or {} in flat.get("nots", ())
