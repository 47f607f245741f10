"""Equality as the people who write contracts mean it."""

from __future__ import annotations

from typing import Any

import pytest

from icepick.glacier import MemoryEnvironment, Sent
from icepick.glacier.tree import Part
from tests.glacier.building import answers, exchange, value

T1, T2 = "2024-05-01T10:00:00Z", "2024-05-01T12:00:00.000+02:00"


@pytest.mark.parametrize(
    ("sent", "received", "equal"),
    [
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 1.0, "id": 7}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": 1, "b": None}, {"a": 1}, True),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}, "d": 3}, True),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, False),
        ({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 2}]}, True),
        ({"a": [1, 2]}, {"a": [2, 1]}, False),
        ({"a": [1]}, {"a": [1, 2]}, False),
        ({"a": T1}, {"a": T2}, True),
        ({"a": T1}, {"a": "2024-05-01T10:00:01Z"}, False),
        ({"a": "2024-05-01"}, {"a": "2024-05-01T00:00:00Z"}, False),
        ({"a": "2024-02-31T00:00:00Z"}, {"a": "2024-02-31T00:00:00+00:00"}, False),
        ({"a": True}, {"a": 1}, False),
        ({"a": "1"}, {"a": 1}, False),
        ({"a": "x"}, {"a": "X"}, False),
        ({}, {"a": 1}, True),
        ([], {}, False),
        ({"a": 0}, {"a": False}, False),
    ],
)
def test_what_was_sent_against_what_came_back(sent: Any, received: Any, equal: bool) -> None:
    env = exchange(sent, received)
    expected = str(equal).lower()
    assert value("req_body(@) = res_body(@)", env) == expected
    assert value("res_body(@) = req_body(@)", env) == expected
    assert value("req_body(@) != res_body(@)", env) == str(not equal).lower()
    wrapped = exchange({"x": sent}, {"y": received})
    assert value("req_body(@){x} = res_body(@){y}", wrapped) == expected


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": 1, "b": None}, {"a": 1}, True),
        ({"a": T1}, {"a": T2}, True),
    ],
)
def test_two_responses_have_the_same_fields(left: Any, right: Any, equal: bool) -> None:
    env = MemoryEnvironment(now=answers(a=left, b=right), before=answers(a=right))
    expected = str(equal).lower()
    assert value("res_body(GET /a) = res_body(GET /b)", env) == expected
    assert value("res_body(GET /a) = prev(res_body(GET /a))", env) == expected


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ({"a": T1}, {"a": T2}, False),
        ([1, 2], [2, 1], False),
        ([True], [1], False),
        ([{"a": "x"}], [{"a": "x"}], True),
    ],
)
def test_strict_makes_no_allowance(left: Any, right: Any, equal: bool) -> None:
    env = exchange(left, right)
    assert value("strict(req_body(@) = res_body(@))", env) == str(equal).lower()
    assert value("strict(req_body(@) != res_body(@))", env) == str(not equal).lower()


PLAYER = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "password": {"$ref": "#/$defs/Secret"},
        "tags": {"type": "array", "uniqueItems": True, "items": {"$ref": "#/$defs/Player"}},
        "scores": {"type": "array", "items": {"type": "integer"}},
        "best": {"$ref": "#/$defs/Player"},
    },
}
NAMED = {"Player": PLAYER, "Secret": {"type": "string", "writeOnly": True}}
SCHEMA = {"$ref": "#/$defs/Player"}


@pytest.mark.parametrize(
    ("sent", "received", "equal"),
    [
        ({"id": 1, "name": "a"}, {"id": 2, "name": "a"}, True),
        ({"id": 1, "name": "a"}, {"id": 2, "name": "b"}, False),
        ({"name": "a", "password": "x"}, {"name": "a"}, True),
        ({"best": {"id": 1, "name": "a"}}, {"best": {"id": 2, "name": "a"}}, True),
        ({"tags": [{"name": 1}, {"name": 2}]}, {"tags": [{"name": 2}, {"name": 1}]}, True),
        ({"tags": [{"name": 1}, {"name": 2}]}, {"tags": [{"name": 2}, {"name": 3}]}, False),
        ({"tags": [{"name": 1}]}, {"tags": [{"name": 1}, {"name": 2}]}, False),
        ({"tags": [{"name": 1, "id": 5}]}, {"tags": [{"id": 6, "name": 1}]}, True),
        ({"scores": [1, 2]}, {"scores": [2, 1]}, False),
    ],
)
@pytest.mark.parametrize("part", [Part.REQ_BODY, Part.RES_BODY])
def test_schemas(sent: Any, received: Any, equal: bool, part: Part) -> None:
    env = exchange(sent, received, schemas=NAMED, body_schemas={(part, None): SCHEMA})
    assert value("req_body(@) = res_body(@)", env) == str(equal).lower()
    assert value("res_body(@) = req_body(@)", env) == str(equal).lower()


def test_the_schema_is_found_through_fields_variables_and_gets() -> None:
    a, b = {"name": 1}, {"name": 2}
    schemas = {(Part.RES_BODY, "/p/1"): SCHEMA, (Part.RES_BODY, "/all"): {"items": SCHEMA}}
    env = MemoryEnvironment(
        Sent({"id": "1"}, body={"list": [a, b]}),
        now=answers(all=[{"tags": [b, a]}], **{"p/1": {"tags": [b, a]}}),
        before=answers(**{"p/1": {"tags": [b, a]}}),
        schemas=NAMED,
        body_schemas=schemas,
    )
    assert value("req_body(@){list} = res_body(GET /p/{id}){tags}", env) == "true"
    assert value("req_body(@){list} = prev(res_body(GET /p/{id})){tags}", env) == "true"
    assert value("req_body(@){list} = res_body(GET /all)[0].tags", env) == "true"
    assert value("for p in res_body(GET /all) :- p.tags = req_body(@){list}", env) == "true"
    without = MemoryEnvironment(env.sent, None, env.now, env.before)
    assert value("req_body(@){list} = res_body(GET /p/{id}){tags}", without) == "false"


def test_what_was_sent_stays_so_in_a_variable() -> None:
    env = exchange([{"a": 1}], [{"a": 1, "id": 2}])
    assert value("for x in req_body(@) : exists y in res_body(@) :- x = y", env) == "true"
    assert value("for x in req_body(@) :- x in res_body(@)", env) == "true"
    assert value("for x in res_body(@) : exists y in res_body(@) :- x = y", env) == "true"
    assert value("for x in res_body(@) :- x in [req_body(@)[0]]", env) == "false"


def test_read_only_fields_count_between_responses() -> None:
    env = MemoryEnvironment(
        now=answers(a={"id": 1}, b={"id": 2}),
        schemas=NAMED,
        body_schemas={(Part.RES_BODY, "/a"): SCHEMA},
    )
    assert value("res_body(GET /a) = res_body(GET /b)", env) == "false"


def test_membership_compares_as_equality_does() -> None:
    env = MemoryEnvironment(
        Sent({"id": "2"}, body={"name": "a"}),
        now=answers(all=[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}], ids=[1, 2]),
    )
    assert value("req_body(@) in res_body(GET /all)", env) == "true"
    assert value("contains(res_body(GET /all), req_body(@))", env) == "true"
    assert value("for p in res_body(GET /all) :- p in res_body(GET /all)", env) == "true"
    assert value("id in res_body(GET /ids)", env) == "true"
    assert value('"2" in res_body(GET /ids)', env) == "false"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("path_param(@){id} = 7", "true"),
        ("7 = path_param(@){id}", "true"),
        ("id = 7", "true"),
        ("id = 8", "false"),
        ("id > 6", "true"),
        ("6 > id", "false"),
        ("query_param(@){flag} = true", "true"),
        ("query_param(@){flag} = false", "false"),
        ("query_param(@){word} = 7", "false"),
        ("query_param(@){word} > 7", "unknown"),
        ("query_param(@){limit} = 2.5", "true"),
        ("header(@){Count} = null || req_header(@){Count} = 3", "true"),
        ("number = '9'", "true"),
        ("number = id", "false"),
        ("id in [6, 7]", "true"),
        ("strict(id = 7)", "false"),
        ("'7' = 7", "false"),
    ],
)
def test_what_travels_as_text_is_compared_with_what_it_spells(text: str, expected: str) -> None:
    sent = Sent(
        {"id": "7", "number": 9},
        {"flag": "true", "word": "seven", "limit": "2.5"},
        {"count": "3"},
    )
    env = exchange(res={}).__class__(sent, exchange(res={}).answer)
    assert value(text, env) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'"{T1}" = "{T2}"', "true"),
        (f'"{T1}" <= "{T2}" && "{T1}" >= "{T2}"', "true"),
        (f'"{T2}" < "2024-05-01T11:00:00Z"', "true"),
        ('"2024-05-01t10:00:00z" = "2024-05-01 10:00:00Z"', "true"),
        ('"9999-12-31T23:59:59-23:00" = "9999-12-31T23:59:59-22:00"', "false"),
    ],
)
def test_date_times_by_instant(text: str, expected: str) -> None:
    assert value(text) == expected
