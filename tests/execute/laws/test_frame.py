"""What is written reads back: secrets too, where a service shows them at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from icepick.execute.binding.emulator import Instance
from icepick.execute.events import Event, FindingFound
from icepick.execute.laws.echo import Echo
from icepick.execute.laws.frame import READ_BACK, assume_kept
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


QUEUES = """
openapi: 3.1.0
info: {title: Queues, version: "1"}
paths:
  /queues:
    post:
      operationId: createQueue
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Queue"}}}
      responses:
        "201":
          description: The new queue.
          content: {application/json: {schema: {$ref: "#/components/schemas/Queue"}}}
        "409": {description: The name is taken.}
  /queues/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getQueue
      responses:
        "200":
          description: The queue.
          content: {application/json: {schema: {type: object}}}
        "404": {description: There is no such queue.}
    patch:
      operationId: changeQueue
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Change"}}}
      responses:
        "200":
          description: The queue.
          content: {application/json: {schema: {type: object}}}
        "404": {description: There is no such queue.}
    delete:
      operationId: deleteQueue
      responses:
        "204": {description: Gone.}
        "404": {description: There is no such queue.}
components:
  schemas:
    Filter:
      type: object
      required: [most, least]
      properties:
        most: {type: integer, minimum: 1, maximum: 90}
        least: {type: integer, minimum: 1, maximum: 90}
    Change:
      type: object
      properties:
        size: {type: integer, minimum: 1, maximum: 90}
        filter:
          type: object
          required: [most]
          properties: {most: {type: integer, minimum: 1, maximum: 90}}
    Queue:
      type: object
      required: [name, filter]
      properties:
        name: {type: string, minLength: 3, pattern: "^[a-z]+$"}
        size: {type: integer, minimum: 1, maximum: 90}
        filter: {$ref: "#/components/schemas/Filter"}
"""
Change = Callable[[dict[str, Json], dict[str, Json]], dict[str, Json]]


class Queues:
    """Queues with a filter inside; what a partial update does to them is for others to say."""

    def __init__(self, change: Change) -> None:
        self._change = change
        self._queues: dict[str, dict[str, Json]] = {}

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        name = request.url.rpartition("/")[2]
        body = json.loads(request.body) if request.body else {}
        if request.method == "POST":
            if body["name"] in self._queues:
                return _answer(409, {})
            self._queues[body["name"]] = body
            return _answer(201, body)
        if name not in self._queues:
            return _answer(404, {})
        if request.method == "DELETE":
            del self._queues[name]
            return Response(204)
        if request.method == "PATCH":
            self._queues[name] = self._change(self._queues[name], body)
        return _answer(200, self._queues[name])


def replaced(old: dict[str, Json], new: dict[str, Json]) -> dict[str, Json]:
    return {**old, **new}


def joined(old: dict[str, Json], new: dict[str, Json]) -> dict[str, Json]:
    return {**old, **new, "filter": {**old["filter"], **new.get("filter", {})}}


def forgetful(old: dict[str, Json], new: dict[str, Json]) -> dict[str, Json]:
    return {**old, "filter": {}, **new}


async def lost(folder: Path, change: Change) -> set[str]:
    """Which fields a run finds not to stay through partial updates."""
    api = described(QUEUES, folder)
    settings = RunSettings(seed=1, wrong=0)
    engine = engine_for(api, planned(api, settings), Queues(change), "http://x.test", settings)
    events: list[Event] = [event async for event in engine.events()]
    return {one.finding.complaint.about for one in events if isinstance(one, FindingFound)}


async def test_an_object_inside_may_be_replaced_by_a_partial_update(tmp_path: Path) -> None:
    assert await lost(tmp_path, replaced) == set()
    assert await lost(tmp_path, joined) == set()


async def test_an_object_inside_stays_where_an_update_does_not_name_it(tmp_path: Path) -> None:
    assert await lost(tmp_path, forgetful) & {"Queue filter.most", "Queue filter.least"}


class Draining(Queues):
    """The size of a queue runs down by itself, or was stored as another one."""

    def __init__(self, step: int) -> None:
        super().__init__(replaced)
        self._step = step
        self._reads = 0

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        reply = await super().send(request)
        if request.method != "GET" or not isinstance(reply, Response) or reply.status != 200:
            return reply
        queue = json.loads(reply.body)
        self._reads += 1
        if "size" in queue and queue["size"] > 40:
            queue["size"] -= 5 + self._reads * self._step
        return _answer(200, queue)


@pytest.mark.parametrize(("step", "about"), [(1, set()), (0, {"Queue size"})])
async def test_a_number_that_goes_on_changing_is_not_what_was_written(
    step: int, about: set[str], tmp_path: Path
) -> None:
    api, settings = described(QUEUES, tmp_path), RunSettings(seed=1, wrong=0)
    engine = engine_for(api, planned(api, settings), Draining(step), "http://x.test", settings)
    events: list[Event] = [event async for event in engine.events()]
    findings = [one.finding for one in events if isinstance(one, FindingFound)]
    assert {one.complaint.about for one in findings if one.complaint.check == READ_BACK} == about
