"""Call sequences of the property graph against real services."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.demo.catalogue import SERVICES
from icepick.execute.chains.types import ChainOptions
from icepick.execute.engine import RunOptions
from icepick.execute.events import Exchanged, PhaseStarted
from icepick.execute.types import Exchange, Purpose, Response
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.cli.invoking import get
from tests.glacier.live import served
from tests.pipeline.running import Ran, covered, covered_demo, demo, ran
from tests.pipeline.serving import everything, serving
from tests.resources.documents import TEXT, document, obj, op, ref


@pytest.mark.parametrize(
    ("service", "calls"), [("tournaments", 100), ("petstore", 60), ("features", 80)]
)
def test_every_operation_succeeds(service: str, calls: int) -> None:
    ran = covered_demo(service)
    assert ran.without_success() == []
    assert ran.chains.calls <= calls


@pytest.mark.parametrize("seed", range(2, 6))
def test_petstore_within_300_calls_whatever_the_seed(seed: int) -> None:
    ran = covered_demo("petstore", seed=seed)
    assert ran.without_success() == []
    assert len(ran.exchanges) <= 300


@pytest.mark.parametrize(
    ("service", "lists"),
    [("tournaments", ["/players", "/tournaments", "/enrolments"]), ("features", ["/products"])],
)
def test_what_was_created_is_removed(service: str, lists: list[str]) -> None:
    with served(SERVICES[service]) as url:
        before = [get(url + path) for path in lists]
        ran = covered(demo(service), Reach(url))
        assert [get(url + path) for path in lists] == before
    assert ran.left == []
    assert len(ran.exchanges) > 40


def test_the_same_seed_makes_the_same_calls() -> None:
    def sent(seed: int) -> list[tuple[str, str, bytes | None]]:
        ran = covered_demo("petstore", seed=seed)
        targets = [one.request.url.partition("/api/")[2] for one in ran.exchanges]
        return [
            (one.request.method, target, one.request.body)
            for one, target in zip(ran.exchanges, targets, strict=True)
        ]

    assert sent(7) == sent(7)
    assert sent(7) != sent(8)


def test_without_the_graph_values_are_made_up() -> None:
    ran = covered_demo("petstore", ChainOptions(graph=False))
    missing = ran.without_success()
    assert {"getPetById", "deletePet", "getOrderById", "deleteUser", "updateUser"} <= set(missing)
    assert "addPet" not in missing
    assert set(missing) <= set(ran.chains.record.reasons)


@pytest.fixture(scope="module")
def shop() -> Ran:
    return covered_demo("shop")


def test_every_operation_of_the_shop_succeeds(shop: Ran) -> None:
    assert shop.without_success() == []
    assert shop.chains.calls <= 300


def test_nothing_is_changed_that_the_chains_did_not_create(shop: Ran) -> None:
    made = "".join(
        body_of(one) + one.request.url
        for one in shop.exchanges
        if one.request.method in {"POST", "PUT"} and one.status in {200, 201}
    )
    changed = [
        one.request.url.rpartition("/")[2]
        for one in shop.exchanges
        if one.request.method in {"DELETE", "PATCH"} and one.operation != "deleteSession"
    ]
    assert changed
    assert [one for one in changed if one not in made] == []


def test_only_the_session_of_a_chain_is_ended(shop: Ran) -> None:
    ended = [one for one in shop.exchanges if one.operation == "deleteSession"]
    begun = [body_of(one) for one in shop.exchanges if one.operation == "createSession"]
    tokens = [dict(one.request.headers)["Authorization"].split()[1] for one in ended]
    assert tokens
    assert all(any(token in body for body in begun) for token in tokens)


def body_of(exchange: Exchange) -> str:
    return exchange.reply.body.decode() if isinstance(exchange.reply, Response) else ""


def test_calls_are_bounded() -> None:
    ran = covered_demo("shop", ChainOptions(calls=25))
    assert ran.chains.calls == 25
    counted = Counter(one.purpose for one in ran.exchanges)
    assert counted[Purpose.CALL] == 25
    assert counted[Purpose.CLEAN_UP] > 0


def test_an_answer_against_its_schema_is_a_suspicion() -> None:
    async def handle(request: web.Request) -> web.Response:
        return web.json_response([{"pid": 7}] if request.path == "/players" else {})

    with serving(everything(handle)) as url:
        ran = covered(demo("tournaments"), Reach(url))
    found = {
        (suspicion.key[0], example.complaint.operation)
        for suspicion in ran.chains.record.suspicions.all()
        for example in suspicion.examples
    }
    assert ("response-schema", "getPlayers") in found
    assert ("undocumented-status", "postPlayer") in found


class Pools:
    """Pools and their queues: paths call the same identifier by two names."""

    def __init__(self) -> None:
        self.pools: dict[str, set[str]] = {}

    def routes(self) -> tuple[web.RouteDef, ...]:
        return (
            web.post("/tickets", self.ticket),
            web.post("/pools", self.pool),
            web.get("/pools/{name}", self.read),
            web.delete("/pools/{name}", self.delete),
            web.post("/pools/{pool_name}/queues", self.queue),
            web.get("/pools/{pool_name}/queues/{name}", self.read_queue),
        )

    async def ticket(self, request: web.Request) -> web.Response:
        return web.json_response({**await request.json(), "pool_name": "made up"}, status=201)

    async def pool(self, request: web.Request) -> web.Response:
        name = (await request.json())["name"]
        self.pools[name] = set()
        return web.json_response({"name": name}, status=201)

    async def read(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        return web.json_response({"name": name}, status=200 if name in self.pools else 404)

    async def delete(self, request: web.Request) -> web.Response:
        found = self.pools.pop(request.match_info["name"], None)
        return web.Response(status=204 if found is not None else 404)

    async def queue(self, request: web.Request) -> web.Response:
        name, pool = (await request.json())["name"], request.match_info["pool_name"]
        if pool not in self.pools:
            return web.Response(status=404)
        self.pools[pool].add(name)
        return web.json_response({"name": name, "pool_name": pool}, status=201)

    async def read_queue(self, request: web.Request) -> web.Response:
        name, pool = request.match_info["name"], request.match_info["pool_name"]
        found = name in self.pools.get(pool, ())
        return web.json_response({"name": name, "pool_name": pool}, status=200 if found else 404)


def pools_document(folder: Path) -> str:
    named = obj("name", name=TEXT)
    queue = obj(name=TEXT, pool_name=TEXT)
    operations = {
        "POST /tickets": op(named, ref("Ticket"), "201"),
        "POST /pools": op(named, ref("Pool"), "201"),
        "GET /pools/{name}": op(gives=ref("Pool")),
        "DELETE /pools/{name}": op(status="204"),
        "POST /pools/{pool_name}/queues": op(named, ref("Queue"), "201"),
        "GET /pools/{pool_name}/queues/{name}": op(gives=ref("Queue")),
    }
    schemas = {"Ticket": queue, "Pool": obj(name=TEXT), "Queue": queue}
    file = folder / "pools.json"
    file.write_text(json.dumps(document(operations, schemas)), encoding="utf-8")
    return str(file)


def test_what_a_path_names_is_created_rather_than_borrowed_by_name(tmp_path: Path) -> None:
    with serving(*Pools().routes()) as url:
        ran = covered(pools_document(tmp_path), Reach(url))
    assert ran.without_success() == []
    refused = [one.request.url for one in ran.exchanges if (one.status or 0) >= 400]
    assert refused == []


class Books:
    """Books, known by a number, and by the isbn of those that have one."""

    def __init__(self) -> None:
        self.books: dict[str, dict[str, Any]] = {}

    def routes(self) -> tuple[web.RouteDef, ...]:
        return (
            web.post("/books", self.create),
            web.get("/books/{id}", self.read),
            web.delete("/books/{id}", self.delete),
            web.get("/books/isbn/{isbn}", self.read),
            web.patch("/books/isbn/{isbn}", self.read),
            web.delete("/books/isbn/{isbn}", self.delete),
            web.get("/books/{isbn}/latest", self.read),
            web.get("/loans", self.loans),
        )

    async def create(self, request: web.Request) -> web.Response:
        made = {"id": f"b{len(self.books)}", **await request.json()}
        self.books[made["id"]] = made
        return web.json_response(made, status=201)

    async def read(self, request: web.Request) -> web.Response:
        return web.json_response(self._book(request))

    async def loans(self, request: web.Request) -> web.Response:
        found = request.query.get("book_id") in self.books
        return web.json_response([], status=200 if found else 404)

    async def delete(self, request: web.Request) -> web.Response:
        del self.books[self._book(request)["id"]]
        return web.Response(status=204)

    def _book(self, request: web.Request) -> dict[str, Any]:
        wanted = dict(request.match_info).items()
        found = next((one for one in self.books.values() if wanted <= one.items()), None)
        if found is None:
            raise web.HTTPNotFound
        return found


def books_document(folder: Path) -> str:
    book = obj("title", title=TEXT, isbn=TEXT)
    asked = {"name": "book_id", "in": "query", "schema": TEXT}
    operations = {
        "POST /books": op(book, ref("Book"), "201"),
        "GET /books/{id}": op(gives=ref("Book")),
        "DELETE /books/{id}": op(status="204"),
        "GET /books/isbn/{isbn}": op(gives=ref("Book")),
        "PATCH /books/isbn/{isbn}": op(obj(title=TEXT), ref("Book")),
        "DELETE /books/isbn/{isbn}": op(status="204"),
        "GET /books/{isbn}/latest": op(gives=ref("Book")),
        "GET /loans": {**op(), "parameters": [{**asked, "required": True}]},
    }
    schemas = {"Book": obj(id=TEXT, title=TEXT, isbn=TEXT)}
    file = folder / "books.json"
    file.write_text(json.dumps(document(operations, schemas)), encoding="utf-8")
    return str(file)


def test_things_are_met_by_another_key_too(tmp_path: Path) -> None:
    service = Books()
    with serving(*service.routes()) as url:
        ran = covered(books_document(tmp_path), Reach(url))
    assert ran.without_success() == []
    assert service.books == {}


@pytest.mark.parametrize(("requests", "looks"), [(2_000, True), (None, False)])
def test_in_a_run_of_so_many_requests_seconds_end_nothing(
    requests: int | None, looks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("icepick.pipeline.calibration._SECONDS", -1.0)
    options = RunOptions(max_requests=requests)
    settings = RunSettings(seed=1, wrong=0, correction=False, learn=False, engine=options)
    with served(SERVICES["tournaments"]) as url:
        events = ran(demo("tournaments"), Reach(url), settings)
    phase, sent = "", Counter[str]()
    for event in events:
        phase = event.name if isinstance(event, PhaseStarted) else phase
        sent[phase] += isinstance(event, Exchanged)
    assert (sent["calibrate"] > 5) is looks
