from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace

from rich.text import Text

from icepick.execute.events import (
    CallJudged,
    Drawing,
    Ending,
    Event,
    Exchanged,
    FindingFound,
    LifeCycle,
    ModelPlanned,
    NotConfirmed,
    Noted,
    RunStarted,
)
from icepick.execute.types import Failure, FailureKind, Judged, Purpose, Unconfirmed, Verdict
from icepick.report import to_html, to_json
from icepick.report.record import Recorder
from icepick.report.summary import summary
from icepick.report.types import Part
from tests.report import records
from tests.report.records import answer, exchange, recorded


def _model(**changes: object) -> ModelPlanned:
    fields = {"model": 0, "name": "M", "sizes": {}, "states": 4, "transitions": 6}
    rest = {"sequences": 1, "calls": 9, "wanted": {"refusal": 2}}
    return ModelPlanned(**(fields | rest | changes))  # type: ignore[arg-type]


def _judged(
    label: str,
    kind: str,
    verdict: Verdict,
    source: int | None,
    target: int | None,
    reason: str = "",
) -> CallJudged:
    judged = Judged(label, label, "op", kind, verdict, reason, source=source, target=target)
    return CallJudged(0, 0, 0, judged)


def test_a_whole_run() -> None:
    found = records.record()
    assert (found.title, found.seed, found.ending) == ("Tournaments", 42, Ending.FINISHED)
    assert (found.requests, found.saved, round(found.seconds, 2)) == (512, 310, 12.34)
    assert [finding.number for finding in found.findings] == [1, 2, 3]
    assert found.findings == records.findings()
    assert found.not_tested == {"its player could not be made": 4}
    assert len(found.clauses) == 5
    assert len(found.left_behind) == len(found.unconfirmed) == len(found.notes) == 1
    assert found.verdicts == {
        Verdict.OK: 31,
        Verdict.WARN: 0,
        Verdict.ERR: 2,
        Verdict.NOT_TESTED: 4,
    }


def test_coverage_counts_distinct_answered_calls() -> None:
    events: list[Event] = [
        _model(),
        _judged("a", "transition", Verdict.OK, 0, 1),
        _judged("a", "transition", Verdict.ERR, 0, 1),
        _judged("b", "transition", Verdict.WARN, 0, 1),
        _judged("a", "transition", Verdict.OK, 1, 2),
        _judged("c", "transition", Verdict.NOT_TESTED, 2, 3, "blocked"),
        _judged("refused a", "refusal", Verdict.OK, 2, 2),
        _judged("refused a", "refusal", Verdict.OK, 2, 2),
        _judged("get", "read", Verdict.OK, 2, None),
    ]
    parts = recorded(events).models[0].parts
    assert parts == {
        "states": Part(3, 4),
        "transitions": Part(3, 6),
        "refusals": Part(1, 2),
        "updates": Part(0, 0),
        "reads": Part(1, 1),
        "actions": Part(0, 0),
    }


def test_edges_of_the_drawing_are_counted_and_parallel_ones_apart() -> None:
    drawing = Drawing((0, 1), ("", "p1"), ((0, "a", 1), (0, "b", 1), (1, "c", 0)))
    events: list[Event] = [
        _model(drawing=drawing),
        _judged("a", "transition", Verdict.OK, 0, 1),
        _judged("a", "transition", Verdict.OK, 0, 1),
        _judged("b", "transition", Verdict.ERR, 0, 1),
        _judged("c", "transition", Verdict.NOT_TESTED, 1, 0),
    ]
    model = recorded(events).models[0]
    assert model.covered == {0: 2, 1: 1}
    assert model.failed == {1}


def test_models_keep_their_own_counts() -> None:
    other = replace(_judged("a", "transition", Verdict.OK, 0, 1), model=1)
    first, second = recorded([_model(), _model(model=1), other]).models
    assert first.parts["transitions"].covered == 0
    assert second.parts["transitions"].covered == 1


def _start(**operations: str) -> RunStarted:
    return RunStarted("r", 10.0, "1", "s", "t", "u", 1, operations=operations)


def test_an_operation_without_success_says_why() -> None:
    refused = answer(409, {"message": "the tournament\nis full"})
    failure = Failure(FailureKind.TIMEOUT, "no answer within 10 s")
    events: list[Event] = [
        _start(a="A", b="B", c="C", d="D", e="E", f="F"),
        Noted("first look", "a", "needs an X"),
        Noted("first look", "f", "needs an X, and POST /x answered 400"),
        Exchanged(exchange(1, "POST", "/", refused, operation="a")),
        Exchanged(exchange(2, "POST", "/", failure, operation="b")),
        Exchanged(exchange(3, "GET", "/", answer(500), operation="c")),
        Exchanged(exchange(4, "GET", "/", answer(200), operation="d", purpose=Purpose.CLEAN_UP)),
        CallJudged(
            0, 0, 0, Judged("x", "x", "e", "transition", Verdict.NOT_TESTED, "its id is unknown")
        ),
    ]
    found = {operation.id: operation for operation in recorded(events).operations}
    assert found["a"].reason == "answered 409: the tournament is full"
    assert found["a"].statuses == {409: 1}
    assert found["b"].reason == "no answer (timeout): no answer within 10 s"
    assert found["c"].reason == "answered only 500"
    assert (found["d"].reason, found["d"].calls) == ("no call was planned", 0)
    assert found["e"].reason == "not tested: its id is unknown"
    assert found["f"].reason == "needs an X, and POST /x answered 400"
    assert recorded(events).notes == ()
    assert not any(operation.succeeded for operation in found.values())


def test_an_operation_with_success_needs_no_reason() -> None:
    refusal = Exchanged(exchange(1, "GET", "/", answer(404), operation="a"))
    read = Exchanged(exchange(2, "GET", "/", answer(200), operation="a", purpose=Purpose.READ))
    (operation,) = recorded([_start(a="A"), refusal, read]).operations
    assert operation.succeeded
    assert (operation.reason, operation.statuses) == ("", {200: 1, 404: 1})


def test_a_record_in_the_middle_of_a_run_or_of_nothing() -> None:
    recorder = Recorder()
    assert recorder.record().ending is None
    recorder.add(_start())
    sent = exchange(1, "GET", "/", answer(200))
    recorder.add(Exchanged(replace(sent, at=13.0)))
    found = recorder.record()
    assert (found.ending, found.requests, round(found.seconds, 3)) == (None, 1, 3.004)


def test_a_resumed_run_keeps_its_beginning_and_is_open_again() -> None:
    events = records.run_events()
    again = replace(events[0], at=records.START + 100, id="other")
    found = recorded([*events, again])
    assert (found.id, found.started) == ("20260921-120000-ab12", records.START)
    assert found.ending is None


def test_a_finding_that_is_told_twice_counts_once() -> None:
    first, *_ = records.findings()
    found = recorded([FindingFound(first), FindingFound(replace(first, seen=99))])
    assert [finding.seen for finding in found.findings] == [99]


def test_notes_and_reasons_are_bounded() -> None:
    recorder = Recorder()
    recorder.add(_model())
    for i in range(3000):
        recorder.add(Noted("kind", "subject", f"note {i}"))
        recorder.add(_judged("a", "transition", Verdict.NOT_TESTED, 0, 1, f"reason {i}"))
    found = recorder.record()
    assert found.notes[-1].text.startswith("2,000 more notes")
    assert len(found.not_tested) == 201
    assert sum(found.not_tested.values()) == 3000


def _long_run(calls: int) -> Iterator[Event]:
    yield _model(states=500, transitions=5000)
    body = b'{"name": "' + b"x" * 2000 + b'"}'
    for i in range(calls):
        made = exchange(i, "POST", "/players", answer(201, body), body, operation="op")
        yield Exchanged(made, i)
        at = i % 5000
        judged = Judged(f"a{at % 7}", "a", "op", "transition", Verdict.OK, exchange=made)
        yield CallJudged(0, i, 0, replace(judged, source=at // 10, target=at % 500))


def test_memory_does_not_grow_with_the_calls() -> None:
    def kept(calls: int) -> int:
        tracemalloc.start()
        recorder = Recorder()
        for event in _long_run(calls):
            recorder.add(event)
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return size

    assert kept(24_000) < 1.5 * kept(8_000) < 30_000_000


def test_a_life_that_a_resumed_run_completes_is_whole() -> None:
    parts = ("create", "read", "delete", "absent afterwards")
    first = LifeCycle("Pet", parts, {"read": "x", "delete": "y"})
    second = LifeCycle("Pet", parts, {"delete": "z", "create": "it was not called"})
    record = records.recorded([*records.run_events()[:3], first, second])
    assert record.life_cycles == (LifeCycle("Pet", parts, {"delete": "z"}),)
    lines = [Text.from_markup(text).plain for text in summary(record)]
    assert "life cycles 0 of 1 whole; not Pet: delete: z" in lines
    assert to_json(record)["life_cycles"][0]["whole"] is False
    assert "absent afterwards" in to_html(record)


def test_what_was_found_is_not_unconfirmed_too() -> None:
    found = records.kept()
    doubtful = Unconfirmed(
        found.id, found.title, found.operation, found.label, found.complaint, 0, 1
    )
    other = replace(doubtful, id="other")
    for events in (
        [FindingFound(found), *_doubts(doubtful, other)],
        [*_doubts(doubtful, other), FindingFound(found)],
    ):
        assert [one.id for one in recorded(events).unconfirmed] == ["other"]


def _doubts(*some: Unconfirmed) -> list[Event]:
    return [NotConfirmed(one) for one in some]
