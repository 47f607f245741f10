"""Deletions that fall over what was created with little are looked at once more with more."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.calibration.fuller import left_out
from icepick.execute.calibration.manners import Departure, Manners
from icepick.execute.events import Event, FindingFound, LifeCycle, ResourceSeen
from icepick.openapi import read_spec
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from icepick.resources.find import find_resources
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import NUMBER, TEXT, crud, document, obj, read_only, ref

ANYTHING = {**TEXT, "nullable": True}
MINE = "somebody's own"


class Store:
    """Files; one that was created without a `path` cannot be deleted, nor one with a `secret`.

    A file may not be created with a size.
    """

    def __init__(self) -> None:
        self.held: dict[str, dict[str, Any]] = {}
        self.sent: list[dict[str, Any]] = []
        self.numbers = count(1)

    def routes(self) -> list[web.RouteDef]:
        item = "/files/{id}"
        return [
            web.post("/files", self.create), web.get("/files", self.listed),
            web.get(item, self.read), web.delete(item, self.delete),
        ]  # fmt: skip

    async def create(self, request: web.Request) -> web.Response:
        sent = await request.json()
        if "size" in sent:
            return web.json_response({"message": '"size" is not allowed'}, status=400)
        self.sent.append(sent)
        nothing = dict.fromkeys(("title", "path", "secret", "note", "size"))
        made = {**nothing, **sent, "id": f"f{next(self.numbers)}"}
        self.held[made["id"]] = made
        return web.json_response(made, status=201)

    async def listed(self, _request: web.Request) -> web.Response:
        return web.json_response([*self.held.values()])

    async def read(self, request: web.Request) -> web.Response:
        found = self.held.get(request.match_info["id"])
        return web.json_response(found or {}, status=200 if found else 404)

    async def delete(self, request: web.Request) -> web.Response:
        found = self.held.get(request.match_info["id"])
        if found is not None and (found["path"] is None or found["secret"] is not None):
            return web.json_response({"message": "the path must be a text"}, status=500)
        self.held.pop(request.match_info["id"], None)
        return web.Response(status=204 if found else 404)


def written(folder: Path, **more: dict[str, Any]) -> str:
    fields = {"title": TEXT, "secret": ANYTHING, "note": read_only(TEXT), "size": NUMBER, **more}
    shown = obj("id", id=read_only(TEXT), **fields)
    operations = crud("/files", "id", ref("File"), obj("title", title=TEXT))
    del operations["PUT /files/{id}"]
    for one in operations.values():
        one["responses"]["default"] = {"description": "no"}
    file = folder / "files.json"
    file.write_text(json.dumps(document(operations, {"File": shown})))
    return str(file)


def looked_at(folder: Path, **more: dict[str, Any]) -> tuple[Store, list[Event]]:
    store = Store()
    nothing: dict[str, Any] = {"secret": None, "note": None, "size": 0}
    store.held["f0"] = {"id": "f0", "title": "t0", "path": MINE, **nothing}
    settings = RunSettings(seed=1, wrong=0, settle=0.1)
    with serving(*store.routes()) as url:
        return store, ran(written(folder, **more), Reach(url), settings)


def manners(events: list[Event]) -> list[Manners]:
    return [one.manners for one in events if isinstance(one, ResourceSeen)]


def test_one_with_what_its_schema_wants_is_deleted(tmp_path: Path) -> None:
    store, events = looked_at(tmp_path, path={**TEXT, "example": MINE})
    assert [(one.deleted, one.departure) for one in manners(events)] == [(204, Departure.AT_ONCE)]
    lives = {one.resource: one.missing for one in events if isinstance(one, LifeCycle)}
    assert lives == {"File": {}}
    # Nothing but what is asked for is sent otherwise, so that the fault is found all the same.
    fuller = [one for one in store.sent if len(one) > 1]
    assert [sorted(one) for one in fuller] == [["path", "title"]]
    assert fuller[0]["path"] != MINE
    found = [one.finding.title for one in events if isinstance(one, FindingFound)]
    assert "DELETE /files/{id} answered 500" in found


@pytest.mark.parametrize(
    ("field", "lacks"),
    [(TEXT, True), (ANYTHING, False), (read_only(TEXT), False), ({}, False)],
    ids=["wanted", "may be null", "the service's own", "nothing is known"],
)
def test_what_may_be_left_out_is(tmp_path: Path, field: dict[str, Any], *, lacks: bool) -> None:
    spec = read_spec(written(tmp_path, path=field))
    resource = find_resources(spec).resources["File"]
    nothing: dict[str, Any] = {"id": None, "title": None, "size": 3, "path": None}
    found = left_out(resource, nothing, [], spec.schemas)
    assert found == ({"path", "title"} if lacks else {"title"})
    assert left_out(resource, {**nothing, "path": "p", "title": "t"}, [], spec.schemas) == set()
    assert left_out(resource, None, [], spec.schemas) == set()


def test_what_a_creation_declares_may_be_missing(tmp_path: Path) -> None:
    spec = read_spec(written(tmp_path, title=ANYTHING))
    resource = find_resources(spec).resources["File"]
    shown: dict[str, Any] = {"size": 3, "title": None}
    creation = [one for one in spec.operations if one.method == "POST"]
    assert left_out(resource, shown, [], spec.schemas) == set()
    assert left_out(resource, shown, creation, spec.schemas) == {"title"}
