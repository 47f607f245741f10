from __future__ import annotations

import time
from typing import Any

import pytest

from icepick.errors import Code, DocumentError
from icepick.openapi import read_spec
from icepick.openapi.types import Dialect
from tests.openapi.building import OK, codes, schemas, v2, v3
from tests.openapi.conftest import Read, Write


@pytest.mark.parametrize(
    ("version", "dialect"),
    [
        ("openapi: 3.0.0", Dialect.OPENAPI_3_0),
        ("openapi: '3.0.3'", Dialect.OPENAPI_3_0),
        ("openapi: 3.0", Dialect.OPENAPI_3_0),
        ("openapi: 3.1", Dialect.OPENAPI_3_1),
        ("openapi: 3.1.1", Dialect.OPENAPI_3_1),
        ("swagger: '2.0'", Dialect.SWAGGER_2_0),
        ("swagger: 2.0", Dialect.SWAGGER_2_0),
    ],
)
def test_dialects(version: str, dialect: Dialect, read: Read) -> None:
    assert read(f"{version}\npaths: {{}}", "api.yaml").dialect is dialect


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("openapi: 3.2.0", Code.UNSUPPORTED_VERSION, "3.2.0"),
        ("openapi: 3.10.0", Code.UNSUPPORTED_VERSION, "3.10.0"),
        ("openapi: 4", Code.UNSUPPORTED_VERSION, "4"),
        ("openapi: null", Code.UNSUPPORTED_VERSION, "None"),
        ("openapi: {a: [1, 2]}", Code.UNSUPPORTED_VERSION, "openapi"),
        ("swagger: '1.2'", Code.UNSUPPORTED_VERSION, "1.2"),
        ("swaggerVersion: '1.2'", Code.NOT_OPENAPI, "Swagger 1.x"),
        ("asyncapi: 2.0.0", Code.NOT_OPENAPI, "AsyncAPI"),
        ("info: {}\nitem: []", Code.NOT_OPENAPI, "Postman"),
        ("{}", Code.NOT_OPENAPI, "no `openapi`"),
        ("[]", Code.NOT_OPENAPI, "not a list"),
        ("[{}]", Code.NOT_OPENAPI, "not a list"),
        ("just words", Code.NOT_OPENAPI, "object"),
        ("3", Code.NOT_OPENAPI, "object"),
        ("null", Code.NOT_OPENAPI, "object"),
        ("true", Code.NOT_OPENAPI, "object"),
    ],
)
def test_documents_that_are_none(text: str, code: Code, words: str, read: Read) -> None:
    with pytest.raises(DocumentError) as caught:
        read(text, "api.yaml")
    assert caught.value.code is code
    assert words in f"{caught.value.message} {caught.value.hint}"
    assert caught.value.place is not None


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("paths", [], ["WRONG_TYPE /paths", "NO_OPERATIONS /paths"]),
        ("paths", 3, ["WRONG_TYPE /paths", "NO_OPERATIONS /paths"]),
        ("paths", None, ["NO_OPERATIONS"]),
        ("paths", {}, ["NO_OPERATIONS /paths"]),
        ("info", [], ["WRONG_TYPE /info"]),
        ("info", None, []),
        ("tags", {}, ["WRONG_TYPE /tags"]),
        ("tags", [3, {}, {"name": 3}], []),
        ("security", "x", ["WRONG_TYPE /security"]),
        ("servers", {}, ["WRONG_TYPE /servers"]),
        ("components", [], ["WRONG_TYPE /components"]),
        ("components", None, []),
        ("components", {"schemas": []}, ["WRONG_TYPE /components/schemas"]),
        ("components", {"securitySchemes": 3}, ["WRONG_TYPE /components/securitySchemes"]),
    ],
)
def test_wrong_types_at_the_top(key: str, value: Any, expected: list[str], read: Read) -> None:
    assert codes(read({**v3(), key: value})) == expected


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("definitions", [], ["WRONG_TYPE /definitions"]),
        ("securityDefinitions", 3, ["WRONG_TYPE /securityDefinitions"]),
        ("schemes", "http", ["WRONG_TYPE /schemes"]),
        ("host", [], []),
    ],
)
def test_wrong_types_at_the_top_of_swagger(
    key: str, value: Any, expected: list[str], read: Read
) -> None:
    assert codes(read({**v2(host="h"), key: value})) == expected


def test_null_everywhere(read: Read) -> None:
    keys = ("info", "servers", "tags", "security", "components", "externalDocs")
    item = {"parameters": None, "servers": None, "summary": None}
    get = dict.fromkeys(
        ("operationId", "parameters", "requestBody", "tags", "security", "servers", "deprecated")
    )
    response = dict.fromkeys(("description", "content", "headers", "links"))
    paths = {"/a": {**item, "get": {**get, "responses": {"200": response}}}}
    spec = read({**dict.fromkeys(keys), "openapi": "3.0.0", "paths": paths})
    assert codes(spec) == []
    assert [o.id for o in spec.operations] == ["get_a"]


def test_a_whole_document(read: Read) -> None:
    text = """
openapi: 3.1.0
info: {title: Pets, version: 1.0, description: animals}
tags: [{name: a, description: first}]
x-owner: me
paths: {}
"""
    spec = read(text, "api.yml")
    assert (spec.title, spec.version, spec.description) == ("Pets", "1.0", "animals")
    assert spec.tags == {"a": "first"}
    assert spec.extensions == {"x-owner": "me"}
    assert spec.source.endswith("api.yml")


def test_a_document_without_info(read: Read) -> None:
    document = {key: value for key, value in v3().items() if key != "info"}
    spec = read(document)
    assert (spec.title, spec.version) == ("untitled", "")


def test_duplicate_keys(read: Read) -> None:
    text = "openapi: 3.0.0\npaths:\n  /a: {}\n  /a:\n    get: {responses: {200: {}}}\n"
    spec = read(text, "api.yaml")
    assert codes(spec) == ["DUPLICATE_KEY /paths/~1a"]
    assert spec.diagnostics[0].place.line == 4
    assert len(spec.operations) == 1


def test_anchors_and_merge_keys(read: Read) -> None:
    text = """
openapi: 3.0.0
x-base: &base
  responses: {200: {description: ok}}
paths:
  /a:
    get: {<<: *base, operationId: one}
    put: *base
"""
    spec = read(text, "api.yaml")
    assert [o.id for o in spec.operations] == ["one", "put_a"]
    assert codes(spec) == []


def test_every_diagnostic_has_a_line_and_a_pointer(read: Read) -> None:
    text = "openapi: 3.0.0\npaths:\n  /a:\n    get:\n      parameters: 3\n  /b: 7\n"
    spec = read(text, "api.yaml")
    found = [(d.place.line, d.place.pointer) for d in spec.diagnostics]
    assert found == [(5, "/paths/~1a/get/parameters"), (6, "/paths/~1b"), (2, "/paths")]


def test_a_defect_is_reported_once(read: Read) -> None:
    shared = {"$ref": "#/components/parameters/P"}
    paths = {f"/{n}": {"get": {"parameters": [shared], "responses": OK}} for n in "ab"}
    parameter = {"name": "p", "in": "query", "schema": {"$ref": "#/components/schemas/S"}}
    components = {"parameters": {"P": parameter}, "schemas": {"S": {"type": "x"}}}
    assert codes(read(v3(paths, components=components))) == [
        "BROKEN_SCHEMA /components/schemas/S/type"
    ]


def test_reading_leaves_out_what_only_checking_looks_for(write: Write, read: Read) -> None:
    document = schemas({"S": {"type": "integer", "default": "x"}})
    assert codes(read(document)) == ["INVALID_EXAMPLE /components/schemas/S"]
    assert codes(read_spec(write(document))) == []


def test_thousands_of_connected_schemas(read: Read) -> None:
    """Each refers to others and has an example: what is checked must not grow with the square."""
    count = 1500

    def at(number: int) -> dict[str, str]:
        return {"$ref": f"#/components/schemas/S{number % count}"}

    named = {
        f"S{n}": {
            "required": ["id", "name"],
            "properties": {
                "id": {"type": "integer", "readOnly": True},
                "name": {"type": "string"},
                "next": at(n * 7 + 1),
                "more": {"type": "array", "items": at(n * 3 + 5)},
            },
            "example": {"name": "x"} if n else {"name": 3},
            "type": "object",
        }
        for n in range(count)
    }
    begun = time.process_time()
    spec = read(schemas(named))
    assert time.process_time() - begun < 6
    assert len(spec.schemas) == count
    assert codes(spec) == ["INVALID_EXAMPLE /components/schemas/S0"]
