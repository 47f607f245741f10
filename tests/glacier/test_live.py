"""Inferred contracts on running services: all true where the service is right, and telling where
it is not."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from icepick.demo.catalogue import SERVICES
from icepick.glacier import ABSENT, Contracts, Outcome, Truth, prepare
from icepick.glacier.inference.catalogue import CATALOGUE, as_contracts, instances
from icepick.glacier.inference.infer import infer_contracts
from icepick.resources.find import find_resources
from tests.glacier.live import Live, served
from tests.glacier.test_inference import spec_of

Call = tuple[str, dict[str, Any], Any]

PLAYER = {"pid": "100000001", "name": "Ann", "email": "ann@mail.uk"}
OTHER = {"pid": "200000002", "name": "Bob", "email": "bob@mail.uk"}
TOURNAMENT = {"tid": 7, "tournamentName": "Cup", "capacity": 1}
ENROLMENT = {"eid": 1, "pid": "100000001", "tid": 7}

TOURNAMENTS: list[Call] = [
    ("postPlayer", {}, PLAYER),
    ("postPlayer", {}, OTHER),
    ("postTournament", {}, TOURNAMENT),
    ("postEnrolment", {}, ENROLMENT),
    ("updatePlayer", {"pid": "100000001"}, {**PLAYER, "name": "Anna"}),
    ("updateTournament", {"tid": 7}, {**TOURNAMENT, "capacity": 3}),
    ("deleteEnrolment", {"eid": 1}, ABSENT),
    ("deletePlayer", {"pid": "200000002"}, ABSENT),
    ("deleteTournament", {"tid": 7}, ABSENT),
]

USER = {"username": "ann", "password": "secret1", "email": "ann@mail.uk"}
PET = {"id": 5, "name": "Rex", "photoUrls": ["u"], "status": "available"}
ORDER = {"id": 3, "petId": 5, "quantity": 2, "shipDate": "2026-01-02T03:04:05Z"}

PETSTORE: list[Call] = [
    ("createUser", {}, USER),
    ("createUsersWithListInput", {}, [USER, {**USER, "username": "bob"}]),
    ("updateUser", {"username": "ann"}, {**USER, "email": "new@mail.uk"}),
    ("addPet", {}, PET),
    ("updatePet", {}, {**PET, "name": "Max"}),
    ("placeOrder", {}, ORDER),
    ("deleteOrder", {"orderId": 3}, ABSENT),
    ("deletePet", {"petId": 5}, ABSENT),
    ("deleteUser", {"username": "bob"}, ABSENT),
]

FEATURE = {"productName": "car", "featureName": "radio"}
CHOICE = {"productName": "car", "configurationName": "basic"}

FEATURES: list[Call] = [
    ("addProduct", {"productName": "car"}, ABSENT),
    ("addFeatureToProduct", FEATURE, ABSENT),
    ("addConfiguration", CHOICE, ABSENT),
    ("addFeatureToConfiguration", {**CHOICE, **FEATURE}, ABSENT),
    ("deleteFeature", {**CHOICE, **FEATURE}, ABSENT),
    ("deleteFeatureOfProduct", FEATURE, ABSENT),
    ("deleteConfiguration", CHOICE, ABSENT),
    ("deleteProductByName", {"productName": "car"}, ABSENT),
]


SYMMETRY = (
    "for t in res_body(GET /tournaments) :- for p in res_body(GET /tournaments/{t.tid}/players) :- "
    "contains(res_body(GET /players/{p}/tournaments), t.tid)"
)


def made(index: int) -> Callable[[list[Any]], str]:
    """The identifier that the answer of an earlier call shows."""
    return lambda bodies: bodies[index]["id"]


def filled(value: Any, bodies: list[Any]) -> Any:
    """A value with what earlier answers gave."""
    if callable(value):
        return value(bodies)
    if isinstance(value, dict):
        return {key: filled(inner, bodies) for key, inner in value.items()}
    return value


CUSTOMER = {"name": "Ann", "email": "ann@mail.uk", "credit_limit": 5}
ADDRESS = {"street": "Main", "city": "Rome", "postal_code": "00100", "country": "IT"}
ORDER_OF_SHOP = {"customer_id": made(0), "type": "standard", "address_id": made(1)}
LINE = {"order_id": made(3), "line_id": made(4)}

SHOP: list[Call] = [
    ("createCustomer", {}, CUSTOMER),
    ("createAddress", {"customer_id": made(0)}, ADDRESS),
    ("putProduct", {"sku": "ABC-1234"}, {"title": "Pen", "price": 2.5, "stock": 9}),
    ("createOrder", {}, ORDER_OF_SHOP),
    ("createLine", {"order_id": made(3)}, {"sku": "ABC-1234", "quantity": 2}),
    ("replaceLine", LINE, {"sku": "ABC-1234", "quantity": 3}),
    ("updateCustomer", {"customer_id": made(0)}, {"vip": True}),
    ("replaceCustomer", {"customer_id": made(0)}, {**CUSTOMER, "name": "Anna"}),
    ("updateOrder", {"order_id": made(3)}, {"note": "ring twice"}),
    ("deleteLine", LINE, ABSENT),
    ("deleteOrder", {"order_id": made(3)}, ABSENT),
    ("deleteAddress", {"customer_id": made(0), "address_id": made(1)}, ABSENT),
    ("deleteCustomer", {"customer_id": made(0)}, ABSENT),
    ("deleteProduct", {"sku": "ABC-1234"}, ABSENT),
]


def contracts_for(name: str) -> Contracts:
    spec = spec_of(name)
    resources = find_resources(spec)
    chosen = [i for template in CATALOGUE for i in instances(template, spec, resources)]
    return infer_contracts(spec, resources).contracts.merged(as_contracts(chosen, spec))


def run(name: str, calls: list[Call], *faults: str) -> list[tuple[str, list[Outcome]]]:
    """The outcomes of each call: what it required, what it ensured, and the invariants after it."""
    spec, contracts = spec_of(name), contracts_for(name)
    labels = {operation.id: operation.label for operation in spec.operations}
    invariants = [prepare(clause) for clause in contracts.invariants]
    found = []
    bodies: list[Any] = []
    with served(SERVICES[name], *faults) as url, closing(Live(url, spec)) as live:
        if name == "shop":
            live.sign_in("/sessions", {"username": "demo", "password": "demo-password"})
        for operation, given_path, given_body in calls:
            path, body = filled(given_path, bodies), filled(given_body, bodies)
            contract = contracts.of(labels[operation])
            requires = [prepare(clause) for clause in contract.requires]
            ensures = [prepare(clause) for clause in contract.ensures] + invariants
            answer, before, after = live.call(operation, path, body, requires, ensures)
            assert 200 <= answer.status < 300, (operation, answer)
            bodies.append(answer.body)
            found.append((operation, before + after))
    return found


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("tournaments", TOURNAMENTS),
        ("petstore", PETSTORE),
        ("features", FEATURES),
        ("shop", SHOP),
    ],
)
def test_a_correct_service_keeps_every_clause(name: str, calls: list[Call]):
    wrong = [
        (operation, outcome.clause.text, outcome.value, outcome.explanation or outcome.reason)
        for operation, outcomes in run(name, calls)
        for outcome in outcomes
        if outcome.value is not Truth.TRUE
    ]
    assert wrong == []


def broken(name: str, calls: list[Call], fault: str) -> set[str]:
    return {
        f"{operation}: {outcome.clause.text}"
        for operation, outcomes in run(name, calls, fault)
        for outcome in outcomes
        if outcome.value is Truth.FALSE
    }


@pytest.mark.parametrize(
    ("fault", "calls", "clause"),
    [
        (
            "delete-player-keeps",
            TOURNAMENTS,
            "deletePlayer: res_code(GET /players/{pid}) = 404",
        ),
        (
            "delete-tournament-other",
            TOURNAMENTS,
            "deleteTournament: res_code(GET /tournaments/{tid}) = 404",
        ),
        (
            "delete-enrolment-keeps-membership",
            TOURNAMENTS[:7],
            f"deleteEnrolment: {SYMMETRY}",
        ),
    ],
)
def test_the_three_faults_of_the_paper(fault: str, calls: list[Call], clause: str):
    assert clause in broken("tournaments", calls, fault)
