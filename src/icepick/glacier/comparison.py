"""Equality and order of values, as people who write contracts mean them.

- Numbers are equal by value (1 = 1.0), texts by their characters, or by the instant where both are
  RFC 3339 date-times. Values of different types are different.
- Objects: a null field and a missing one are the same. Where one side is what the request sent, the
  other may have more fields, and fields that the schema calls readOnly or writeOnly do not count.
- Lists are equal element by element, or as sets where the schema says uniqueItems.
- A text from a path, query or header is equal to the number or truth value that it spells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from itertools import permutations

from icepick.glacier.values import Unknown, describe, is_number, kind, scalar_text
from icepick.openapi.shape import items, keyword, properties
from icepick.openapi.types import Json, Schema

_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_TRUTHS = {"true": True, "false": False}
_LONGEST_NUMBER = 400


class SentSide(Enum):
    """Which side of an equality is what the request sent."""

    NEITHER = "neither"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Rules:
    """How two values are compared: what was sent, and the schemas that describe either of them."""

    sent: SentSide = SentSide.NEITHER
    schemas: tuple[Schema, ...] = ()
    named: Mapping[str, Schema] = field(default_factory=dict)

    def of_field(self, name: str) -> Rules:
        """The rules for the values of a field."""
        if not self.schemas:
            return self
        found = [properties(schema, self.named).get(name) for schema in self.schemas]
        return Rules(self.sent, tuple(p.schema for p in found if p is not None), self.named)

    def of_elements(self) -> Rules:
        """The rules for the elements of a list."""
        if not self.schemas:
            return self
        found = [items(schema, self.named) for schema in self.schemas]
        return Rules(self.sent, tuple(s for s in found if s is not None), self.named)

    def one_way(self) -> frozenset[str]:
        """The fields that travel in one direction only and so cannot come back as sent."""
        if self.sent is SentSide.NEITHER:
            return frozenset()
        return frozenset(
            name
            for schema in self.schemas
            for name, part in properties(schema, self.named).items()
            if part.read_only or part.write_only
        )

    def as_sets(self) -> bool:
        """Whether the order of a list means nothing."""
        return any(keyword(schema, "uniqueItems", self.named) is True for schema in self.schemas)


PLAIN = Rules()
_NESTED = (dict, list)


def equal(left: Json, right: Json, rules: Rules = PLAIN) -> bool:
    """Whether two values are equal under the rules."""
    if isinstance(left, dict) and isinstance(right, dict):
        for name in _named(left, right, rules):
            if not _equal_fields(left.get(name), right.get(name), rules, name):
                return False
        return True
    if isinstance(left, list) and isinstance(right, list):
        return _equal_lists(left, right, rules)
    return _equal_scalars(left, right)


def _equal_fields(left: Json, right: Json, rules: Rules, name: str) -> bool:
    """Whether a field is equal or does not count. Schemas are asked only where that matters:
    most fields are equal, and asking costs more than comparing."""
    if isinstance(left, _NESTED) and isinstance(right, _NESTED):
        same = equal(left, right, rules.of_field(name))
    else:
        same = _equal_scalars(left, right)
    return same or (bool(rules.schemas) and name in rules.one_way())


def _named(left: Mapping[str, Json], right: Mapping[str, Json], rules: Rules) -> Iterable[str]:
    """The names of the fields to look at, in the order of the left side."""
    if rules.sent is SentSide.LEFT:
        return left
    if rules.sent is SentSide.RIGHT:
        return right
    return dict.fromkeys([*left, *right])


def _compared(left: Mapping[str, Json], right: Mapping[str, Json], rules: Rules) -> Iterator[str]:
    """The names of the fields that count."""
    one_way = rules.one_way() if rules.schemas else frozenset()
    return (name for name in _named(left, right, rules) if name not in one_way)


def _equal_lists(left: list[Json], right: list[Json], rules: Rules) -> bool:
    if len(left) != len(right):
        return False
    if identical(left, right):
        return True
    inner = rules.of_elements()
    if not rules.as_sets():
        return all(equal(a, b, inner) for a, b in zip(left, right, strict=True))
    rest = list(right)
    for element in left:
        index = next((i for i, other in enumerate(rest) if equal(element, other, inner)), None)
        if index is None:
            return False
        del rest[index]
    return True


def _equal_scalars(left: Json, right: Json) -> bool:
    if type(left) is type(right) and left == right:
        return True
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, str) and isinstance(right, str) and left != right:
        first = _instant(left)
        return first is not None and first == _instant(right)
    return bool(left == right)


def identical(left: Json, right: Json) -> bool:
    """Whether two values are the same JSON: same fields, same order of elements, same numbers."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(identical(left[k], right[k]) for k in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(identical, left, right))
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right)


def difference(left: Json, right: Json, rules: Rules, place: str = "") -> str | None:
    """The first thing in which two values differ, in words; None where they are equal."""
    if equal(left, right, rules):
        return None
    if isinstance(left, dict) and isinstance(right, dict):
        pairs = [
            (f"{place}.{name}" if place else name, left.get(name), right.get(name), name)
            for name in _compared(left, right, rules)
        ]
        found = (difference(a, b, rules.of_field(name), spot) for spot, a, b, name in pairs)
        return next((text for text in found if text is not None), None)
    if isinstance(left, list) and isinstance(right, list) and len(left) != len(right):
        return f"{place or 'the list'} has {len(left)} and {len(right)} elements"
    if isinstance(left, list) and isinstance(right, list) and not rules.as_sets():
        inner = rules.of_elements()
        spots = (f"{place}[{index}]" for index in range(len(left)))
        texts = (
            difference(a, b, inner, spot) for a, b, spot in zip(left, right, spots, strict=False)
        )
        return next((text for text in texts if text is not None), None)
    return f"{place or 'it'} is {describe(left)} and {describe(right)}"


def order(left: Json, right: Json) -> int | Unknown:
    """Below, at or above zero as left is less than, equal to or greater than right."""
    if is_number(left) and is_number(right):
        return int(left > right) - int(left < right)
    if isinstance(left, str) and isinstance(right, str):
        instants = (_instant(left), _instant(right))
        if instants[0] is not None and instants[1] is not None:
            left, right = instants
        return int(left > right) - int(left < right)
    return Unknown(f"{describe(left)} and {describe(right)} have no order")


def unwired(text: Json, other: Json) -> Json:
    """A value from a path, query or header, in the type of what it is compared with."""
    if isinstance(text, str) and isinstance(other, bool):
        return _TRUTHS.get(text, text)
    if isinstance(text, str) and is_number(other):
        if _NUMBER.fullmatch(text) and len(text) <= _LONGEST_NUMBER:
            return int(text) if text.removeprefix("-").isdecimal() else float(text)
        return text
    if isinstance(other, str) and not isinstance(text, str):
        written = scalar_text(text)
        return text if written is None else written
    return text


def contains(collection: Json, value: Json, rules: Rules) -> bool | Unknown:
    """Whether a list has an element, or a text a part; the rules see the value on the left."""
    if isinstance(collection, list):
        return any(equal(value, element, rules) for element in collection)
    if isinstance(collection, str) and isinstance(value, str):
        return value in collection
    return Unknown(f"{describe(collection)} is not a collection that can hold {kind(value)}")


def distinct(values: list[Json], size: int) -> Iterator[tuple[Json, ...]]:
    """All choices of elements at distinct positions, in order."""
    return permutations(values, size)


def _instant(text: str) -> datetime | None:
    if not _DATE_TIME.fullmatch(text):
        return None
    try:
        # Subtracting the offset may leave the years that Python knows.
        return datetime.fromisoformat(text.upper().replace(" ", "T")).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
