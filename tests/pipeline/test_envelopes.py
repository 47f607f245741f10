"""A service that answers everything with 200 and says in the body whether it did it."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.events import DEVIATION, Event, FindingFound, LifeCycle, Noted
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import TEXT, document, obj, op, read_only, ref

_ITEM = "/pads/{padId}"
_FORMS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "code": ({"code": 0, "message": "ok"}, {"code": 1}),
    "success": ({"success": True}, {"success": False}),
    "status": ({"status": "success"}, {"status": "error"}),
}


class Pads:
    """Pads in envelopes; where it is `sticky`, what is deleted stays."""

    def __init__(self, form: str, *, sticky: bool = False) -> None:
        self.yes, self.no = _FORMS[form]
        self.sticky = sticky
        self.pads: dict[str, dict[str, Any]] = {}
        self.numbers = count(1)

    def routes(self) -> tuple[web.RouteDef, ...]:
        return (
            web.get("/pads", self.list),
            web.post("/pads", self.create),
            web.get(_ITEM, self.read),
            web.put(_ITEM, self.change),
            web.delete(_ITEM, self.delete),
        )

    async def list(self, _request: web.Request) -> web.Response:
        return self._done([*self.pads.values()])

    async def create(self, request: web.Request) -> web.Response:
        text = await _text(request)
        if text is None:
            return self._refused("text has to be a string")
        made = {"id": f"p{next(self.numbers)}", "text": text}
        self.pads[made["id"]] = made
        return self._done(made)

    async def read(self, request: web.Request) -> web.Response:
        return self._about(request)

    async def change(self, request: web.Request) -> web.Response:
        text = await _text(request)
        if text is None:
            return self._refused("text has to be a string")
        if request.match_info["padId"] in self.pads:
            self.pads[request.match_info["padId"]]["text"] = text
        return self._about(request)

    async def delete(self, request: web.Request) -> web.Response:
        answer = self._about(request)
        if not self.sticky:
            self.pads.pop(request.match_info["padId"], None)
        return answer

    def _about(self, request: web.Request) -> web.Response:
        found = self.pads.get(request.match_info["padId"])
        return self._refused("the pad does not exist") if found is None else self._done(found)

    def _done(self, data: Any) -> web.Response:
        return web.json_response({**self.yes, "data": data})

    def _refused(self, message: str) -> web.Response:
        return web.json_response({**self.no, "message": message, "data": None})


async def _text(request: web.Request) -> str | None:
    try:
        body = await request.json()
    except (ValueError, RecursionError):
        return None
    found = body.get("text") if isinstance(body, dict) else None
    return found if isinstance(found, str) else None


def _document(folder: Path) -> str:
    def envelope(data: dict[str, Any]) -> dict[str, Any]:
        return {"type": "object", "properties": {"data": data}}

    pad = {"allOf": [ref("Pad")], "nullable": True}
    pads = {"type": "array", "items": ref("Pad")}
    sent = obj("text", text=TEXT)
    operations = {
        "GET /pads": op(gives=envelope(pads)),
        "POST /pads": op(sent, envelope(pad)),
        f"GET {_ITEM}": op(gives=envelope(pad)),
        f"PUT {_ITEM}": op(sent, envelope(pad)),
        f"DELETE {_ITEM}": op(gives=envelope(pad)),
    }
    for one in operations.values():
        one["responses"]["404"] = {"description": "there is nothing below this path"}
    file = folder / "pads.json"
    schemas = {"Pad": obj("id", "text", id=read_only(TEXT), text=TEXT)}
    file.write_text(json.dumps(document(operations, schemas)))
    return str(file)


def _events(folder: Path, service: Pads) -> list[Event]:
    settings = RunSettings(seed=1, settle=0.1, wrong=60)
    with serving(*service.routes()) as url:
        return ran(_document(folder), Reach(url), settings)


@pytest.mark.parametrize("form", list(_FORMS))
def test_no_in_a_200_is_a_refusal(tmp_path: Path, form: str) -> None:
    events = _events(tmp_path, Pads(form))
    assert not [one.finding.title for one in events if isinstance(one, FindingFound)]
    assert [one.is_whole for one in events if isinstance(one, LifeCycle)] == [True]
    noted = [one.text for one in events if isinstance(one, Noted) and one.kind == DEVIATION]
    assert any("operations refuse in the body of a success" in text for text in noted)


def test_what_is_deleted_and_there_is_found_all_the_same(tmp_path: Path) -> None:
    events = _events(tmp_path, Pads("code", sticky=True))
    found = [one.finding for one in events if isinstance(one, FindingFound)]
    assert "delete_pads_padId" in {one.operation for one in found}
