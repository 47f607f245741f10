"""Clauses as Python: read by Python, and true where the clause is true."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

from icepick.glacier import parse_formula
from icepick.report.translate import Check, translated


class Answer:
    def __init__(self, status: int, value: Any = None) -> None:
        self.status = status
        self._value = value

    def json(self) -> Any:
        return self._value


class Service:
    def __init__(self, **answers: Answer) -> None:
        self._answers = answers

    def get(self, path: str) -> Answer:
        return self._answers.get(path.strip("/").replace("/", "_"), Answer(404))


def _support() -> dict[str, Any]:
    found: dict[str, Any] = {}
    text = files("icepick.report").joinpath("exported.txt").read_text()
    exec("from urllib.parse import quote, unquote, urlsplit\n" + text, found)
    return found


def _holds(check: Check, before: Service, after: Service, answer: Answer, sent: Any) -> bool:
    values = _support() | {"service": after, "answer_1": answer, "sent": sent}
    for service, asked in ((before, check.before), (after, check.after)):
        for name, path in asked:
            values[name] = service.get(eval(path, dict(values)))
    return bool(eval(check.condition, values))


def _check(text: str) -> Check:
    check = translated(parse_formula(text), "answer_1", {"pid": "'7'"})
    assert check is not None
    return check


ONE, TWO = {"pid": "7", "n": 1}, {"pid": "8", "n": 2}
BEFORE = Service(players=Answer(200, [ONE]), players_7=Answer(200, ONE))
AFTER = Service(players=Answer(200, [ONE, TWO]), players_7=Answer(200, ONE), sub_8=Answer(200, [1]))


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("res_code(GET /players/{pid}) = 200", True),
        ("res_code(GET /players/{pid}) = 404", False),
        ("res_code(GET /nothing) in 4xx", True),
        ("res_code(@) in 2xx", True),
        ("res_body(GET /players).len = prev(res_body(GET /players).len) + 1", True),
        ("res_body(GET /players).len = prev(res_body(GET /players).len)", False),
        ("exists x in res_body(GET /players) :- x.pid = req_body(@){pid}", True),
        ("for x in res_body(GET /players) :- x.pid != path_param(@){pid}", False),
        ("for x in res_body(GET /players) :- x.pid != path_param(@){other}", None),
        ("req_body(@) = res_body(@)", True),
        ("req_body(@) = res_body(GET /players/{pid})", False),
        ("res_body(@) = prev(res_body(GET /players/{pid}))", False),
        ("exists x in res_body(GET /players) :- res_code(GET /sub/{x.pid}) = 200", True),
        ("for x in res_body(GET /players) :- res_code(GET /sub/{x.pid}) = 200", False),
        ("sum([x.n for x in res_body(GET /players) :- x.pid != path_param(@){pid}]) = 2", True),
        ("[x for x in res_body(GET /players)].len = 1", False),
        ("res_code(@) = 500 => res_code(@) = 1", True),
        ("!(res_code(@) = 201) || res_body(GET /players).len > 1", True),
        ("res_code(@) = 201 && res_body(GET /players).len < 2", False),
    ],
)
def test_a_clause_means_the_same(clause: str, expected: bool | None) -> None:
    check = translated(parse_formula(clause), "answer_1", {"pid": "'7'"})
    if expected is None:
        assert check is None
        return
    assert check is not None
    answer = Answer(201, {"pid": "8", "n": 2, "added": True})
    assert _holds(check, BEFORE, AFTER, answer, {"pid": "8", "n": 2}) is expected


@pytest.mark.parametrize(
    "clause",
    [
        "res_header(@){ETag} = 1",
        "req_body(@){a}.contains(1)",
        "strict(req_body(@) = res_body(@))",
        "for x in res_body(GET /a) :- prev(res_code(GET /b/{x})) = 200",
        "for x, y in res_body(GET /a) :- x.n != y.n",
        "res_code(GET /a/{unknown}) = 200",
        "prev(res_code(GET /a/res_body(@){id})) = 404",
    ],
)
def test_what_has_no_plain_form_is_left(clause: str) -> None:
    assert translated(parse_formula(clause), "answer_1", {"pid": "'7'"}) is None


def test_each_get_is_made_once() -> None:
    check = _check("res_code(GET /players) = 200 && res_body(GET /players).len = 2")
    assert check.after == (("after_1", "'/players'"),)
    assert check.before == ()
    assert not check.uses_sent


def test_a_field_that_was_lost_must_come_back() -> None:
    formula = parse_formula("req_body(@) = res_body(GET /players/{pid})")
    check = translated(formula, "answer_1", {"pid": "'7'"}, "n")
    assert check is not None
    assert _holds(check, BEFORE, AFTER, Answer(200), ONE)
    lost = Service(players_7=Answer(200, {"pid": "7", "n": None}))
    assert not _holds(check, BEFORE, lost, Answer(200), {"pid": "7"})
