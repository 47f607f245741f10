"""A run that locks itself out says which calls come into question."""

from __future__ import annotations

import json
from pathlib import Path

from aiohttp import web

from icepick.execute.events import Noted
from icepick.execute.transport.auth import AuthOptions
from icepick.execute.transport.login import Login
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import TEXT, document, obj, op


def test_the_last_changes_before_credentials_are_refused(tmp_path: Path) -> None:
    names = ["joe"]

    async def sign_in(request: web.Request) -> web.Response:
        body = await request.json()
        known = body.get("name") == names[0]
        return web.json_response({"token": names[0]}, status=200 if known else 401)

    def signed(request: web.Request) -> bool:
        return request.headers.get("Authorization") == f"Bearer {names[0]}"

    async def rename(request: web.Request) -> web.Response:
        if not signed(request):
            return web.json_response({}, status=401)
        names[0] = (await request.json())["nick"]
        return web.json_response({})

    async def read(request: web.Request) -> web.Response:
        return web.json_response({}, status=200 if signed(request) else 401)

    nick = obj("nick", nick=TEXT)
    operations = {"PUT /shown-name": op(nick, obj()), "GET /news": op(gives=obj())}
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(document(operations, {})), encoding="utf-8")
    routes = (
        web.post("/in", sign_in), web.put("/shown-name", rename), web.get("/news", read)
    )  # fmt: skip
    with serving(*routes) as url:
        auth = AuthOptions(login=Login(f"{url}/in", {"name": "joe"}))
        events = ran(str(path), Reach(url, auth), RunSettings(seed=1, wrong=0))
    (note,) = [one for one in events if isinstance(one, Noted) and one.kind == "sign-in"]
    assert "answers 401" in note.text
    assert note.text.endswith("the last changes before it: PUT /shown-name")
