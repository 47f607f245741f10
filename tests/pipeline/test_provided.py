"""A creation that makes what it refers to, where that is not there."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.events import FindingFound, Noted
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import TEXT, crud, document, obj, read_only, ref


class Stage:
    """Engines and the runs on them; a run `provides` its engine, or refers to nothing."""

    def __init__(self, *, provides: bool) -> None:
        self.engines: dict[str, dict[str, Any]] = {}
        self.runs: dict[str, dict[str, Any]] = {}
        self.provides = provides
        self.numbers = count(1)

    def routes(self) -> list[web.RouteDef]:
        found = [web.post("/engines", self.start), web.post("/runs", self.begin)]
        for name, held in (("engines", self.engines), ("runs", self.runs)):
            found += self._items(name, held)
        return found

    def _items(self, name: str, held: dict[str, dict[str, Any]]) -> list[web.RouteDef]:
        async def listed(_request: web.Request) -> web.Response:
            return web.json_response([*held.values()])

        async def read(request: web.Request) -> web.Response:
            found = held.get(request.match_info["id"])
            return web.json_response(found or {}, status=200 if found else 404)

        async def delete(request: web.Request) -> web.Response:
            found = held.pop(request.match_info["id"], None)
            return web.Response(status=204 if found else 404)

        item = f"/{name}/{{id}}"
        return [web.get(f"/{name}", listed), web.get(item, read), web.delete(item, delete)]

    async def start(self, _request: web.Request) -> web.Response:
        return self._made(self.engines, {"id": f"e{next(self.numbers)}"})

    async def begin(self, request: web.Request) -> web.Response:
        engine = (await request.json())["engineId"]
        if self.provides:
            self.engines.setdefault(engine, {"id": engine})
        return self._made(self.runs, {"id": f"r{next(self.numbers)}", "engineId": engine})

    def _made(self, held: dict[str, dict[str, Any]], made: dict[str, Any]) -> web.Response:
        held[made["id"]] = made
        return web.json_response(made, status=201)


def stage_document(folder: Path) -> str:
    operations = {
        **crud("/engines", "engineId", ref("Engine")),
        **crud("/runs", "runId", ref("Run"), obj("engineId", engineId=TEXT)),
    }
    del operations["PUT /engines/{engineId}"], operations["PUT /runs/{runId}"]
    for one in operations.values():
        one["responses"]["404"] = {"description": "none"}
    named = {"Engine": obj("id", id=read_only(TEXT)), "Run": obj("id", id=TEXT, engineId=TEXT)}
    file = folder / "stage.json"
    file.write_text(json.dumps(document(operations, named)))
    return str(file)


@pytest.mark.parametrize("provides", [True, False])
def test_what_is_there_afterwards_was_provided(tmp_path: Path, *, provides: bool) -> None:
    with serving(*Stage(provides=provides).routes()) as url:
        settings = RunSettings(seed=1, wrong=0, settle=0.1, calibrate=False)
        events = ran(stage_document(tmp_path), Reach(url), settings)
    accepted = [
        one.finding.operation
        for one in events
        if isinstance(one, FindingFound) and one.finding.complaint.check == "accepted"
    ]
    said = {one.text for one in events if isinstance(one, Noted)}
    told = "it creates what it refers to, where that is not there"
    assert ("post_runs" in accepted, told in said) == (not provides, provides)
