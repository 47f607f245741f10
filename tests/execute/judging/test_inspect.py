"""One answer alone, against its document and against reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from icepick.execute.judging.inspect import Inspector
from icepick.execute.types import (
    Exchange,
    Failure,
    FailureKind,
    Purpose,
    Request,
    Response,
    Verdict,
)
from icepick.openapi.types import Header, MediaType, Operation
from icepick.openapi.types import Response as Declared

SCHEMAS = {"Pet": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}
PET = {"application/json": MediaType("application/json", {"$ref": "#/$defs/Pet"})}
OPERATION = Operation(
    "getPet", "GET", "/pets/{id}", "#/x",
    responses={
        "200": Declared("200", "", PET, {"ETag": Header("ETag", True, {})}),
        "404": Declared("404", "", PET),
        "204": Declared("204", ""),
    },
)  # fmt: skip


def complaints(response: Response | Failure) -> list[tuple[str, Verdict, str]]:
    exchange = Exchange(3, 0.0, Purpose.READ, Request("GET", "http://x/pets/1"), response)
    found = Inspector(SCHEMAS).inspect(exchange, OPERATION)
    assert all(one.exchanges == (3,) and one.operation == "getPet" for one in found)
    return [(one.check, one.level, one.about) for one in found]


JSON = ("Content-Type", "application/json")
TAG = ("ETag", "1")


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (Response(200, (JSON, TAG), b'{"id": 1}'), []),
        (Response(204), []),
        (Response(500, (JSON,), b"{}"), [("server-error", Verdict.ERR, "")]),
        (Response(418), [("undocumented-status", Verdict.WARN, "418")]),
        (Response(200, (JSON, TAG), b'{"id": '), [("broken-json", Verdict.ERR, "")]),
        (Response(200, (JSON, TAG), b"{}"), [("response-schema", Verdict.ERR, "2xx Pet.id")]),
        (
            Response(200, (JSON, TAG), b'{"id":"x"}'),
            [("response-schema", Verdict.ERR, "2xx Pet.id")],
        ),
        (Response(404, (JSON,), b"{}"), [("response-schema", Verdict.WARN, "4xx Pet.id")]),
        (Response(200, (JSON,), b'{"id": 1}'), [("missing-header", Verdict.WARN, "ETag")]),
        (
            Response(200, (("Content-Type", "text/html"), TAG), b"<p>"),
            [("content-type", Verdict.WARN, "text/html")],
        ),
        (Response(200, (JSON, TAG), b'{"id": ', truncated=True), []),
        (Failure(FailureKind.TIMEOUT, "too slow"), []),
    ],
)
def test_answers(response: Response | Failure, expected: list[tuple[str, Verdict, str]]) -> None:
    assert complaints(response) == expected


def test_where_a_promised_redirect_leads_is_not_judged() -> None:
    page = Response(200, (("Content-Type", "text/html"),), b"<p>", redirects=("http://x/login",))
    promised = {**OPERATION.responses, "307": Declared("307", "")}
    request = Request("GET", "http://x/pets/1")

    def found(response: Response, operation: Operation) -> list[str]:
        exchange = Exchange(3, 0.0, Purpose.CALL, request, response)
        return [one.check for one in Inspector(SCHEMAS).inspect(exchange, operation)]

    redirecting = replace(OPERATION, responses=promised)
    assert found(page, redirecting) == []
    assert found(replace(page, status=500), redirecting) == ["server-error"]
    assert found(page, OPERATION) != []
    assert found(replace(page, redirects=()), redirecting) != []


def test_what_lacks_several_properties_is_one_problem() -> None:
    whole = {
        "type": "object",
        "required": ["a", "b", "c"],
        "properties": {"n": {"type": "integer"}},
    }
    schemas = {"Whole": whole}
    content = {"application/json": MediaType("application/json", {"$ref": "#/$defs/Whole"})}
    operation = replace(OPERATION, responses={"200": Declared("200", "", content)})
    body = b'{"b": 1, "n": "x"}'
    exchange = Exchange(
        3, 0.0, Purpose.READ, Request("GET", "http://x"), Response(200, (JSON,), body)
    )  # fmt: skip
    found = Inspector(schemas).inspect(exchange, operation)
    assert {(one.about, one.happened) for one in found} == {
        ("2xx Whole", "Whole: it lacks a and c"),
        ("2xx Whole.n", 'Whole.n is "x"; the schema wants an integer'),
    }


@pytest.mark.parametrize(("status", "faults"), [(400, 1), (200, 2)])
def test_a_schema_of_refusals_that_is_spelled_out_each_time_is_one(
    status: int, faults: int
) -> None:
    schema = {"type": "object", "properties": {"reason": {"type": "string"}}}
    declared = Declared(str(status), "", {JSON[1]: MediaType(JSON[1], dict(schema))})
    found = set()
    for path in ("/pets", "/users"):
        operation = replace(OPERATION, path=path, responses={str(status): declared})
        reply = Response(status, (JSON,), b'{"reason": null}')
        exchange = Exchange(3, 0.0, Purpose.READ, Request("GET", "http://x"), reply)
        [complaint] = Inspector({}).inspect(exchange, operation)
        found.add(complaint.about)
    assert len(found) == faults


@pytest.mark.parametrize(
    ("wrapped", "answer", "faults"),
    [
        ("data", b'{"code": 1, "data": null}', 1),
        ("data", b'{"code": 1, "data": {"name": 1}}', 2),
        ("owner", b'{"code": 1, "owner": null}', 2),
    ],
)
def test_an_envelope_around_what_differs_is_one(wrapped: str, answer: bytes, faults: int) -> None:
    found = set()
    for path, more in (("/pets", "kind"), ("/users", "age")):
        inside = {"type": "object", "properties": {"name": {"type": "string"}, more: {}}}
        schema = {"type": "object", "properties": {"code": {"type": "integer"}, wrapped: inside}}
        declared = Declared("200", "", {JSON[1]: MediaType(JSON[1], schema)})
        operation = replace(OPERATION, path=path, responses={"200": declared})
        exchange = Exchange(
            3, 0.0, Purpose.READ, Request("GET", "http://x"), Response(200, (JSON,), answer)
        )
        [complaint] = Inspector({}).inspect(exchange, operation)
        found.add(complaint.about)
    assert len(found) == faults


def test_a_large_value_is_cut_in_what_is_said_of_it() -> None:
    choice = {"anyOf": [{"type": "string"}, {"type": "object", "required": ["id"]}]}
    media = {"application/json": MediaType("application/json", choice)}
    operation = replace(OPERATION, responses={"200": Declared("200", "", media)})
    body = b'{"names": [' + b'"someone",' * 100 + b'"and me"]}'
    answer = Response(200, (JSON,), body)
    exchange = Exchange(3, 0.0, Purpose.READ, Request("GET", "http://x/pets/1"), answer)
    [one] = Inspector({}).inspect(exchange, operation)
    assert len(one.happened) < 200
    assert "... is not valid under any of the schemas" in one.happened


def test_what_two_schemas_want_of_one_place_is_one_problem() -> None:
    schemas = {
        "Base": {"type": "object"},
        "Whole": {"type": "object", "allOf": [{"$ref": "#/$defs/Base"}]},
    }
    media = {"application/json": MediaType("application/json", {"$ref": "#/$defs/Whole"})}
    operation = replace(OPERATION, responses={"200": Declared("200", "", media)})
    answer = Response(200, (JSON,), b'"queued"')
    exchange = Exchange(3, 0.0, Purpose.READ, Request("GET", "http://x/pets/1"), answer)
    [one] = Inspector(schemas).inspect(exchange, operation)
    assert one.happened.endswith('is "queued"; the schema wants an object')
