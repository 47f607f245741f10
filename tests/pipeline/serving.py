"""Small services of tests' own: one whose document is wrong about it, and some that are no use."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.glacier.live import in_thread

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@contextmanager
def serving(*routes: web.RouteDef) -> Iterator[str]:
    """The address of a service with these routes, which runs in a thread of its own."""
    with in_thread(_running(routes)) as url:
        yield url


@asynccontextmanager
async def _running(routes: tuple[web.RouteDef, ...]) -> AsyncIterator[str]:
    app = web.Application()
    app.add_routes(routes)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


def everything(handler: Handler) -> web.RouteDef:
    """One answer to every call."""
    return web.route("*", "/{rest:.*}", handler)


class Notes:
    """Notes and the comments on them.

    The document says that a note is `{id, text}`, and that lists are arrays. It is wrong: whatever
    is answered stands in an envelope, and the identifier is called `uid`.
    """

    def __init__(self) -> None:
        self.notes: dict[str, dict[str, Any]] = {}
        self.comments: dict[str, dict[str, Any]] = {}
        self.made = 0

    def routes(self) -> tuple[web.RouteDef, ...]:
        return (
            web.get("/notes", self.list),
            web.post("/notes", self.create),
            web.get("/notes/{noteId}", self.read),
            web.put("/notes/{noteId}", self.replace),
            web.delete("/notes/{noteId}", self.delete),
            web.post("/notes/{noteId}/comments", self.comment),
            web.get("/notes/{noteId}/comments/{commentId}", self.read_comment),
        )

    async def list(self, _request: web.Request) -> web.Response:
        return _answer({"total": len(self.notes), "notes": [*self.notes.values()]})

    async def create(self, request: web.Request) -> web.Response:
        body = await _text(request)
        self.made += 1
        uid = f"n{self.made:04}-{len(body):03}"
        self.notes[uid] = {"uid": uid, "text": body}
        return _answer(self.notes[uid], 201)

    async def read(self, request: web.Request) -> web.Response:
        return _answer(self._note(request))

    async def replace(self, request: web.Request) -> web.Response:
        note = self._note(request)
        note["text"] = await _text(request)
        return _answer(note)

    async def delete(self, request: web.Request) -> web.Response:
        del self.notes[self._note(request)["uid"]]
        return web.Response(status=204)

    async def comment(self, request: web.Request) -> web.Response:
        note = self._note(request)
        self.made += 1
        uid = f"c{self.made:04}"
        self.comments[uid] = {"uid": uid, "about": note["uid"], "text": await _text(request)}
        return _answer(self.comments[uid], 201)

    async def read_comment(self, request: web.Request) -> web.Response:
        note, found = self._note(request), self.comments.get(request.match_info["commentId"])
        if found is None or found["about"] != note["uid"]:
            raise _no(404, "there is no such comment")
        return _answer(found)

    def _note(self, request: web.Request) -> dict[str, Any]:
        found = self.notes.get(request.match_info["noteId"])
        if found is None:
            raise _no(404, "there is no such note")
        return found


async def _text(request: web.Request) -> str:
    body = await request.json()
    if not isinstance(body, dict) or not isinstance(body.get("text"), str):
        raise _no(422, "text: must be a string")
    return str(body["text"])


def _answer(value: Any, status: int = 200) -> web.Response:
    return web.json_response({"data": value}, status=status)


def _no(status: int, message: str) -> web.HTTPException:
    kind = web.HTTPNotFound if status == 404 else web.HTTPUnprocessableEntity
    return kind(text=json.dumps({"message": message}), content_type="application/json")


def notes_document(folder: Path) -> str:
    """The path of the document of `Notes`."""
    note = {"$ref": "#/components/schemas/Note"}
    said = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
    body = {"required": True, "content": {"application/json": {"schema": said}}}

    def answer(status: str, schema: Any = None) -> dict[str, Any]:
        content = {"application/json": {"schema": schema}} if schema else {}
        return {status: {"description": "done", "content": content}}

    def path(*names: str) -> list[dict[str, Any]]:
        schema = {"type": "string"}
        return [{"name": n, "in": "path", "required": True, "schema": schema} for n in names]

    def operation(name: str, responses: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"operationId": name, "responses": responses, **more}

    item, comments = "/notes/{noteId}", "/notes/{noteId}/comments"
    paths = {
        "/notes": {
            "get": operation("listNotes", answer("200", {"type": "array", "items": note})),
            "post": operation("createNote", answer("201", note), requestBody=body),
        },
        item: {
            "parameters": path("noteId"),
            "get": operation("getNote", answer("200", note)),
            "put": operation("replaceNote", answer("200", note), requestBody=body),
            "delete": operation("deleteNote", answer("204")),
        },
        comments: {
            "parameters": path("noteId"),
            "post": operation("addComment", answer("201"), requestBody=body),
        },
        f"{comments}/{{commentId}}": {
            "parameters": path("noteId", "commentId"),
            "get": operation("getComment", answer("200")),
        },
    }
    schema = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "text": {"type": "string"}},
    }
    document = {
        "openapi": "3.0.3",
        "info": {"title": "Notes", "version": "1"},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": {"Note": schema}},
    }
    file = folder / "notes.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return str(file)
