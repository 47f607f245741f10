"""Findings that a person reads to the end: one for each fault, wherever and however it shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.engine import RunOptions
from icepick.execute.events import Ending, Event, FindingFound, RunEnded
from icepick.execute.transport.settings import HttpSettings
from icepick.execute.types import Finding, Verdict
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving

JSON = "application/json"
THING = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {"id": {"type": "string", "readOnly": True}, "name": {"type": "string"}},
}
REF = {"$ref": "#/components/schemas/Thing"}
WRONG = 150

Trouble = Callable[[web.Request, Any], web.Response | None]


def answers(schema: dict[str, Any], status: str = "200") -> dict[str, Any]:
    return {status: {"description": "x", "content": {JSON: {"schema": schema}}}}


def document(folder: Path, **more: Any) -> str:
    item = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1}}
    body = {"required": True, "content": {JSON: {"schema": REF}}}
    paths = {
        "/things": {
            "get": {
                "operationId": "listThings",
                "parameters": [limit],
                "responses": answers({"type": "array", "items": REF}),
            },
            "post": {
                "operationId": "createThing",
                "requestBody": body,
                "responses": answers(REF, "201"),
            },
        },
        "/things/{id}": {
            "parameters": item,
            "get": {"operationId": "getThing", "responses": answers(REF)},
            "put": {
                "operationId": "replaceThing",
                "requestBody": body,
                "responses": answers(REF),
            },
            "delete": {"operationId": "deleteThing", "responses": {"204": {"description": "x"}}},
        },
        **more,
    }
    info = {"title": "Things", "version": "1"}
    named = {"schemas": {"Thing": THING}}
    whole = {"openapi": "3.1.0", "info": info, "paths": paths, "components": named}
    path = folder / "openapi.json"
    path.write_text(json.dumps(whole), encoding="utf-8")
    return str(path)


class Things:
    """Things with names; `trouble` may answer first, `shown` changes what is shown of one."""

    def __init__(
        self, trouble: Trouble = lambda *_: None, shown: Callable[[Any], Any] = lambda one: one
    ) -> None:
        self.things: dict[str, Any] = {}
        self.numbers = count(1)
        self.trouble = trouble
        self.shown = shown

    def routes(self) -> Iterator[web.RouteDef]:
        yield web.route("*", "/{rest:.*}", self.handle)

    async def handle(self, request: web.Request) -> web.Response:
        try:
            body = json.loads(await request.read() or b"null")
        except (ValueError, RecursionError):
            return web.json_response({"message": "the body is not JSON"}, status=400)
        found = self.trouble(request, body)
        if found is not None:
            return found
        name = request.path.removeprefix("/things").strip("/")
        if request.method in {"POST", "PUT"} and not self.is_right(body):
            return web.json_response({"message": "name must be text"}, status=400)
        if not name:
            return self.all(request, body)
        if name not in self.things:
            return web.json_response({"message": "there is no such thing"}, status=404)
        if request.method == "PUT":
            self.things[name] = {"id": name, "name": body["name"]}
        if request.method == "DELETE":
            del self.things[name]
            return web.Response(status=204)
        return web.json_response(self.shown(self.things[name]))

    def is_right(self, body: Any) -> bool:
        return isinstance(body, dict) and isinstance(body.get("name"), str)

    def all(self, request: web.Request, body: Any) -> web.Response:
        if request.method == "POST":
            name = f"t{next(self.numbers)}"
            self.things[name] = {"id": name, "name": body["name"]}
            return web.json_response(self.shown(self.things[name]), status=201)
        limit = request.query.get("limit", "9")
        if not limit.isdigit() or limit == "0":
            return web.json_response({"message": "limit must be a number"}, status=400)
        return web.json_response([self.shown(one) for one in self.things.values()])


def events_of(service: Things, path: str, **more: Any) -> list[Event]:
    settings = RunSettings(bounds={"Thing": 1}, **{"seed": 1, "wrong": WRONG, **more})
    with serving(*service.routes()) as url:
        return ran(path, Reach(url, http=HttpSettings(request_timeout=2, retries=0)), settings)


def findings_of(service: Things, path: str, **more: Any) -> dict[str, Finding]:
    """The findings as they were told last."""
    events = events_of(service, path, **more)
    return {one.finding.id: one.finding for one in events if isinstance(one, FindingFound)}


def longer_and_longer(service: Callable[[], Things], path: str) -> Iterator[dict[str, Finding]]:
    """The findings of runs, each with more mistakes than the last: which come first is chance."""
    for wrong in (WRONG, 4 * WRONG, 16 * WRONG):
        yield findings_of(service(), path, wrong=wrong)


def about(found: dict[str, Finding], check: str) -> list[Finding]:
    return [one for one in found.values() if one.complaint.check == check]


def test_a_status_that_nobody_declares_is_one_finding(tmp_path: Path) -> None:
    found = findings_of(Things(), document(tmp_path))
    missing, refused = sorted(
        about(found, "undocumented-status"), key=lambda one: -(one.status or 0)
    )
    assert (missing.status, refused.status) == (404, 400)
    operations = {one.operation for one in missing.sightings}
    assert operations == {"getThing", "replaceThing", "deleteThing"}
    assert missing.title == "404 is answered by 3 operations and declared by none of them"
    assert {one.operation for one in refused.sightings} == {
        "createThing", "replaceThing", "listThings"
    }  # fmt: skip
    assert all(one.exchange is not None for one in missing.sightings)
    assert len(missing.steps) == 1
    assert missing.level is Verdict.WARN
    assert len(found) == 2, [one.title for one in found.values()]


def test_the_field_of_a_schema_is_one_finding(tmp_path: Path) -> None:
    service = Things(shown=lambda one: {**one, "name": None})
    [broken] = about(findings_of(service, document(tmp_path)), "response-schema")
    assert broken.title == (
        "Thing.name is null in answers of 4 operations; the schema wants a string"
    )
    assert {one.operation for one in broken.sightings} == {
        "createThing", "getThing", "replaceThing", "listThings"
    }  # fmt: skip


def test_what_an_operation_accepts_wrongly_is_one_finding(tmp_path: Path) -> None:
    class Lenient(Things):
        def is_right(self, body: Any) -> bool:
            if isinstance(body, dict):
                body.setdefault("name", "nobody")
            return isinstance(body, dict)

    expected = {"name: null", "name: missing though required"}
    for found in longer_and_longer(Lenient, document(tmp_path)):
        # What is no JSON at all is told of all operations together.
        accepted = [one for one in about(found, "accepted-wrong") if not one.complaint.about]
        seen = [{at.text for at in one.sightings} for one in accepted]
        if len(seen) > 1 and all(expected <= one for one in seen):
            break
    assert about(found, "response-schema") == []
    assert sorted(one.operation for one in accepted) == ["createThing", "replaceThing"]
    for one in accepted:
        method = "POST" if one.operation == "createThing" else "PUT"
        assert {at.text for at in one.sightings} >= expected
        assert one.title.startswith(f"{method} /things")
        whole, _, places = one.title.partition(" accepts what its schema forbids: ")
        assert whole != one.title
        assert re.search(r"(?:^|, )name \([^)]*\b(?:null|missing though required)\b", places)


def test_a_key_that_is_added_on_the_way_is_not_missing(tmp_path: Path) -> None:
    path = Path(document(tmp_path))
    whole = json.loads(path.read_text())
    key = {"name": "api_key", "in": "query", "required": True, "schema": {"type": "string"}}
    whole["paths"]["/things"]["get"]["parameters"].append(key)
    whole["components"]["securitySchemes"] = {
        "key": {"type": "apiKey", "in": "query", "name": "api_key"}
    }
    path.write_text(json.dumps(whole))
    assert about(findings_of(Things(), str(path)), "accepted-wrong") == []


def test_a_server_error_of_right_calls_is_one_finding(tmp_path: Path) -> None:
    version = {"get": {"operationId": "version", "responses": answers({})}}

    def fails(request: web.Request, _body: Any) -> web.Response | None:
        return web.Response(status=500) if request.path == "/version" else None

    found = findings_of(Things(fails), document(tmp_path, **{"/version": version}))
    [crash] = about(found, "server-error")
    assert crash.title == "GET /version answered 500"


def test_a_server_error_of_one_mistake_says_which(tmp_path: Path) -> None:
    def fails(_request: web.Request, body: Any) -> web.Response | None:
        return web.Response(status=500) if isinstance(body, list) else None

    crashes = about(findings_of(Things(fails), document(tmp_path)), "server-error")
    titles = {one.title.partition(" (")[0] for one in crashes}
    assert "POST /things answered 500 to a wrong input" in titles


@pytest.mark.parametrize("seed", [1, 2])
def test_a_server_error_of_an_allowed_value_is_blamed_on_no_mistake(
    tmp_path: Path, seed: int
) -> None:
    forms = {"name": "form", "in": "query", "schema": {"enum": ["whole", "short", "long"]}}
    more = {
        "/search": {
            "post": {
                "operationId": "search",
                "parameters": [forms],
                "requestBody": {"required": True, "content": {JSON: {"schema": REF}}},
                "responses": answers({}),
            }
        }
    }

    def fails(request: web.Request, _body: Any) -> web.Response | None:
        if request.path != "/search":
            return None
        return web.json_response({}, status=500 if request.query.get("form") == "long" else 200)

    found = findings_of(Things(fails), document(tmp_path, **more), seed=seed, wrong=300)
    [crash] = about(found, "server-error")
    assert crash.title == "POST /search answered 500"


def test_the_same_server_error_of_walk_and_wrong_inputs_is_one_finding(tmp_path: Path) -> None:
    def fails(request: web.Request, _body: Any) -> web.Response | None:
        missing = request.path.startswith("/things/") and request.path[8:] not in service.things
        wrong = missing and request.method == "GET"
        return (
            web.json_response({"message": "KeyError in get_thing"}, status=500) if wrong else None
        )

    service = Things(fails)
    [crash] = about(findings_of(service, document(tmp_path)), "server-error")
    assert crash.title == "GET /things/{id} answered 500"


def test_bytes_that_no_operation_reads_are_one_finding(tmp_path: Path) -> None:
    class Fragile(Things):
        async def handle(self, request: web.Request) -> web.Response:
            deep = (await request.read()).startswith(b"[[[[")
            return web.Response(status=500) if deep else await super().handle(request)

    for found in longer_and_longer(Fragile, document(tmp_path)):
        crashes = about(found, "unreadable-body")
        if any(len(one.sightings) > 1 for one in crashes):
            break
    [crash] = crashes
    assert crash.title == "2 operations fall over a body that cannot be read (body: nested deeply)"
    assert {one.operation for one in crash.sightings} == {"createThing", "replaceThing"}


def test_no_answer_to_a_wrong_input_is_a_finding(tmp_path: Path) -> None:
    def hangs_up(request: web.Request, body: Any) -> web.Response | None:
        if isinstance(body, list) and request.transport is not None:
            request.transport.abort()
        return None

    [lost] = about(findings_of(Things(hangs_up), document(tmp_path)), "no-answer")[:1]
    assert lost.level is Verdict.ERR
    assert "gives no answer to a wrong input (body: " in lost.title


@pytest.mark.parametrize("most", [1, 2])
def test_failures_are_findings_and_end_a_run(tmp_path: Path, most: int) -> None:
    events = events_of(Things(), document(tmp_path), engine=RunOptions(max_failures=most))
    told = {one.finding.id for one in events if isinstance(one, FindingFound)}
    [end] = [one for one in events if isinstance(one, RunEnded)]
    assert end.ending is Ending.MAX_FAILURES
    assert len(told) == most
