from __future__ import annotations

from typing import Any

import pytest

from icepick.glacier import Answer, MemoryEnvironment, Sent
from tests.glacier.building import Counting, exchange, outcome

CAPACITY = (
    "for t in res_body(GET /tournaments) :- res_body(GET /tournaments/{t.tid}/players).len <= "
    "res_body(GET /tournaments/{t.tid}/capacity)"
)


def tournaments() -> MemoryEnvironment:
    return MemoryEnvironment(
        Sent({"pid": "p1"}),
        Answer(409),
        now={
            "/tournaments": Answer(200, body=[{"tid": 6}, {"tid": 7}]),
            "/tournaments/6/players": Answer(200, body=["p1"]),
            "/tournaments/6/capacity": Answer(200, body=2),
            "/tournaments/7/players": Answer(200, body=["p1", "p2", "p3"]),
            "/tournaments/7/capacity": Answer(200, body=2),
            "/players/p1": Answer(404),
        },
    )


def test_the_capacity_invariant_of_the_paper() -> None:
    env = Counting(tournaments())
    result = outcome(CAPACITY, env)
    assert result.value.value == "false"
    assert result.explanation == "t.tid = 7: 3 <= 2 is false"
    assert result.bindings == {"t": {"tid": 7}}
    assert result.asked["/tournaments/7/capacity"] == Answer(200, body=2)
    assert len(env.asked) == len(result.asked) == 5


@pytest.mark.parametrize(
    ("text", "explanation"),
    [
        ("res_code(GET /players/{pid}) = 200", "404 = 200 is false"),
        ("res_code(@) in 2xx", "409 in 2xx is false"),
        ("1 = 1 && 2 = 3 && 4 = 5", "2 = 3 is false"),
        ("1 = 2 || 2 = 3", "1 = 2 is false and 2 = 3 is false"),
        ("1 = 1 => 2 = 3", "2 = 3 is false"),
        ("!(1 = 1)", "1 = 1 is true"),
        ("!(1 = 1 && 2 = 2)", "1 = 1 is true and 2 = 2 is true"),
        ("!(1 = 2 || 2 = 2)", "2 = 2 is true"),
        ("!(1 = 2 => 3 = 4)", None),
        ("!(1 = 1 => 2 = 2)", "1 = 1 => 2 = 2 is true"),
        ("false", "false is false"),
        ("contains([1], 2)", "contains([1], 2) is false"),
        ("unique([1, 1])", "unique([1, 1]) is false"),
        ('"x" = null', '"x" = null is false'),
        ("nothing != null", "nothing != null is false"),
        ("strict(1 != 1.0)", "strict(1 != 1.0) is false"),
        ("for x in [1, 2, 3], y in [4, 2] :- x < y", "x = 2, y = 2: 2 < 2 is false"),
        ("for x, y in [1, 2] :- x < y", "x = 2, y = 1: 2 < 1 is false"),
        ("for x in [[1, 2]] :- x[1] = 1", "x[1] = 2: 2 = 1 is false"),
        ("for x in [1] :- x = 2 || x = 3", "x = 1: 1 = 2 is false and x = 1: 1 = 3 is false"),
        ("exists x in [1, 2] :- x > 2", "no x of 2 fits: x > 2"),
        ("exists x in [] :- x > 2", "no x of 0 fits: x > 2"),
        ("!exists x in [1, 3] :- x > 2", "x = 3: 3 > 2 is true"),
        ("!for x in [3, 4] :- x > 2", "every x of 2 fits: x > 2"),
        (
            "for t in res_body(GET /tournaments) : exists p in [1] :- p = t.tid",
            "t.tid = 6: no p of 1 fits: p = t.tid",
        ),
    ],
)
def test_what_decided(text: str, explanation: str | None) -> None:
    result = outcome(text, tournaments())
    if explanation is None:
        assert (result.value.value, result.explanation) == ("false", "1 = 2 => 3 = 4 is true")
    else:
        assert (result.value.value, result.explanation) == ("false", explanation)


@pytest.mark.parametrize(
    ("sent", "received", "difference"),
    [
        ({"name": "a"}, {"name": "b", "id": 1}, 'name is "a" and "b"'),
        ({"name": "a"}, {"id": 1}, 'name is "a" and null'),
        ({"a": {"b": [1, {"c": 2}]}}, {"a": {"b": [1, {"c": 3}]}}, "a.b[1].c is 2 and 3"),
        ([1], [1, 2], "the list has 1 and 2 elements"),
        ({"a": []}, {"a": [1]}, "a has 0 and 1 elements"),
        ({"a": {}}, {"a": [1]}, "a is {} and [1]"),
    ],
)
def test_bodies_are_told_apart_by_their_first_difference(
    sent: Any, received: Any, difference: str
) -> None:
    result = outcome("req_body(@) = res_body(@)", exchange(sent, received))
    assert result.explanation == f"req_body(@) = res_body(@) ({difference}) is false"


def test_long_values_are_cut() -> None:
    result = outcome("req_body(@){a} = 1", exchange({"a": "x" * 500}))
    assert result.explanation == f'"{"x" * 56}... = 1 is false'


def test_true_and_unknown_explain_nothing_they_need_not() -> None:
    known = outcome("1 = 1", MemoryEnvironment())
    assert (known.explanation, known.reason, known.bindings) == ("", "", {})
    unknown = outcome("for x in [1] :- res_code(GET /a/{x}) = 200", MemoryEnvironment())
    assert (unknown.explanation, unknown.reason) == ("", "GET /a/1 failed")
