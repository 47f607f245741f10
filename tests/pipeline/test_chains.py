"""Call sequences of the property graph against real services."""

from __future__ import annotations

from collections import Counter

import pytest
from aiohttp import web

from icepick.demo.catalogue import SERVICES
from icepick.execute.chains import ChainOptions
from icepick.execute.types import Exchange, Purpose, Response
from icepick.pipeline.session import Reach
from tests.cli.invoking import get
from tests.glacier.live import served
from tests.pipeline.running import Ran, covered, covered_demo, demo
from tests.pipeline.serving import everything, serving


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
    assert set(missing) <= set(ran.chains.reasons)


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
        for suspicion in ran.chains.suspicions.all()
        for example in suspicion.examples
    }
    assert ("response-schema", "getPlayers") in found
    assert ("undocumented-status", "postPlayer") in found
