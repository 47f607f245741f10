from __future__ import annotations

from typing import Any

import pytest

from icepick.openapi import ApiSpec
from tests.openapi.building import codes, operation, v2, v3
from tests.openapi.conftest import Read

TEXT = {"type": "string"}
AT = "/paths/~1pets/get/responses"


def _read(responses: Any, read: Read) -> ApiSpec:
    return read(operation(responses=responses))


def test_statuses(read: Read) -> None:
    given = ["200", "2XX", "4xx", "default", "x-note"]
    spec = _read({status: {"description": status} for status in given}, read)
    found = spec.operations[0]
    assert list(found.responses) == ["200", "2XX", "4XX", "default"]
    assert codes(spec) == []
    for status, key in ((200, "200"), (201, "2XX"), (404, "4XX"), (500, "default")):
        response = found.response_for(status)
        assert response is not None
        assert response.status == key


def test_statuses_written_as_numbers(read: Read) -> None:
    text = (
        "openapi: 3.0.0\npaths:\n  /a:\n    get:\n      responses:\n        200: {description: x}"
    )
    spec = read(text, "api.yaml")
    assert list(spec.operations[0].responses) == ["200"]
    assert spec.operations[0].response_for(404) is None


@pytest.mark.parametrize(
    ("responses", "expected"),
    [
        ([], [f"WRONG_TYPE {AT}", f"NO_RESPONSES {AT}"]),
        (3, [f"WRONG_TYPE {AT}", f"NO_RESPONSES {AT}"]),
        (None, ["NO_RESPONSES /paths/~1pets/get"]),
        ({}, [f"NO_RESPONSES {AT}"]),
        ({"200": {}, "600": {}}, [f"BROKEN_RESPONSE {AT}/600"]),
        ({"200": {}, "ok": {}}, [f"BROKEN_RESPONSE {AT}/ok"]),
        ({"200": {}, "201": 3}, [f"BROKEN_RESPONSE {AT}/201"]),
        ({"200": {}, "201": None}, [f"BROKEN_RESPONSE {AT}/201"]),
        ({"200": {}, "201": {"$ref": "#/no"}}, [f"DANGLING_REFERENCE {AT}/201"]),
        ({"200": {"content": []}}, [f"WRONG_TYPE {AT}/200/content"]),
        ({"200": {"headers": []}}, [f"WRONG_TYPE {AT}/200/headers"]),
        ({"200": {"headers": {"X": 3}}}, [f"WRONG_TYPE {AT}/200/headers/X"]),
        ({"200": {"headers": {"X": {"$ref": "#/no"}}}}, [f"DANGLING_REFERENCE {AT}/200/headers/X"]),
        ({"200": {"links": 3}}, [f"WRONG_TYPE {AT}/200/links"]),
        ({"200": {"links": {"l": {}}}}, [f"UNKNOWN_LINK_TARGET {AT}/200/links/l"]),
        ({"200": {"links": {"l": {"$ref": "#/no"}}}}, [f"DANGLING_REFERENCE {AT}/200/links/l"]),
        (
            {"200": {"links": {"l": {"operationRef": "#/no"}}}},
            [f"DANGLING_REFERENCE {AT}/200/links/l"],
        ),
        (
            {"200": {"links": {"l": {"operationId": "nobody"}}}},
            ["UNKNOWN_LINK_TARGET /paths/~1pets/get"],
        ),
    ],
)
def test_what_is_broken_is_left_out_alone(responses: Any, expected: list[str], read: Read) -> None:
    spec = _read(responses, read)
    assert codes(spec) == expected
    assert all(d.operation == "GET /pets" for d in spec.diagnostics if d.severity != "note")
    assert [o.label for o in spec.operations] == ["GET /pets"]
    if isinstance(responses, dict) and responses:
        assert list(spec.operations[0].responses) == ["200"]


def test_bodies_and_headers(read: Read) -> None:
    response = {
        "description": "d",
        "content": {"application/json": {"schema": TEXT, "example": "x"}},
        "headers": {"X": {"required": True, "schema": TEXT, "description": "h"}},
    }
    found = _read({"200": response}, read).operations[0].responses["200"]
    assert found.content["application/json"].examples == ("x",)
    assert found.headers["X"].required
    assert found.headers["X"].schema == TEXT


def test_links(read: Read) -> None:
    links = {
        "by id": {"operationId": "getPet", "parameters": {"id": "$response.body#/id"}},
        "by reference": {"operationRef": "#/paths/~1pets~1{id}/get", "requestBody": "$url"},
        "to one without id": {"operationRef": "#/paths/~1pets~1{id}/delete"},
    }
    ok = {"200": {"description": ""}}
    parameter = {"name": "id", "in": "path", "required": True, "schema": TEXT}
    spec = read(
        v3(
            {
                "/pets": {"post": {"responses": {"201": {"description": "", "links": links}}}},
                "/pets/{id}": {
                    "parameters": [parameter],
                    "get": {"operationId": "getPet", "responses": ok},
                    "delete": {"responses": ok},
                },
            }
        )
    )
    found = spec.operations[0].responses["201"].links
    assert [link.operation_id for link in found] == ["getPet", "getPet", "delete_pets_id"]
    assert found[0].parameters == {"id": "$response.body#/id"}
    assert found[1].request_body == "$url"
    assert codes(spec) == []


def test_swagger_responses(read: Read) -> None:
    response = {
        "description": "d",
        "schema": TEXT,
        "examples": {"text/plain": "x"},
        "headers": {"X": {"type": "integer"}},
    }
    paths = {"/a": {"get": {"responses": {"200": response}}}}
    found = read(v2(paths, produces=["text/plain"])).operations[0].responses["200"]
    assert list(found.content) == ["text/plain"]
    assert found.content["text/plain"].examples == ("x",)
    assert found.headers["X"].schema == {"type": "integer"}


@pytest.mark.parametrize("produces", [3, [], [3], None])
def test_swagger_produces_json_where_it_does_not_say(produces: Any, read: Read) -> None:
    operation = {"produces": produces, "responses": {"200": {"schema": TEXT}}}
    found = read(v2({"/a": {"get": operation}})).operations[0].responses["200"]
    assert list(found.content) == ["application/json"]


@pytest.mark.parametrize(
    ("status", "kinds"),
    [
        ("200", ["application/x-yaml"]),
        ("404", ["application/x-yaml", "application/json"]),
        ("default", ["application/x-yaml", "application/json"]),
    ],
)
def test_swagger_cannot_say_in_which_form_it_refuses(
    status: str, kinds: list[str], read: Read
) -> None:
    operation = {"produces": ["application/x-yaml"], "responses": {status: {"schema": TEXT}}}
    found = read(v2({"/a": {"get": operation}})).operations[0].responses[status]
    assert list(found.content) == kinds
