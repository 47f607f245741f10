"""The driver against services made up for a test, and its traces against the semantics."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from icepick.execute.events import (
    CallJudged,
    Ending,
    FindingFound,
    ModelCovered,
    NotConfirmed,
    Noted,
    RunEnded,
)
from icepick.execute.types import Failure, FailureKind, Reply, Request, Verdict
from icepick.inputs import Fresh, Generator
from icepick.openapi.types import ApiSpec
from icepick.pipeline.models import describe
from icepick.protocol import ApiDomain, Event, Fault, accepts, automaton_of, read_protocols
from icepick.protocol.driver import DriverOptions, Strategy
from icepick.protocol.passage import Passage
from icepick.protocol.scripts import Choice, ScriptPolicy, follows, labelled, shorter, shortest
from icepick.protocol.walk import RandomPolicy
from tests.protocol.documents import document
from tests.protocol.driving import Answering, answer, driver_of, findings, of_kind, written

PAIR = {
    "type": "object",
    "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
}
JSON = {"content": {"application/json": {"schema": PAIR}}}


def _operation(name: str) -> dict[str, Any]:
    answers = {code: {"description": code, **JSON} for code in ("200", "201", "404")}
    return {"operationId": name, "requestBody": {"required": True, **JSON}, "responses": answers}


SPEC: ApiSpec = document(
    {
        "openapi": "3.0.3",
        "info": {"title": "Pairs", "version": "1"},
        "paths": {f"/{name}": {"post": _operation(name)} for name in ("a", "b")},
    }
)
API = describe(SPEC)


# Traces


@st.composite
def _choices(draw: st.DrawFn, bound: tuple[str, ...], loops: tuple[str, ...], deep: int) -> str:
    """A choice of calls, written out; only what is bound is used."""
    if deep and draw(st.booleans()):
        name = f"X{len(loops)}"
        limit = draw(st.sampled_from(["", "[2]", "[3]"]))
        inner = draw(_choices(bound, (*loops, name), deep - 1))
        return f"rec {name}{limit}.({inner})"
    # Two equal calls in one choice would make a trace one of either.
    names = draw(st.lists(st.sampled_from("ab"), min_size=1, unique=True))
    branches = [draw(_call(name, bound, loops, deep)) for name in names]
    return f"+{{{', '.join(branches)}}}"


@st.composite
def _call(
    draw: st.DrawFn, operation: str, bound: tuple[str, ...], loops: tuple[str, ...], deep: int
) -> str:
    arguments, known = [], bound
    for name in draw(st.sets(st.sampled_from("xy"))):
        if name in bound and draw(st.booleans()):
            arguments.append(name)
        else:
            arguments.append(draw(st.sampled_from([f"{name}: Int", f"{name}: Int(7)"])))
            known = (*known, name)
    codes = draw(st.sampled_from([("200",), ("404",), ("2XX",), ("200", "404"), ("2XX", "404")]))
    answers = [f"?C{code}{draw(_answer(known, loops, deep))}" for code in codes]
    return f"!{operation}({', '.join(sorted(arguments))}) . &{{{', '.join(answers)}}}"


@st.composite
def _answer(draw: st.DrawFn, bound: tuple[str, ...], loops: tuple[str, ...], deep: int) -> str:
    variables = sorted(draw(st.sets(st.sampled_from("xy"))))
    known = (*bound, *variables)
    told = ", ".join(f"{name}: Int" for name in variables)
    if deep and draw(st.booleans()):
        return f"({told}) . {draw(_choices(known, loops, deep - 1))}"
    return f"({told}) . {draw(st.sampled_from(['end', *loops]))}"


def _whims(rng: Random) -> Answering:
    """Answers with any status and any values."""
    return Answering(
        lambda _request: answer(
            rng.choice([200, 201, 404]), {"x": rng.randint(0, 9), "y": rng.randint(0, 9)}
        )
    )


async def _passed(text: str, seed: int) -> tuple[Passage, list[Any], Answering]:
    protocols = read_protocols(f"S = {text}")
    transport = _whims(Random(seed))
    driver = driver_of(protocols, API, transport)
    model = driver._courses[0].model
    generator = Generator(SPEC.schemas)
    fresh = Fresh(generator, Random(seed))
    passage = Passage(driver._kit, model, Random(seed), fresh, 0)
    policy = RandomPolicy(model.automaton, Random(seed), most=12)
    return passage, [move async for move in passage.moves(policy)], transport


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_choices((), (), 2), st.integers(0, 10**6))
async def test_the_traces_of_the_driver_are_those_of_the_semantics(text: str, seed: int) -> None:
    passage, moves, transport = await _passed(text, seed)
    trace, definitions = passage.run.trace, read_protocols(f"S = {text}").definitions
    domain = ApiDomain(passage._model.types, {})
    whole = passage.run.is_over
    assert accepts("S", definitions, trace, domain, prefix=not whole)
    # What the trace says was sent and answered is what went over the wire.
    assert [request.url.rpartition("/")[2] for request, _ in transport.sent] == [
        event.name for event in trace if event.is_sent
    ]
    for move, (request, reply) in zip(moves, transport.sent, strict=True):
        _same_values(move, request, reply)
    if moves and moves[-1].ruling.fault is Fault.CODE:
        status = str(moves[-1].judged.status)
        assert not accepts("S", definitions, [*trace, Event(False, status)], prefix=True)


def _same_values(move: Any, request: Request, reply: Reply) -> None:
    sent = json.loads(request.body or b"{}")
    known = {name: value for name, value in sent.items() if isinstance(value, int)}
    for argument in move.send.branch.arguments:
        assert argument.variable in known
        if argument.made is not None:
            assert known[argument.variable] == 7
    assert move.judged.exchange.reply == reply


# Suspicions

FLOW = "S = rec X.(+{!a(x: Int) . ?C200() . X, !b(x: Int) . ?C200() . X, !a() . ?C404() . end})"


async def test_what_does_not_repeat_is_no_finding() -> None:
    calls = 0

    def once(request: Request) -> Reply:
        nonlocal calls
        calls += 1
        return answer(201 if calls == 3 else 200, {})

    transport = Answering(once)
    protocols = written("S = rec X[6].(!a(x: Int) . ?C200() . X)", SPEC)
    events = [event async for event in driver_of(protocols, API, transport).events()]
    assert not findings(events)
    (unconfirmed,) = of_kind(events, NotConfirmed)
    assert unconfirmed.unconfirmed.title == "!a: answered with 201 in place of ?C200"
    assert unconfirmed.unconfirmed.attempts >= 2


async def test_rounds_of_loops_are_left_out_of_a_finding() -> None:
    history: dict[int, str] = {}

    def second_b_after_an_a(request: Request) -> Reply:
        """Wrong for a second b with the same x, once an a came after the first."""
        x, name = json.loads(request.body or b"")["x"], request.url[-1]
        before = history.get(x, "")
        history[x] = before + name
        wrong = name == "b" and "a" in before.partition("b")[2]
        return answer(404 if wrong else 200, {})

    text = (
        "S = !b(x: Int(fresh)) . ?C200() . rec X[30].(+{!a(x) . ?C200() . X, !b(x) . ?C200() . X})"
    )
    options = DriverOptions(Strategy.RANDOM, runs=1, seed=7, max_length=30)
    driver = driver_of(written(text, SPEC), API, Answering(second_b_after_an_a), options)
    (found,) = findings([event async for event in driver.events()])
    assert [step.label for step in found.steps] == ["!b ?C200", "!a ?C200", "!b"]
    assert found.original > 3


async def test_equal_faults_of_one_branch_are_one_finding_and_of_two_are_two() -> None:
    text = "S = rec X[4].(+{!a(x: Int) . ?C200() . X, !a(y: Int) . ?C200() . X})"
    driver = driver_of(written(text, SPEC), API, Answering(lambda _: answer(404, {})))
    events = [event async for event in driver.events()]
    found = findings(events)
    assert [one.complaint.about for one in found] == ["S/X/0", "S/X/1"]
    assert [one.number for one in found] == [1, 2]
    assert len({one.id for one in found}) == 2
    assert all(one.seen > 1 for one in found)


# Trouble


async def test_a_service_that_is_away_ends_the_run() -> None:
    away = Answering(lambda _: Failure(FailureKind.CONNECT, "nobody listens"))
    driver = driver_of(written(FLOW, SPEC), API, away, DriverOptions(seed=1, outage=0.0))
    events = [event async for event in driver.events()]
    end = events[-1]
    assert isinstance(end, RunEnded)
    assert (end.ending, end.text) == (
        Ending.OUTAGE,
        "the service does not answer: nobody listens",
    )
    assert len(of_kind(events, CallJudged)) == 1


async def test_a_call_that_breaks_the_connection_is_a_finding() -> None:
    def broken(request: Request) -> Reply:
        if request.url.endswith("/b"):
            return Failure(FailureKind.RESET, "the connection broke")
        return answer(200, {})

    driver = driver_of(written(FLOW, SPEC), API, Answering(broken))
    events = [event async for event in driver.events()]
    found = findings(events)
    assert ("no-answer", "!b", 1) in [
        (one.complaint.check, one.action, len(one.steps)) for one in found
    ]


async def test_a_generator_that_breaks_is_no_endless_loop() -> None:
    def gen_wrong() -> int:
        return 1 // 0

    text = "S = +{!a(x: Int(gen_wrong)) . ?C200() . end, !b(x: Int) . ?C200() . end}"
    protocols = written(text, SPEC, gen_wrong=gen_wrong)
    driver = driver_of(protocols, API, Answering(lambda _: answer(200, {})))
    events = [event async for event in driver.events()]
    judged = [event.judged for event in of_kind(events, CallJudged)]
    missed = [one for one in judged if one.verdict is Verdict.NOT_TESTED]
    assert missed
    assert "gen_wrong raised ZeroDivisionError" in missed[0].reason
    (covered,) = of_kind(events, ModelCovered)
    assert covered.parts["branches"] == (1, 2)
    notes = {note.text for note in of_kind(events, Noted) if note.kind == "not covered"}
    assert notes == {"!a at the start", "?C200 to !a after !a"}


async def test_a_run_that_is_stopped_ends_in_good_order() -> None:
    transport = Answering(lambda _: answer(200, {}))
    options = DriverOptions(Strategy.RANDOM, runs=50, seed=1)
    driver = driver_of(read_protocols(FLOW), API, transport, options)
    events = []
    async for event in driver.events():
        events.append(event)
        if len(of_kind(events, CallJudged)) == 5:
            driver.stop(Ending.INTERRUPTED)
    assert isinstance(events[-1], RunEnded)
    assert events[-1].ending is Ending.INTERRUPTED
    assert len(of_kind(events, CallJudged)) < 60


async def test_an_undocumented_answer_that_a_model_awaits_is_still_told() -> None:
    text = "S = !a(x: Int) . &{?C200() . end, ?C4XX() . end}"
    driver = driver_of(written(text, SPEC), API, Answering(lambda _: answer(418, {})))
    events = [event async for event in driver.events()]
    (found,) = [event.finding for event in of_kind(events, FindingFound)]
    assert (found.complaint.check, found.level) == ("undocumented-status", Verdict.WARN)


# Scripts

LOOPS = "S = !a(x: Int) . ?C200() . rec X.(+{!b(x) . ?C200() . X, !a() . ?C404() . end})"


def test_a_script_without_rounds_of_its_loops() -> None:
    automaton = automaton_of("S", read_protocols(LOOPS).definitions)
    script = labelled(automaton, ["!a ?C200", "!b ?C200", "!b ?C200", "!b"])
    assert script is not None
    sizes = [len(one) for one in shorter(automaton, script)]
    assert sizes == sorted(sizes)
    assert sizes[0] == 2
    assert all(follows(automaton, one) for one in shorter(automaton, script))
    assert all(one[0].send == ("S", 0) for one in shorter(automaton, script))
    assert not follows(automaton, script[1:])


def test_the_shortest_way_takes_responses_that_came() -> None:
    automaton = automaton_of("S", read_protocols(LOOPS).definitions)
    last = ("S", 0, 0, "X", 1)
    first = Choice(("S", 0), ("S", 0, 0))
    assert shortest(automaton, last, [("S", 0, 0)]) == (first, Choice(last, None))
    assert shortest(automaton, last, []) is None


def test_a_script_stops_where_the_model_does_not_go_on() -> None:
    automaton = automaton_of("S", read_protocols(LOOPS).definitions)
    script = (Choice(("S", 0), ("S", 0, 0)), Choice(("S", 0), None))
    policy = ScriptPolicy(automaton, script)
    policy.begin()
    first = policy.next_send(0)
    assert first is not None
    policy.took(first)
    after = automaton.edges_of(first.target)[0].target
    assert policy.next_send(after) is None
    assert not policy.is_done


@pytest.mark.parametrize("labels", [["!b"], ["!a ?C404"], []])
def test_labels_that_no_way_has(labels: list[str]) -> None:
    automaton = automaton_of("S", read_protocols(LOOPS).definitions)
    assert labelled(automaton, labels) is None
