"""A service that takes changes as JSON patches alone is given real ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.engine import RunOptions
from icepick.execute.events import CallJudged, Exchanged, FindingFound
from icepick.execute.types import Verdict
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import NUMBER, TEXT, crud, document, many, obj, op, read_only, ref

KIND = "application/json-patch+json"
STEPS = {"op": {"enum": ["replace", "test"]}, "path": TEXT, "value": {}}


class Boats:
    """Boats whose fields are replaced step by step; `deaf` to a new length."""

    def __init__(self, *, deaf: bool = False) -> None:
        self.boats: dict[str, dict[str, Any]] = {}
        self.deaf = deaf
        self.made = 0

    def routes(self) -> tuple[web.RouteDef, ...]:
        item = "/boats/{boatId}"
        return (
            web.get("/boats", self.list),
            web.post("/boats", self.create),
            web.get(item, self.read),
            web.patch(item, self.change),
            web.delete(item, self.delete),
        )

    async def list(self, _request: web.Request) -> web.Response:
        return web.json_response([*self.boats.values()])

    async def create(self, request: web.Request) -> web.Response:
        self.made += 1
        try:
            made = {"length": 1, **_fitting(await request.json()), "id": f"b{self.made}"}
        except (ValueError, TypeError, RecursionError):
            raise web.HTTPBadRequest(text="{}", content_type="application/json") from None
        self.boats[made["id"]] = made
        return web.json_response(made, status=201)

    async def read(self, request: web.Request) -> web.Response:
        return web.json_response(self._boat(request))

    async def change(self, request: web.Request) -> web.Response:
        boat = self._boat(request)
        if request.content_type != KIND:
            raise web.HTTPUnsupportedMediaType(text="{}", content_type="application/json")
        try:
            new = _changes(await request.json(), boat)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise web.HTTPBadRequest(text="{}", content_type="application/json") from None
        if self.deaf:
            new.pop("length", None)
        boat.update(new)
        return web.json_response(boat)

    async def delete(self, request: web.Request) -> web.Response:
        del self.boats[self._boat(request)["id"]]
        return web.Response(status=204)

    def _boat(self, request: web.Request) -> dict[str, Any]:
        found = self.boats.get(request.match_info["boatId"])
        if found is None:
            raise web.HTTPNotFound(text="{}", content_type="application/json")
        return found


def _changes(steps: Any, boat: dict[str, Any]) -> dict[str, Any]:
    new = {one["path"].removeprefix("/"): one["value"] for one in steps}
    known = all(one["op"] == "replace" for one in steps) and new.keys() <= boat.keys()
    if not isinstance(steps, list) or not known:
        raise ValueError
    _fitting({**boat, **new})
    return new


def _fitting(boat: Any) -> dict[str, Any]:
    length = boat.get("length", 1) if isinstance(boat, dict) else None
    if type(length) is not int or not isinstance(boat.get("name"), str):
        raise TypeError
    return {"name": boat["name"], "length": length}


def boats_document(folder: Path) -> str:
    boat = obj("id", "name", "length", id=read_only(TEXT), name=TEXT, length=NUMBER)
    sent = obj("name", name=TEXT, length=NUMBER)
    operations = crud("/boats", "boatId", ref("Boat"), sent)
    del operations["PUT /boats/{boatId}"]
    change = op(many(obj("op", "path", **STEPS)), ref("Boat"))
    change["requestBody"] = {"content": {KIND: change["requestBody"]["content"].popitem()[1]}}
    change["requestBody"]["required"] = True
    operations["PATCH /boats/{boatId}"] = change
    for one in operations.values():
        one["responses"] |= {code: {"description": "no"} for code in ("400", "404", "415")}
    file = folder / "boats.json"
    file.write_text(json.dumps(document(operations, {"Boat": boat})))
    return str(file)


@pytest.mark.parametrize("deaf", [False, True])
def test_patches_are_made_of_the_fields_of_the_resource(tmp_path: Path, *, deaf: bool) -> None:
    settings = RunSettings(seed=1, wrong=60, settle=0.1, engine=RunOptions(max_calls=400))
    with serving(*Boats(deaf=deaf).routes()) as url:
        events = ran(boats_document(tmp_path), Reach(url), settings)
    calls = [one.judged for one in events if isinstance(one, CallJudged)]
    changes = [one for one in calls if one.operation == "patch_boats_boatId" and one.exchange]
    good = [one.exchange for one in changes if one.exchange and one.exchange.status == 200]
    first = json.loads(good[0].request.body or b"")
    assert {one["op"] for one in first} == {"replace"}
    assert {one["path"] for one in first} <= {"/name", "/length"}
    found = [one.finding.title for one in events if isinstance(one, FindingFound)]
    if deaf:
        assert any("length" in title for title in found)
    else:
        assert found == []
        assert Verdict.NOT_TESTED not in {one.verdict for one in changes}


def test_a_list_of_no_changes_is_no_wrong_input(tmp_path: Path) -> None:
    settings = RunSettings(seed=1, wrong=200, settle=0.1, engine=RunOptions(max_calls=600))
    with serving(*Boats().routes()) as url:
        events = ran(boats_document(tmp_path), Reach(url), settings)
    sent = [one.exchange for one in events if isinstance(one, Exchanged)]
    patches = [one for one in sent if one.request.method == "PATCH"]
    assert 200 in [one.status for one in patches if one.request.body == b"[]"]
    assert [one for one in events if isinstance(one, FindingFound)] == []
