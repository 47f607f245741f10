"""Refusals in the body of a success are told from things that merely look like it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from icepick.execute.transport.envelopes import Envelopes
from icepick.execute.types import Response

_KIND = (("Content-Type", "application/json"),)


def response(body: Any) -> Response:
    return Response(200, _KIND, json.dumps(body).encode())


def status(envelopes: Envelopes, body: Any, operation: str = "any") -> int:
    reply = envelopes.opened(response(body), operation)
    assert isinstance(reply, Response)
    assert reply.stated == 200
    return reply.status


def knowing(good: Any, operations: int = 3) -> Envelopes:
    """What has seen this in the answers of several operations."""
    found = Envelopes()
    for number in range(operations):
        status(found, good, f"good{number}")
    return found


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ({"code": 0, "data": {"id": 1}}, {"code": 1, "message": "wrong", "data": None}, 400),
        ({"code": 0, "data": {"id": 1}}, {"code": 1, "message": "pad does not exist"}, 404),
        ({"code": 200, "data": [1]}, {"code": 409, "msg": "taken"}, 409),
        ({"success": True, "item": {}}, {"success": False, "error": "no such item"}, 404),
        ({"ok": True, "id": 7}, {"ok": False}, 400),
        ({"status": "success", "data": 1}, {"status": "error", "message": "bad"}, 400),
        ({"error": False, "id": 1}, {"error": True, "reason": "bad"}, 400),
    ],
)
def test_a_refusal_has_the_status_that_it_stands_for(good: Any, bad: Any, expected: int) -> None:
    known = knowing(good)
    assert status(known, bad) == expected
    assert status(known, good) == 200
    assert [text for _, text in known.learned()]


@pytest.mark.parametrize(
    ("good", "other"),
    [
        ({"ok": True, "id": 1}, {"ok": False, "id": 2}),
        ({"success": True, "name": "a"}, {"success": False, "name": "b", "error": "x"}),
        ({"code": 0, "data": 1}, {"code": 3, "data": {"id": 1}}),
        ({"status": "ok"}, {"status": "pending"}),
        ({"code": 0}, {"code": "SAVE10"}),
        ({"id": 1}, {"ok": False}),
    ],
)
def test_what_has_something_to_show_was_not_refused(good: Any, other: Any) -> None:
    assert status(knowing(good), other) == 200


def test_one_operation_that_says_yes_and_no_is_no_convention() -> None:
    known = Envelopes()
    for _ in range(9):
        assert status(known, {"ok": True}, "check") == 200
    assert status(known, {"ok": False}, "check") == 200


def test_a_field_of_few_operations_is_no_envelope() -> None:
    known = knowing({"ok": True})
    for number in range(4):
        status(known, [number], f"list{number}")
    assert status(known, {"ok": False}, "good0") == 200


def test_a_field_that_once_said_something_else_is_no_envelope() -> None:
    known = knowing({"status": "ok"})
    status(known, {"status": "queued"}, "good0")
    assert status(known, {"status": "failed"}, "good0") == 200
