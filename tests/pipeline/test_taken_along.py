"""What a deletion takes with it is no fault where the document says so."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.events import FindingFound
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import quick, ran
from tests.pipeline.serving import serving
from tests.resources.documents import TEXT, crud, document, obj, read_only, ref

Json = Any


class Lab:
    """Engines, and sessions that run on one: with a session its engine ends."""

    def __init__(self) -> None:
        self.held: dict[str, dict[str, Json]] = {"engines": {}, "sessions": {}}
        self.numbers = itertools.count(1)

    def routes(self) -> tuple[web.RouteDef, ...]:
        one, every = "/{kind:engines|sessions}/{id}", "/{kind:engines|sessions}"
        return (
            web.get(every, self.all), web.post(every, self.create),
            web.get(one, self.read), web.delete(one, self.delete),
        )  # fmt: skip

    def _of(self, request: web.Request) -> dict[str, Json]:
        return self.held[request.match_info["kind"]]

    async def all(self, request: web.Request) -> web.Response:
        return web.json_response(list(self._of(request).values()))

    async def create(self, request: web.Request) -> web.Response:
        body = {**await request.json(), "id": f"n{next(self.numbers)}"}
        if "engineId" in body and body["engineId"] not in self.held["engines"]:
            return web.json_response({"error": "no such engine"}, status=400)
        self._of(request)[body["id"]] = body
        return web.json_response(body, status=201)

    async def read(self, request: web.Request) -> web.Response:
        found = self._of(request).get(request.match_info["id"])
        return web.json_response(found or {"error": "none"}, status=200 if found else 404)

    async def delete(self, request: web.Request) -> web.Response:
        gone = self._of(request).pop(request.match_info["id"], None)
        if gone is not None:
            self.held["engines"].pop(gone.get("engineId"), None)
        return web.Response(status=204 if gone is not None else 404)


def _document(words: str) -> Json:
    engine = obj("name", id=read_only(TEXT), name=TEXT)
    session = obj("label", "engineId", id=read_only(TEXT), label=TEXT, engineId=TEXT)
    operations = {
        **crud("/engines", "engineId", ref("Engine")),
        **crud("/sessions", "sessionId", ref("Session")),
    }
    kept = {label: one for label, one in operations.items() if not label.startswith("PUT")}
    made = document(kept, {"Engine": engine, "Session": session})
    made["paths"]["/sessions/{sessionId}"]["delete"]["responses"]["204"]["description"] = words
    return made


@pytest.mark.parametrize(
    ("words", "is_found"),
    [("The session (and its engine) were deleted", False), ("The session was deleted", True)],
)
def test_a_deletion_may_take_along_what_it_says(words: str, is_found: bool, tmp_path: Path) -> None:
    described = tmp_path / "lab.json"
    described.write_text(json.dumps(_document(words)))
    with serving(*Lab().routes()) as url:
        events = ran(str(described), quick(url), RunSettings(seed=1, wrong=0))
    titles = [one.finding.title for one in events if isinstance(one, FindingFound)]
    assert any("nothing deleted it" in title for title in titles) is is_found
