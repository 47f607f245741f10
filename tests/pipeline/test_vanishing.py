"""What an update takes away was not deleted: nothing is learned from it, and it is a fault."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

from aiohttp import web

from icepick.execute.events import DEVIATION, FindingFound, Noted
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import TEXT, crud, document, obj, read_only, ref

_ITEM = "/badges/{badgeId}"


class Badges:
    """Badges that are lost when they are changed."""

    def __init__(self) -> None:
        self.badges: dict[str, dict[str, Any]] = {}
        self.numbers = count(1)

    def routes(self) -> tuple[web.RouteDef, ...]:
        return (
            web.get("/badges", self.list),
            web.post("/badges", self.create),
            web.get(_ITEM, self.read),
            web.put(_ITEM, self.change),
            web.delete(_ITEM, self.delete),
        )

    async def list(self, _request: web.Request) -> web.Response:
        return web.json_response([*self.badges.values()])

    async def create(self, request: web.Request) -> web.Response:
        badge = {"id": f"b{next(self.numbers)}", "label": (await request.json())["label"]}
        self.badges[badge["id"]] = badge
        return web.json_response(badge, status=201)

    async def read(self, request: web.Request) -> web.Response:
        return web.json_response(self._found(request))

    async def change(self, request: web.Request) -> web.Response:
        badge = self._found(request)
        del self.badges[badge["id"]]
        return web.json_response({**badge, "label": (await request.json())["label"]})

    async def delete(self, request: web.Request) -> web.Response:
        del self.badges[self._found(request)["id"]]
        return web.Response(status=204)

    def _found(self, request: web.Request) -> dict[str, Any]:
        name = request.match_info["badgeId"]
        if name not in self.badges:
            raise web.HTTPNotFound(text="{}", content_type="application/json")
        return self.badges[name]


def test_an_update_that_takes_something_away_tells_nothing_of_deletions(tmp_path: Path) -> None:
    operations = crud("/badges", "badgeId", ref("Badge"), obj("label", label=TEXT))
    for one in operations.values():
        one["responses"]["404"] = {"description": "no"}
    kind = obj("id", "label", id=read_only(TEXT), label=TEXT)
    file = tmp_path / "badges.json"
    file.write_text(json.dumps(document(operations, {"Badge": kind})))
    with serving(*Badges().routes()) as url:
        events = ran(str(file), Reach(url), RunSettings(seed=1, settle=0.1, wrong=0))
    assert not [one for one in events if isinstance(one, Noted) and one.kind == DEVIATION]
    found = [one.finding.title for one in events if isinstance(one, FindingFound)]
    assert found
    assert all("put" in title.lower() for title in found), found
