"""How many clauses of the Tournaments contracts are evaluated in a second, on one core.

    python bench/glacier.py [number of clauses]

Every clause is evaluated to an outcome with the GETs it used. All answers are in memory, so that
nothing but the evaluator is measured, in processor time. Quantified clauses go over three
tournaments of two players.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

from icepick.errors import Place
from icepick.glacier import (
    Answer,
    Check,
    Clause,
    Environment,
    MemoryEnvironment,
    Provenance,
    Sent,
    Truth,
    evaluate,
    parse_formula,
    prepare,
)

INVARIANTS = (
    (
        "for t in res_body(GET /tournaments) :- res_body(GET /tournaments/{t.tid}/players).len "
        "<= res_body(GET /tournaments/{t.tid}/capacity)"
    ),
    (
        "for t in res_body(GET /tournaments) : for pid in "
        "res_body(GET /tournaments/{t.tid}/players) :- res_code(GET /players/{pid}) = 200"
    ),
)
OPERATIONS = {
    "postPlayer requires": ("res_code(GET /players/req_body(@){pid}) = 404",),
    "postPlayer ensures": (
        "res_code(GET /players/req_body(@){pid}) = 200",
        "req_body(@) = res_body(@)",
    ),
    "deletePlayer requires": (
        "res_code(GET /players/{pid}) = 200",
        "res_body(GET /players/{pid}/tournaments).len = 0",
    ),
    "deletePlayer ensures": (
        "res_code(GET /players/{pid}) = 404",
        "res_body(@) = prev(res_body(GET /players/{pid}))",
    ),
    "postTournament requires": ("res_code(GET /tournaments/req_body(@){tid}) = 404",),
    "postTournament ensures": (
        "res_code(GET /tournaments/req_body(@){tid}) = 200",
        "req_body(@) = res_body(@)",
    ),
    "putTournament ensures": (
        "res_code(@) in 2xx => res_body(GET /tournaments/{tid}) = req_body(@)",
        "res_body(GET /tournaments/{tid}/capacity) >= res_body(GET /tournaments/{tid}/players).len",
    ),
    "postEnrolment requires": (
        (
            "res_code(GET /players/req_body(@){pid}) = 200 && "
            "res_code(GET /tournaments/req_body(@){tid}) = 200"
        ),
        (
            "res_body(GET /tournaments/req_body(@){tid}/players).len < "
            "res_body(GET /tournaments/req_body(@){tid}/capacity)"
        ),
        "!(req_body(@){pid} in res_body(GET /tournaments/req_body(@){tid}/players))",
    ),
    "postEnrolment ensures": (
        "res_code(GET /enrolments/req_body(@){eid}) = 200",
        (
            "res_body(GET /tournaments/req_body(@){tid}/players).len = "
            "prev(res_body(GET /tournaments/req_body(@){tid}/players).len) + 1"
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Case:
    """Clauses with the exchange that they are evaluated on."""

    name: str
    checks: tuple[Check, ...]
    env: Environment


def service(*, players: int, enrolled: int) -> dict[str, Answer]:
    """What GETs answer while some players exist and the first of them are in tournaments 1 to 3."""
    gone = Answer(404, body={"error": "no such thing"})
    pids = [f"p{number}" for number in range(players)]
    answers = {f"/players/p{number}": gone for number in range(10)}
    answers |= {f"/players/{pid}": Answer(200, body=player(pid)) for pid in pids}
    answers |= {f"/players/{pid}/tournaments": Answer(200, body=[]) for pid in pids}
    answers |= {"/tournaments/4": gone, "/enrolments/e1": Answer(200, body={"eid": "e1"})}
    tournaments = [{"tid": tid, "name": f"Cup {tid}", "capacity": 4} for tid in (1, 2, 3)]
    for tournament in tournaments:
        path = f"/tournaments/{tournament['tid']}"
        answers[path] = Answer(200, body=tournament)
        answers[f"{path}/capacity"] = Answer(200, body=4)
        answers[f"{path}/players"] = Answer(200, body=pids[:enrolled])
    return answers | {"/tournaments": Answer(200, body=tournaments)}


def player(pid: str) -> dict[str, object]:
    return {"pid": pid, "name": "Ada", "address": {"street": "Main Street", "number": 1}}


def environment(name: str) -> Environment:
    """The exchange of an operation, before the call or after it."""
    before, more = service(players=3, enrolled=2), service(players=4, enrolled=3)
    fewer = service(players=2, enrolled=2)
    cup = {"tid": 4, "name": "Cup 4", "capacity": 4}
    same = {"tid": 1, "name": "Cup 1", "capacity": 4}
    enrolment = {"eid": "e1", "pid": "p2", "tid": 1}
    after_cup = {**before, "/tournaments/4": Answer(200, body=cup)}
    exchanges = {
        "invariants": (Sent(), Answer(200), before),
        "postPlayer": (Sent(body=player("p3")), Answer(201, body=player("p3")), more),
        "deletePlayer": (Sent({"pid": "p2"}), Answer(200, body=player("p2")), fewer),
        "postTournament": (Sent(body=cup), Answer(201, body={**cup, "open": True}), after_cup),
        "putTournament": (Sent({"tid": "1"}, body=same), Answer(200, body=same), before),
        "postEnrolment": (Sent(body=enrolment), Answer(201, body=enrolment), more),
    }
    operation, _, role = name.partition(" ")
    sent, answer, after = exchanges[operation]
    if role == "requires":
        return MemoryEnvironment(sent, None, before, before)
    return MemoryEnvironment(sent, answer, after, before)


def case(name: str, texts: tuple[str, ...]) -> Case:
    return Case(name, tuple(prepare(clause(text)) for text in texts), environment(name))


def clause(text: str) -> Clause:
    return Clause(parse_formula(text), text, Provenance.WRITTEN, Place("bench"))


def run(case: Case, clauses: int) -> tuple[int, float]:
    """Evaluates that many clauses or a few more; their number and the seconds it took."""
    rounds = -(-clauses // len(case.checks))
    start = time.process_time()
    for _ in range(rounds):
        for check in case.checks:
            outcome = evaluate(check, case.env)
            if outcome.value is not Truth.TRUE:
                raise SystemExit(f"{check.clause.text}: {outcome}")
    return rounds * len(case.checks), time.process_time() - start


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    every = {"invariants": INVARIANTS, **OPERATIONS}
    cases = [case(name, texts) for name, texts in every.items()]
    total = sum(len(each.checks) for each in cases)
    print(f"{'contract':<26}{'clauses':>10}{'seconds':>10}{'per second':>12}")
    counts, times = 0, 0.0
    for each in cases:
        count, seconds = run(each, wanted * len(each.checks) // total)
        counts, times = counts + count, times + seconds
        print(f"{each.name:<26}{count:>10,}{seconds:>10.3f}{count / seconds:>12,.0f}")
    print(f"{'all':<26}{counts:>10,}{times:>10.3f}{counts / times:>12,.0f}")


if __name__ == "__main__":
    main()
