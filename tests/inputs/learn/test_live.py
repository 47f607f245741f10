"""Learning from the demo services, and breaking them."""

from __future__ import annotations

import pytest

from icepick.demo.shop.faults import CRASH_FAULTS
from icepick.inputs.learn import Effort
from icepick.inputs.learn.exceptional import Exceptional
from icepick.inputs.learn.types import Kind
from tests.inputs.learn.documents import body
from tests.inputs.learn.driving import hunt, world

ORDER = ["createCustomer", "createAddress", "createOrder"]
PLACES = {
    "phone-without-country": ["createUser"],
    "business-without-company": ["createUser"],
    "age-text": ["createUser"],
    "password-number": ["createUser"],
    "empty-interests": ["createUser"],
    "impossible-date": ["createUser"],
    "null-name": ["createCustomer"],
    "huge-credit-limit": ["createCustomer"],
    "email-case": ["createCustomer"],
    "array-body": ["putProduct"],
    "null-price": ["putProduct"],
    "non-ascii-sku": ["putProduct"],
    "unknown-customer": ORDER,
    "unknown-order-type": ORDER,
    "long-note": [*ORDER, "updateOrder"],
    "fractional-quantity": ["putProduct", *ORDER, "createLine"],
    "negative-page": ["listCustomers"],
    "page-size-text": ["listCustomers"],
    "missing-password": ["createSession"],
}
"""Where each crash is, after what it needs."""


@pytest.mark.parametrize("seed", range(5))
def test_the_operation_with_21_inputs(seed: int) -> None:
    with world("shop", seed) as place:
        learned = place.learn(place.spec.operation("createUser"), Effort(300))
    assert learned.successes == 1
    assert learned.calls <= 10


def test_the_rules_that_only_messages_tell() -> None:
    with world("shop", 1) as place:
        learned = place.learn(place.spec.operation("createUser"), Effort(300, 60))
    assert learned.successes == 60
    assert learned.calls <= 80
    required = {slot[1][0] for slot, hint in learned.hints.items() if hint.required}
    assert required == {"email", "password", "gender"}
    assert {slot[1][0] for slot in learned.unique} == {"username", "email"}
    kinds = {(one.kind, one.slot[1][0], one.others[0][1][0]) for one in learned.relations}
    assert kinds == {
        (Kind.REQUIRES, "phone_country", "phone"),
        (Kind.REQUIRES, "city", "postal_code"),
        (Kind.REQUIRES, "country", "city"),
        (Kind.REQUIRES, "company", "account_type"),
        (Kind.ONLY_IF, "vat_id", "account_type"),
        (Kind.ONLY_IF, "discount", "account_type"),
        (Kind.ONLY_IF, "newsletter_frequency", "newsletter"),
        (Kind.BEFORE, "valid_from", "valid_until"),
    }
    assert learned.hints[body("age")].minimum == 18


@pytest.mark.parametrize("service", ["shop", "tournaments", "petstore", "features"])
def test_every_operation_is_taken(service: str) -> None:
    with world(service, 11) as place:
        done = place.learn_all()
        calls = place.client.calls
    assert [name for name, success in done.items() if not success] == []
    assert len(done) == len(place.spec.operations)
    assert calls <= 600


def test_every_crash_has_a_place() -> None:
    assert {fault.name for fault in CRASH_FAULTS} == {f"crash-{name}" for name in PLACES}


@pytest.mark.parametrize("fault", PLACES)
def test_wrong_inputs_find_each_crash(fault: str) -> None:
    *before, target = PLACES[fault]
    with world("shop", 2, f"crash-{fault}") as place:
        found, calls = hunt(place, before, target, 600)
    assert len(found) == 1, calls


def test_a_service_without_faults_has_no_oddity() -> None:
    with world("shop", 3) as place:
        learners = []
        for name in ("createCustomer", "createAddress", "putProduct", "createUser", "listUsers"):
            place.learn(place.spec.operation(name), Effort(30))
            learners.append(place.learner(place.spec.operation(name), Effort(30)))
        phase = Exceptional(learners, place.setting, place.rng)
        for _ in range(400):
            mutation = phase.next()
            assert mutation is not None
            reply = place.client.send(mutation.wire(place.spec.schemas))
            phase.observe(mutation, reply.status, reply.body, reply.content_type)
    assert [(one.kind, one.operation, one.message) for one in phase.found] == []
