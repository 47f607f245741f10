"""Laws of names: what exists is refused where that is declared, and names do not outlive."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from icepick.execute.laws.outliving import OUTLIVING
from icepick.execute.laws.twice import TWICE, conflict_said
from icepick.execute.types import Reply, Request, Response
from icepick.openapi.types import Json
from tests.execute.laws.test_pages import described, law_findings

SAME = "There is a note with the same text and tag."

DOCUMENT = """
openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /tags/{tag}:
    parameters: [{name: tag, in: path, required: true, schema: {$ref: "#/components/schemas/Name"}}]
    post:
      operationId: createTag
      responses:
        "201": {$ref: "#/components/responses/Tag"}
        "409": {description: TAGS}
    get:
      operationId: getTag
      responses:
        "200": {$ref: "#/components/responses/Tag"}
        "404": {description: There is no such tag.}
    delete:
      operationId: deleteTag
      responses:
        "204": {description: Gone.}
        "404": {description: There is no such tag.}
  /notes:
    post:
      operationId: createNote
      parameters: [{name: slug, in: query, schema: {type: string, pattern: "^[a-z]{3,9}$"}}]
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/NewNote"}}}
      responses:
        "201": {$ref: "#/components/responses/Note"}
        "404": {description: There is no such tag.}
        "409": {description: NOTES}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getNote
      responses:
        "200": {$ref: "#/components/responses/Note"}
        "404": {description: There is no such note.}
    delete:
      operationId: deleteNote
      responses:
        "204": {description: Gone.}
        "404": {description: There is no such note.}
components:
  responses:
    Tag:
      description: The tag.
      content: {application/json: {schema: {$ref: "#/components/schemas/Tag"}}}
    Note:
      description: The note.
      content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}
  schemas:
    Name: {type: string, pattern: "^[a-z]{3,20}$"}
    Tag:
      type: object
      required: [tag]
      properties: {tag: {$ref: "#/components/schemas/Name"}}
    NewNote:
      type: object
      required: [text, tag]
      additionalProperties: false
      properties:
        text: {type: string, minLength: 1, maxLength: 30}
        tag: {$ref: "#/components/schemas/Name"}
    Note:
      type: object
      required: [id, text]
      properties:
        id: {type: integer}
        text: {type: string}
        tag: {oneOf: [{$ref: "#/components/schemas/Name"}, {type: "null"}]}
"""


class Notes:
    """Keeps notes that name tags; `ways` say what it does about names."""

    def __init__(self, *ways: str) -> None:
        self._ways = ways
        self._tags: set[str] = set()
        self._notes: dict[int, dict[str, Json]] = {}
        self._falling: dict[int, float] = {}
        self._next = 1

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        self._fall()
        path = request.url.removeprefix("http://notes.test").partition("?")[0]
        _, kind, *name = path.split("/")
        if kind == "tags":
            return self._tag(request.method, name[0])
        if not name:
            return self._new(json.loads(request.body))
        note = self._notes.get(int(name[0]))
        if note is None:
            return Response(404)
        if request.method == "DELETE":
            del self._notes[int(name[0])]
            return Response(204)
        return _shown(200, note)

    def _fall(self) -> None:
        for number, when in list(self._falling.items()):
            if time.monotonic() >= when:
                self._notes.pop(number, None)
                del self._falling[number]

    def _tag(self, method: str, tag: str) -> Response:
        if method == "POST":
            known = tag in self._tags
            self._tags.add(tag)
            return Response(409) if known else _shown(201, {"tag": tag})
        if tag not in self._tags:
            return Response(404)
        return self._deleted(tag) if method == "DELETE" else _shown(200, {"tag": tag})

    def _deleted(self, tag: str) -> Response:
        naming = [number for number, note in self._notes.items() if note["tag"] == tag]
        if naming and "restrict" in self._ways:
            return Response(409)
        self._tags.discard(tag)
        for number in naming:
            if "nullify" in self._ways:
                self._notes[number]["tag"] = None
            elif "late" in self._ways:
                self._falling[number] = time.monotonic() + 0.2
            elif "orphan" not in self._ways:
                del self._notes[number]
        return Response(204)

    def _new(self, sent: dict[str, Json]) -> Response:
        if sent["tag"] not in self._tags and "lax" not in self._ways:
            return Response(404)
        for note in self._notes.values():
            if (note["text"], note["tag"]) == (sent["text"], sent["tag"]):
                if "same" in self._ways:
                    return _shown(201, note)
                if "twice" not in self._ways:
                    return Response(409)
        number, self._next = self._next, self._next + 1
        self._notes[number] = {"id": number, **sent}
        return _shown(201, self._notes[number])


def _shown(status: int, body: Json) -> Response:
    return Response(status, (("Content-Type", "application/json"),), json.dumps(body).encode())


async def found(
    folder: Path, *ways: str, notes: str = SAME, tags: str = "It is there."
) -> list[tuple[str, str]]:
    document = DOCUMENT.replace("NOTES", notes).replace("TAGS", tags)
    findings = await law_findings(described(document, folder), Notes(*ways), "http://notes.test")
    return [(one.complaint.check, one.complaint.about) for one in findings]


async def test_a_declared_conflict_that_never_comes_is_found(tmp_path: Path) -> None:
    assert await found(tmp_path, "twice") == [(TWICE, "createNote twice")]


@pytest.mark.parametrize("way", ["", "same"])
async def test_what_is_refused_or_given_again_is_not_made_twice(tmp_path: Path, way: str) -> None:
    assert await found(tmp_path, way) == []


@pytest.mark.parametrize("said", ["Conflict.", "A note of that slug exists already."])
async def test_nobody_promised_that_the_same_is_refused(tmp_path: Path, said: str) -> None:
    assert await found(tmp_path, "twice", notes=said) == []


async def test_words_that_stand_everywhere_are_no_rule(tmp_path: Path) -> None:
    assert await found(tmp_path, "twice", tags=SAME) == []


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("User already exists", True),
        ("Duplicate item", True),
        ("Email already in use", True),
        ("The product has a constraint of the same type.", True),
        ("Conflict", False),
        ("An import is already running", False),
        ("An active subscription exists", False),
        ("The parent does not exist", False),
        ("A request with the same key is in progress", False),
        ("The version exists already", False),
    ],
)
def test_words_for_what_exists(tmp_path: Path, said: str, counts: bool) -> None:
    document = DOCUMENT.replace("NOTES", said).replace("TAGS", "It is there.")
    operation = described(document, tmp_path).spec.operation("createNote")
    assert conflict_said(operation) == (said if counts else "")


async def test_a_name_that_outlives_what_it_stands_for_is_found(tmp_path: Path) -> None:
    assert await found(tmp_path, "orphan") == [(OUTLIVING, "Note.tag outlives Tag")]


@pytest.mark.parametrize("ways", ["restrict", "nullify", "late", "orphan lax", "orphan twice"])
async def test_a_service_may_deal_with_names_in_many_ways(tmp_path: Path, ways: str) -> None:
    assert await found(tmp_path, *ways.split(), notes="Conflict.") == []
