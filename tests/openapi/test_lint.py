from __future__ import annotations

from typing import Any

import pytest

from icepick.errors import Code
from tests.openapi.building import OK, codes, operation, schema, schemas, v3
from tests.openapi.conftest import Read

AT = "/components/schemas/S"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"type": "integer", "example": "x"}, [f"INVALID_EXAMPLE {AT}"]),
        ({"type": "integer", "example": 3}, []),
        ({"type": "integer", "default": None}, [f"INVALID_EXAMPLE {AT}"]),
        ({"type": "integer", "default": None, "nullable": True}, []),
        ({"properties": {"a": {"enum": [1], "default": 2}}},
         [f"INVALID_EXAMPLE {AT}/properties/a"]),
        ({"minimum": 3, "maximum": 2}, [f"UNSATISFIABLE_SCHEMA {AT}"]),
        ({"minLength": 3, "maxLength": 3}, []),
        ({"minItems": 3, "maxItems": 2}, [f"UNSATISFIABLE_SCHEMA {AT}"]),
        ({"required": ["b"], "properties": {"a": {}}}, [f"UNDECLARED_REQUIRED {AT}"]),
        ({"required": ["b"]}, []),
        (
            {"required": ["b"], "properties": {"a": {}}, "allOf": [{"properties": {"b": {}}}]},
            [],
        ),
    ],
)  # fmt: skip
def test_contradictions(value: Any, expected: list[str], read: Read) -> None:
    assert codes(read(schema(value))) == expected


def test_a_schema_made_of_itself(read: Read) -> None:
    def at(name: str) -> dict[str, str]:
        return {"$ref": f"#/components/schemas/{name}"}

    named = {
        "A": {"allOf": [at("B"), {"type": "object"}]},
        "B": {"allOf": [at("A")]},
        "Tree": {"properties": {"parent": at("Tree")}, "items": at("Tree")},
        "Either": {"oneOf": [at("Either"), {"type": "string"}, {"type": "integer"}]},
    }
    assert codes(read(schemas(named))) == [
        "CIRCULAR_REFERENCE /components/schemas/A",
        "CIRCULAR_REFERENCE /components/schemas/B",
    ]


@pytest.mark.parametrize("example", [{"id": 1}, {"secret": "s"}, {"id": 1, "secret": "s"}])
def test_an_example_may_be_of_either_direction(example: Any, read: Read) -> None:
    properties = {"id": {"readOnly": True}, "secret": {"writeOnly": True}}
    value = {"required": ["id", "secret"], "properties": properties}
    assert codes(read(schema({**value, "example": example}))) == []
    assert codes(read(schema({**value, "example": {}}))) == [f"INVALID_EXAMPLE {AT}"]


def test_the_message_leads_into_the_example(read: Read) -> None:
    value = {"properties": {"a": {"items": {"type": "string"}}}, "example": {"a": ["x", 3]}}
    spec = read(schema(value))
    assert "at /a/1: 3 is not of type" in spec.diagnostics[0].message


def test_examples_are_checked_through_references(read: Read) -> None:
    named = {
        "T": {"type": "object", "required": ["s"], "properties": {"s": {"type": "string"}}},
        "S": {"type": "array", "items": {"$ref": "#/components/schemas/T"}, "example": [{"s": 3}]},
    }
    assert codes(read(schemas(named))) == [f"INVALID_EXAMPLE {AT}"]


def test_a_long_value_is_cut_in_the_message(read: Read) -> None:
    spec = read(schema({"type": "integer", "example": "x" * 5000}))
    assert len(spec.diagnostics[0].message) < 250


def test_notes(read: Read) -> None:
    get = {"requestBody": {"content": {"a/b": {}}}, "responses": {"404": {"description": ""}}}
    spec = read(v3({"/a": {"get": get}}))
    assert [d.code for d in spec.diagnostics] == [
        Code.NO_SUCCESS_RESPONSE,
        Code.BODY_WITHOUT_MEANING,
        Code.GENERATED_OPERATION_ID,
    ]
    assert {d.severity.value for d in spec.diagnostics} == {"note"}


def test_a_sound_operation_gets_no_note(read: Read) -> None:
    assert read(operation(operationId="x")).diagnostics == ()
    assert read(operation(operationId="x", responses={"default": OK["200"]})).diagnostics == ()


def test_examples_beside_the_schema_of_a_parameter_and_a_body(read: Read) -> None:
    number = {"name": "n", "in": "query", "schema": {"type": "integer"}, "example": "x"}
    examples = {"one": {"value": 1}, "two": {"value": "fine"}}
    media = {"schema": {"type": "string"}, "examples": examples}
    body = {"content": {"application/json": media}}
    spec = read(operation(parameters=[number], requestBody=body))
    assert [d.message for d in spec.diagnostics if d.code is Code.INVALID_EXAMPLE] == [
        'the example of the parameter \'n\' does not fit its schema: "x" is not of type "integer"',
        'the example of the request body does not fit its schema: 1 is not of type "string"',
    ]
