"""What worked and stopped working is told as that: one call does not show it on a fresh service."""

from __future__ import annotations

import json
from pathlib import Path

from icepick.execute.events import Event, FindingFound
from icepick.execute.shared import shared
from icepick.execute.stopped import Stopped
from icepick.execute.types import (
    Complaint,
    Exchange,
    Finding,
    Judged,
    Provenance,
    Purpose,
    Reply,
    Request,
    Response,
    Verdict,
)
from icepick.openapi.types import Json
from icepick.pipeline.planning import planned
from icepick.pipeline.run import Beforehand, engine_for
from icepick.pipeline.settings import RunSettings
from tests.execute.laws.test_pages import described

DOCUMENT = """
openapi: 3.1.0
info: {title: Notes with settings, version: "1"}
paths:
  /settings:
    get:
      operationId: getSettings
      responses: {"200": {description: The settings.}}
  /notes:
    post:
      operationId: createNote
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}
      responses:
        "201":
          description: The new note.
          content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}
        "409": {description: The name is taken.}
  /notes/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getNote
      responses: {"200": {description: The note.}, "404": {description: There is none.}}
    put:
      operationId: replaceNote
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}
      responses: {"200": {description: The note.}, "404": {description: There is none.}}
    delete:
      operationId: deleteNote
      responses: {"204": {description: Gone.}, "404": {description: There is none.}}
components:
  schemas:
    Note:
      type: object
      required: [name]
      properties:
        name: {type: string, minLength: 3, pattern: "^[a-z]+$"}
        size: {type: integer, minimum: 1, maximum: 90}
"""
READ = "http://x.test/settings"


class Notes:
    """Replacing a note spoils the settings, for good."""

    def __init__(self) -> None:
        self._notes: dict[str, Json] = {}
        self._is_spoilt = False

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        name, body = request.url.rpartition("/")[2], json.loads(request.body or b"{}")
        if request.url == READ:
            return Response(500) if self._is_spoilt else _answer(200, {})
        if request.method == "POST":
            taken = body["name"] in self._notes
            return _answer(409, {}) if taken else self._kept(201, body["name"], body)
        if name not in self._notes:
            return _answer(404, {})
        if request.method == "DELETE":
            del self._notes[name]
            return Response(204)
        if request.method == "PUT":
            self._is_spoilt = True
            return self._kept(200, name, body)
        return _answer(200, self._notes[name])

    def _kept(self, status: int, name: str, body: Json) -> Response:
        self._notes[name] = {**body, "name": name}
        return _answer(status, self._notes[name])


def _answer(status: int, body: Json) -> Response:
    return Response(status, (("Content-Type", "application/json"),), json.dumps(body).encode())


async def test_a_finding_says_that_the_call_worked_before(tmp_path: Path) -> None:
    api, settings = described(DOCUMENT, tmp_path), RunSettings(seed=1, wrong=0)
    known = shared(api.spec.schemas, operations=api.spec.operations)
    # As it is before the engine begins, where every operation is called once.
    asked = Exchange(1, 0.0, Purpose.CALL, Request("GET", READ), Response(200), "getSettings")
    known.stopped.see(asked)
    before = Beforehand(shared=known)
    engine = engine_for(api, planned(api, settings), Notes(), "http://x.test", settings, before)
    events: list[Event] = [event async for event in engine.events()]
    [found] = [one.finding for one in events if isinstance(one, FindingFound)]
    assert found.title == "GET /settings answered 500 to what it took before"
    assert "the latest first: " in found.complaint.happened
    assert "PUT /notes/{name}" in found.complaint.happened


def finding(exchange: Exchange) -> Finding:
    complaint = Complaint("server-error", Verdict.ERR, "", "answered 500", Provenance.LAW)
    step = Judged("read", "getSettings", "getSettings", "read", Verdict.ERR, exchange=exchange)
    return Finding("x", 0, Verdict.ERR, "t", "getSettings", "l", "a", 500, complaint, (step,), 1)


def told(tmp_path: Path, *answers: tuple[str, str, int]) -> str:
    """The title of the last answer's finding, after answers to operations at addresses."""
    stopped = Stopped(described(DOCUMENT, tmp_path).spec.operations)
    for name, url, status in answers:
        exchange = Exchange(1, 0.0, Purpose.CALL, Request("GET", url), Response(status), name)
        stopped.see(exchange)
    return stopped.told(finding(exchange)).title


GOOD, BAD = ("getSettings", READ, 200), ("getSettings", READ, 500)
PUT, NOTE = ("replaceNote", "http://x.test/notes/a", 200), "http://x.test/notes/a"


def test_only_what_failed_again_and_worked_before_is_said_to(tmp_path: Path) -> None:
    assert told(tmp_path, GOOD, PUT, BAD, BAD) == "t to what it took before"
    assert told(tmp_path, GOOD, PUT, BAD) == "t"
    assert told(tmp_path, PUT, BAD, BAD) == "t"
    assert told(tmp_path, GOOD, PUT, BAD, GOOD, BAD) == "t"


def test_what_nothing_came_before_is_no_doing_of_others(tmp_path: Path) -> None:
    assert told(tmp_path, PUT, GOOD, BAD, BAD) == "t"


def test_other_requests_and_single_instances_are_another_matter(tmp_path: Path) -> None:
    other = ("getSettings", f"{READ}?a=1", 500)
    assert told(tmp_path, GOOD, PUT, other, other) == "t"
    assert told(tmp_path, ("getNote", NOTE, 200), PUT, *[("getNote", NOTE, 500)] * 2) == "t"
