from __future__ import annotations

from typing import Any

import pytest

from icepick.openapi.shape import (
    items,
    keyword,
    parts,
    properties,
    reachable,
    reference_name,
    resolve,
    subschemas,
    types,
)

PET = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}
SCHEMAS: dict[str, Any] = {
    "Pet": PET,
    "Dog": {"allOf": [{"$ref": "#/$defs/Pet"}, {"properties": {"bark": {"type": "string"}}}]},
    "Alias": {"$ref": "#/$defs/Dog"},
    "Tree": {"properties": {"children": {"items": {"$ref": "#/$defs/Tree"}}}},
    "Self": {"allOf": [{"$ref": "#/$defs/Self"}], "type": "object"},
    "Loop": {"$ref": "#/$defs/Loop"},
    "Secret": {"type": "string", "writeOnly": True},
}
NULL = {"type": "null"}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def test_references() -> None:
    assert reference_name(_ref("Pet")) == "Pet"
    assert reference_name(PET) is None
    assert resolve(_ref("Alias"), SCHEMAS) is SCHEMAS["Dog"]
    assert resolve(_ref("Nope"), SCHEMAS) == {}
    assert resolve(_ref("Loop"), SCHEMAS) == _ref("Loop")


def test_subschemas_are_schemas_only() -> None:
    inner = [{"title": str(n)} for n in range(6)]
    schema = {
        "properties": {"a": inner[0], "allOf": inner[1]},
        "anyOf": [inner[2]],
        "items": inner[3],
        "not": inner[4],
        "dependentSchemas": {"x": inner[5]},
        "dependentRequired": {"allOf": ["a"], "properties": ["b"]},
        "default": {"items": {}},
        "const": {"$ref": "#/$defs/Pet"},
        "enum": [{"$ref": "#/$defs/Pet"}],
        "examples": [{"not": {}}],
        "discriminator": {"propertyName": "k", "mapping": {}},
    }
    assert list(subschemas(schema)) == inner
    assert reachable(schema, SCHEMAS) == {}


def test_reachable() -> None:
    assert list(reachable(_ref("Alias"), SCHEMAS)) == ["Alias", "Dog", "Pet"]
    assert list(reachable({"items": _ref("Tree")}, SCHEMAS)) == ["Tree"]
    assert list(reachable(_ref("Nope"), SCHEMAS)) == []


def test_parts_of_a_recursive_schema_end() -> None:
    assert len(list(parts(_ref("Self"), SCHEMAS))) == 3
    assert len(list(parts(_ref("Loop"), SCHEMAS))) == 2


def test_parts_that_must_hold() -> None:
    schema = {"anyOf": [_ref("Pet"), NULL], "oneOf": [{"title": "a"}, {"title": "b"}]}
    assert [(part, must) for part, must in parts(schema, SCHEMAS)][1:] == [
        (_ref("Pet"), True),
        ({"title": "a"}, False),
        ({"title": "b"}, False),
        (PET, True),
    ]


def test_properties_of_all_parts() -> None:
    found = properties(_ref("Alias"), SCHEMAS)
    assert {name: part.required for name, part in found.items()} == {"bark": False, "id": True}


def test_what_a_choice_requires_is_not_required() -> None:
    both = properties({"oneOf": [_ref("Pet"), {"required": ["x"]}]}, SCHEMAS)
    assert not both["id"].required
    assert properties({"anyOf": [_ref("Pet"), NULL]}, SCHEMAS)["id"].required


READ_ONLY = {"properties": {"id": {"readOnly": True}}}
OPEN = {"properties": {"id": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (READ_ONLY, True),
        (OPEN, False),
        ({"allOf": [OPEN, READ_ONLY]}, True),
        ({"allOf": [_ref("Pet"), READ_ONLY]}, True),
        ({"anyOf": [READ_ONLY, NULL]}, True),
        ({"oneOf": [READ_ONLY, OPEN]}, False),
        ({"oneOf": [READ_ONLY, READ_ONLY]}, True),
        ({"properties": {"id": {"anyOf": [{"readOnly": True}, NULL]}}}, True),
    ],
)
def test_read_only(schema: Any, expected: bool) -> None:
    assert properties(schema, SCHEMAS)["id"].read_only is expected


def test_write_only_behind_a_reference() -> None:
    found = properties({"properties": {"password": _ref("Secret")}}, SCHEMAS)["password"]
    assert (found.write_only, found.read_only) == (True, False)


def test_items() -> None:
    assert items({"allOf": [{"items": PET}]}, SCHEMAS) == PET
    assert items(PET, SCHEMAS) is None


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (_ref("Dog"), {"object"}),
        ({"type": ["string", "null"]}, {"string", "null"}),
        ({"anyOf": [_ref("Pet"), NULL]}, {"object", "null"}),
        ({"properties": {}}, {"object"}),
        ({"items": {}}, {"array"}),
        ({}, set()),
        (_ref("Loop"), set()),
    ],
)
def test_types(schema: Any, expected: set[str]) -> None:
    assert types(schema, SCHEMAS) == expected


def test_keyword() -> None:
    assert (
        keyword({"allOf": [{"maxLength": 3}], "anyOf": [{"format": "x"}, {}]}, "maxLength", {}) == 3
    )
    assert keyword({"anyOf": [{"format": "x"}, {}]}, "format", {}) is None
