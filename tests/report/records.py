"""A run against the tournaments service with three findings, as the events that tell of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from icepick.execute.events import (
    CallJudged,
    ClauseCounted,
    Drawing,
    Ending,
    Event,
    Exchanged,
    FindingFound,
    LeftBehind,
    ModelPlanned,
    NotConfirmed,
    Noted,
    PhaseStarted,
    RunEnded,
    RunStarted,
)
from icepick.execute.types import (
    Complaint,
    Exchange,
    Finding,
    Judged,
    Provenance,
    Purpose,
    Reply,
    Request,
    Response,
    Unconfirmed,
    Verdict,
)
from icepick.explore import decode, explore, outgoing, state_text
from icepick.openapi import read_spec
from icepick.pipeline.models import describe, models
from icepick.report.record import Recorder
from icepick.report.types import RunRecord

URL = "http://127.0.0.1:8080"
START = 1_790_000_000.0
JSON = (("Content-Type", "application/json"),)
TOURNAMENTS = Path(__file__).parents[2] / "src/icepick/demo/tournaments/openapi.yaml"

OPERATIONS = {
    "getPlayers": "GET /players",
    "postPlayer": "POST /players",
    "getPlayer": "GET /players/{pid}",
    "updatePlayer": "PUT /players/{pid}",
    "deletePlayer": "DELETE /players/{pid}",
    "postTournament": "POST /tournaments",
    "deleteTournament": "DELETE /tournaments/{tid}",
    "getTournament": "GET /tournaments/{tid}",
    "postEnrolment": "POST /enrolments",
    "deleteEnrolment": "DELETE /enrolments/{eid}",
    "checkTournamentPlayer": "GET /tournaments/{tid}/players/{pid}",
}

PLAYER = {"pid": "100000001", "name": "Ada", "email": "ada@example.org"}
TOURNAMENT = {"tid": 7, "tournamentName": "Cup", "capacity": 2}
ENROLMENT = {"eid": 3, "pid": "100000001", "tid": 7}


def answer(status: int, body: Any = None, **changes: Any) -> Response:
    content = (
        body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    )
    headers = changes.pop("headers", (("Content-Type", "application/json; charset=utf-8"),))
    return Response(status, headers, content, seconds=0.0042, **changes)


def exchange(
    number: int,
    method: str,
    path: str,
    reply: Reply,
    body: Any = None,
    *,
    operation: str | None = None,
    purpose: Purpose = Purpose.CALL,
    url: str = URL,
) -> Exchange:
    content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    headers = JSON if content is not None else ()
    request = Request(method, url + path, headers, content)
    return Exchange(number, START + number / 10, purpose, request, reply, operation)


def read(number: int, path: str, status: int, body: Any, *, url: str = URL) -> Exchange:
    return exchange(number, "GET", path, answer(status, body), purpose=Purpose.READ, url=url)


def step(label: str, operation: str, made: Exchange | None, **changes: Any) -> Judged:
    fields = {"kind": "transition", "verdict": Verdict.OK, "action": label.partition("(")[0]}
    return Judged(label=label, operation=operation, exchange=made, **(fields | changes))


def _players(*players: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**player, "tournaments": []} for player in players]


def crash(url: str = URL) -> Finding:
    """A 500 for the second player of a tournament."""
    second = {**PLAYER, "pid": "200000002", "name": "Bo", "email": "bo@example.org"}
    other = {"eid": 4, "pid": "200000002", "tid": 7}
    bad = answer(500, {"code": "500", "message": "IndexError: tuple index out of range"})
    made = [
        ("postPlayer(p1)", "postPlayer", "/players", answer(201, _players(PLAYER)[0]), PLAYER),
        ("postPlayer(p2)", "postPlayer", "/players", answer(201, _players(second)[0]), second),
        (
            "postTournament(t1)",
            "postTournament",
            "/tournaments",
            answer(201, TOURNAMENT),
            TOURNAMENT,
        ),
        (
            "postEnrolment(e1, p1, t1)",
            "postEnrolment",
            "/enrolments",
            answer(201, ENROLMENT),
            ENROLMENT,
        ),
        ("postEnrolment(e2, p2, t1)", "postEnrolment", "/enrolments", bad, other),
    ]
    items = ["/players/100000001", "/players/200000002", "/tournaments/7", "/enrolments/3"]
    reads = [(read(50 + i, item, 200, {}, url=url),) for i, item in enumerate(items)]
    steps = [
        step(label, operation, exchange(11 + i, "POST", path, reply, body, url=url), reads=seen)
        for i, ((label, operation, path, reply, body), seen) in enumerate(
            zip(made, [*reads, ()], strict=True)
        )
    ]
    complaint = Complaint(
        check="no-5xx",
        level=Verdict.ERR,
        promised="no call makes the service fail with a 5xx",
        happened="answered 500: IndexError: tuple index out of range",
        provenance=Provenance.LAW,
        exchanges=(15,),
    )
    return _finding(1, "a1b2c3d4", "POST /enrolments answers 500", steps, complaint, original=9)


def kept(url: str = URL) -> Finding:
    """A deleted player that is still there."""
    gone = exchange(22, "DELETE", "/players/100000001", answer(200, _players(PLAYER)[0]), url=url)
    before = read(21, "/players/100000001", 200, _players(PLAYER)[0], url=url)
    after = read(23, "/players/100000001", 200, _players(PLAYER)[0], url=url)
    made = exchange(20, "POST", "/players", answer(201, _players(PLAYER)[0]), PLAYER, url=url)
    complaint = Complaint(
        check="ensures",
        level=Verdict.ERR,
        promised="res_code(GET /players/{pid}) = 404",
        happened="pid = 100000001: 200 = 404 is false",
        provenance=Provenance.INFERRED,
        bindings={"pid": "100000001"},
        exchanges=(23,),
    )
    steps = [
        step("postPlayer(p1)", "postPlayer", made, source=0, target=1, reads=(before,)),
        step("deletePlayer(p1)", "deletePlayer", gone, source=1, target=0, reads=(after,)),
    ]
    return _finding(2, "0f9e8d7c", "a deleted player can still be read", steps, complaint, 14)


def lost(url: str = URL) -> Finding:
    """An update that keeps the old e-mail address."""
    changed = {**PLAYER, "email": "ada@example.com"}
    stale = _players(PLAYER)[0]
    made = exchange(30, "POST", "/players", answer(201, stale), PLAYER, url=url)
    put = exchange(31, "PUT", "/players/100000001", answer(200, stale), changed, url=url)
    after = read(32, "/players/100000001", 200, stale, url=url)
    complaint = Complaint(
        check="ensures",
        level=Verdict.WARN,
        promised="req_body(@) = res_body(GET /players/{pid})",
        happened='.email is "ada@example.com" there and "ada@example.org" here',
        provenance=Provenance.WRITTEN,
        about="email",
        bindings={"pid": "100000001", "x": {"name": "Ada"}},
        exchanges=(31, 32),
    )
    steps = [
        step("postPlayer(p1)", "postPlayer", made),
        step("updatePlayer(p1)", "updatePlayer", put, kind="update", reads=(after,)),
    ]
    return _finding(3, "77aa66bb", "an update does not read back", steps, complaint, 2)


def _finding(
    number: int,
    name: str,
    title: str,
    steps: Iterable[Judged],
    complaint: Complaint,
    original: int,
) -> Finding:
    *way, last = steps
    failing = step(
        last.label,
        last.operation,
        last.exchange,
        kind=last.kind,
        verdict=complaint.level,
        complaints=(complaint,),
        reads=last.reads,
        source=last.source,
        target=last.target,
    )
    return Finding(
        id=name,
        number=number,
        level=complaint.level,
        title=title,
        operation=last.operation,
        label=last.label,
        action=last.action,
        status=last.status,
        complaint=complaint,
        steps=(*way, failing),
        original=original,
        seen=number * 3,
    )


def replaced(value: Any, **changes: Any) -> Any:
    return replace(value, **changes)


def findings(url: str = URL) -> tuple[Finding, ...]:
    return crash(url), kept(url), lost(url)


@cache
def drawing(players: int = 2, tournaments: int = 1, enrolments: int = 1) -> Drawing:
    """The real state graph of the tournaments service."""
    spec = read_spec(str(TOURNAMENTS))
    bounds = {"Player": players, "Tournament": tournaments, "Enrolment": enrolments}
    found = explore(models(describe(spec), bounds)[0].model, graph=True)
    states = found.states.shape[1]
    layout = found.machine.layout
    return Drawing(
        depths=tuple(found.depth(state) for state in range(states)),
        texts=tuple(state_text(decode(layout, found.states[:, s])) for s in range(states)),
        edges=tuple(
            (state, found.actions[action].name, target)
            for state in range(states)
            for action, target in outgoing(found, state)
        ),
    )


def _clause(
    role: str,
    operation: str | None,
    text: str,
    by: str,
    counts: tuple[int, int, int],
    why: str = "",
) -> ClauseCounted:
    return ClauseCounted(role, operation, text, by, *counts, why)


_ONE = "res_code(GET /players/{pid}) = 404"
_NEW = "res_code(GET /players/req_body(@){pid}) = 404"
_BACK = "req_body(@) = res_body(GET /players/{pid})"
_FITS = "for t in res_body(GET /tournaments) :- t.players.len <= t.capacity"
_CHECK = "GET /tournaments/{tid}/players/{pid}"

CLAUSES = (
    _clause("requires", "POST /players", _NEW, "inferred", (41, 0, 0)),
    _clause("ensures", "DELETE /players/{pid}", _ONE, "inferred", (0, 12, 0)),
    _clause("ensures", "PUT /players/{pid}", _BACK, "written", (3, 9, 2), "the GET answered 503"),
    _clause("invariant", None, _FITS, "declared", (880, 0, 0)),
    _clause("ensures", _CHECK, "res_body(@) in [true, false]", "learned", (0, 0, 7), "no body"),
)


def run_events(graph: Drawing | None = None, found: Iterable[Finding] | None = None) -> list[Event]:
    """The events of a run in the order in which they come."""
    shown = drawing() if graph is None else graph
    events: list[Event] = [
        RunStarted(
            id="20260921-120000-ab12",
            at=START,
            version="0.1.0",
            schema="openapi.yaml",
            title="Tournaments",
            url=URL,
            seed=42,
            settings={"workers": 4, "strategy": "tour", "max_time": None},
            operations=OPERATIONS,
        ),
        ModelPlanned(
            model=0,
            name="Tournaments",
            sizes={"Player": 2, "Tournament": 1, "Enrolment": 1},
            states=len(shown.depths),
            transitions=len(shown.edges),
            sequences=4,
            calls=len(shown.edges) + 40,
            wanted={"transition": len(shown.edges), "refusal": 3, "update": 2, "read": 0},
            gaps=(("transition", 2, "they need a value that no operation sets"),),
            drawing=shown,
        ),
        PhaseStarted("walk", len(shown.edges)),
    ]
    events += _walk(shown)
    events += [Exchanged(one, 0) for each in findings() for s in each.steps if (one := s.exchange)]
    events += [FindingFound(each) for each in (findings() if found is None else found)]
    complaint = findings()[2].complaint
    events.append(
        NotConfirmed(
            Unconfirmed(
                "5e5e5e5e", "a list lacks a player", "getPlayers", "getPlayers()", complaint, 3
            )
        )
    )
    events.append(Noted("convention", "DELETE /players/{pid}", "answers 200 where 204 is usual"))
    events += CLAUSES
    events.append(LeftBehind("Player", f"{URL}/players/100000001", "DELETE answered 409"))
    events.append(RunEnded(START + 12.34, Ending.FINISHED, 512, 310))
    return events


def _walk(graph: Drawing) -> list[Event]:
    """Most edges are taken, some fail, the last few are never reached."""
    events: list[Event] = []
    most = len(graph.edges) * 9 // 10
    for i, (source, action, target) in enumerate(graph.edges):
        name = action.partition("(")[0]
        verdict = Verdict.ERR if i % 23 == 5 else Verdict.OK
        if i >= most:
            verdict = Verdict.NOT_TESTED
        made = exchange(1000 + i, "POST", "/players", answer(201, PLAYER), PLAYER, operation=name)
        judged = Judged(
            label=action,
            action=name,
            operation=name,
            kind="transition",
            verdict=verdict,
            reason="its player could not be made" if i >= most else "",
            exchange=None if i >= most else made,
            source=source,
            target=target,
        )
        events += [] if i >= most else [Exchanged(made, i)]
        events.append(CallJudged(0, i, 0, judged))
    refused = exchange(
        900, "DELETE", "/enrolments/9", answer(404, {"message": "no enrolment with eid 9"}),
        operation="deleteEnrolment",
    )  # fmt: skip
    refusal = Judged(
        "refused deleteEnrolment(e1)", "deleteEnrolment", "deleteEnrolment", "refusal",
        Verdict.OK, exchange=refused, source=0, target=0,
    )  # fmt: skip
    return [*events, Exchanged(refused, 1), CallJudged(0, 1, 0, refusal)]


def recorded(events: Iterable[Event]) -> RunRecord:
    recorder = Recorder()
    for event in events:
        recorder.add(event)
    return recorder.record()


def record(graph: Drawing | None = None, found: Iterable[Finding] | None = None) -> RunRecord:
    return recorded(run_events(graph, found))
