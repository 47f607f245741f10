"""A service that takes little of what its document allows: machines of known makes alone, under
numbers of its own; files that need a body and the right words in it; one snapshot of each file."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from aiohttp import web

Json = Any
_WORDS = "Must specify format of content as 'text' or 'base64'"


class Workshop:
    """Machines, files, and the snapshots of files."""

    def __init__(self) -> None:
        self.machines: dict[str, Json] = {}
        self.files: dict[str, Json] = {}
        self.snapshots: dict[str, int] = {}
        self.numbers = itertools.count(1)

    def routes(self) -> tuple[web.RouteDef, ...]:
        machine, file, shot = "/machines/{id}", "/files/{path}", "/files/{path}/snapshots"
        return (
            web.get("/makes", self.makes),
            web.get("/machines", self.all_machines), web.post("/machines", self.build),
            web.get(machine, self.machine), web.delete(machine, self.scrap),
            web.get(file, self.file), web.put(file, self.write), web.delete(file, self.erase),
            web.get(shot, self.all_shots), web.post(shot, self.shoot),
            web.delete(f"{shot}/{{shot}}", self.unshoot),
        )  # fmt: skip

    async def makes(self, _: web.Request) -> web.Response:
        return web.json_response({"usual": "turbo", "makes": {"turbo": {"name": "turbo"}}})

    async def all_machines(self, _: web.Request) -> web.Response:
        return web.json_response(list(self.machines.values()))

    async def build(self, request: web.Request) -> web.Response:
        body = await request.json()
        if body.get("name") != "turbo":
            return web.json_response({"message": "Unhandled error"}, status=500)
        key = f"m{next(self.numbers)}"
        self.machines[key] = {"id": key, "name": "turbo"}
        return web.json_response(self.machines[key], status=201)

    async def machine(self, request: web.Request) -> web.Response:
        return _shown(self.machines.get(request.match_info["id"]))

    async def scrap(self, request: web.Request) -> web.Response:
        return _gone(self.machines.pop(request.match_info["id"], None))

    async def file(self, request: web.Request) -> web.Response:
        return _shown(self.files.get(request.match_info["path"]))

    async def write(self, request: web.Request) -> web.Response:
        key, text = request.match_info["path"], await request.text()
        if not text:
            return web.json_response({"message": f"No such folder: {key}"}, status=404)
        body = json.loads(text)
        if body.get("format") not in {"text", "base64"}:
            return web.json_response({"message": _WORDS}, status=400)
        new = key not in self.files
        self.files[key] = {"path": key, **{k: v for k, v in body.items() if k != "path"}}
        return web.json_response(self.files[key], status=201 if new else 200)

    async def erase(self, request: web.Request) -> web.Response:
        self.snapshots.pop(request.match_info["path"], None)
        return _gone(self.files.pop(request.match_info["path"], None))

    async def all_shots(self, request: web.Request) -> web.Response:
        known = self.snapshots.get(request.match_info["path"])
        return web.json_response([{"id": "latest", "at": known}] if known else [])

    async def shoot(self, request: web.Request) -> web.Response:
        key = request.match_info["path"]
        if key not in self.files:
            return web.json_response({"message": "no such file"}, status=404)
        self.snapshots[key] = next(self.numbers)
        return web.json_response({"id": "latest", "at": self.snapshots[key]}, status=201)

    async def unshoot(self, request: web.Request) -> web.Response:
        return _gone(self.snapshots.pop(request.match_info["path"], None))


def _shown(found: Json) -> web.Response:
    return web.json_response(found or {}, status=200 if found else 404)


def _gone(found: Json) -> web.Response:
    return web.Response(status=204) if found else web.json_response({}, status=404)


def workshop_document(folder: Path) -> str:
    """Its document, which says nothing of all that."""
    text = {"type": "string"}
    machine = _object({"id": text, "name": text}, ["name"])
    file = _object({"path": text, "format": text, "content": text})
    shot = _object({"id": text, "at": {"type": "integer"}})
    machine_id, path, shot_id = map(_hole, ("id", "path", "snapshotId"))
    paths = {
        "/makes": {"get": _does({"type": "object"})},
        "/machines": {
            "get": _does({"type": "array", "items": machine}),
            "post": _does(machine, 201, sent=machine),
        },
        "/machines/{id}": {"parameters": [machine_id], "get": _does(machine), "delete": _does()},
        "/files/{path}": {
            "parameters": [path],
            "get": _does(file),
            "put": _does(file, sent=file),
            "delete": _does(),
        },
        "/files/{path}/snapshots": {
            "parameters": [path],
            "get": _does({"type": "array", "items": shot}),
            "post": _does(shot, 201),
        },
        "/files/{path}/snapshots/{snapshotId}": {
            "parameters": [path, shot_id],
            "delete": _does(),
        },
    }
    info = {"title": "Workshop", "version": "1"}
    made = folder / "workshop.json"
    made.write_text(json.dumps({"openapi": "3.0.3", "info": info, "paths": paths}))
    return str(made)


def _object(properties: Json, required: list[str] | None = None) -> Json:
    found = {"type": "object", "properties": properties}
    return {**found, "required": required} if required else found


def _hole(name: str) -> Json:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _does(shown: Json = None, status: int = 200, sent: Json = None) -> Json:
    content = {"content": {"application/json": {"schema": shown}}} if shown else {}
    answers = {str(status if shown else 204): {"description": "", **content}}
    answers["default"] = {"description": "anything else"}
    body = {"requestBody": {"content": {"application/json": {"schema": sent}}}} if sent else {}
    return {"responses": answers, **body}
