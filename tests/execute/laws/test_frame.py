"""What is written reads back: secrets too, where a service shows them at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from icepick.execute.binding.emulator import Instance
from icepick.execute.events import Event, FindingFound
from icepick.execute.laws.echo import Echo
from icepick.execute.laws.frame import assume_kept
from icepick.execute.types import Reply, Request, Response
from icepick.openapi.types import Json
from icepick.pipeline.planning import planned
from icepick.pipeline.run import engine_for
from icepick.pipeline.settings import RunSettings
from tests.execute.laws.test_pages import described

DOCUMENT = """
openapi: 3.1.0
info: {title: Accounts, version: "1"}
paths:
  /accounts:
    post:
      operationId: createAccount
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Account"}}}
      responses:
        "201":
          description: The new account.
          content: {application/json: {schema: {$ref: "#/components/schemas/Account"}}}
        "409": {description: The name is taken.}
  /accounts/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getAccount
      responses:
        "200":
          description: The account.
          content: {application/json: {schema: {$ref: "#/components/schemas/Account"}}}
        "404": {description: There is no such account.}
    put:
      operationId: replaceAccount
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Account"}}}
      responses:
        "200":
          description: The account.
          content: {application/json: {schema: {$ref: "#/components/schemas/Account"}}}
        "404": {description: There is no such account.}
    delete:
      operationId: deleteAccount
      responses:
        "204": {description: Gone.}
        "404": {description: There is no such account.}
components:
  schemas:
    Account:
      type: object
      required: [name, password]
      properties:
        name: {type: string, minLength: 3, pattern: "^[a-z]+$"}
        password: {type: string, minLength: 3}
"""
Store = Callable[[str], str]


class Accounts:
    """Stores passwords in one way when an account is created, and in one when it is replaced."""

    def __init__(self, create: Store, replace: Store) -> None:
        self._create = create
        self._replace = replace
        self._accounts: dict[str, Json] = {}

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        name = request.url.rpartition("/")[2]
        body = json.loads(request.body) if request.body else {}
        if request.method == "POST":
            taken = body["name"] in self._accounts
            return _answer(409, {}) if taken else self._kept(201, body["name"], body, self._create)
        if name not in self._accounts:
            return _answer(404, {})
        if request.method == "PUT":
            return self._kept(200, name, body, self._replace)
        if request.method == "DELETE":
            del self._accounts[name]
            return Response(204)
        return _answer(200, self._accounts[name])

    def _kept(self, status: int, name: str, body: Json, store: Store) -> Reply:
        self._accounts[name] = {**body, "name": name, "password": store(body["password"])}
        return _answer(status, self._accounts[name])


def _answer(status: int, body: Json) -> Response:
    return Response(status, (("Content-Type", "application/json"),), json.dumps(body).encode())


def plain(password: str) -> str:
    return password


def hashed(password: str) -> str:
    return sha256(password.encode()).hexdigest()


def standard(_: str) -> str:
    return "password"


async def found(folder: Path, create: Store, replace: Store) -> list[str]:
    """What a run finds about the passwords."""
    api = described(DOCUMENT, folder)
    settings = RunSettings(seed=1, wrong=0)
    plans = planned(api, settings)
    engine = engine_for(api, plans, Accounts(create, replace), "http://x.test", settings)
    events: list[Event] = [event async for event in engine.events()]
    return [one.finding.complaint.about for one in events if isinstance(one, FindingFound)]


async def test_a_password_that_is_shown_reads_back(tmp_path: Path) -> None:
    assert await found(tmp_path, plain, plain) == []
    assert await found(tmp_path, plain, standard) == ["Account password"]


async def test_a_password_that_is_hidden_is_nobodys_business(tmp_path: Path) -> None:
    assert await found(tmp_path, hashed, hashed) == []
    assert await found(tmp_path, standard, standard) == []


def test_what_a_list_has_become_is_not_assumed() -> None:
    echo, instance = Echo(), Instance("a1", "Account", "ada", {})
    for path, value in ((("name",), "ada"), (("groups",), ["staff"])):
        echo.observe("Account", path, value, value)
    assume_kept(echo, instance, {"name": "ada", "groups": ["staff"]})
    assert instance.kept == {("name",): "ada"}
