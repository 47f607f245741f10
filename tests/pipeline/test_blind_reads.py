"""A GET that never shows anything, live: what follows from it is no fault of other operations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aiohttp import web

from icepick.execute.events import FindingFound
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import TEXT, crud, document, obj, ref

PET = obj("name", id={**TEXT, "readOnly": True}, name=TEXT)


class Pets:
    """Pets that are changed and deleted by their ids, and read by their names alone."""

    def __init__(self) -> None:
        self.pets: dict[str, dict[str, Any]] = {}
        self.made = 0

    def routes(self) -> tuple[web.RouteDef, ...]:
        return (
            web.get("/pets", self.list),
            web.post("/pets", self.create),
            web.get("/pets/{id}", self.read),
            web.put("/pets/{id}", self.replace),
            web.delete("/pets/{id}", self.delete),
        )

    async def list(self, _: web.Request) -> web.Response:
        return web.json_response(list(self.pets.values()))

    async def create(self, request: web.Request) -> web.Response:
        self.made += 1
        key = f"p-{self.made}"
        self.pets[key] = {**await request.json(), "id": key}
        return web.json_response(self.pets[key], status=201)

    async def read(self, request: web.Request) -> web.Response:
        wanted = request.match_info["id"]
        found = [pet for pet in self.pets.values() if pet["name"] == wanted]
        return web.json_response(found[0] if found else {}, status=200 if found else 404)

    async def replace(self, request: web.Request) -> web.Response:
        key = request.match_info["id"]
        if key not in self.pets:
            return web.json_response({}, status=404)
        self.pets[key] = {**await request.json(), "id": key}
        return web.json_response(self.pets[key])

    async def delete(self, request: web.Request) -> web.Response:
        return web.Response(status=204 if self.pets.pop(request.match_info["id"], None) else 404)


def test_what_is_changed_though_a_get_does_not_show_it(tmp_path: Path) -> None:
    path = tmp_path / "openapi.json"
    described = document(crud("/pets", "id", ref("Pet")), {"Pet": PET})
    path.write_text(json.dumps(described), encoding="utf-8")
    with serving(*Pets().routes()) as url:
        events = ran(str(path), Reach(url), RunSettings(seed=1, wrong=0))
    found = [one.finding for one in events if isinstance(one, FindingFound)]
    assert {one.complaint.check for one in found} >= {"ensures"}
    assert [one.title for one in found if one.complaint.check == "accepted"] == []
