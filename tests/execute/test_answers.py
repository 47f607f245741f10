"""Bodies as values, and identifiers wherever a service puts them."""

from __future__ import annotations

import pytest

from icepick.execute.answers import answer_of, at, body_of, content_of, fields_of, identifier_in
from icepick.execute.types import Response
from icepick.glacier import Answer
from icepick.openapi.types import ABSENT, Json
from icepick.resources.types import (
    Chooser,
    Evidence,
    Identifier,
    Payload,
    Provenance,
    Role,
    Use,
)

EVIDENCE = Evidence(Provenance.DECLARED, 1.0, "")


def response(body: bytes, kind: str | None = "application/json", status: int = 200) -> Response:
    headers = () if kind is None else (("Content-Type", kind),)
    return Response(status, headers, body)


@pytest.mark.parametrize(
    ("body", "kind", "value"),
    [
        (b"", "application/json", ABSENT),
        (b'{"a": 1}', "application/json; charset=utf-8", {"a": 1}),
        (b'{"a": 1}', "application/problem+json", {"a": 1}),
        (b"[1]", None, [1]),
        (b"[1]", "text/plain", "[1]"),
        (b"<html>", "text/html", "<html>"),
        (b'{"a": ', "application/json", '{"a": '),
        (b"\xff\xfe", "application/octet-stream", "\ufffd\ufffd"),
        ('\ufeff{"a": "\u00e9"}'.encode(), "application/json", {"a": "\u00e9"}),
        ('{"a": "\u00e9"}'.encode("utf-16"), "application/json", {"a": "\u00e9"}),
        ('{"a": "\u00e9"}'.encode("utf-16-le"), "application/json", {"a": "\u00e9"}),
        ('{"a": "\u00e9"}'.encode("utf-16-be"), "application/json", {"a": "\u00e9"}),
        ('{"a": "\u00e9"}'.encode("utf-32"), "application/json", {"a": "\u00e9"}),
        (b"7", "application/json", 7),
        (b'"\xed\xa0\x80"', "application/json", "\ud800"),
        (b"[" * 100_000, "application/json", "[" * 100_000),
    ],
)
def test_bodies(body: bytes, kind: str | None, value: Json) -> None:
    assert body_of(response(body, kind)) == value


def test_broken_json_is_only_what_says_it_is_json() -> None:
    assert content_of(response(b"{")).is_broken
    assert not content_of(response(b"{", "text/html")).is_broken
    assert not content_of(response(b"")).is_broken
    assert not content_of(response(b"{}")).is_broken


def test_the_first_of_two_headers_counts() -> None:
    made = answer_of(Response(200, (("X", "1"), ("X", "2"))))
    assert made.headers["X"] == "1"


def test_places_inside_a_body() -> None:
    assert at({"a": {"b": None}}, ("a", "b")) is None
    assert at({"a": [1]}, ("a", "b")) is ABSENT
    assert at(5, ()) == 5
    nested = {"a": {"b": 1, "c": [1, 2]}, "d": {}}
    assert dict(fields_of(nested)) == {("a", "b"): 1, ("a", "c"): [1, 2], ("d",): {}}


def identifier(inside: tuple[str, ...] | None = ("id",), kind: str = "string") -> Identifier:
    return Identifier("petId", {"type": kind}, inside, Chooser.SERVER, None, EVIDENCE)


def use(*path: str) -> Use:
    return Use("addPet", Role.CREATE, EVIDENCE, response=Payload(path, {}, False))


@pytest.mark.parametrize(
    ("body", "headers", "expected"),
    [
        ({"data": {"id": "x1"}}, {}, "x1"),
        ({"id": "x1"}, {}, "x1"),
        ({"result": {"pet": {"id": 7}}}, {}, 7),
        ({"id": ""}, {"Location": "/pets/x2"}, "x2"),
        (ABSENT, {"location": "https://example.com/v1/pets/a%2Fb"}, "a/b"),
        (ABSENT, {"Location": "/v1/pets/x3/"}, "x3"),
        ({"data": {"pet_id": "x4"}}, {}, "x4"),
        (ABSENT, {"Location": "/v1/pets"}, ABSENT),
        (ABSENT, {"Location": "pets"}, ABSENT),
        ({"id": True}, {}, ABSENT),
        ({"items": [{"id": "x"}]}, {}, ABSENT),
        ({"data": [{"id": "x"}]}, {}, "x"),
        ({"data": [{"id": "x"}, {"id": "y"}]}, {}, ABSENT),
        (ABSENT, {}, ABSENT),
    ],
)
def test_identifiers(body: Json, headers: dict[str, str], expected: Json) -> None:
    answer = Answer(201, headers, body)
    assert identifier_in(answer, use("data"), identifier(), "/pets/{petId}") == expected


def test_a_list_of_one_tells_its_identifier() -> None:
    answer = Answer(201, {}, [{"id": "x"}])
    assert identifier_in(answer, use(), identifier(), "/pets/{petId}") == "x"


def test_an_identifier_in_an_address_has_its_type() -> None:
    answer = Answer(201, {"Location": "/pets/42"}, ABSENT)
    assert identifier_in(answer, use(), identifier(None, "integer"), "/pets/{petId}") == 42
