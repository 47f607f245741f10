"""Hints override what a schema says."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from icepick.inputs import Generator, Hint, Hints, Made, Optionals, Options, RequiredIf, with_hints

SCHEMAS: dict[str, Any] = {
    "Base": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}},
    "Order": {
        "allOf": [
            {"$ref": "#/$defs/Base"},
            {
                "type": "object",
                "required": ["type"],
                "properties": {
                    "type": {"enum": ["standard", "express"]},
                    "address": {"type": "string", "format": "date"},
                    "count": {"type": "integer", "exclusiveMinimum": 100},
                    "lines": {
                        "type": "array",
                        "minItems": 1,
                        "items": {"type": "object", "properties": {"size": {"type": "string"}}},
                    },
                    "parent": {"$ref": "#/$defs/Order"},
                },
            },
        ]
    },
}
ORDER = {"$ref": "#/$defs/Order"}


def _values(hints: Hints, options: Options | None = None) -> list[Any]:
    schema, generator = with_hints(ORDER, SCHEMAS, hints), Generator(SCHEMAS)
    made = [
        generator.value(schema, Random(seed), options or Options(Optionals.ALL, max_depth=2))
        for seed in range(20)
    ]
    assert all(isinstance(one, Made) for one in made), made[0]
    return [one.value for one in made if isinstance(one, Made)]


def test_allowed_values() -> None:
    found = {one["type"] for one in _values({("type",): Hint(allowed=("low", "high"))})}
    assert found == {"low", "high"}


def test_patterns_replace_formats_and_formats_patterns() -> None:
    hints = {("address",): Hint(pattern="^[A-Z]{3}$"), ("code",): Hint(format="uuid")}
    for one in _values(hints):
        assert re.fullmatch("[A-Z]{3}", one["address"])
        assert len(one["code"]) == 36


def test_bounds() -> None:
    hints = {("count",): Hint(minimum=3, maximum=4), ("code",): Hint(min_length=8, max_length=9)}
    for one in _values(hints):
        assert one["count"] in {3, 4}
        assert len(one["code"]) in {8, 9}


def test_required_and_not() -> None:
    hints = {("address",): Hint(required=True), ("code",): Hint(required=False)}
    assert all(one.keys() == {"type", "address"} for one in _values(hints, Options(Optionals.NONE)))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (RequiredIf("type", "standard"), {("standard", True), ("express", False)}),
        (RequiredIf("type"), {("standard", True), ("express", True)}),
    ],
)
def test_required_if(condition: RequiredIf, expected: set[tuple[str, bool]]) -> None:
    hints = {("address",): Hint(required_if=(condition,))}
    found = {(one["type"], "address" in one) for one in _values(hints, Options(Optionals.NONE))}
    assert found == expected


def test_inside_arrays_and_objects() -> None:
    hints = {("lines", "[]", "size"): Hint(allowed=("S",)), ("parent", "type"): Hint(allowed=(7,))}
    for one in _values(hints, Options(Optionals.ALL, max_depth=3)):
        assert {line["size"] for line in one["lines"]} == {"S"}
        assert one["parent"]["type"] == 7
        assert one["type"] in {"standard", "express"}


def test_fields_that_only_the_service_knows() -> None:
    hints = {("secret",): Hint(allowed=("x",), required=True)}
    assert all(one["secret"] == "x" for one in _values(hints, Options(Optionals.NONE)))


def test_the_schemas_stay_as_they_were() -> None:
    before = repr(SCHEMAS)
    _values({("type",): Hint(allowed=("low",)), ("lines", "[]", "size"): Hint(min_length=3)})
    assert repr(SCHEMAS) == before
