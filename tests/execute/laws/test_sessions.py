"""The law of sessions, at doors of several kinds."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from icepick.demo.catalogue import SERVICES
from icepick.execute.events import Exchanged, FindingFound
from icepick.execute.laws.sessions import SESSIONS, Sessions, SignIn
from icepick.execute.phases import Stage
from icepick.execute.transport.auth import AuthOptions
from icepick.execute.transport.client import Client
from icepick.execute.transport.login import Login
from icepick.execute.transport.secrets import Secrets
from icepick.execute.types import Finding, Reply, Request, Response
from icepick.openapi import read_spec
from icepick.openapi.types import Json
from icepick.pipeline.beginning import Earlier
from icepick.pipeline.reach import Reach
from icepick.pipeline.selection import Filters
from icepick.pipeline.selection import described as selected_part
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from tests.execute.laws.test_pages import described
from tests.glacier.live import served

EXAMPLES = Path(__file__).parents[3] / "examples"
BASE = "http://club.test"
DOCUMENT = """
openapi: 3.1.0
info: {title: Club, version: "1"}
security: [{key: []}]
paths:
  /login:
    post:
      operationId: enter
      security: []
      requestBody:
        content:
          application/json:
            schema: {type: object}
            example: {name: ada, password: lovelace}
      responses: {"200": {description: A token.}}
  /logout:
    post:
      operationId: leave
      responses: {"204": {description: Gone.}}
  /lobby:
    get:
      operationId: getLobby
      responses: {"200": {description: Open to everybody.}}
  /bar:
    get:
      operationId: getBar
      responses: {"200": {description: For members.}}
components:
  securitySchemes:
    key: {type: http, scheme: bearer}
"""


@dataclass
class Club:
    """Lets members in; `keeps` those who left, for so many more calls."""

    keeps: int = 0
    prefix: str = "tok"
    asks: str = "lovelace"
    inside: set[str] = field(default_factory=set)
    left: dict[str, int] = field(default_factory=dict)
    seen: list[tuple[str, str]] = field(default_factory=list)

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        path = request.url.removeprefix(BASE)
        token = dict(request.headers).get("Authorization", "").removeprefix("Bearer ")
        self.seen.append((path, token))
        if path == "/login":
            return self._enter(json.loads(request.body or b"{}"))
        if path == "/lobby":
            return _answer(200, {})
        if not self._knows(token):
            return _answer(401, {})
        if path == "/logout":
            self.inside.discard(token)
            self.left[token] = self.keeps
            return Response(204)
        return _answer(200, {})

    def _enter(self, body: Json) -> Reply:
        if body.get("password") != self.asks:
            return _answer(401, {})
        token = f"{self.prefix}{len(self.inside) + len(self.left)}"
        self.inside.add(token)
        return _answer(200, {"token": token})

    def _knows(self, token: str) -> bool:
        if self.left.get(token, 0) > 0:
            self.left[token] -= 1
            return True
        return token in self.inside


def _answer(status: int, body: Json) -> Response:
    return Response(status, (("Content-Type", "application/json"),), json.dumps(body).encode())


async def found(club: Club, folder: Path, sign_in: SignIn | None = None) -> list[Finding]:
    """What the phase finds at this door."""
    spec = described(DOCUMENT, folder).spec
    client = Client(club, BASE, spec.schemas)
    findings: list[Finding] = []
    stage = Stage(lambda _: None, findings.append, lambda: False)
    await Sessions(spec, client, BASE, sign_in or SignIn()).run(stage)
    return findings


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icepick.execute.laws.sessions._PAUSES", (0.0, 0.0, 0.0))


async def test_a_door_that_closes_is_silent(tmp_path: Path) -> None:
    club = Club()
    assert await found(club, tmp_path) == []
    assert ("/logout", "tok0") in club.seen


async def test_a_door_that_stays_open_is_found_with_all_calls_that_show_it(tmp_path: Path) -> None:
    (finding,) = await found(Club(keeps=1000), tmp_path)
    assert finding.complaint.check == SESSIONS
    assert [one.operation for one in finding.steps] == ["enter", "getBar", "leave", "getBar"]


async def test_a_service_may_take_a_moment(tmp_path: Path) -> None:
    assert await found(Club(keeps=2), tmp_path) == []


async def test_a_token_that_needs_no_memory_is_not_held_against_the_service(
    tmp_path: Path,
) -> None:
    assert await found(Club(keeps=1000, prefix="eyJhbGciOiJub25lIn0.e30."), tmp_path) == []


async def test_without_a_way_in_nothing_is_tried(tmp_path: Path) -> None:
    club = Club(keeps=1000, asks="other")
    assert await found(club, tmp_path) == []
    assert {path for path, _ in club.seen} == {"/login"}


async def test_what_a_person_said_opens_the_door_and_its_token_is_kept_secret(
    tmp_path: Path,
) -> None:
    secrets = Secrets()
    login = Login(f"{BASE}/login", {"password": "own"})
    club = Club(keeps=1000, asks="own")
    assert await found(club, tmp_path, SignIn(login, secrets=secrets))
    assert secrets.mask("it is tok0") == "it is ***"


async def test_examples_are_left_alone_where_somebody_is_signed_in_otherwise(
    tmp_path: Path,
) -> None:
    club = Club(keeps=1000)
    assert await found(club, tmp_path, SignIn(examples=False)) == []
    assert club.seen == []


def shop_run(*faults: str) -> tuple[list[str], set[int]]:
    """What a run without models finds, and how it was answered."""
    api = selected_part(read_spec(str(EXAMPLES / "shop.yaml")), Filters())
    assert [one.id for one in api.ways_out] == ["deleteSession"]
    settings = RunSettings(wrong=0, operations=False, learn=False, correction=False)

    async def gathered(url: str) -> tuple[list[str], set[int]]:
        login = Login(f"{url}/v1/sessions", {"username": "demo", "password": "demo-password"})
        reach = Reach(url, AuthOptions(login=login))
        checks, statuses = [], set()
        async for event in Session(api, reach, settings, "run", Earlier(())).events():
            if isinstance(event, FindingFound):
                checks.append(event.finding.complaint.check)
            if isinstance(event, Exchanged) and event.exchange.status is not None:
                statuses.add(event.exchange.status)
        return checks, statuses

    with served(SERVICES["shop"], *faults) as url:
        return asyncio.run(gathered(url))


def test_a_run_signs_in_and_out_of_the_shop() -> None:
    checks, statuses = shop_run("token-survives-logout")
    assert checks == [SESSIONS]
    assert {201, 204, 401} <= statuses
