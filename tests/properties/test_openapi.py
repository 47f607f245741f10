"""A document broken at random never ends in anything but an ApiSpec or a DocumentError."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from icepick.cli.check import check
from icepick.errors import DocumentError
from icepick.openapi import ApiSpec, Direction, check_spec
from icepick.openapi.validate import Validators

_PET = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "integer", "readOnly": True, "minimum": 1, "exclusiveMinimum": True},
        "name": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 9, "example": "rex"},
        "kind": {"type": "string", "enum": ["cat", "dog"], "default": "cat", "nullable": True},
        "parent": {"$ref": "#/components/schemas/Pet"},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "owner": {"allOf": [{"$ref": "#/components/schemas/Owner"}], "nullable": True},
    },
    "additionalProperties": False,
}
_OPENAPI_3 = {
    "openapi": "3.0.3",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "http://{h}/v1", "variables": {"h": {"default": "a", "enum": ["a"]}}}],
    "tags": [{"name": "pets", "description": "animals"}],
    "security": [{"key": []}],
    "paths": {
        "/pets/{id}": {
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
            ],
            "put": {
                "operationId": "putPet",
                "tags": ["pets"],
                "parameters": [
                    {
                        "name": "q",
                        "in": "query",
                        "style": "form",
                        "explode": False,
                        "schema": {"type": "array", "items": {"type": "string"}},
                        "examples": {"one": {"value": ["a"]}},
                    },
                    {"name": "f", "in": "header", "content": {"text/plain": {"schema": {}}}},
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Pet"}},
                        "multipart/form-data": {
                            "schema": {"type": "object", "properties": {"f": {"type": "string"}}},
                            "encoding": {"f": {"contentType": "text/plain"}},
                        },
                    },
                },
                "responses": {
                    "200": {
                        "description": "ok",
                        "headers": {"X": {"schema": {"type": "string"}}},
                        "content": {
                            "application/json": {
                                "schema": {
                                    "oneOf": [
                                        {"$ref": "#/components/schemas/Pet"},
                                        {"$ref": "#/components/schemas/Owner"},
                                    ],
                                    "discriminator": {
                                        "propertyName": "k",
                                        "mapping": {"p": "#/components/schemas/Pet"},
                                    },
                                },
                                "example": {"name": "x"},
                            }
                        },
                        "links": {"self": {"operationId": "putPet", "parameters": {"id": "1"}}},
                    },
                    "default": {"$ref": "#/components/responses/Error"},
                },
                "security": [],
            },
        },
    },
    "components": {
        "schemas": {
            "Pet": _PET,
            "Owner": {
                "type": "object",
                "properties": {"secret": {"type": "string", "writeOnly": True}},
                "patternProperties": {"^x-": {"type": "string"}},
                "dependentRequired": {"secret": ["name"]},
                "minProperties": 1,
                "not": {"required": ["forbidden"]},
            },
        },
        "responses": {"Error": {"description": "no"}},
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
    },
}
_SWAGGER = {
    "swagger": "2.0",
    "info": {"title": "Pets", "version": "1"},
    "host": "localhost",
    "basePath": "/v1",
    "schemes": ["http"],
    "consumes": ["application/json"],
    "produces": ["application/json"],
    "paths": {
        "/pets": {
            "post": {
                "consumes": ["application/json"],
                "parameters": [
                    {"name": "body", "in": "body", "schema": {"$ref": "#/definitions/Pet"}},
                    {
                        "name": "q",
                        "in": "query",
                        "type": "array",
                        "items": {"type": "string"},
                        "collectionFormat": "multi",
                    },
                ],
                "responses": {
                    200: {
                        "description": "ok",
                        "schema": {"$ref": "#/definitions/Pet"},
                        "headers": {"X": {"type": "string"}},
                        "examples": {"application/json": {"name": "x"}},
                    }
                },
            },
            "put": {
                "parameters": [{"name": "f", "in": "formData", "type": "file", "required": True}],
                "responses": {"204": {"description": "done"}},
            },
        }
    },
    "definitions": {"Pet": {"type": "object", "properties": {"n": {"$ref": "#/definitions/Pet"}}}},
    "securityDefinitions": {"b": {"type": "basic"}},
}
_DOCUMENTS = [json.loads(json.dumps(document)) for document in (_OPENAPI_3, _SWAGGER)]
_DOCUMENTS.append({**copy.deepcopy(_DOCUMENTS[0]), "openapi": "3.1.0"})

_VALUES = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        -1,
        3,
        2.5,
        1e400,
        10**400,
        "",
        "x",
        "(",
        "#/nope",
        "#/info",
        "#",
        "\ud800",
        "a\x00b",
        "../../up.json",
        "http://[",
        "{",
        [],
        [None],
        [3],
        ["x", "x"],
        [[]],
        [{}],
        {},
        {"": None},
        {"x": 3},
        {"$ref": 3},
        {"$ref": "#/nope"},
        {"$ref": "#/components/schemas/Pet"},
        {"$ref": "#/definitions/Pet"},
        {"$ref": "\x00.json"},
        {"$ref": "//["},
        {"allOf": [{"$ref": "#/components/schemas/Pet"}]},
        {"type": ["string", "null", "string"], "items": []},
        {"required": True, "nullable": True, "enum": [1]},
    ]
)
_KEYS = st.sampled_from(
    ["", "$ref", "allOf", "items", "x-a", "type", "required", "200", "get", "~/", "not", "nullable"]
)


def _spots(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    children = value.items() if isinstance(value, dict) else ()
    children = enumerate(value) if isinstance(value, list) else children
    for key, child in children:
        yield from _spots(child, (*path, key))


def _broken_at(document: Any, path: tuple[Any, ...], how: str, value: Any, key: str) -> None:
    owner = document
    for part in path[:-1]:
        owner = owner[part]
    if how == "replace":
        owner[path[-1]] = copy.deepcopy(value)
    elif how == "drop":
        del owner[path[-1]]
    elif isinstance(owner, dict):
        owner[key] = owner.pop(path[-1])


@st.composite
def _broken_documents(draw: st.DrawFn) -> Any:
    document = copy.deepcopy(draw(st.sampled_from(_DOCUMENTS)))
    for _ in range(draw(st.integers(1, 3))):
        spots = list(_spots(document))
        if not spots:
            break
        spot = draw(st.sampled_from(spots))
        how = draw(st.sampled_from(["replace", "replace", "drop", "rename"]))
        _broken_at(document, spot, how, draw(_VALUES), draw(_KEYS))
    return document


def _write(document: Any, folder: Path) -> Path:
    path = folder / "api.json"
    text = json.dumps(document).replace("Infinity", "1e400")
    path.write_text(text, encoding="utf-8")
    return path


def _schemas(spec: ApiSpec) -> Iterator[Any]:
    yield from spec.schemas.values()
    for operation in spec.operations:
        yield from (parameter.schema for parameter in operation.parameters)
        if operation.request_body:
            yield from (media.schema for media in operation.request_body.content.values())
        for response in operation.responses.values():
            yield from (media.schema for media in response.content.values())
            yield from (header.schema for header in response.headers.values())


def _all_compile(spec: ApiSpec) -> None:
    together = {"prefixItems": [{}, *_schemas(spec)]}
    jsonschema_rs.Draft202012Validator({"$defs": dict(spec.schemas), **together})
    for direction in Direction:
        problems = Validators(spec.schemas).problems(together, [{"name": 3}], direction)
        assert problems == ()


_quick = settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.parametrize("document", _DOCUMENTS, ids=["3.0", "2.0", "3.1"])
def test_the_documents_are_sound_before_they_are_broken(document: Any, tmp_path: Path) -> None:
    spec = check_spec(str(_write(document, tmp_path)))
    assert [d for d in spec.diagnostics if d.severity != "note"] == []
    assert spec.operations


def _check_outcome(document: Any, folder: Path) -> None:
    try:
        spec = check_spec(str(_write(document, folder)))
    except DocumentError:
        return
    _all_compile(spec)
    assert not [d for d in spec.diagnostics if d.place.line is None]


@pytest.mark.parametrize("value", [None, 3, "x", [], [3], {}, {"x": 3}], ids=json.dumps)
@pytest.mark.parametrize("index", [0, 1], ids=["3.0", "2.0"])
def test_every_single_value_may_be_wrong(index: int, value: Any, tmp_path: Path) -> None:
    for spot in _spots(_DOCUMENTS[index]):
        document = copy.deepcopy(_DOCUMENTS[index])
        _broken_at(document, spot, "replace", value, "")
        _check_outcome(document, tmp_path)


@_quick
@given(document=_broken_documents())
def test_reading_ends_in_a_spec_or_a_document_error(document: Any, tmp_path: Path) -> None:
    _check_outcome(document, tmp_path)


@_quick
@given(document=_broken_documents())
def test_the_command_prints_one_object_and_no_traceback(document: Any, tmp_path: Path) -> None:
    result = CliRunner().invoke(
        check, [str(_write(document, tmp_path)), "--json"], standalone_mode=False
    )
    assert result.exception is None
    printed = json.loads(result.stdout)
    assert printed.get("error", {}).get("code") != "ICP001"


@settings(_quick, max_examples=50)
@given(document=_broken_documents())
def test_json_and_yaml_say_the_same(document: Any, tmp_path: Path) -> None:
    text = json.dumps(document)
    if "\\ud800" in text or "\\u0000" in text or "Infinity" in text:
        return  # YAML cannot write these
    other = tmp_path / "api.yaml"
    other.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    outcomes = []
    for path in (_write(document, tmp_path), other):
        try:
            spec = check_spec(str(path))
        except DocumentError as error:
            outcomes.append(error.code)
        else:
            found = [(d.code, d.severity, d.place.pointer) for d in spec.diagnostics]
            outcomes.append((found, spec.operations, spec.schemas))
    assert outcomes[0] == outcomes[1]


@settings(_quick, max_examples=150)
@given(
    raw=st.binary(max_size=60)
    | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_bytes_end_in_a_document_error(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "api"
    path.write_bytes(raw)
    with pytest.raises(DocumentError):
        check_spec(str(path))
