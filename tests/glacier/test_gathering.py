"""Lists of what an expression is for the elements of collections that fit."""

from __future__ import annotations

import pytest

from icepick.glacier import MemoryEnvironment
from tests.glacier.building import Counting, answers, outcome, value

ORDERS = [{"id": 1, "open": True}, {"id": 2, "open": False}, {"id": 3, "open": True}]
NOW = {
    **answers(orders=ORDERS),
    **answers(**{"lines/1": [{"n": 2}, {"n": 3}], "lines/2": [{"n": 50}], "lines/3": [{"n": 7}]}),
}
LINES = "o in res_body(GET /orders), l in res_body(GET /lines/{o.id})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"sum([l.n for {LINES} :- o.open]) = 12", "true"),
        (f"sum([l.n for {LINES}]) = 62", "true"),
        (f"sum([l.n for {LINES} :- o.id > 3]) = 0", "true"),
        ("[o for o in res_body(GET /orders) :- !o.open].len = 1", "true"),
        ("[o.id for o in res_body(GET /orders)] = [1, 2, 3]", "true"),
        ("[x - y for x, y in [5, 3]] = [2, -2]", "true"),
        ("max([x for x in [1, 9, 4] :- x < 9]) = 4", "true"),
        ("[x for x in [1, 2]].len = 3", "false"),
        ("[o.no for o in res_body(GET /orders)].len = 3", "unknown"),
        ("[o.id for o in res_body(GET /orders) :- o.no].len = 3", "unknown"),
        ("[o.no for o in res_body(GET /orders) :- o.id = 0].len = 0", "true"),
        ("[x for x in 1].len = 0", "unknown"),
        ("prev([o.id for o in res_body(GET /orders)].len) = 0", "unknown"),
    ],
)
def test_what_is_gathered(text: str, expected: str) -> None:
    assert value(text, MemoryEnvironment(now=NOW)) == expected


def test_all_that_is_missing_is_asked_for_at_once() -> None:
    env = Counting(MemoryEnvironment(now=answers(orders=ORDERS)))
    assert outcome(f"[l for {LINES}].len = 0", env).value.value == "unknown"
    assert env.asked == ["/orders", "/lines/1", "/lines/2", "/lines/3"]
