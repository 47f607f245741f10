"""Services that are no use: a run ends soon, and says why."""

from __future__ import annotations

import asyncio
import time

import pytest
from aiohttp import web

from icepick.execute.chains.types import ChainOptions
from icepick.execute.engine import RunOptions
from icepick.execute.events import Ending, Noted, RunEnded
from icepick.inputs.learn import Learned
from icepick.pipeline.settings import RunSettings
from icepick.report import Recorder
from tests.execute.servers import free_port
from tests.execute.test_engine import ONE
from tests.pipeline.running import covered, demo, quick, ran
from tests.pipeline.serving import everything, serving

PAGE = "<html><body>Welcome to nginx!</body></html>"


async def not_found(_request: web.Request) -> web.Response:
    return web.json_response({"message": "nothing here"}, status=404)


async def page(_request: web.Request) -> web.Response:
    return web.Response(text=PAGE, content_type="text/html")


async def crash(_request: web.Request) -> web.Response:
    return web.Response(status=500, text="java.lang.NullPointerException")


async def slow(_request: web.Request) -> web.Response:
    await asyncio.sleep(5)
    return web.Response()


@pytest.mark.parametrize(
    ("handler", "reason"),
    [(not_found, "answered 404: nothing here"), (crash, "answered 500")],
)
def test_one_answer_to_everything(handler: object, reason: str) -> None:
    with serving(everything(handler)) as url:  # type: ignore[arg-type]
        found = covered(demo("tournaments"), quick(url), correction=True)
    assert set(found.without_success()) == {one.id for one in found.api.spec.operations}
    reasons = found.chains.record.reasons
    assert set(reasons) == set(found.without_success())
    assert reasons["postPlayer"].startswith(reason)
    assert reasons["deletePlayer"].startswith(f"needs a Player, and POST /players {reason}")
    assert found.chains.calls <= 300
    assert found.chains.resources == found.api.resources


def test_a_page_for_everything() -> None:
    with serving(everything(page)) as url:
        found = covered(demo("tournaments"), quick(url), correction=True)
    assert found.chains.calls <= 300
    kinds = {one.key[0] for one in found.chains.record.suspicions.all()}
    assert "content-type" in kinds
    assert found.chains.resources == found.api.resources


def test_answers_that_never_come() -> None:
    begun = time.monotonic()
    with serving(everything(slow)) as url:
        found = covered(demo("tournaments"), quick(url, 0.2))
    assert time.monotonic() - begun < 10
    assert found.chains.calls == 3
    assert any("no answer (timeout)" in text for text in found.chains.record.reasons.values())


def test_time_is_bounded() -> None:
    async def late(_request: web.Request) -> web.Response:
        await asyncio.sleep(0.1)
        return web.Response(status=404)

    begun = time.monotonic()
    with serving(everything(late)) as url:
        found = covered(demo("tournaments"), quick(url), ChainOptions(seconds=1.0))
    assert time.monotonic() - begun < 5
    assert 0 < found.chains.calls < 20


def test_nobody_is_there() -> None:
    found = covered(demo("tournaments"), quick(f"http://127.0.0.1:{free_port()}"))
    assert found.chains.calls == 3
    assert any("no answer (connect)" in text for text in found.chains.record.reasons.values())


@pytest.mark.parametrize("handler", [not_found, page, crash])
def test_a_whole_run_comes_to_its_end(handler: object) -> None:
    engine = RunOptions(outage=0.5, max_time=2)
    settings = RunSettings(seed=1, learn=False, wrong=0, bounds=ONE, engine=engine)
    begun = time.monotonic()
    with serving(everything(handler)) as url:  # type: ignore[arg-type]
        events = ran(demo("tournaments"), quick(url), settings)
    assert time.monotonic() - begun < 20
    end = events[-1]
    assert isinstance(end, RunEnded)
    assert end.ending in {Ending.FINISHED, Ending.MAX_TIME}
    recorder = Recorder()
    for event in events:
        recorder.add(event)
    for one in recorder.record().operations:
        assert one.succeeded or one.reason


def test_a_run_tells_the_reason_of_each_gap() -> None:
    engine = RunOptions(outage=0.5)
    settings = RunSettings(seed=1, learn=False, wrong=0, bounds=ONE, engine=engine)
    with serving(everything(not_found)) as url:
        events = ran(demo("tournaments"), quick(url), settings)
    found = {
        one.subject: one.text
        for one in events
        if isinstance(one, Noted) and one.kind == "operation"
    }
    assert len(found) == 19
    assert found["postPlayer"] == "answered 404: nothing here"
    assert found["deletePlayer"] == "needs a Player, and POST /players answered 404: nothing here"


def test_what_was_refused_before_is_not_tried_as_often_again() -> None:
    async def refuse(request: web.Request) -> web.Response:
        return web.json_response({"message": f"no: {len(await request.read())}"}, status=422)

    learned = dict[str, Learned]()
    with serving(everything(refuse)) as url:
        first = covered(demo("shop"), quick(url), learned=learned)
        again = covered(demo("shop"), quick(url), learned=learned)
    assert again.chains.calls < 0.8 * first.chains.calls
