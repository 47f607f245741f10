"""Notes with entity tags: nothing is changed for whoever does not know what is there."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

Json = Any


@dataclass
class Notes:
    """The service; `bare` is the status for a change without a tag, None where that is fine."""

    bare: int | None = 428
    overwrites: bool = False
    patches: str | None = None
    """The one content type of PATCH, None where JSON will do."""
    held: dict[str, Json] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    seen: list[tuple[str, int, str | None]] = field(default_factory=list)
    """Changes: the method, the answer, the tag that came with it."""

    def routes(self) -> tuple[web.RouteDef, ...]:
        return (
            web.get("/notes", self.listed), web.post("/notes", self.create),
            web.get("/notes/{id}", self.read), web.put("/notes/{id}", self.change),
            web.patch("/notes/{id}", self.change), web.delete("/notes/{id}", self.remove),
        )  # fmt: skip

    async def listed(self, _: web.Request) -> web.Response:
        return web.json_response(list(self.held.values()))

    async def create(self, request: web.Request) -> web.Response:
        body = await request.json()
        key = f"n{next(self.numbers)}"
        self.held[key] = {"id": key, "text": str(body.get("text", ""))}
        return self._shown(key, 201)

    async def read(self, request: web.Request) -> web.Response:
        return self._shown(request.match_info["id"], 200)

    async def change(self, request: web.Request) -> web.Response:
        key = request.match_info["id"]
        refusal = self._refusal(request, key)
        if refusal is not None:
            return refusal
        if request.method == "PATCH" and self.patches not in {None, request.content_type}:
            kinds = {"Accept-Patch": f"text/x-diff, {self.patches}"}
            return web.json_response({"message": "no"}, status=415, headers=kinds)
        body = await request.json()
        if isinstance(body, list):
            body = {one["path"].removeprefix("/"): one["value"] for one in body}
        if "text" in body:
            self.held[key] = {"id": key, "text": str(body["text"])}
            self.versions[key] = next(self.numbers)
        self._note(request, 200)
        return self._shown(key, 200)

    async def remove(self, request: web.Request) -> web.Response:
        key = request.match_info["id"]
        refusal = self._refusal(request, key)
        if refusal is not None:
            return refusal
        del self.held[key]
        self._note(request, 204)
        return web.Response(status=204)

    def _refusal(self, request: web.Request, key: str) -> web.Response | None:
        sent = request.headers.get("If-Match")
        status = None
        if key not in self.held:
            status = 404
        elif sent is None and self.bare is not None:
            status = self.bare
        elif sent is not None and sent != self._tag(key) and not self.overwrites:
            status = 412
        if status is None:
            return None
        self._note(request, status)
        return web.json_response({"message": "no"}, status=status)

    def _note(self, request: web.Request, status: int) -> None:
        self.seen.append((request.method, status, request.headers.get("If-Match")))

    def _tag(self, key: str) -> str:
        return f'"{key}-{self.versions.get(key, 0)}"'

    def _shown(self, key: str, status: int) -> web.Response:
        if key not in self.held:
            return web.json_response({}, status=404)
        return web.json_response(self.held[key], status=status, headers={"ETag": self._tag(key)})


def notes_document(folder: Path, *, declared: bool = False) -> str:
    """Its document; `declared` where that says that changes take a tag."""
    note = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
    note["properties"] = {"id": {"type": "string", "readOnly": True}, "text": {"type": "string"}}
    body = {"required": True, "content": {"application/json": {"schema": note}}}
    tag = {"name": "If-Match", "in": "header", "required": True, "schema": {"type": "string"}}
    more = {"parameters": [tag]} if declared else {}
    hole = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    item = {
        "parameters": [hole],
        "get": {"responses": _answers(note)},
        "put": {"requestBody": body, "responses": _answers(note), **more},
        "patch": {"requestBody": body, "responses": _answers(note), **more},
        "delete": {"responses": {**_answers(None, 204)}, **more},
    }
    several = {
        "get": {"responses": _answers({"type": "array", "items": note})},
        "post": {"requestBody": body, "responses": _answers(note, 201)},
    }
    made = folder / "notes.json"
    info = {"title": "Notes", "version": "1"}
    paths = {"/notes": several, "/notes/{id}": item}
    made.write_text(json.dumps({"openapi": "3.0.3", "info": info, "paths": paths}))
    return str(made)


def _answers(shown: Json, status: int = 200) -> Json:
    content = {"content": {"application/json": {"schema": shown}}} if shown else {}
    return {str(status): {"description": "", **content}, "default": {"description": "no"}}
