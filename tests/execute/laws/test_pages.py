"""The law of pages, on a list that can go wrong in several ways."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from icepick.demo.catalogue import SERVICES
from icepick.execute.events import Event, FindingFound
from icepick.execute.laws.pages import PAGES
from icepick.execute.transport.auth import AuthOptions, auth_for
from icepick.execute.transport.http import http_transport
from icepick.execute.transport.login import Login
from icepick.execute.transport.secrets import Secrets
from icepick.execute.transport.settings import HttpSettings
from icepick.execute.types import Finding, Reply, Request, Response, Transport
from icepick.openapi import read_spec
from icepick.openapi.types import Json
from icepick.pipeline.models import Described, describe
from icepick.pipeline.run import engine_for
from icepick.pipeline.settings import RunSettings
from tests.glacier.live import served

LAWS = RunSettings(seed=1, wrong=0, operations=False)
EXAMPLES = Path(__file__).parents[3] / "examples"
DOCUMENT = """
openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - {name: offset, in: query, schema: {type: integer, minimum: 0}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1, default: 50}}
        - {name: kind, in: query, schema: {type: string}}
      responses:
        "200":
          description: Some of the notes.
          content:
            application/json:
              schema: {type: array, items: {$ref: "#/components/schemas/Note"}}
    post:
      operationId: createNote
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}
      responses:
        "201":
          description: The new note.
          content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getNote
      responses:
        "200":
          description: The note.
          content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}
        "404": {description: There is no such note.}
    delete:
      operationId: deleteNote
      responses:
        "204": {description: Gone.}
        "404": {description: There is no such note.}
components:
  schemas:
    Note:
      type: object
      required: [text]
      properties:
        id: {type: integer, readOnly: true}
        kind: {type: string, readOnly: true}
        text: {type: string}
"""

Cut = Callable[[list[Json], int, int], list[Json]]


def right(notes: list[Json], offset: int, limit: int) -> list[Json]:
    return notes[offset : offset + limit]


def overlapping(notes: list[Json], offset: int, limit: int) -> list[Json]:
    return notes[max(0, offset - 1) :][:limit]


def skipping(notes: list[Json], offset: int, limit: int) -> list[Json]:
    return notes[offset + (offset > 0) :][:limit]


class Notes:
    """Keeps notes; every third one is of another kind."""

    def __init__(self, cut: Cut = right, most: int = 100) -> None:
        self._cut = cut
        self._most = most
        self._next = 0
        self.notes: dict[int, Json] = {}
        self.is_busy = False
        self.forgets_filter = False

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        url = urlsplit(request.url)
        found = re.fullmatch(r"/notes/(\d+)", url.path)
        if found:
            return self._item(request.method, int(found.group(1)))
        if request.method == "POST":
            return _answer(201, self.add(json.loads(request.body or b"{}")))
        return _answer(200, self._list(dict(parse_qsl(url.query))))

    def add(self, body: Json) -> Json:
        """Keep one more note."""
        self._next += 1
        kind = "odd" if self._next % 3 == 0 else "plain"
        self.notes[self._next] = {**body, "id": self._next, "kind": kind}
        return self.notes[self._next]

    def _list(self, query: dict[str, str]) -> list[Json]:
        if self.is_busy:
            self.notes = {0: {"id": 0, "kind": "plain", "text": ""}, **self.notes}
            self.notes = {-self._next: {**self.notes.pop(0), "id": -self._next}, **self.notes}
            self._next += 1
        offset, limit = int(query.get("offset", 0)), int(query.get("limit", 50))
        kind = None if self.forgets_filter and offset else query.get("kind")
        notes = [one for one in self.notes.values() if kind in (None, one["kind"])]
        return self._cut(notes, offset, min(limit, self._most))

    def _item(self, method: str, number: int) -> Reply:
        if number not in self.notes:
            return _answer(404, {})
        if method == "DELETE":
            del self.notes[number]
            return Response(204)
        return _answer(200, self.notes[number])


def _answer(status: int, body: Json) -> Response:
    return Response(status, (("Content-Type", "application/json"),), json.dumps(body).encode())


def described(text: str, folder: Path) -> Described:
    """An API by the text of its document."""
    file = folder / "openapi.yaml"
    file.write_text(text)
    return describe(read_spec(str(file)))


async def law_findings(api: Described, transport: Transport, url: str) -> list[Finding]:
    """What a run without a walk finds: the laws that are looked at alone."""
    engine = engine_for(api, (), transport, url, LAWS)
    events: list[Event] = [event async for event in engine.events()]
    return [one.finding for one in events if isinstance(one, FindingFound)]


def shop_findings(*faults: str) -> list[Finding]:
    """The same of the shop, signed in."""
    api = describe(read_spec(str(EXAMPLES / "shop.yaml")))

    async def found(url: str) -> list[Finding]:
        login = Login(f"{url}/v1/sessions", {"username": "demo", "password": "demo-password"})
        auth = auth_for(api.spec.security_schemes, AuthOptions(login=login))
        async with http_transport(HttpSettings(), auth, Secrets()) as transport:
            return await law_findings(api, transport, f"{url}/v1")

    with served(SERVICES["shop"], *faults) as url:
        return asyncio.run(found(url))


async def found(service: Notes, folder: Path) -> list[str]:
    """What is wrong with the pages of a service, in a word for each list."""
    findings = await law_findings(described(DOCUMENT, folder), service, "http://notes.test")
    assert all(one.complaint.check == PAGES for one in findings)
    return [one.complaint.about for one in findings]


async def test_right_pages_are_silent(tmp_path: Path) -> None:
    service = Notes()
    assert await found(service, tmp_path) == []
    assert service.notes == {}


async def test_a_shorter_limit_is_for_the_service_to_choose(tmp_path: Path) -> None:
    service = Notes(most=2)
    for _ in range(9):
        service.add({"text": "old"})
    assert await found(service, tmp_path) == []


@pytest.mark.parametrize(("cut", "about"), [(overlapping, "too often"), (skipping, "nowhere")])
async def test_wrong_pages_are_found(tmp_path: Path, cut: Cut, about: str) -> None:
    assert await found(Notes(cut), tmp_path) == [about]


async def test_a_filter_holds_on_all_pages(tmp_path: Path) -> None:
    service = Notes()
    service.forgets_filter = True
    assert await found(service, tmp_path) == ["by kind stray"]


async def test_a_list_that_others_change_is_left_alone(tmp_path: Path) -> None:
    service = Notes(overlapping)
    service.is_busy = True
    assert await found(service, tmp_path) == []


async def test_a_finding_shows_the_way_and_the_pages(tmp_path: Path) -> None:
    api = described(DOCUMENT, tmp_path)
    (one,) = await law_findings(api, Notes(overlapping), "http://notes.test")
    assert [step.action for step in one.steps] == ["createNote"] * 3 + ["listNotes"]
    shown = [exchange.number for exchange in (*one.steps[-1].reads, one.steps[-1].exchange)]
    assert tuple(shown) == one.complaint.exchanges
    assert "limit=1" in one.steps[-1].exchange.request.url


@pytest.mark.parametrize(
    "fault", ["page-drops-last", "page-repeats-item", "filter-lost-on-page-two"]
)
def test_the_faults_of_the_shop(fault: str) -> None:
    found = shop_findings(fault)
    assert {one.complaint.check for one in found} == {PAGES}
    assert "listOrders" in {one.operation for one in found}
