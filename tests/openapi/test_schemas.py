from __future__ import annotations

from typing import Any

import pytest

from tests.openapi.building import codes, schema, schemas, v2, v3
from tests.openapi.conftest import Read

TEXT = {"type": "string"}
REF = {"$ref": "#/components/schemas/T"}
DEF = {"$ref": "#/$defs/T"}
NULL = {"type": "null"}


def _read(value: Any, read: Read, version: str = "3.0.3") -> Any:
    return read(schemas({"S": value, "T": TEXT}, version)).schemas["S"]


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "x-nullable": True}, {"type": ["string", "null"]}),
        (
            {"type": "string", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        ({"enum": ["a", None], "nullable": True}, {"enum": ["a", None]}),
        ({"nullable": True}, {}),
        ({**REF, "nullable": True}, {"anyOf": [DEF, NULL]}),
        ({"allOf": [REF], "nullable": True}, {"anyOf": [{"allOf": [DEF]}, NULL]}),
        (
            {"type": "object", "allOf": [REF], "nullable": True},
            {"anyOf": [{"type": "object", "allOf": [DEF]}, NULL]},
        ),
        ({"oneOf": [REF, NULL]}, {"oneOf": [DEF, NULL]}),
        (
            {"minimum": 1, "exclusiveMinimum": True, "maximum": 5, "exclusiveMaximum": False},
            {"exclusiveMinimum": 1, "maximum": 5},
        ),
        ({"exclusiveMinimum": True}, {}),
        ({"exclusiveMinimum": 1}, {"exclusiveMinimum": 1}),
        ({"type": "file"}, {"type": "string", "format": "binary"}),
        ({"example": 1, "examples": [2]}, {"examples": [1, 2]}),
        ({"examples": {"a": 3}}, {"examples": [3]}),
        ({"additionalProperties": False}, {"additionalProperties": {"not": {}}}),
        ({"additionalProperties": True}, {"additionalProperties": {}}),
        ({"items": [TEXT, REF]}, {"prefixItems": [TEXT, DEF]}),
        ({"items": None, "properties": None, "type": None}, {}),
        ({**REF, "description": "d", "maxLength": 3}, {**DEF, "description": "d"}),
        ({**REF, "readOnly": True}, {**DEF, "readOnly": True}),
        ({"maxLength": 10.0}, {"maxLength": 10.0}),
        ({"minimum": 10**400}, {"minimum": 10**400}),
        ({"x-thing": 1, "xml": {}, "externalDocs": {}}, {}),
        (
            {"discriminator": {"propertyName": "k"}, "oneOf": [REF]},
            {"discriminator": {"propertyName": "k", "mapping": {}}, "anyOf": [DEF]},
        ),
        (
            {"discriminator": "k", "oneOf": [REF], "anyOf": [TEXT]},
            {
                "discriminator": {"propertyName": "k", "mapping": {}},
                "oneOf": [DEF],
                "anyOf": [TEXT],
            },
        ),
        (
            {"discriminator": {"propertyName": "k", "mapping": {"a": "T", "b": REF["$ref"]}}},
            {"discriminator": {"propertyName": "k", "mapping": {"a": "T", "b": "T"}}},
        ),
    ],
)
def test_normal_form(written: Any, normal: Any, read: Read) -> None:
    spec = read(schemas({"S": written, "T": TEXT}))
    assert spec.schemas["S"] == normal
    assert codes(spec) == []


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ({**REF, "maxLength": 3}, {**DEF, "maxLength": 3}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"type": ["string", None]}, {"type": ["string", "null"]}),
        ({"type": ["string", "string"]}, {"type": "string"}),
        ({"const": None}, {"const": None}),
        (True, {}),
        (False, {"not": {}}),
        ({"if": TEXT, "then": REF, "else": False}, {"if": TEXT, "then": DEF, "else": {"not": {}}}),
        ({"prefixItems": [REF], "items": False}, {"prefixItems": [DEF], "items": {"not": {}}}),
    ],
)
def test_normal_form_of_3_1(written: Any, normal: Any, read: Read) -> None:
    assert _read(written, read, "3.1.0") == normal


@pytest.mark.parametrize(
    ("written", "code", "pointer"),
    [
        ("x", "BROKEN_SCHEMA", ""),
        ([], "BROKEN_SCHEMA", ""),
        (None, "BROKEN_SCHEMA", ""),
        ({"type": "strin"}, "BROKEN_SCHEMA", "/type"),
        ({"type": 3}, "BROKEN_SCHEMA", "/type"),
        ({"type": {}}, "BROKEN_SCHEMA", "/type"),
        ({"enum": {}}, "BROKEN_SCHEMA", "/enum"),
        ({"enum": []}, "BROKEN_SCHEMA", "/enum"),
        ({"required": "yes"}, "MISPLACED_REQUIRED", "/required"),
        ({"required": {}}, "MISPLACED_REQUIRED", "/required"),
        ({"properties": []}, "BROKEN_SCHEMA", "/properties"),
        ({"properties": {"a": 3}}, "BROKEN_SCHEMA", "/properties/a"),
        ({"properties": {"a/b": None}}, "BROKEN_SCHEMA", "/properties/a~1b"),
        ({"items": 3}, "BROKEN_SCHEMA", "/items"),
        ({"items": []}, "BROKEN_SCHEMA", "/items"),
        ({"allOf": {}}, "BROKEN_SCHEMA", "/allOf"),
        ({"oneOf": []}, "BROKEN_SCHEMA", "/oneOf"),
        ({"anyOf": [3]}, "BROKEN_SCHEMA", "/anyOf/0"),
        ({"additionalProperties": "no"}, "BROKEN_SCHEMA", "/additionalProperties"),
        ({"pattern": "("}, "BAD_PATTERN", "/pattern"),
        ({"pattern": 3}, "BAD_PATTERN", "/pattern"),
        ({"patternProperties": {"(": {}}}, "BAD_PATTERN", "/patternProperties/("),
        ({"minLength": -1}, "BROKEN_SCHEMA", "/minLength"),
        ({"maxItems": 2.5}, "BROKEN_SCHEMA", "/maxItems"),
        ({"maxItems": True}, "BROKEN_SCHEMA", "/maxItems"),
        ({"minimum": "1"}, "BROKEN_SCHEMA", "/minimum"),
        ({"multipleOf": 0}, "BROKEN_SCHEMA", "/multipleOf"),
        ({"format": 3}, "BROKEN_SCHEMA", "/format"),
        ({"readOnly": "yes"}, "BROKEN_SCHEMA", "/readOnly"),
        ({"dependentRequired": {"a": "b"}}, "BROKEN_SCHEMA", "/dependentRequired"),
        ({"discriminator": 3}, "BROKEN_SCHEMA", "/discriminator"),
        ({"discriminator": {}}, "BROKEN_SCHEMA", "/discriminator"),
        (
            {"discriminator": {"propertyName": "k", "mapping": {"a": "Nope"}}},
            "DANGLING_REFERENCE",
            "/discriminator/mapping/a",
        ),
        (
            {"properties": {"a": {"type": "string", "required": True}}},
            "MISPLACED_REQUIRED",
            "/properties/a/required",
        ),
    ],
)
def test_what_makes_no_sense_is_reported_there(
    written: Any, code: str, pointer: str, read: Read
) -> None:
    spec = read(schema(written))
    assert codes(spec) == [f"{code} /components/schemas/S{pointer}"]
    assert spec.diagnostics[0].place.line is not None
    assert "S" in spec.schemas


def test_infinite_numbers_are_no_bounds(read: Read) -> None:
    spec = read('{"openapi": "3.0.0", "components": {"schemas": {"S": {"maximum": 1e999}}}}')
    assert "BROKEN_SCHEMA /components/schemas/S/maximum" in codes(spec)


def test_required_on_a_property_counts(read: Read) -> None:
    value = {"properties": {"a": {"required": True}, "b": {"required": False}}, "required": ["c"]}
    assert _read(value, read)["required"] == ["c", "a"]


def test_recursion(read: Read) -> None:
    tree = {"properties": {"children": {"items": {"$ref": "#/components/schemas/S"}}}}
    spec = read(schema(tree))
    assert spec.schemas["S"]["properties"]["children"]["items"] == {"$ref": "#/$defs/S"}
    assert codes(spec) == []


def test_names_are_safe_and_distinct(read: Read) -> None:
    spec = read(schemas({"a b": TEXT, "a_b": TEXT, "Überraschung": TEXT, "//": TEXT}))
    assert list(spec.schemas) == ["a_b", "a_b_2", "berraschung", "Schema"]


def test_a_reference_into_a_schema_gets_a_name(read: Read) -> None:
    inner = {"$ref": "#/components/schemas/T/properties/id"}
    spec = read(schemas({"T": {"properties": {"id": TEXT}}, "S": inner}))
    assert spec.schemas["id"] == TEXT


def test_deep_nesting(read: Read) -> None:
    value: Any = TEXT
    for _ in range(180):
        value = {"items": value}
    spec = read(schema({"example": [[]], **value}))
    assert [c.split()[0] for c in codes(spec)] == []
    value = TEXT
    for _ in range(90):
        value = {"allOf": [value]}
    assert codes(read(schema(value))) == []


def test_swagger_definitions(read: Read) -> None:
    spec = read(v2(definitions={"S": {"$ref": "#/definitions/T"}, "T": {"x-nullable": True}}))
    assert spec.schemas == {"S": {"$ref": "#/$defs/T"}, "T": {}}


def test_a_schema_of_an_operation_is_reported_with_it(read: Read) -> None:
    parameter = {"name": "q", "in": "query", "schema": {"type": "x"}}
    spec = read(v3({"/a": {"get": {"parameters": [parameter], "responses": {"200": {}}}}}))
    assert spec.diagnostics[0].operation == "GET /a"
    assert spec.diagnostics[0].place.pointer == "/paths/~1a/get/parameters/0/schema/type"
