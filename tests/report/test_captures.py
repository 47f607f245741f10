from __future__ import annotations

from icepick.execute.types import Response
from icepick.report.captures import Capture, captures
from tests.report.records import answer, exchange


def test_a_value_of_an_answer_that_a_later_request_uses() -> None:
    made = exchange(1, "POST", "/users", answer(201, {"id": 71, "age": 30}), {"age": 30})
    path = exchange(2, "GET", "/users/71", answer(200))
    assert captures([made, path]) == (Capture(0, ("id",), 71),)


def test_values_in_bodies_queries_and_lists() -> None:
    made = exchange(1, "POST", "/a", answer(201, {"items": [{"uuid": "abc"}, {"uuid": "d e"}]}), {})
    body = exchange(2, "POST", "/b", answer(201), {"owner": {"uuid": "abc"}})
    query = exchange(3, "GET", "/b?owner=d%20e", answer(200))
    assert captures([made, body, query]) == (
        Capture(0, ("items", 0, "uuid"), "abc"),
        Capture(0, ("items", 1, "uuid"), "d e"),
    )


def test_what_the_client_chose_is_no_capture() -> None:
    made = exchange(1, "PUT", "/users/71", answer(201, {"id": 71}), {"name": "x"})
    assert captures([made, exchange(2, "GET", "/users/71", answer(200))]) == ()


def test_the_same_number_by_chance_is_no_capture() -> None:
    made = exchange(1, "POST", "/users", answer(201, {"count": 3, "ok": True}), {})
    assert captures([made, exchange(2, "GET", "/pages/3", answer(200))]) == ()


def test_the_last_segment_of_a_location() -> None:
    reply = Response(201, (("location", "/users/x%2F1?full=1"),))
    made = exchange(1, "POST", "/users", reply, {})
    assert captures([made, exchange(2, "GET", "/users/x%2F1", answer(200))]) == (
        Capture(0, (), "x/1"),
    )


def test_refusals_and_broken_answers_give_nothing() -> None:
    refused = exchange(1, "POST", "/users", answer(409, {"id": "taken-id-0001"}), {})
    broken = exchange(2, "POST", "/users", answer(201, b"{broken"), {})
    deep = exchange(3, "POST", "/users", answer(201, b"[" * 9000 + b"]" * 9000), {})
    used = exchange(4, "GET", "/users/taken-id-0001", answer(200))
    assert captures([refused, broken, deep, used]) == ()
