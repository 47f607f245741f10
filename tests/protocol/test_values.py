from __future__ import annotations

from random import Random
from typing import Any

import pytest

from icepick.glacier import Answer, MemoryEnvironment, Sent, Truth
from icepick.inputs import Fresh, Generator, NotMade, Options
from icepick.inputs.case import CaseMaker, wire
from icepick.openapi.types import ABSENT, ApiSpec
from icepick.protocol import (
    Maker,
    Prepared,
    Types,
    bind_receive,
    bind_send,
    judge,
    parse_protocol,
    take,
)
from icepick.protocol.bind import BoundReceive, BoundSend
from icepick.protocol.tree import Assertion, External, Internal, Type
from icepick.resources.types import Location
from tests.protocol.documents import demo


def _call(text: str, spec: ApiSpec, **known: str) -> BoundSend:
    [definition] = parse_protocol(f"S = {text} . end").definitions
    assert isinstance(definition.body, Internal)
    send = definition.body.branches[0]
    types = {name: Type(of) for name, of in known.items()}
    bound = bind_send(send, spec.operation(send.operation), Types(spec), types)
    assert not bound.misfits
    return bound


def _maker(spec: ApiSpec, **functions: Any) -> Maker:
    generator = Generator(spec.schemas)
    return Maker(generator, Fresh(generator, Random(1)), functions, Random(2))


def _prepared(text: str, spec: ApiSpec, known: dict[str, Any], **functions: Any) -> Prepared:
    made = _maker(spec, **functions).prepare(
        _call(text, spec, **dict.fromkeys(known, "Any")), known
    )
    assert isinstance(made, Prepared)
    return made


def test_values_come_from_literals_earlier_messages_functions_and_generators() -> None:
    made = _prepared(
        "!addPet(id, name: String(genName), status = 'sold', photoUrls: List, tags = absent)",
        demo("petstore"),
        {"id": 7},
        genName=lambda rng, bound: f"pet {bound['id']}",
    )
    body = Location.BODY
    assert made.given[body, ("id",)] == 7
    assert made.given[body, ("name",)] == "pet 7"
    assert made.given[body, ("status",)] == "sold"
    assert isinstance(made.given[body, ("photoUrls",)], list)
    assert made.given[body, ("tags",)] is ABSENT
    assert sorted(made.bound) == ["name", "photoUrls"]
    assert made.arguments[:3] == (7, "pet 7", "sold")


def test_a_generator_takes_what_it_wants() -> None:
    spec = demo("petstore")
    for function in (lambda: 5, lambda _rng: 5, lambda _rng, _bound: 5):
        made = _prepared("!getPetById(petId: Int(gen))", spec, {}, gen=function)
        assert made.arguments == (5,)


def test_a_whole_body_is_made_around_what_is_said_of_it() -> None:
    spec = demo("petstore")
    made = _prepared("!updatePet(sent: Pet, id)", spec, {"id": 12})
    assert made.bound["sent"]["id"] == 12
    made = _prepared("!updatePet(sent: Pet(genPet), id)", spec, {"id": 12}, genPet=lambda: {"a": 1})
    assert made.bound["sent"] == {"a": 1, "id": 12}


def test_fresh_values_never_come_twice() -> None:
    spec = demo("petstore")
    maker, call = _maker(spec), _call("!addPet(id: Int(fresh))", spec)
    found = [maker.prepare(call, {}) for _ in range(50)]
    values = [one.arguments[0] for one in found if isinstance(one, Prepared)]
    assert len(set(values)) == 50


def test_a_token_goes_beside_what_the_operation_declares() -> None:
    spec = demo("shop")
    made = _prepared("!listOrders(token, status = 'open')", spec, {"token": "abc"})
    assert made.extra == {(Location.HEADER, ("Authorization",)): "Bearer abc"}
    assert made.given == {(Location.QUERY, ("status",)): "open"}


def test_a_call_is_made_around_the_prepared_values() -> None:
    spec = demo("shop")
    call = _call("!replaceCustomer(customer_id, email: String(fresh), vip = true)", spec)
    made = _maker(spec).prepare(call, {"customer_id": "c 1"})
    assert isinstance(made, Prepared)
    case = CaseMaker(Generator(spec.schemas), spec.schemas).make(
        call.operation, Random(3), Options(), made.given
    )
    assert not isinstance(case, NotMade)
    assert case.body["email"] == made.bound["email"]
    assert case.body["vip"] is True
    assert wire(case, spec.schemas).target == "/customers/c%201"


@pytest.mark.parametrize(
    ("text", "functions", "reason"),
    [
        ("!getPetById(petId)", {}, "petId: it is not bound"),
        ("!getPetById(petId: Int(gen))", {}, "petId: there is no generator gen"),
        (
            "!getPetById(petId: Int(gen))",
            {"gen": lambda: {}["x"]},
            "petId: gen raised KeyError: 'x'",
        ),
        (
            "!getPetById(petId: Int(gen))",
            {"gen": lambda: {1, 2}},
            "petId: gen raised TypeError: Object of type set is not JSON serializable",
        ),
    ],
)
def test_why_a_value_cannot_be_made(text: str, functions: dict[str, Any], reason: str) -> None:
    spec = demo("petstore")
    made = _maker(spec, **functions).prepare(_call(text, spec), {})
    assert isinstance(made, NotMade)
    assert str(made) == reason


def _response(text: str, operation: str, spec: ApiSpec) -> BoundReceive:
    [definition] = parse_protocol(f"S = {text} . end").definitions
    assert isinstance(definition.body, External)
    return bind_receive(definition.body.branches[0], spec.operation(operation), Types(spec))


PET = {"id": 3, "name": "Rex", "photoUrls": [], "status": "sold", "category": {"name": "dogs"}}


def test_variables_are_taken_from_an_answer() -> None:
    spec = demo("petstore")
    text = "?C201(pet: Pet, petId: Int, kind: String = body.category.name)"
    taken = take(_response(text, "addPet", spec), Answer(201, body=PET), Types(spec))
    assert taken.problems == ()
    assert taken.bound == {"pet": PET, "petId": 3, "kind": "dogs"}


def test_the_location_is_taken_as_what_it_ends_with() -> None:
    spec = demo("shop")
    answer = Answer(201, {"location": "http://host/v1/orders/a%20b/"})
    response = _response("?C201(where: String = location)", "createOrder", spec)
    assert take(response, answer, Types(spec)).bound == {"where": "a b"}
    number = _response("?C201(where: Int = location)", "createOrder", spec)
    answer = Answer(201, {"Location": "/orders/17"})
    assert take(number, answer, Types(spec)).bound == {"where": 17}


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"name": "Rex"}, "petId: body.id is missing"),
        (ABSENT, "petId: body.id is missing"),
        ({"id": "3"}, 'petId: "3" is not of type "integer"'),
    ],
)
def test_an_answer_that_is_not_of_the_declared_format(body: Any, problem: str) -> None:
    spec = demo("petstore")
    response = _response("?C201(petId: Int)", "addPet", spec)
    assert take(response, Answer(201, body=body), Types(spec)).problems == (problem,)


def _assertion(text: str) -> Assertion:
    [definition] = parse_protocol(f"S = ?C200()<{text}> . end").definitions
    assert isinstance(definition.body, External)
    return definition.body.branches[0].assertions[0]


ENV = MemoryEnvironment(
    sent=Sent(path={"petId": 3, "other": 1}),
    answer=Answer(200, body=PET),
    now={"/pet/3": Answer(200, body=PET)},
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("res_body(@){id} = number", Truth.TRUE),
        ("res_body(@) = pet", Truth.TRUE),
        ("pet.name = 'Max'", Truth.FALSE),
        ("res_code(GET /pet/{number}) = 200", Truth.TRUE),
        # A bound variable goes before a path parameter of the same name.
        ("other = 5", Truth.TRUE),
        ("petId = 3", Truth.TRUE),
        ("nobody = 3", Truth.UNKNOWN),
        ("isThree(number)", Truth.TRUE),
        ("isThree(other)", Truth.FALSE),
        ("asserts(other)", Truth.FALSE),
        ("asserts(number)", Truth.TRUE),
        ("breaks(number)", Truth.UNKNOWN),
        ("isMissing(number)", Truth.UNKNOWN),
        ("isThree(nobody)", Truth.UNKNOWN),
    ],
)
def test_assertions_see_the_exchange_and_the_variables(text: str, value: Truth) -> None:
    def asserts(number: int) -> None:
        assert number == 3, "not three"

    functions = {"isThree": lambda n: n == 3, "asserts": asserts, "breaks": lambda n: n["x"]}
    bound = {"number": 3, "pet": PET, "other": 5}
    found = judge(_assertion(text), ENV, bound, functions)
    assert found.value is value
    assert bool(found.explanation) is (value is not Truth.TRUE)


def test_a_failed_assertion_says_why() -> None:
    functions = {"isThree": lambda n: n == 3}
    assert judge(_assertion("number = 4"), ENV, {"number": 3}, {}).explanation == ("3 = 4 is false")
    failed = judge(_assertion("isThree(n)"), ENV, {"n": 4}, functions)
    assert failed.explanation == "isThree is false for n = 4"
