from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from icepick.glacier import Answer, MemoryEnvironment, Sent
from icepick.inputs import Fresh, Generator, NotMade, Options
from icepick.inputs.case import Case, CaseMaker
from icepick.protocol import (
    ApiDomain,
    CoverPolicy,
    Fault,
    Judged,
    Maker,
    Model,
    Policy,
    Prepared,
    Protocols,
    RandomPolicy,
    Run,
    Types,
    accepts,
    automaton_of,
    load_protocols,
    read_protocols,
)
from icepick.protocol.tree import Send
from tests.protocol.documents import EXAMPLES, demo, spec_of
from tests.protocol.sockshop import SockShop


class Driver:
    """Runs a model against a shop in memory: the smallest driver that there can be."""

    def __init__(self, protocols: Protocols, seed: int) -> None:
        spec = spec_of(EXAMPLES / "sockshop.openapi.yaml")
        automaton = automaton_of("S_shop", protocols.definitions)
        self.model = Model(automaton, Types(spec), protocols.functions)
        generator, self.rng = Generator(spec.schemas), Random(seed)
        fresh = Fresh(generator, Random(seed))
        self.maker = Maker(generator, fresh, protocols.functions, self.rng)
        self.cases = CaseMaker(generator, spec.schemas)

    def run(self, policy: Policy, shop: SockShop) -> tuple[Run, Judged | None]:
        """One run, and the fault that ended it, if one did."""
        run = Run(self.model)
        policy.begin()
        while not run.is_over and (edge := policy.next_send(run.state)) is not None:
            call = run.call(edge)
            prepared = self.maker.prepare(call, run.known)
            assert isinstance(prepared, Prepared)
            case = self.cases.make(call.operation, self.rng, Options(), prepared.given)
            assert not isinstance(case, NotMade)
            run.sent(edge, prepared)
            policy.took(edge)
            answer = shop.answer(call.operation.id, _values(case), case.body)
            env = MemoryEnvironment(Sent(case.path, case.query, case.headers, case.body), answer)
            judged = run.received(answer, env)
            if judged.edge is None:
                return run, judged
            policy.took(judged.edge)
        return run, None


def _values(case: Case) -> Mapping[str, Any]:
    return {**case.path, **case.query, **case.headers}


@pytest.fixture(scope="module")
def protocols() -> Protocols:
    return load_protocols(EXAMPLES / "sockshop.protocol")


def test_a_shop_that_is_right_is_walked_all_over(protocols: Protocols) -> None:
    driver = Driver(protocols, 1)
    policy, shop, calls = CoverPolicy(driver.model.automaton), SockShop(), 0
    while not policy.is_done:
        run, judged = driver.run(policy, shop)
        assert judged is None
        assert run.is_over
        calls += sum(event.is_sent for event in run.trace)
    assert policy.coverage.is_full
    assert calls <= 30


@pytest.mark.parametrize("seed", range(10))
def test_the_traces_of_a_driver_are_traces_of_the_model(protocols: Protocols, seed: int) -> None:
    driver = Driver(protocols, seed)
    policy = RandomPolicy(driver.model.automaton, Random(seed), most=30)
    run, judged = driver.run(policy, SockShop())
    assert judged is None
    domain = ApiDomain(driver.model.types, protocols.functions)
    found = protocols.definitions
    assert accepts("S_shop", found, run.trace, domain, prefix=not run.is_over)
    # With another value for what was bound before, it is none any more.
    at = max(index for index, event in enumerate(run.trace) if event.is_sent)
    spoilt = list(run.trace)
    spoilt[at] = type(spoilt[at])(True, spoilt[at].name, ("other key", *spoilt[at].values[1:]))
    assert not accepts("S_shop", found, spoilt, domain, prefix=not run.is_over)


@pytest.mark.parametrize(
    ("fault", "kind", "operation", "explanation"),
    [
        (
            "deletes with 200",
            Fault.CODE,
            "deleteCust",
            "answered with 200 in place of ?C204",
        ),
        (
            "crashes on a second card",
            Fault.CODE,
            "addCard",
            "answered with 500 in place of ?C201",
        ),
        (
            "shows numbers",
            Fault.FORMAT,
            "getCust",
            'the body is not as declared: 5 is not of type "string" at /username',
        ),
        (
            "forgets the e-mail after a card",
            Fault.ASSERTION,
            "getCust",
            "checkCustomer is false for c1 = ",
        ),
    ],
)
def test_each_kind_of_fault_is_found(
    protocols: Protocols, fault: str, kind: Fault, operation: str, explanation: str
) -> None:
    driver = Driver(protocols, 3)
    policy, shop = CoverPolicy(driver.model.automaton), SockShop(fault)
    found: list[tuple[Fault | None, str, str]] = []
    while not policy.is_done:
        run, judged = driver.run(policy, shop)
        if judged is not None:
            found.append((judged.fault, run.trace[-1].name, judged.explanation))
    assert found
    assert {one[:2] for one in found} == {(kind, operation)}
    assert all(explanation in one[2] for one in found)


def _received(text: str, answer: Answer, **functions: Any) -> Judged:
    """What becomes of the answer to the first call of a model of the pet store."""
    protocols = read_protocols(text, functions=functions)
    automaton = automaton_of("S", protocols.definitions)
    run = Run(Model(automaton, Types(demo("petstore")), functions))
    [edge] = automaton.edges_of(0)
    assert isinstance(edge.branch, Send)
    run.sent(edge, Prepared((7,), {}, {}, {"petId": 7}))
    return run.received(answer, MemoryEnvironment(answer=answer))


PET = {"id": 7, "name": "Rex", "photoUrls": [], "status": "sold"}


def test_an_answer_takes_the_first_branch_that_it_fits() -> None:
    text = (
        "S = !getPetById(petId: Int) . &{?C200(p: Pet)<p.name = 'Max'> . end, "
        "?C200(p: Pet)<p.id = petId> . end, ?C404() . end}"
    )
    judged = _received(text, Answer(200, body=PET))
    assert judged.edge is not None
    assert judged.edge.key == ("S", 0, 1)


def test_what_cannot_be_decided_is_told() -> None:
    text = "S = !getPetById(petId: Int) . ?C200()<res_code(GET /pet/{petId}) = 200> . end"
    judged = _received(text, Answer(200, body=PET))
    assert judged.edge is not None
    assert len(judged.doubts) == 1


def test_a_body_that_is_missing() -> None:
    judged = _received("S = !getPetById(petId: Int) . ?C200() . end", Answer(200))
    assert (judged.fault, judged.explanation) == (Fault.FORMAT, "the body is missing")


def test_the_violated_assertion_is_told_rather_than_another_branch() -> None:
    text = (
        "S = !getPetById(petId: Int) . &{?C200(p: Pet)<p.id = 8> . end, "
        "?C200(colour: String = body.0.colour) . end}"
    )
    judged = _received(text, Answer(200, body=PET))
    assert (judged.fault, judged.explanation) == (Fault.ASSERTION, "7 = 8 is false")
