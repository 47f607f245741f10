"""A run does not guess at the password of somebody until they are locked out."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from aiohttp import web

from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.resources.documents import TEXT, document, many, obj, op

_ADMIN = "root@example.com"


def test_nobody_who_is_there_is_guessed_at_often(tmp_path: Path) -> None:
    guesses: Counter[str] = Counter()

    async def sign_in(request: web.Request) -> web.Response:
        try:
            body = await request.json()
            guesses[str(body["email"])] += 1
        except (ValueError, KeyError, TypeError):
            return web.json_response({"error": "a body with an email is wanted"}, status=400)
        return web.json_response({"error": "email or password is wrong"}, status=401)

    async def people(request: web.Request) -> web.Response:
        return web.json_response([{"email": _ADMIN}])

    email = {"type": "string", "format": "email", "example": _ADMIN}
    body = obj("email", "password", email=email, password=TEXT, mode=TEXT)
    operations = {
        "POST /login": op(body, obj(token=TEXT)),
        "GET /people": op(gives=many(obj(email=TEXT))),
    }
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(document(operations, {})), encoding="utf-8")
    with serving(web.post("/login", sign_in), web.get("/people", people)) as url:
        ran(str(path), Reach(url), RunSettings(seed=1, wrong=400))
    assert 0 < guesses[_ADMIN] <= 3
    assert len(guesses) > 10
