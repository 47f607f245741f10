"""What nothing removes is created a few times only, and what lies in it is walked all the same."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

from aiohttp import web

from icepick.execute.events import (
    CallJudged,
    Event,
    FindingFound,
    LeftBehind,
    Noted,
)
from icepick.execute.staying import IN_ALL, STAYING
from icepick.execute.types import Verdict
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import TEXT, crud, document, obj, read_only, ref

_TENANT, _ROOM = "/tenants/{tenantId}", "/tenants/{tenantId}/rooms/{roomId}"


class Tenants:
    """Tenants with rooms. Where `keeps` says so, tenants cannot be deleted: there is no operation
    that does it, or it refuses."""

    def __init__(self, keeps: str) -> None:
        self.keeps = keeps
        self.tenants: dict[str, dict[str, Any]] = {}
        self.rooms: dict[str, dict[str, dict[str, Any]]] = {}
        self.numbers = count(1)

    def routes(self) -> tuple[web.RouteDef, ...]:
        routes = [web.delete(_TENANT, self.delete)] if self.keeps == "refuses" else []
        return (
            web.get("/tenants", self.list),
            web.post("/tenants", self.create),
            web.get(_TENANT, self.read),
            web.get("/tenants/{tenantId}/rooms", self.list_rooms),
            web.post("/tenants/{tenantId}/rooms", self.create_room),
            web.get(_ROOM, self.read_room),
            web.delete(_ROOM, self.delete_room),
            *routes,
        )

    async def list(self, _request: web.Request) -> web.Response:
        return web.json_response([*self.tenants.values()])

    async def create(self, request: web.Request) -> web.Response:
        made = {"id": f"t{next(self.numbers)}", "label": (await _sent(request))["label"]}
        self.tenants[made["id"]], self.rooms[made["id"]] = made, {}
        return web.json_response(made, status=201)

    async def read(self, request: web.Request) -> web.Response:
        return web.json_response(_found(self.tenants, request.match_info["tenantId"]))

    async def delete(self, request: web.Request) -> web.Response:
        _found(self.tenants, request.match_info["tenantId"])
        return web.json_response({"message": "tenants are kept"}, status=403)

    async def list_rooms(self, request: web.Request) -> web.Response:
        return web.json_response([*self._rooms(request).values()])

    async def create_room(self, request: web.Request) -> web.Response:
        rooms = self._rooms(request)
        made = {"id": f"r{next(self.numbers)}", "label": (await _sent(request))["label"]}
        rooms[made["id"]] = made
        return web.json_response(made, status=201)

    async def read_room(self, request: web.Request) -> web.Response:
        return web.json_response(_found(self._rooms(request), request.match_info["roomId"]))

    async def delete_room(self, request: web.Request) -> web.Response:
        rooms = self._rooms(request)
        del rooms[_found(rooms, request.match_info["roomId"])["id"]]
        return web.Response(status=204)

    def _rooms(self, request: web.Request) -> dict[str, dict[str, Any]]:
        return _found(self.rooms, request.match_info["tenantId"])


async def _sent(request: web.Request) -> dict[str, Any]:
    try:
        body = await request.json()
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict) or not isinstance(body.get("label"), str):
        raise web.HTTPUnprocessableEntity(text="{}", content_type="application/json")
    return body


def _found(known: dict[str, Any], name: str) -> Any:
    if name not in known:
        raise web.HTTPNotFound(text="{}", content_type="application/json")
    return known[name]


def _document(folder: Path, keeps: str) -> str:
    kind = obj("id", "label", id=read_only(TEXT), label=TEXT)
    body = obj("label", label=TEXT)
    operations = {
        **crud("/tenants", "tenantId", ref("Tenant"), body),
        **crud("/tenants/{tenantId}/rooms", "roomId", ref("Room"), body),
    }
    missing = {("put", _TENANT), ("put", _ROOM)}
    missing |= {("delete", _TENANT)} if keeps == "no way" else set()
    kept = {key: one for key, one in operations.items() if not _is_one_of(key, missing)}
    for one in kept.values():
        for status in ("403", "404", "422"):
            one["responses"][status] = {"description": "no"}
    file = folder / "tenants.json"
    file.write_text(json.dumps(document(kept, {"Tenant": kind, "Room": kind})))
    return str(file)


def _is_one_of(key: str, missing: set[tuple[str, str]]) -> bool:
    method, _, path = key.partition(" ")
    return (method.lower(), path) in missing


def _events(folder: Path, service: Tenants) -> list[Event]:
    with serving(*service.routes()) as url:
        settings = RunSettings(seed=1, settle=0.1, wrong=200, bounds={"Tenant": 3, "Room": 3})
        return ran(_document(folder, service.keeps), Reach(url), settings)


def test_what_no_operation_deletes_is_created_a_few_times_only(tmp_path: Path) -> None:
    service = Tenants("no way")
    events = _events(tmp_path, service)
    assert 2 < len(service.tenants) <= IN_ALL
    assert not any(service.rooms.values())
    left = {one.url for one in events if isinstance(one, LeftBehind)}
    assert len(left) == len(service.tenants)
    assert [one.subject for one in events if isinstance(one, Noted) and one.kind == STAYING] == [
        "Tenant"
    ]
    assert not [one.finding.title for one in events if isinstance(one, FindingFound)]


def test_what_lies_in_it_is_walked_all_the_same(tmp_path: Path) -> None:
    events = _events(tmp_path, Tenants("no way"))
    judged = [one.judged for one in events if isinstance(one, CallJudged)]
    rooms = [one for one in judged if one.operation.endswith("rooms_roomId") or "room" in one.label]
    tested = [one for one in rooms if one.verdict is not Verdict.NOT_TESTED]
    assert len(tested) > 20
    assert len(tested) == len(rooms)


def test_what_is_never_deleted_when_asked_is_no_endless_source_either(tmp_path: Path) -> None:
    service = Tenants("refuses")
    _events(tmp_path, service)
    assert 2 < len(service.tenants) <= 2 * IN_ALL


class Named(Tenants):
    """Tenants whose names are chosen by who creates them."""

    async def create(self, request: web.Request) -> web.Response:
        name = (await _sent(request))["label"]
        if name in self.tenants:
            return web.json_response({"message": f"{name} exists"}, status=409)
        self.tenants[name], self.rooms[name] = {"label": name}, {}
        return web.json_response({"label": name}, status=201)


def test_what_an_earlier_run_left_is_not_held_against_a_refusal(tmp_path: Path) -> None:
    service = Named("no way")
    kind = obj("label", label=TEXT)
    operations = crud("/tenants", "label", ref("Tenant"))
    kept = {key: operations[key] for key in ("GET /tenants/{label}", "POST /tenants")}
    for one in kept.values():
        for status in ("404", "409", "422"):
            one["responses"][status] = {"description": "no"}
    file = tmp_path / "named.json"
    file.write_text(json.dumps(document(kept, {"Tenant": kind})))
    routes = (web.get("/tenants/{tenantId}", service.read), web.post("/tenants", service.create))
    settings = RunSettings(seed=1, settle=0.1, wrong=0, calibrate=False, learn=False)
    with serving(*routes) as url:
        runs = [ran(str(file), Reach(url), settings) for _ in range(6)]
    judged = [one.judged for events in runs for one in events if isinstance(one, CallJudged)]
    assert [one.label for one in judged if one.kind == "transition" and one.status == 409]
    assert not [one.label for one in judged if one.complaints]


def test_what_has_no_address_is_told_of_when_it_stays(tmp_path: Path) -> None:
    service = Tenants("no way")
    kind = obj("label", label=TEXT)
    operations = crud("/tenants", "tenantId", ref("Tenant"))
    kept = {key: operations[key] for key in ("GET /tenants", "POST /tenants")}
    kept["POST /tenants"]["responses"]["422"] = {"description": "no"}
    file = tmp_path / "unaddressed.json"
    file.write_text(json.dumps(document(kept, {"Tenant": kind})))
    with serving(web.get("/tenants", service.list), web.post("/tenants", service.create)) as url:
        events = ran(str(file), Reach(url), RunSettings(seed=1, settle=0.1, wrong=20))
    left = [one for one in events if isinstance(one, LeftBehind)]
    assert len({one.reason for one in left}) == len(service.tenants) > 0
    assert {one.resource for one in left} == {"Tenant"}
