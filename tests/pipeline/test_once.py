"""Every operation is called once before anything is looked at closely."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.engine import RunOptions
from icepick.execute.events import Event, Exchanged, FindingFound, LeftBehind, PhaseStarted
from icepick.execute.types import Exchange, Purpose
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import quick, ran
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
        "GET /folders/f1/size",
        "PUT /folders/f1",
        "DELETE /folders/f1",
        "GET /folders/f1",
    ]
    assert [one.status for one in calls[-2:]] == [204, 404]
    assert desk.folders == {}


def test_an_answer_that_never_comes_does_not_cost_what_the_others_need(tmp_path: Path) -> None:
    async def never(_request: web.Request) -> web.Response:
        await asyncio.sleep(60)
        return web.Response()

    desk = Desk()
    routes = [one for one in desk.routes() if one.path != "/about"]
    settings = RunSettings(seed=1, wrong=0, settle=0.1, engine=RunOptions(max_time=12.0))
    with serving(*routes, web.get("/about", never)) as url:
        events = ran(desk_document(tmp_path), quick(url, 30.0), settings)
    calls = list(during(events, "once"))
    assert sum(one.status is None for one in calls) == 1
    assert "delete_folders_folderId" in {one.operation for one in calls if one.status == 204}


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


def test_a_change_of_many_is_one_of_the_runs_own_items(tmp_path: Path) -> None:
    desk, changed = Desk(), list[Any]()
    desk.folders["other"] = {"id": "other", "label": "of somebody else"}

    async def change(request: web.Request) -> web.Response:
        changed.append(await request.json())
        return web.json_response([*desk.folders.values()])

    folder = ref("Folder")
    operations = {
        **crud("/folders", "folderId", folder, obj("label", label=TEXT)),
        "GET /folders": op(gives=many(folder)),
        "PATCH /folders": op({"oneOf": [many(folder), folder]}, many(folder), query=["search"]),
    }
    file = tmp_path / "desk.json"
    file.write_text(json.dumps(document(operations, {"Folder": obj(id=TEXT, label=TEXT)})))
    with serving(*desk.routes(), web.patch("/folders", change)) as url:
        events = ran(str(file), Reach(url), HURRIED)
    called = [one for one in during(events, "once") if one.request.method == "PATCH"]
    assert [one.status for one in called] == [200]
    assert [[one["id"] for one in items] for items in changed[:1]] == [["f1"]]


def test_an_update_does_not_give_another_name_to_what_is_known_by_it(tmp_path: Path) -> None:
    jobs = dict[str, Any]()

    async def create(request: web.Request) -> web.Response:
        made = await request.json()
        jobs[made["name"]] = made
        return web.json_response(made, status=201)

    async def replace(request: web.Request) -> web.Response:
        made = await request.json()
        if jobs.pop(request.match_info["job"], None) is None:
            return web.json_response({}, status=404)
        jobs[made["name"]] = made
        return web.json_response(made)

    async def read(request: web.Request) -> web.Response:
        found = jobs.get(request.match_info["job"])
        return web.json_response(found or {}, status=200 if found else 404)

    async def delete(request: web.Request) -> web.Response:
        return web.Response(status=204 if jobs.pop(request.match_info["job"], None) else 404)

    async def listed(_request: web.Request) -> web.Response:
        return web.json_response([*jobs.values()])

    job = obj("name", "command", name=TEXT, command=TEXT)
    file = tmp_path / "jobs.json"
    file.write_text(json.dumps(document(crud("/jobs", "job", ref("Job")), {"Job": job})))
    item = "/jobs/{job}"
    routes = [web.get(item, read), web.put(item, replace), web.delete(item, delete)]
    with serving(*routes, web.post("/jobs", create), web.get("/jobs", listed)) as url:
        events = ran(str(file), Reach(url), HURRIED)
    calls = [one for one in during(events, "once") if one.purpose is Purpose.CALL]
    assert [one.status for one in calls if one.request.method in {"PUT", "DELETE"}] == [200, 204]


def test_what_is_created_is_used_though_the_document_does_not_say_where_its_id_is(
    tmp_path: Path,
) -> None:
    desk = Desk()
    operations = {
        "POST /folders": op(obj("label", label=TEXT), obj(label=TEXT), "201"),
        "GET /folders/{folderId}": op(gives=obj(label=TEXT)),
        "DELETE /folders/{folderId}": op(status="204"),
    }
    file = tmp_path / "desk.json"
    file.write_text(json.dumps(document(operations, {})))
    with serving(*desk.routes()) as url:
        events = ran(str(file), Reach(url), HURRIED)
    calls = [one for one in during(events, "once") if one.purpose is Purpose.CALL]
    made = [f"{one.request.method} {one.request.url.removeprefix(url)}" for one in calls]
    assert made == ["POST /folders", "GET /folders/f1", "DELETE /folders/f1"]


class Drawers:
    """Answers wrap what they show, which the document does not tell; PUT creates too."""

    def __init__(self) -> None:
        self.held: dict[str, dict[str, Any]] = {}
        self.made = 0

    def routes(self) -> tuple[web.RouteDef, ...]:
        item = "/drawers/{drawer}"
        return (
            web.post("/drawers", self.create),
            web.get(item, self.read),
            web.put(item, self.replace),
            web.delete(item, self.delete),
        )

    async def create(self, request: web.Request) -> web.Response:
        self.made += 1
        return self._kept(f"d{self.made}", await request.json(), 201)

    async def replace(self, request: web.Request) -> web.Response:
        name = request.match_info["drawer"]
        return self._kept(name, await request.json(), 200 if name in self.held else 201)

    async def read(self, request: web.Request) -> web.Response:
        found = self.held.get(request.match_info["drawer"])
        return web.json_response({"shown": found} if found else {}, status=200 if found else 404)

    async def delete(self, request: web.Request) -> web.Response:
        found = self.held.pop(request.match_info["drawer"], None)
        return web.json_response({}, status=200 if found else 404)

    def _kept(self, name: str, sent: dict[str, Any], status: int) -> web.Response:
        self.held[name] = {"label": sent.get("label"), "code": name}
        return web.json_response({"shown": self.held[name]}, status=status)


@pytest.mark.parametrize("correction", [True, False])
def test_what_nobody_could_address_then_is_removed_once_somebody_can(
    tmp_path: Path, *, correction: bool
) -> None:
    drawers, anything = Drawers(), {"type": "object"}
    operations = {
        "POST /drawers": op(obj("label", label=TEXT), anything, "201"),
        "GET /drawers/{drawer}": op(gives=anything),
        "PUT /drawers/{drawer}": op(obj("label", label=TEXT), anything, "201"),
        "DELETE /drawers/{drawer}": op(gives=anything),
    }
    file = tmp_path / "drawers.json"
    file.write_text(json.dumps(document(operations, {})))
    settings = replace(HURRIED, correction=correction)
    with serving(*drawers.routes()) as url:
        events = ran(str(file), Reach(url), settings)
    left = [one.reason for one in events if isinstance(one, LeftBehind)]
    assert drawers.made > 0
    assert bool(drawers.held) == bool(left) == (not correction)
