from __future__ import annotations

from typing import Any

import pytest

from icepick.openapi.validate import Direction, Problem, Validators

REQUEST, RESPONSE = Direction.REQUEST, Direction.RESPONSE
ACCOUNT = {
    "type": "object",
    "required": ["id", "name", "password"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "name": {"type": "string"},
        "password": {"type": "string", "writeOnly": True},
    },
}
SCHEMAS: dict[str, Any] = {
    "Account": ACCOUNT,
    "NeedsId": {"required": ["id"]},
    "HasId": {"properties": {"id": {"type": "integer", "readOnly": True}}},
    "Plain": {"required": ["id"], "properties": {"id": {"type": "integer"}}},
    "Tree": {
        "type": "object",
        "required": ["id"],
        "properties": {
            "id": {"type": "integer", "readOnly": True},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        },
    },
    "Self": {"allOf": [{"$ref": "#/$defs/Self"}], "required": ["a"]},
    "Loop": {"$ref": "#/$defs/Loop"},
}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _fits(schema: Any, value: Any, direction: Direction) -> bool:
    problems = Validators(SCHEMAS).problems(schema, value, direction)
    assert problems is not None
    return not problems


@pytest.mark.parametrize(
    ("schema", "value", "request_fits", "response_fits"),
    [
        (_ref("Account"), {"name": "a", "password": "p"}, True, False),
        (_ref("Account"), {"name": "a", "id": 1}, False, True),
        (_ref("Account"), {"name": "a"}, False, False),
        ({"allOf": [_ref("NeedsId"), _ref("HasId")]}, {}, True, False),
        ({"allOf": [{"required": ["id"]}, _ref("HasId")]}, {}, True, False),
        ({"allOf": [_ref("Plain"), _ref("HasId")]}, {}, True, False),
        ({**_ref("Plain"), **SCHEMAS["HasId"]}, {}, True, False),
        (_ref("Plain"), {}, False, False),
        (_ref("NeedsId"), {}, False, False),
        (
            {"properties": {"x": _ref("NeedsId"), **SCHEMAS["HasId"]["properties"]}},
            {"x": {}},
            False,
            False,
        ),
        ({"anyOf": [_ref("Account"), {"type": "null"}]}, {"name": "a", "id": 1}, False, True),
        ({"anyOf": [_ref("Account"), {"type": "null"}]}, None, True, True),
        ({"oneOf": [_ref("HasId"), _ref("NeedsId")]}, {}, True, True),
        (_ref("Tree"), {"children": [{"children": []}]}, True, False),
        (_ref("Tree"), {"id": 1, "children": [{"id": 2, "children": [{}]}]}, True, False),
        (_ref("Tree"), {"children": [{"children": 3}]}, False, False),
        (_ref("Self"), {"a": 1}, True, True),
        (_ref("Self"), {}, False, False),
        (_ref("Loop"), 3, True, True),
        (_ref("Nope"), 3, True, True),
        ({"items": _ref("Account")}, [{"name": "a", "id": 1}], False, True),
        ({"additionalProperties": _ref("Account")}, {"k": {"name": "a", "id": 1}}, False, True),
    ],
)
def test_each_way(schema: Any, value: Any, request_fits: bool, response_fits: bool) -> None:
    assert _fits(schema, value, REQUEST) is request_fits
    assert _fits(schema, value, RESPONSE) is response_fits


def test_problems_say_where_and_what() -> None:
    schema = {"properties": {"a/b": {"items": {"type": "string"}}}, "required": ["c"]}
    problems = Validators({}).problems(schema, {"a/b": ["x", 3]}, RESPONSE)
    assert problems is not None
    assert sorted(problems, key=lambda p: p.pointer) == [
        Problem("", "required", '"c" is a required property', "/c"),
        Problem("/a~1b/1", "type", '3 is not of type "string"', "/a~1b/*"),
    ]


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({"a": {"name": None}}, "Pet.name"),
        ({"all": [{"name": "x"}, {"name": 3}]}, "Pet.name"),
        ({"all": [{}]}, "Pet.name"),
        ({"by_key": {"k1": {"name": 3}}}, "Pet.name"),
        ({"by_key": {"k1": 3}}, "Pet"),
        ({"a": {"name": "x", "owner": {"age": "old"}}}, "Owner.age"),
        ({"plain": [{"items": "x"}]}, "/plain/*/items"),
        ({"plain": 3}, "/plain"),
        ({"by_name": {"x1": 3}}, "/by_name/*"),
    ],
)
def test_problems_name_the_field_whatever_the_value(value: Any, field: str) -> None:
    schemas: dict[str, Any] = {
        "Pet": {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string"}, "owner": {"$ref": "#/$defs/Owner"}},
        },
        "Owner": {"allOf": [{"properties": {"age": {"type": "integer"}}}]},
    }
    pet = {"$ref": "#/$defs/Pet"}
    plain = {"type": "array", "items": {"properties": {"items": {"type": "integer"}}}}
    schema = {
        "properties": {
            "a": pet,
            "all": {"type": "array", "items": pet},
            "by_key": {"additionalProperties": pet},
            "by_name": {"patternProperties": {"^x": {"type": "string"}}},
            "plain": plain,
        }
    }
    [problem] = Validators(schemas).problems(schema, value, RESPONSE) or ()
    assert problem.field == field


def test_an_extra_property_is_named() -> None:
    schema = {"properties": {"a": {}}, "additionalProperties": {"not": {}}}
    problems = Validators({}).problems(schema, {"a": 1, "b": 2}, RESPONSE)
    assert problems is not None
    assert [p.keyword for p in problems] == ["additionalProperties"]
    assert "'b'" in problems[0].message


def test_properties_named_like_keywords() -> None:
    schema = {
        "properties": {name: {"type": "string"} for name in ("$ref", "required", "allOf", "not")},
        "dependentRequired": {"allOf": ["not"], "required": ["$ref"]},
    }
    assert _fits(schema, {"not": "x"}, REQUEST)
    assert not _fits(schema, {"allOf": "x"}, REQUEST)
    assert not _fits(schema, {"required": 3, "$ref": "x"}, REQUEST)


def test_values_that_look_like_schemas_stay_as_they_are() -> None:
    for value in ({"$ref": "#/$defs/Nope"}, {"required": ["id"], "allOf": [3]}):
        assert _fits({"const": value}, value, REQUEST)
        assert _fits({"enum": [value], "default": value, "examples": [value]}, value, REQUEST)


def test_formats_are_asked_for() -> None:
    schema = {"format": "ipv4"}
    assert Validators({}).problems(schema, "x", RESPONSE) == ()
    assert Validators({}, formats=True).problems(schema, "x", RESPONSE)


def test_a_schema_that_cannot_be_used() -> None:
    assert Validators({}).problems({"type": "nonsense"}, 3, RESPONSE) is None


def test_a_validator_is_compiled_once_and_kept_apart() -> None:
    validators = Validators(SCHEMAS)
    for _ in range(200):  # ids of dead schemas come back
        assert validators.problems({"type": "string"}, 3, RESPONSE)
        assert validators.problems({"type": "integer"}, 3, RESPONSE) == ()
