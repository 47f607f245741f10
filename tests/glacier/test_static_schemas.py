"""What schemas tell of types and fields, where nothing is certain without being said."""

from __future__ import annotations

from typing import Any

import pytest

from icepick.glacier.static.kinds import ALL, elements, kinds, named
from icepick.glacier.static.members import Presence, member
from icepick.glacier.static.names import did_you_mean, nearest

A = {"type": "object", "properties": {"a": {"type": "string"}}}
CLOSED = {**A, "additionalProperties": {"not": {}}}
SCHEMAS: dict[str, Any] = {
    "A": A,
    "Loop": {"$ref": "#/$defs/Loop"},
    "List": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/List"}}]},
}
LOOP = {"$ref": "#/$defs/Loop"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, ALL),
        ({"type": "integer"}, {"number"}),
        ({"type": ["integer", "null"]}, {"number", "null"}),
        ({"properties": {}}, {"object"}),
        ({"items": {}}, {"array"}),
        ({"enum": ["a", None]}, {"string", "null"}),
        ({"type": "string", "enum": ["a", 5]}, {"string"}),
        ({"const": True}, {"boolean"}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"string", "null"}),
        ({"anyOf": [{"type": "string"}, {}]}, ALL),
        ({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"object"}),
        ({"allOf": [{"type": ["string", "null"]}, {"type": "string"}]}, {"string"}),
        ({"allOf": [{"type": "string"}, {"type": "integer"}]}, ALL),
        (LOOP, ALL),
        ({"$ref": "#/$defs/List"}, {"array", "null"}),
        ({"$ref": "#/$defs/Gone"}, ALL),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_kinds(schema: Any, expected: set[str]) -> None:
    assert kinds(schema, SCHEMAS) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, Presence.SILENT),
        ({"type": "object"}, Presence.SILENT),
        (A, Presence.UNDECLARED),
        (CLOSED, Presence.FORBIDDEN),
        ({**A, "additionalProperties": {}}, Presence.ALLOWED),
        ({**A, "additionalProperties": {"type": "string"}}, Presence.ALLOWED),
        ({**A, "patternProperties": {"^b": {}}}, Presence.DECLARED),
        ({**A, "patternProperties": {"^c": {}}}, Presence.UNDECLARED),
        ({**A, "unevaluatedProperties": {"not": {}}}, Presence.FORBIDDEN),
        ({**A, "discriminator": {"propertyName": "a"}}, Presence.ALLOWED),
        ({**A, "then": {"properties": {"b": {}}}}, Presence.DECLARED),
        ({**A, "then": CLOSED}, Presence.UNDECLARED),
        ({"allOf": [A, {"properties": {"b": {}}}]}, Presence.DECLARED),
        ({"allOf": [A, {"type": "object"}]}, Presence.UNDECLARED),
        ({"allOf": [A, CLOSED]}, Presence.FORBIDDEN),
        ({"anyOf": [A, CLOSED]}, Presence.UNDECLARED),
        ({"anyOf": [CLOSED, {"type": "null"}]}, Presence.FORBIDDEN),
        ({"anyOf": [CLOSED, {"type": "object"}]}, Presence.ALLOWED),
        ({"anyOf": [CLOSED, {"properties": {"b": {}}}]}, Presence.DECLARED),
        ({**A, "oneOf": [{"required": ["a"]}, {"required": ["c"]}]}, Presence.UNDECLARED),
        ({"$ref": "#/$defs/A"}, Presence.UNDECLARED),
        (LOOP, Presence.SILENT),
    ],
    ids=str,
)
def test_fields(schema: Any, expected: Presence) -> None:
    assert member(schema, "b", SCHEMAS).presence is expected


def test_the_schema_of_a_field_is_that_of_all_its_declarations() -> None:
    whole, text = {"type": "integer"}, {"type": "string"}
    both = {"anyOf": [{"properties": {"b": whole}}, {"properties": {"b": text}}]}
    assert kinds(member(both, "b", {}).schema, {}) == {"number", "string"}
    unsure = {"anyOf": [{"properties": {"b": whole}}, {"type": "object"}]}
    assert kinds(member(unsure, "b", {}).schema, {}) == ALL
    extra = {"additionalProperties": whole}
    assert kinds(member(extra, "b", {}).schema, {}) == {"number"}


def test_elements() -> None:
    whole, text = {"type": "integer"}, {"type": "string"}
    assert elements({"type": "array", "items": text}, {}) == text
    assert elements({"type": "array"}, {}) == {}
    assert elements({"type": "array", "prefixItems": [text], "items": whole}, {}) == {}
    either = {"anyOf": [{"items": text}, {"items": whole}, {"items": text}]}
    assert elements(either, {}) == {"anyOf": [text, whole]}


def test_types_in_words() -> None:
    assert named(frozenset({"null", "number"})) == "a number or null"
    assert named(frozenset({"string", "array", "object"})) == "a text, a list or an object"


@pytest.mark.parametrize(
    ("word", "names", "expected"),
    [
        ("tourname", ["tid", "tournament_name"], "tournament_name"),
        ("userId", ["user_id", "user"], "user_id"),
        ("e", ["tid", "eid"], "eid"),
        ("zzz", ["tid", "eid"], None),
    ],
)
def test_nearest_names(word: str, names: list[str], expected: str | None) -> None:
    assert nearest(word, names) == expected


def test_all_names_are_listed_where_none_is_near() -> None:
    assert did_you_mean("zzz", [], "it") is None
    assert did_you_mean("zzz", ["a", "b"], "it") == "it has `a` and `b`"
    assert did_you_mean("zzz", list("abcdefgh"), "it") == (
        "it has `a`, `b`, `c`, `d`, `e`, `f` and 2 more"
    )
