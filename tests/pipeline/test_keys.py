"""A change of several that lists their keys, live."""

from __future__ import annotations

import json
from pathlib import Path

from aiohttp import web

from icepick.pipeline.reach import Reach
from tests.pipeline.running import covered
from tests.pipeline.serving import serving
from tests.resources.documents import NUMBER, TEXT, crud, document, many, obj, op, ref

PET = obj("name", id={**NUMBER, "readOnly": True}, name=TEXT)


def test_chains_name_one_of_their_own_and_nothing_else(tmp_path: Path) -> None:
    pets: dict[int, dict[str, object]] = {}

    async def create(request: web.Request) -> web.Response:
        number = len(pets) + 1
        pets[number] = {**await request.json(), "id": number}
        return web.json_response(pets[number], status=201)

    async def change(request: web.Request) -> web.Response:
        body = await request.json()
        if set(body) - {"keys", "data"} or not body.get("keys"):
            return web.json_response({"message": "keys and data, please"}, status=400)
        return web.json_response([{**pets[int(key)], **body["data"]} for key in body["keys"]])

    keyed = op(obj("keys", "data", keys=many(NUMBER), data=ref("Pet")), many(ref("Pet")))
    wanted = {
        label: one
        for label, one in crud("/pets", "id", ref("Pet")).items()
        if label.startswith("POST") or label == "DELETE /pets/{id}"
    }
    path = tmp_path / "openapi.json"
    described = document({**wanted, "PATCH /pets": keyed}, {"Pet": PET})
    path.write_text(json.dumps(described), encoding="utf-8")

    async def delete(request: web.Request) -> web.Response:
        return web.Response(status=204 if pets.pop(int(request.match_info["id"]), 0) else 404)

    routes = (
        web.post("/pets", create), web.patch("/pets", change), web.delete("/pets/{id}", delete),
    )  # fmt: skip
    with serving(*routes) as url:
        chains = covered(str(path), Reach(url))
    assert chains.without_success() == []
