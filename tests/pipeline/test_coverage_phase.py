"""Operations that no walk covers are tried all the same, and each gap has a reason."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from icepick.demo.catalogue import SERVICES
from icepick.execute.events import (
    CallJudged,
    Event,
    Exchanged,
    FindingFound,
    LeftBehind,
    Noted,
    PhaseStarted,
    RunEnded,
)
from icepick.execute.types import Verdict
from icepick.openapi import read_spec
from icepick.pipeline.beginning import Earlier
from icepick.pipeline.models import Described, describe
from icepick.pipeline.reach import Reach
from icepick.pipeline.selection import Filters, described
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from icepick.report import Recorder
from tests.glacier.live import served
from tests.pipeline.running import demo, signing_in
from tests.pipeline.serving import everything, serving
from tests.resources.conftest import Read, read
from tests.resources.documents import NUMBER, TEXT, many, obj, op, ref

__all__ = ["read"]

NOTHING_ELSE = RunSettings(seed=1, learn=False, wrong=0, calibrate=False)


def without_walk(api: Described, reach: Reach, settings: RunSettings = NOTHING_ELSE) -> list[Event]:
    """A run without models, so that the walk covers nothing."""

    async def gathered() -> list[Event]:
        session = Session(api, reach, settings, earlier=Earlier(()))
        return [event async for event in session.events()]

    return asyncio.run(gathered())


def gaps(events: list[Event]) -> dict[str, str]:
    return {
        one.subject: one.text
        for one in events
        if isinstance(one, Noted) and one.kind == "operation"
    }


@pytest.mark.parametrize("service", ["tournaments", "petstore", "shop"])
def test_every_operation_is_covered_without_any_model(service: str) -> None:
    with served(SERVICES[service]) as url:
        api = describe(read_spec(demo(service)))
        events = without_walk(api, Reach(url, signing_in(service, url)))
    recorder = Recorder()
    for event in events:
        recorder.add(event)
    record = recorder.record()
    assert [one.id for one in record.operations if not one.succeeded] == []
    assert gaps(events) == {}
    assert [one for one in events if isinstance(one, FindingFound)] == []
    judged = [one.judged for one in events if isinstance(one, CallJudged)]
    assert {one.verdict for one in judged} == {Verdict.OK}
    assert isinstance(events[-1], RunEnded)
    left = {one.resource for one in events if isinstance(one, LeftBehind)}
    # An order that was submitted stays, and what it refers to.
    assert left <= {"Order", "Line", "Address", "Customer", "Product"}
    (wanted,) = [one.calls for one in events if one == PhaseStarted("operations", len(judged))]
    assert wanted is not None
    assert wanted >= 10


def test_a_read_only_run_takes_what_is_there() -> None:
    with served(SERVICES["features"]) as url:
        whole = read_spec(demo("features"))
        api = described(whole, Filters(read_only=True))
        events = without_walk(api, Reach(url))
    methods = {one.exchange.request.method for one in events if isinstance(one, Exchanged)}
    assert methods == {"GET"}
    assert "getProductByName" in gaps(events)


THING = obj(id=NUMBER, colour=TEXT)
REASONS = {
    "GET /things": op(gives=many(ref("Thing"))),
    "GET /things/{thing_id}": op(gives=ref("Thing")),
    "DELETE /things/{thing_id}": op(),
    "PUT /things/{thing_id}/colour": op(),
    "DELETE /things": op(),
    "DELETE /cache": op(),
}


def test_each_gap_has_a_reason(read: Read) -> None:
    async def handle(request: web.Request) -> web.Response:
        if request.method == "GET" and request.path == "/things":
            return web.json_response([{"id": 5, "colour": "red"}])
        return web.json_response({"message": "not today"}, status=503)

    api = describe(read(REASONS, Thing=THING))
    with serving(everything(handle)) as url:
        events = without_walk(api, Reach(url))
    labels = {operation.id: operation.label for operation in api.spec.operations}
    found = {labels[name]: reason for name, reason in gaps(events).items()}
    assert found == {
        "GET /things/{thing_id}": "answered 503: not today",
        "DELETE /things/{thing_id}": "would delete what is not the run's own",
        "PUT /things/{thing_id}/colour": "would change what is not the run's own",
        "DELETE /things": "would delete what is not the run's own",
        "DELETE /cache": "would delete what is not the run's own",
    }
    changing = [
        one.exchange.request.method
        for one in events
        if isinstance(one, Exchanged) and one.exchange.request.method != "GET"
    ]
    assert "DELETE" not in changing


def test_a_fault_outside_any_model_is_confirmed(read: Read) -> None:
    calls = 0

    async def handle(request: web.Request) -> web.Response:
        nonlocal calls
        calls += 1
        return web.Response(status=500 if request.path == "/status" else 200)

    api = describe(read({"GET /status": op(), "GET /version": op()}))
    status, _ = (operation.id for operation in api.spec.operations)
    with serving(everything(handle)) as url:
        events = without_walk(api, Reach(url))
    (found,) = [one.finding for one in events if isinstance(one, FindingFound)]
    assert found.operation == status
    assert found.complaint.check == "server-error"
    assert len(found.steps) == 1
    assert gaps(events) == {status: "answered 500"}
    assert calls < 20


def test_operations_can_be_left_alone() -> None:
    settings = RunSettings(seed=1, learn=False, wrong=0, operations=False)
    with served(SERVICES["tournaments"]) as url:
        events = without_walk(describe(read_spec(demo("tournaments"))), Reach(url), settings)
    assert "operations" not in [one.name for one in events if isinstance(one, PhaseStarted)]
    assert isinstance(events[-1], RunEnded)
