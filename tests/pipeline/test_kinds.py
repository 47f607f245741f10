"""A creation that refers to a thing of some kind, which another input tells."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.engine import RunOptions
from icepick.execute.events import Event, Exchanged, LifeCycle
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import NUMBER, TEXT, crud, document, many, obj, op, read_only

LISTED = {"type": "string", "enum": ["reader", "book"]}


class Library:
    """Readers, books, and remarks on books alone; all that is said of others is that they are not
    right. What kinds there are can be asked for."""

    def __init__(self) -> None:
        self.held: dict[str, dict[str, dict[str, Any]]] = {
            name: {} for name in ("readers", "books", "remarks")
        }
        self.numbers = count(1)

    def routes(self) -> list[web.RouteDef]:
        found = [web.get("/kinds", self.kinds)]
        for name in self.held:
            found += self._items(name)
        return found

    async def kinds(self, _request: web.Request) -> web.Response:
        return web.json_response([{"collection": f"{one}s"} for one in ("reader", "book", "disc")])

    def _items(self, name: str) -> list[web.RouteDef]:
        held = self.held[name]

        async def create(request: web.Request) -> web.Response:
            sent = await request.json() if request.can_read_body else {}
            if name == "remarks" and not self._is_right(sent):
                return web.json_response({"message": "that does not go"}, status=422)
            made = {**sent, "id": next(self.numbers)}
            held[str(made["id"])] = made
            return web.json_response(made, status=201)

        async def read(request: web.Request) -> web.Response:
            found = held.get(request.match_info["id"])
            return web.json_response(found or {}, status=200 if found else 404)

        async def listed(_request: web.Request) -> web.Response:
            return web.json_response([*held.values()])

        async def delete(request: web.Request) -> web.Response:
            found = held.pop(request.match_info["id"], None)
            return web.Response(status=204 if found else 404)

        item = f"/{name}/{{id}}"
        return [
            web.post(f"/{name}", create), web.get(f"/{name}", listed), web.get(item, read),
            web.delete(item, delete),
        ]  # fmt: skip

    def _is_right(self, sent: dict[str, Any]) -> bool:
        kind = sent.get("about_type") or str(sent.get("collection")).removesuffix("s")
        which = sent.get("about_id") or sent.get("item")
        return kind == "book" and isinstance(which, str) and which in self.held["books"]


def written(folder: Path, remark: dict[str, Any]) -> str:
    named = {"title": TEXT, "id": read_only(NUMBER)}
    operations = {
        **crud("/readers", "id", obj("title", **named)),
        **crud("/books", "id", obj("title", **named)),
        **crud("/remarks", "id", remark),
        "GET /kinds": op(gives=many(obj("collection", collection=TEXT))),
    }
    for name in ("readers", "books", "remarks"):
        del operations[f"PUT /{name}/{{id}}"]
    file = folder / "library.json"
    file.write_text(json.dumps(document(operations, {})))
    return str(file)


def remarked(folder: Path, remark: dict[str, Any]) -> tuple[Library, list[Event]]:
    library = Library()
    settings = RunSettings(
        seed=1, wrong=0, settle=0.1, engine=RunOptions(max_requests=400, max_time=60.0)
    )
    with serving(*library.routes()) as url:
        events = ran(written(folder, remark), Reach(url), settings)
    return library, events


def remarks(events: list[Event]) -> list[dict[str, Any]]:
    sent = [one.exchange for one in events if isinstance(one, Exchanged)]
    about = [
        one for one in sent if one.request.method == "POST" and one.request.url.endswith("/remarks")
    ]
    return [json.loads(one.request.body or b"{}") for one in about if one.status == 201]


@pytest.mark.parametrize(
    "remark",
    [
        obj("about_type", "about_id", id=read_only(NUMBER), about_type=LISTED, about_id=TEXT),
        obj("collection", "item", id=read_only(NUMBER), collection=TEXT, item=TEXT),
        obj(id=read_only(NUMBER), collection=TEXT, item=TEXT),
    ],
    ids=["kinds that are listed", "kinds that are shown", "neither is required"],
)
def test_both_are_given_and_one_kind_after_another(tmp_path: Path, remark: dict[str, Any]) -> None:
    library, events = remarked(tmp_path, remark)
    taken = remarks(events)
    assert {one.get("about_type", one.get("collection")) for one in taken} <= {"book", "books"}
    lives = {one.resource: one.missing for one in events if isinstance(one, LifeCycle)}
    assert lives == {"Reader": {}, "Book": {}, "Remark": {}}
    assert not any(library.held.values())
