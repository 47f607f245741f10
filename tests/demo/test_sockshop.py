"""The SockShop: every operation, every refusal, every fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from icepick.demo.sockshop import SOCKSHOP
from tests.demo.checking import (
    Answer,
    CheckingClient,
    assert_routes_match,
    document_of,
    documented_answers,
)

KEY = {"apiKey": "demo-key"}
ADA = {"username": "ada", "email": "ada@example.com"}
CARD = {"number": "1234567812345678", "expires": "04/31"}
HOME = {"street": "Main St 1", "city": "Oslo"}
EXAMPLE = Path(__file__).parents[2] / "examples" / "protocols" / "sockshop.openapi.yaml"


@pytest.fixture
async def client(start) -> CheckingClient:
    """A client of the correct service, empty."""
    return CheckingClient.of(await start(SOCKSHOP), SOCKSHOP)


@dataclass(frozen=True, slots=True)
class Call:
    """A call about the first customer; `id` in a path or a query is replaced by its id."""

    method: str
    path: str
    body: Any = None
    documented: bool = True

    async def send(self, client: CheckingClient) -> Answer:
        path = self.path.format(id="cust-1")
        if self.documented:
            return await client.call(self.method, path, json=self.body, headers=KEY)
        async with client.client.request(self.method, path, json=self.body, headers=KEY) as reply:
            return Answer(reply.status, await reply.json(), reply.headers)


add_customer = Call("POST", "/customer", ADA)
add_card = Call("POST", "/card?custId={id}", CARD)
add_address = Call("POST", "/address?custId={id}", HOME)
read = Call("GET", "/customer/{id}")
delete = Call("DELETE", "/customer/{id}")


def test_routes_are_those_of_the_document() -> None:
    assert_routes_match(SOCKSHOP)


def test_the_document_is_that_of_the_example() -> None:
    assert document_of(SOCKSHOP).content == yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))


async def test_a_customer_has_all_that_was_added(client: CheckingClient) -> None:
    for call in (add_customer, add_card, add_address, add_card):
        assert (await call.send(client)).status == 201
    body = (await read.send(client)).body
    assert body == {
        **ADA,
        "id": "cust-1",
        "cards": [{**CARD, "id": "card-2"}, {**CARD, "id": "card-4"}],
        "addresses": [{**HOME, "id": "addr-3"}],
    }
    assert (await delete.send(client)).status == 204
    assert (await read.send(client)).status == 404


async def test_every_documented_answer_is_given(client: CheckingClient) -> None:
    for call in (add_customer, add_card, add_address, read):
        await call.send(client)
    for method, path, body in (
        ("POST", "/customer", {**ADA, "username": ""}),
        ("POST", "/card?custId=cust-1", {**CARD, "number": "1"}),
        ("POST", "/address?custId=cust-1", [HOME]),
    ):
        answer = await client.call(method, path, json=body, headers=KEY)
        assert answer.status == 400, answer
    for key in ({}, {"apiKey": "other"}):
        for call in (add_customer, add_card, add_address, read, delete):
            path = call.path.format(id="cust-1")
            answer = await client.call(call.method, path, json=call.body, headers=key)
            assert answer.status == 401, answer
    assert (await delete.send(client)).status == 204
    for call in (add_card, add_address, read, delete):
        assert (await call.send(client)).status == 404
    assert client.seen == documented_answers(client.document)


@pytest.mark.parametrize(
    ("data", "headers"),
    [(b"{", {"Content-Type": "application/json"}), (b"{}", {"Content-Type": "text/plain"})],
)
async def test_a_body_that_is_no_json_is_invalid(client, data, headers) -> None:
    answer = await client.post("/customer", data=data, headers={**KEY, **headers})
    assert answer.status == 400


async def test_a_card_is_for_somebody(client: CheckingClient) -> None:
    assert (await client.post("/card", json=CARD, headers=KEY)).status == 400


@dataclass(frozen=True, slots=True)
class Case:
    """Calls after which the last answer tells a fault from correct behaviour."""

    fault: str
    calls: tuple[Call, ...]
    look: Callable[[Answer], Any]
    right: Any
    wrong: Any


def status(answer: Answer) -> int:
    return answer.status


CASES = (
    Case(
        "second-card-crashes",
        (add_customer, add_card, Call(add_card.method, add_card.path, CARD, documented=False)),
        status,
        right=201,
        wrong=500,
    ),
    Case(
        "address-overwrites-email",
        (add_customer, add_address, read),
        lambda answer: answer.body["email"],
        right="ada@example.com",
        wrong="Main St 1, Oslo",
    ),
    Case(
        "card-numbers-as-integers",
        (add_customer, add_card, Call(read.method, read.path, documented=False)),
        lambda answer: answer.body["cards"][0]["number"],
        right="1234567812345678",
        wrong=1234567812345678,
    ),
    Case(
        "address-id-missing",
        (
            add_customer,
            add_address,
            Call(add_address.method, add_address.path, HOME, documented=False),
        ),
        lambda answer: answer.body["id"],
        right="addr-3",
        wrong=None,
    ),
    Case(
        "delete-with-card-refused",
        (add_customer, add_card, add_address, delete),
        status,
        right=204,
        wrong=401,
    ),
    Case("read-forgets-customer", (add_customer, read, read), status, right=200, wrong=404),
    Case("deleted-stays", (add_customer, delete, read), status, right=404, wrong=200),
)


@pytest.mark.parametrize("faults", [(), *((case.fault,) for case in CASES)], ids=str)
async def test_a_fault_shows_in_its_own_calls_and_no_others(start, faults) -> None:
    client = CheckingClient.of(await start(SOCKSHOP, *faults), SOCKSHOP)
    for case in CASES:
        for call in case.calls[:-1]:
            assert (await call.send(client)).status < 300
        expected = case.wrong if case.fault in faults else case.right
        assert case.look(await case.calls[-1].send(client)) == expected, case.fault
        await client.client.post("/__reset__")


def test_every_fault_has_a_case() -> None:
    assert [case.fault for case in CASES] == [fault.name for fault in SOCKSHOP.faults]


async def test_all_faults_can_be_on_at_once(start) -> None:
    faults = [fault.name for fault in SOCKSHOP.faults]
    client = CheckingClient.of(await start(SOCKSHOP, *faults), SOCKSHOP)
    for call in (add_customer, add_card, add_address):
        assert (await call.send(client)).status == 201
