"""Every operation is called once before anything is looked at closely."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.engine import RunOptions
from icepick.execute.events import Event, Exchanged, FindingFound, PhaseStarted
from icepick.execute.types import Exchange, Purpose
from icepick.pipeline.run import RunSettings
from icepick.pipeline.session import Reach
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import TEXT, crud, document, many, obj, op, ref

HURRIED = RunSettings(seed=1, wrong=0, settle=0.1, engine=RunOptions(max_time=20.0))


class Desk:
    """Folders and the sheets in them; `broken` lists answer what their document does not say."""

    def __init__(self, *, broken: bool = False) -> None:
        self.folders: dict[str, dict[str, Any]] = {}
        self.broken = broken
        self.made = 0

    def routes(self) -> tuple[web.RouteDef, ...]:
        return (
            web.get("/about", self.about),
            web.get("/folders", self.list),
            web.post("/folders", self.create),
            web.get("/folders/{folderId}", self.read),
            web.put("/folders/{folderId}", self.replace),
            web.delete("/folders/{folderId}", self.delete),
            web.get("/folders/{folderId}/size", self.size),
        )

    async def about(self, _request: web.Request) -> web.Response:
        return web.json_response({"name": 7 if self.broken else "desk"})

    async def list(self, _request: web.Request) -> web.Response:
        return web.json_response([*self.folders.values()])

    async def create(self, request: web.Request) -> web.Response:
        self.made += 1
        made = {"id": f"f{self.made}", **await request.json()}
        self.folders[made["id"]] = made
        return web.json_response(made, status=201)

    async def read(self, request: web.Request) -> web.Response:
        return web.json_response(self._folder(request))

    async def replace(self, request: web.Request) -> web.Response:
        self._folder(request).update({**await request.json(), "id": self._folder(request)["id"]})
        return web.json_response(self._folder(request))

    async def delete(self, request: web.Request) -> web.Response:
        del self.folders[self._folder(request)["id"]]
        return web.Response(status=204)

    async def size(self, request: web.Request) -> web.Response:
        return web.json_response({"size": len(self._folder(request))})

    def _folder(self, request: web.Request) -> dict[str, Any]:
        found = self.folders.get(request.match_info["folderId"])
        if found is None:
            raise web.HTTPNotFound(text="{}", content_type="application/json")
        return found


def desk_document(folder: Path) -> str:
    operations = {
        **crud("/folders", "folderId", ref("Folder"), obj("label", label=TEXT)),
        "GET /folders/{folderId}/size": op(gives=obj(size={"type": "integer"})),
        "GET /about": op(gives=obj(name=TEXT)),
        "GET /folders": op(gives=many(ref("Folder"))),
    }
    file = folder / "desk.json"
    file.write_text(json.dumps(document(operations, {"Folder": obj(id=TEXT, label=TEXT)})))
    return str(file)


def during(events: list[Event], phase: str) -> Iterator[Exchange]:
    now = ""
    for event in events:
        if isinstance(event, PhaseStarted):
            now = event.name
        elif isinstance(event, Exchanged) and now == phase:
            yield event.exchange


def test_what_needs_nothing_comes_first_and_what_was_deleted_is_read_again(tmp_path: Path) -> None:
    desk = Desk()
    with serving(*desk.routes()) as url:
        events = ran(desk_document(tmp_path), Reach(url), HURRIED)
    calls = [one for one in during(events, "once") if one.purpose is not Purpose.CLEAN_UP]
    made = [f"{one.request.method} {one.request.url.removeprefix(url)}" for one in calls]
    assert sorted(made[:2]) == ["GET /about", "GET /folders"]
    assert made[2:] == [
        "POST /folders",
        "GET /folders/f1",
        "PUT /folders/f1",
        "GET /folders/f1/size",
        "DELETE /folders/f1",
        "GET /folders/f1",
    ]
    assert [one.status for one in calls[-2:]] == [204, 404]
    assert desk.folders == {}


def test_what_looks_wrong_then_is_found(tmp_path: Path) -> None:
    with serving(*Desk(broken=True).routes()) as url:
        events = ran(desk_document(tmp_path), Reach(url), HURRIED)
    found = [one.finding.operation for one in events if isinstance(one, FindingFound)]
    assert "get_about" in found


@pytest.mark.parametrize("bound", [None, 20.0])
def test_only_a_run_that_may_not_come_to_its_end_begins_so(
    tmp_path: Path, bound: float | None
) -> None:
    settings = RunSettings(seed=1, wrong=0, settle=0.1, engine=RunOptions(max_time=bound))
    with serving(*Desk().routes()) as url:
        events = ran(desk_document(tmp_path), Reach(url), settings)
    phases = [one.name for one in events if isinstance(one, PhaseStarted)]
    assert ("once" in phases) == (bound is not None)
