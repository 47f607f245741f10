"""The least and the greatest value that a schema allows."""

from __future__ import annotations

from dataclasses import dataclass

from icepick.glacier.static.kinds import kinds
from icepick.glacier.static.values import Value
from icepick.glacier.tree import CompareOp
from icepick.openapi.shape import Schemas, keyword
from icepick.openapi.types import Json, Schema

_LENGTHS = {
    "array": ("minItems", "maxItems"),
    "string": ("minLength", "maxLength"),
    "object": ("minProperties", "maxProperties"),
}


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound, the words of the schema that set it, and whether the value itself is outside."""

    value: float
    words: str | None
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """From the least to the greatest value, where there are such."""

    low: Bound | None = None
    high: Bound | None = None


def bounds_of(value: Value, schemas: Schemas) -> Bounds:
    """The bounds of a number."""
    if value.length_of is not None:
        return _lengths(value.length_of, schemas)
    if kinds(value.schema, schemas) - {"null"} != {"number"}:
        return Bounds()
    return Bounds(
        _bound(value.schema, "minimum", schemas)
        or _bound(value.schema, "exclusiveMinimum", schemas),
        _bound(value.schema, "maximum", schemas)
        or _bound(value.schema, "exclusiveMaximum", schemas),
    )


def _lengths(schema: Schema, schemas: Schemas) -> Bounds:
    """The bounds of a length, which is never negative."""
    found = kinds(schema, schemas) - {"null"}
    low, high = _LENGTHS.get(next(iter(found)), ("", "")) if len(found) == 1 else ("", "")
    return Bounds(_bound(schema, low, schemas) or Bound(0, None), _bound(schema, high, schemas))


def _bound(schema: Schema, word: str, schemas: Schemas) -> Bound | None:
    found: Json = keyword(schema, word, schemas) if word else None
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return Bound(found, f"{word}: {found}", is_open=word.startswith("exclusive"))


def within(op: CompareOp, number: float, bounds: Bounds) -> tuple[bool, str | None] | None:
    """Whether bounds decide a comparison with a number, and the words that do."""
    low, high = bounds.low, bounds.high
    if low is not None and low.value >= number and op in _FROM:
        return _FROM[op], low.words
    if low is not None and _is_past(low, low.value - number) and op in _ABOVE:
        return _ABOVE[op], low.words
    if high is not None and high.value <= number and op in _UP_TO:
        return _UP_TO[op], high.words
    if high is not None and _is_past(high, number - high.value) and op in _BELOW:
        return _BELOW[op], high.words
    return None


def _is_past(bound: Bound, distance: float) -> bool:
    return distance > 0 or (distance == 0 and bound.is_open)


# What is decided where no value is below the number, where all are above it, and so on.
_FROM = {CompareOp.GE: True, CompareOp.LT: False}
_ABOVE = {CompareOp.GT: True, CompareOp.LE: False, CompareOp.EQ: False, CompareOp.NE: True}
_UP_TO = {CompareOp.LE: True, CompareOp.GT: False}
_BELOW = {CompareOp.LT: True, CompareOp.GE: False, CompareOp.EQ: False, CompareOp.NE: True}
