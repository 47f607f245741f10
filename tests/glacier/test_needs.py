from __future__ import annotations

import pytest

from icepick.glacier import (
    Answer,
    MemoryEnvironment,
    Sent,
    evaluate,
    needed_after,
    needed_before,
)
from tests.glacier.building import Counting, answers, check

PLAYERS = "for p in prev(res_body(GET /players)) :- prev(res_body(GET /players/{p.pid})) = p"


def before_the_call() -> MemoryEnvironment:
    """The service before the call, as `get` shows it; nobody has kept earlier answers yet."""
    return MemoryEnvironment(
        Sent({"pid": "p1"}, body={"tid": 3}),
        now=answers(players=[{"pid": 1}, {"pid": 2}], a={"id": 9}),
    )


@pytest.mark.parametrize(
    ("texts", "paths"),
    [
        (["res_code(GET /a) = 200"], []),
        (["req_body(@) = prev(res_body(GET /players/{pid}))"], ["/players/p1"]),
        (["prev(res_body(GET /t/req_body(@){tid}).len) = 1"], ["/t/3"]),
        (["prev(res_body(GET /t/res_body(@){id})) = 1"], []),
        (["false && prev(res_code(GET /a)) = 1"], ["/a"]),
        (["prev(res_code(GET /b)) = 1", "prev(res_code(GET /a) = res_code(GET /b))"], ["/b", "/a"]),
        ([PLAYERS], ["/players", "/players/1", "/players/2"]),
        (
            ["for p in res_body(GET /players) :- prev(res_body(GET /players/{p.pid})) = p"],
            ["/players/1", "/players/2"],
        ),
        (
            ["for p, q in res_body(GET /players) :- prev(res_code(GET /{p.pid}/{q.pid})) = 1"],
            ["/1/2", "/2/1"],
        ),
        (["prev(res_body(GET /b/{res_body(GET /a).id})) = 1"], ["/a", "/b/9"]),
        (
            ["[prev(res_body(GET /{p.pid})) for p in res_body(GET /players) :- p.pid > 1].len = 1"],
            ["/1", "/2"],
        ),
        (["res_body(GET /b/{prev(res_body(GET /a)).id}) = 1"], ["/a"]),
        (["for x in prev(res_body(GET /none)) :- prev(res_code(GET /{x})) = 1"], ["/none"]),
        (["for x in prev(res_body(GET /players)) :- x.pid = 1"], ["/players"]),
    ],
)
def test_what_is_needed_before_the_call(texts: list[str], paths: list[str]) -> None:
    assert needed_before([check(text) for text in texts], before_the_call()) == paths


def test_without_prev_nothing_is_asked_before_the_call() -> None:
    env = Counting(before_the_call())
    assert needed_before([check("for p in res_body(GET /players) :- p.pid = 1")], env) == []
    assert env.asked == []


def test_what_is_needed_after_the_call() -> None:
    env = MemoryEnvironment(answer=Answer(201, body={"id": 5}), now=answers(players=[{"pid": 1}]))
    texts = [
        "res_code(GET /a/res_body(@){id}) = 200",
        "for p in res_body(GET /players) :- res_code(GET /players/{p.pid}) = 200",
        "prev(res_code(GET /b)) = 1",
        "res_code(@) = 200 && res_code(GET /never) = 200",
    ]
    paths = needed_after([check(text) for text in texts], env)
    assert paths == ["/a/5", "/players", "/players/1"]


def test_asking_again_after_fetching_leads_to_everything() -> None:
    service = answers(players=[{"pid": 1}, {"pid": 2}], **{"players/1": 1, "players/2": 2})
    known: dict[str, Answer] = {}
    rounds = []
    while True:
        env = MemoryEnvironment(now=known)
        new = [path for path in needed_before([check(PLAYERS)], env) if path not in known]
        if not new:
            break
        rounds.append(new)
        known |= {path: service[path] for path in new}
    assert rounds == [["/players"], ["/players/1", "/players/2"]]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("res_code(GET /a) = 200", "/a"),
        ("!(res_body(GET /a?x=1).len = 1)", "/a?x=1"),
        ("for p in res_body(GET /players) :- res_code(GET /players/{p.pid}) = 200", "/players"),
        ("[p for p in res_body(GET /players) :- p.pid > 1].len = 1", "/players"),
        ("res_code(GET /b/{res_body(GET /a).id}) = 200", "/a"),
        ("res_code(GET /a) = 200 => res_code(GET /b) = 200", "/a"),
        ("req_body(@) = 1 => res_code(GET /a) = 200", None),
        ("res_code(GET /players/{pid}) = 200", None),
        ("prev(res_code(GET /a)) = res_code(GET /b)", None),
        ("true", None),
    ],
)
def test_the_get_that_evaluation_begins_with(text: str, first: str | None) -> None:
    env = Counting(MemoryEnvironment(Sent({"pid": "p1"}, body=1)))
    asked = check(text)
    assert asked.compiled.first == first
    evaluate(asked, env)
    assert first is None or env.asked[0] == first
