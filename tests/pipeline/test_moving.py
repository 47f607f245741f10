"""A field that moves by itself is no disagreement between a list and its items."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.events import FindingFound, NotConfirmed
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import TEXT, crud, document, obj, read_only, ref


class Shells:
    """Shells that are busy: `activity` goes on with every third answer. Lists that are `stale` have
    the label that a shell was made with, those that are `shy` have labels now and then."""

    def __init__(self, way: str) -> None:
        self.shells: dict[str, dict[str, Any]] = {}
        self.first: dict[str, str] = {}
        self.way = way
        self.lists = count(1)
        self.numbers = count(1)
        self.ticks = count(1)

    def routes(self) -> tuple[web.RouteDef, ...]:
        item = "/shells/{shellId}"
        return (
            web.get("/shells", self.list),
            web.post("/shells", self.create),
            web.get(item, self.read),
            web.put(item, self.change),
            web.delete(item, self.delete),
        )

    async def list(self, _request: web.Request) -> web.Response:
        shown = [self._shown(one) for one in self.shells.values()]
        turn = next(self.lists) % 3
        for one in shown:
            if self.way == "stale" or (self.way == "shy" and turn == 1):
                one["label"] = self.first[one["id"]]
            elif self.way == "shy" and turn == 2:
                del one["label"]
        return web.json_response(shown)

    async def create(self, request: web.Request) -> web.Response:
        made = {"id": f"s{next(self.numbers)}", "label": (await request.json())["label"]}
        self.shells[made["id"]], self.first[made["id"]] = made, made["label"]
        return web.json_response(self._shown(made), status=201)

    async def read(self, request: web.Request) -> web.Response:
        return web.json_response(self._shown(self._shell(request)))

    async def change(self, request: web.Request) -> web.Response:
        self._shell(request)["label"] = (await request.json())["label"]
        return web.json_response(self._shown(self._shell(request)))

    async def delete(self, request: web.Request) -> web.Response:
        del self.shells[self._shell(request)["id"]]
        return web.Response(status=204)

    def _shown(self, shell: dict[str, Any]) -> dict[str, Any]:
        return {**shell, "activity": f"beat {next(self.ticks) // 3}"}

    def _shell(self, request: web.Request) -> dict[str, Any]:
        found = self.shells.get(request.match_info["shellId"])
        if found is None:
            raise web.HTTPNotFound(text="{}", content_type="application/json")
        return found


@pytest.mark.parametrize("way", ["moving", "stale", "shy"])
def test_only_what_differs_while_it_stays_is_a_disagreement(tmp_path: Path, way: str) -> None:
    shell = obj("id", "label", id=read_only(TEXT), label=TEXT, activity=read_only(TEXT))
    operations = crud("/shells", "shellId", ref("Shell"), obj("label", label=TEXT))
    for one in operations.values():
        one["responses"]["404"] = {"description": "none"}
    file = tmp_path / "shells.json"
    file.write_text(json.dumps(document(operations, {"Shell": shell})))
    with serving(*Shells(way).routes()) as url:
        events = ran(str(file), Reach(url), RunSettings(seed=1, wrong=0, settle=0.1))
    seen = [one.finding.complaint for one in events if isinstance(one, FindingFound)]
    doubts = [one.unconfirmed.complaint for one in events if isinstance(one, NotConfirmed)]
    views = [one for one in (*seen, *doubts) if one.check == "view"]
    assert {one.about for one in views} == ({"get_shells label"} if way == "stale" else set())
