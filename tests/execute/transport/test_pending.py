"""What is accepted and done later is waited for, and found where the service says it is."""

from __future__ import annotations

import itertools
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.events import Event, FindingFound, LeftBehind, LifeCycle, NotConfirmed
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import quick, ran
from tests.pipeline.serving import serving

Json = Any
DELAY = 0.08


@dataclass
class Orders:
    """Orders that are made and removed a little later; `way` is how a service tells of that."""

    way: str
    never: bool = False
    held: dict[str, Json] = field(default_factory=dict)
    jobs: dict[str, tuple[float, str, str]] = field(default_factory=dict)
    """By number: when it is done, whether it makes or removes, and what."""
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def routes(self) -> tuple[web.RouteDef, ...]:
        return (
            web.get("/orders", self.listed), web.post("/orders", self.create),
            web.get("/orders/{id}", self.read), web.delete("/orders/{id}", self.remove),
            web.get("/jobs/{id}", self.job),
        )  # fmt: skip

    def _catch_up(self) -> None:
        for number, (due, what, key) in list(self.jobs.items()):
            if what == "done" or time.monotonic() < due or self.never:
                continue
            if what == "make":
                self.held.setdefault(key, {"id": key, "status": "new"})
            else:
                self.held.pop(key, None)
            self.jobs[number] = (due, "done", key)

    def _accepted(self, what: str, key: str) -> web.Response:
        number = f"j{next(self.numbers)}"
        self.jobs[number] = (time.monotonic() + DELAY, what, key)
        direct = self.way == "item" and what == "make"
        where = f"/orders/{key}" if direct else f"/jobs/{number}"
        body = {} if direct else {"id": number, "status": "pending"}
        return web.json_response(body, status=202, headers={"Location": where})

    async def listed(self, _: web.Request) -> web.Response:
        self._catch_up()
        return web.json_response(list(self.held.values()))

    async def create(self, request: web.Request) -> web.Response:
        await request.read()
        return self._accepted("make", f"o{next(self.numbers)}")

    async def read(self, request: web.Request) -> web.Response:
        self._catch_up()
        found = self.held.get(request.match_info["id"])
        return web.json_response(found or {}, status=200 if found else 404)

    async def remove(self, request: web.Request) -> web.Response:
        self._catch_up()
        key = request.match_info["id"]
        if key not in self.held:
            return web.json_response({}, status=404)
        return self._accepted("remove", key)

    async def job(self, request: web.Request) -> web.Response:
        self._catch_up()
        number = request.match_info["id"]
        _, what, key = self.jobs[number]
        if what != "done":
            return web.json_response({"id": number, "status": "running"})
        if self.way == "redirect" and key in self.held:
            raise web.HTTPSeeOther(f"/orders/{key}")
        shown: dict[str, Json] = {"id": number, "status": "succeeded"}
        if self.way == "link":
            shown["resource"] = {"href": f"/orders/{key}"}
        if self.way == "inside":
            shown["result"] = self.held.get(key)
        return web.json_response(shown)


def orders_document(folder: Path) -> str:
    order = {"type": "object", "properties": {"id": {"type": "string", "readOnly": True}}}
    order["properties"] |= {"status": {"type": "string", "readOnly": True}}  # type: ignore[operator]
    hole = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    body = {"content": {"application/json": {"schema": order}}}
    others = {"default": {"description": "no"}}
    shown = {"200": {"description": "", "content": {"application/json": {"schema": order}}}}
    several = {"schema": {"type": "array", "items": order}}
    listed = {"200": {"description": "", "content": {"application/json": several}}}
    accepted = {"202": {"description": "accepted"}}
    paths = {
        "/orders": {
            "get": {"responses": {**listed, **others}},
            "post": {"requestBody": body, "responses": {**accepted, **others}},
        },
        "/orders/{id}": {
            "parameters": [hole],
            "get": {"responses": {**shown, **others}},
            "delete": {"responses": {**accepted, **others}},
        },
    }
    made = folder / "orders.json"
    info = {"title": "Orders", "version": "1"}
    made.write_text(json.dumps({"openapi": "3.0.3", "info": info, "paths": paths}))
    return str(made)


def run(orders: Orders, folder: Path, settle: float = 2.0) -> list[Event]:
    settings = RunSettings(seed=1, wrong=0, settle=settle)
    with serving(*orders.routes()) as url:
        return ran(orders_document(folder), quick(url), settings)


def titles(events: list[Event]) -> list[str]:
    found = [one.finding.title for one in events if isinstance(one, FindingFound)]
    return found + [one.unconfirmed.title for one in events if isinstance(one, NotConfirmed)]


@pytest.mark.parametrize("way", ["item", "redirect", "link", "inside"])
def test_what_is_done_later_is_found(way: str, tmp_path: Path) -> None:
    orders = Orders(way)
    events = run(orders, tmp_path)
    assert titles(events) == []
    assert [one.missing for one in events if isinstance(one, LifeCycle)] == [{}]
    assert [one for one in events if isinstance(one, LeftBehind)] == []
    time.sleep(2 * DELAY)
    orders._catch_up()
    assert orders.held == {}


def test_the_number_of_a_job_is_nobodys(tmp_path: Path) -> None:
    orders = Orders("link", never=True)
    events = run(orders, tmp_path, settle=0.1)
    assert titles(events) == []
    lives = [dict(one.missing) for one in events if isinstance(one, LifeCycle)]
    assert "read" in lives[0]
