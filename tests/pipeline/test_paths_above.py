"""What the path above an instance names has to be there, wherever it lies."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

from aiohttp import web

from icepick.execute.engine import RunOptions
from icepick.execute.events import CallJudged, Exchanged, FindingFound, LifeCycle
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import TEXT, crud, document, obj, read_only, ref

HURRIED = RunSettings(seed=1, wrong=0, settle=0.1, engine=RunOptions(max_time=20.0))


class Boxes:
    """Boxes, one of somebody else, and labels that lie at `/labels/{box}`; those of a box go
    with it."""

    def __init__(self) -> None:
        self.boxes: dict[str, Any] = {"theirs": {"id": "theirs"}}
        self.labels: dict[tuple[str, str], Any] = {}
        self.numbers = count(1)

    def routes(self) -> list[web.RouteDef]:
        box, label = "/boxes/{box}", "/labels/{box}/{label}"
        return [
            web.get("/boxes", self.list_boxes),
            web.post("/boxes", self.create_box),
            web.get(box, self.box),
            web.delete(box, self.box),
            web.get("/labels/{box}", self.list_labels),
            web.post("/labels/{box}", self.create_label),
            web.get(label, self.label),
            web.delete(label, self.label),
        ]

    async def list_boxes(self, _request: web.Request) -> web.Response:
        return web.json_response([*self.boxes.values()])

    async def create_box(self, _request: web.Request) -> web.Response:
        made = {"id": f"b{next(self.numbers)}"}
        self.boxes[made["id"]] = made
        return web.json_response(made, status=201)

    async def box(self, request: web.Request) -> web.Response:
        name = request.match_info["box"]
        if name not in self.boxes or request.method == "GET":
            return web.json_response(
                self.boxes.get(name, {}), status=200 if name in self.boxes else 404
            )
        del self.boxes[name]
        self.labels = {key: one for key, one in self.labels.items() if key[0] != name}
        return web.Response(status=204)

    async def list_labels(self, request: web.Request) -> web.Response:
        name = request.match_info["box"]
        shown = [one for key, one in self.labels.items() if key[0] == name]
        return web.json_response(shown, status=200 if name in self.boxes else 404)

    async def create_label(self, request: web.Request) -> web.Response:
        name = request.match_info["box"]
        if name not in self.boxes:
            return web.json_response({}, status=404)
        made = {"id": f"l{next(self.numbers)}", "text": (await request.json())["text"]}
        self.labels[name, made["id"]] = made
        return web.json_response(made, status=201)

    async def label(self, request: web.Request) -> web.Response:
        key = request.match_info["box"], request.match_info["label"]
        if key not in self.labels or request.method == "GET":
            found = self.labels.get(key)
            return web.json_response(found or {}, status=200 if found else 404)
        del self.labels[key]
        return web.Response(status=204)


def boxes_document(folder: Path) -> str:
    operations = {
        **crud("/boxes", "boxId", ref("Box"), obj()),
        **crud("/labels/{box}", "labelId", ref("Label"), obj("text", text=TEXT)),
    }
    del operations["PUT /boxes/{boxId}"], operations["PUT /labels/{box}/{labelId}"]
    for one in operations.values():
        one["responses"]["404"] = {"description": "none"}
    own = {"Box": obj("id", id=read_only(TEXT)), "Label": obj("id", id=read_only(TEXT), text=TEXT)}
    file = folder / "boxes.json"
    file.write_text(json.dumps(document(operations, own)))
    return str(file)


def test_it_is_created_first_and_never_somebody_elses(tmp_path: Path) -> None:
    with serving(*Boxes().routes()) as url:
        events = ran(boxes_document(tmp_path), Reach(url), HURRIED)
    calls = [one.judged for one in events if isinstance(one, CallJudged)]
    created = [one for one in calls if one.operation == "post_labels_box"]
    good = [one.exchange for one in created if one.kind == "transition"]
    assert {one.status for one in good if one is not None} == {201}
    sent = [one.exchange.request for one in events if isinstance(one, Exchanged)]
    assert not [one.url for one in sent if one.method != "GET" and "theirs" in one.url]
    whole = {one.resource: one.is_whole for one in events if isinstance(one, LifeCycle)}
    assert whole == {"Box": True, "Label": True}
    assert [one.finding.title for one in events if isinstance(one, FindingFound)] == []
