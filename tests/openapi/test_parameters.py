from __future__ import annotations

from typing import Any

import pytest

from icepick.openapi import Operation, ParameterLocation
from tests.openapi.building import OK, codes, operation, v2, v3
from tests.openapi.conftest import Read

TEXT = {"type": "string"}


def _one(document: Any, read: Read) -> Operation:
    return read(document).operations[0]


@pytest.mark.parametrize(
    ("where", "style", "explode", "expected"),
    [
        ("query", None, None, ("form", True)),
        ("query", "form", False, ("form", False)),
        ("query", "deepObject", None, ("deepObject", False)),
        ("query", "pipeDelimited", None, ("pipeDelimited", False)),
        ("header", None, None, ("simple", False)),
        ("cookie", None, None, ("form", True)),
    ],
)
def test_styles(where: str, style: Any, explode: Any, expected: Any, read: Read) -> None:
    given = {"name": "p", "in": where, "schema": TEXT, "style": style, "explode": explode}
    given = {key: value for key, value in given.items() if value is not None}
    parameter = _one(operation(parameters=[given]), read).parameters[0]
    assert (parameter.style, parameter.explode) == expected
    assert parameter.location is ParameterLocation(where)
    assert not parameter.required


def test_path_parameters_are_always_required(read: Read) -> None:
    given = {"name": "id", "in": "path", "style": "label", "schema": TEXT}
    found = _one(v3({"/{id}": {"get": {"parameters": [given], "responses": OK}}}), read)
    assert found.parameters_in(ParameterLocation.PATH)[0].required
    assert found.parameters[0].style == "label"


def test_what_stands_in_a_path_is_text_where_nothing_is_said(read: Read) -> None:
    def schema(where: str, said: Any) -> Any:
        given = {"name": "id", "in": where, "schema": said}
        found = _one(v3({"/{id}": {"get": {"parameters": [given], "responses": OK}}}), read)
        return next(one.schema for one in found.parameters if one.location.value == where)

    assert schema("path", {"title": "Id"}) == {"title": "Id", "type": "string"}
    assert schema("path", {"type": "integer"}) == {"type": "integer"}
    assert schema("path", {"enum": [1, 2]}) == {"enum": [1, 2]}
    assert schema("query", {"title": "Id"}) == {"title": "Id"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, ("form", False)),
        ("csv", ("form", False)),
        ("multi", ("form", True)),
        ("ssv", ("spaceDelimited", False)),
        ("pipes", ("pipeDelimited", False)),
        ("nonsense", ("form", False)),
    ],
)
def test_collection_formats(given: str | None, expected: Any, read: Read) -> None:
    parameter = {"name": "p", "in": "query", "type": "array", "items": TEXT}
    parameter |= {"collectionFormat": given} if given else {}
    found = _one(v2({"/a": {"get": {"parameters": [parameter], "responses": OK}}}), read)
    assert (found.parameters[0].style, found.parameters[0].explode) == expected
    assert found.parameters[0].schema == {"type": "array", "items": TEXT}


def test_an_unknown_style_is_replaced(read: Read) -> None:
    spec = read(operation(parameters=[{"name": "p", "in": "query", "style": "matrix"}]))
    assert spec.operations[0].parameters[0].style == "form"
    assert len(codes(spec)) == 1


def test_everything_about_a_parameter(read: Read) -> None:
    given = {
        "name": "p",
        "in": "query",
        "required": True,
        "deprecated": True,
        "allowReserved": True,
        "description": "d",
        "content": {"application/json": {"schema": TEXT}},
        "example": "a",
        "examples": {"b": {"value": "b"}, "c": {"externalValue": "http://x"}, "d": {"$ref": "#/x"}},
    }
    spec = read({**operation(parameters=[given]), "x": {"value": "x"}})
    found = spec.operations[0].parameters[0]
    assert found.content_type == "application/json"
    assert found.schema == TEXT
    assert found.examples == ("a", "b", "x")
    assert (found.required, found.deprecated, found.allow_reserved) == (True, True, True)


def test_an_operation_overrides_its_path(read: Read) -> None:
    shared = {"name": "p", "in": "query", "schema": TEXT}
    own = {"name": "p", "in": "query", "schema": {"type": "integer"}}
    header = {"name": "p", "in": "header", "schema": TEXT}
    item = {"parameters": [shared, header], "get": {"parameters": [own], "responses": OK}}
    spec = read(v3({"/a": item}))
    assert [p.schema for p in spec.operations[0].parameters] == [{"type": "integer"}, TEXT]
    assert codes(spec) == []


def test_a_parameter_that_stands_twice(read: Read) -> None:
    twice = [{"name": "p", "in": "query", "schema": s} for s in (TEXT, {})]
    spec = read(operation(parameters=twice))
    assert codes(spec) == ["DUPLICATE_PARAMETER /paths/~1pets/get/parameters/1"]
    assert [p.schema for p in spec.operations[0].parameters] == [TEXT]


def test_headers_that_http_owns_are_no_parameters(read: Read) -> None:
    owned = [{"name": n, "in": "header"} for n in ("Accept", "content-type", "Authorization")]
    assert _one(operation(parameters=owned), read).parameters == ()


@pytest.mark.parametrize(
    "given",
    [3, "x", {}, [3], [None], [{"name": "p"}], [{"in": "query"}], [{"name": 3, "in": "query"}],
     [{"name": "p", "in": "nowhere"}], [{"$ref": "#/nope"}], [{"$ref": 3}]],
)  # fmt: skip
def test_broken_parameters_cost_the_operation(given: Any, read: Read) -> None:
    spec = read(
        v3({"/a": {"get": {"parameters": given, "responses": OK}, "put": {"responses": OK}}})
    )
    assert spec.left_out == ("GET /a",)
    assert [o.label for o in spec.operations] == ["PUT /a"]
    assert spec.diagnostics[0].operation == "GET /a"
    assert "GET /a is left out" in spec.diagnostics[0].message
    assert (spec.diagnostics[0].place.pointer or "").startswith("/paths/~1a/get/parameters")


def test_bodies_of_every_kind(read: Read) -> None:
    content = {
        "application/json": {"schema": TEXT, "examples": {"a": {"value": "x"}}},
        "application/x-www-form-urlencoded": {"schema": {"type": "object"}},
        "multipart/form-data": {"schema": {}, "encoding": {"f": {"contentType": "a/b"}, "g": 3}},
        "text/plain": {},
        "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
    }
    body = {"required": True, "description": "d", "content": content}
    found = _one(operation(requestBody=body), read).request_body
    assert found is not None
    assert list(found.content) == list(content)
    assert found.required
    assert found.content["application/json"].examples == ("x",)
    assert found.content["multipart/form-data"].encoding == {"f": {"contentType": "a/b"}}
    assert found.content["text/plain"].schema == {}


@pytest.mark.parametrize("body", [3, [], {}, {"content": {}}, {"content": 3}, {"$ref": "#/no"}])
def test_a_body_without_content_costs_the_operation(body: Any, read: Read) -> None:
    assert read(operation(requestBody=body)).left_out == ("GET /pets",)


@pytest.mark.parametrize(
    ("media", "code"),
    [
        (3, "WRONG_TYPE /paths/~1pets/get/requestBody/content/a~1b"),
        ({"schema": "x"}, "BROKEN_SCHEMA /paths/~1pets/get/requestBody/content/a~1b/schema"),
        ({"encoding": []}, "WRONG_TYPE /paths/~1pets/get/requestBody/content/a~1b/encoding"),
        ({"examples": []}, "WRONG_TYPE /paths/~1pets/get/requestBody/content/a~1b/examples"),
    ],
)
def test_broken_content(media: Any, code: str, read: Read) -> None:
    spec = read(operation(requestBody={"content": {"a/b": media}}))
    assert codes(spec) == [code]
    assert spec.operations[0].request_body is not None


def _post(parameters: Any, **more: Any) -> dict[str, Any]:
    return {"/a": {"post": {"parameters": parameters, "responses": OK, **more}}}


def test_a_swagger_body(read: Read) -> None:
    body = {"name": "b", "in": "body", "required": True, "schema": TEXT}
    document = v2(_post([body], consumes=["application/json", "multipart/form-data"]))
    found = _one(document, read).request_body
    assert found is not None
    assert list(found.content) == ["application/json"]
    assert found.content["application/json"].schema == TEXT
    assert found.required


def test_a_swagger_body_of_the_operation_beats_that_of_the_path(read: Read) -> None:
    paths = _post([{"name": "own", "in": "body", "schema": TEXT}])
    paths["/a"]["parameters"] = [{"name": "shared", "in": "body", "schema": {}}]
    found = _one(v2(paths), read).request_body
    assert found is not None
    assert found.content["application/json"].schema == TEXT


@pytest.mark.parametrize(
    ("kind", "consumes", "expected"),
    [
        ("file", None, ["multipart/form-data"]),
        ("string", None, ["application/x-www-form-urlencoded"]),
        ("string", ["multipart/form-data", "application/json"], ["multipart/form-data"]),
        ("string", 3, ["application/x-www-form-urlencoded"]),
    ],
)
def test_a_swagger_form(kind: str, consumes: Any, expected: list[str], read: Read) -> None:
    field = {"name": "f", "in": "formData", "type": kind, "required": True, "description": "d"}
    document = v2(_post([field], **({"consumes": consumes} if consumes else {})))
    found = _one(document, read).request_body
    assert found is not None
    assert list(found.content) == expected
    schema = found.content[expected[0]].schema
    assert schema["required"] == ["f"]
    assert schema["properties"]["f"]["description"] == "d"


def test_what_a_swagger_document_consumes_counts_for_all(read: Read) -> None:
    body = {"name": "b", "in": "body", "schema": TEXT}
    found = _one(v2(_post([body]), consumes=["application/xml"]), read).request_body
    assert found is not None
    assert list(found.content) == ["application/xml"]
