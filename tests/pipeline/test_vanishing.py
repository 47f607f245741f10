"""What an update takes away was not deleted: nothing is learned from it, and it is a fault."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.events import DEVIATION, Event, FindingFound, LeftBehind, Noted
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


class Stubborn(Badges):
    """Badges that change as they should. What is not there cannot be deleted, which is said to be
    a bad request; a new one's `colour` becomes its
    tint."""

    async def create(self, request: web.Request) -> web.Response:
        sent = await request.json()
        badge = {"id": f"b{next(self.numbers)}", "label": sent["label"], "colour": ""}
        badge["tint"] = sent.get("colour", "")
        self.badges[badge["id"]] = badge
        return web.json_response(badge, status=201)

    async def change(self, request: web.Request) -> web.Response:
        badge = self._found(request)
        badge |= {**await request.json(), "id": badge["id"]}
        return web.json_response(badge)

    async def delete(self, request: web.Request) -> web.Response:
        if request.match_info["badgeId"] not in self.badges:
            return web.json_response({"message": "there is no such badge"}, status=400)
        return await super().delete(request)


def _ran(folder: Path, service: Badges, **more: Any) -> list[Event]:
    sent = obj("label", label=TEXT, **more)
    operations = crud("/badges", "badgeId", ref("Badge"), sent)
    for one in operations.values():
        for status in ("400", "404"):
            one["responses"][status] = {"description": "no"}
    kind = obj("id", "label", id=read_only(TEXT), label=TEXT, **more)
    file = folder / "badges.json"
    file.write_text(json.dumps(document(operations, {"Badge": kind})))
    with serving(*service.routes()) as url:
        return ran(str(file), Reach(url), RunSettings(seed=1, settle=0.1, wrong=0))


def test_what_is_said_to_be_gone_in_other_words_is_not_left_behind(tmp_path: Path) -> None:
    service = Stubborn()
    events = _ran(tmp_path, service)
    assert service.badges == {}
    assert not [one for one in events if isinstance(one, LeftBehind)]


@pytest.mark.parametrize("deprecated", [True, False])
def test_what_is_on_its_way_out_may_be_kept_under_another_name(
    tmp_path: Path, deprecated: bool
) -> None:
    events = _ran(tmp_path, Stubborn(), colour={**TEXT, "deprecated": deprecated})
    found = [one.finding.title for one in events if isinstance(one, FindingFound)]
    assert any("colour of Badge" in title for title in found) is not deprecated
    assert not [title for title in found if "colour" not in title]


def test_an_update_that_takes_something_away_tells_nothing_of_deletions(tmp_path: Path) -> None:
    events = _ran(tmp_path, Badges())
    assert not [one for one in events if isinstance(one, Noted) and one.kind == DEVIATION]
    found = [one.finding.title for one in events if isinstance(one, FindingFound)]
    assert found
    assert all("put" in title.lower() for title in found), found
