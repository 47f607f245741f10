from __future__ import annotations

import pytest

from icepick.openapi.types import ApiSpec
from icepick.protocol import Types, bind_receive, bind_send, parse_protocol
from icepick.protocol.tree import External, Internal, Type
from tests.protocol.documents import EXAMPLES, demo, document, spec_of


def _sent(call: str, spec: ApiSpec, **known: str) -> list[str]:
    [definition] = parse_protocol(f"S = {call} . end").definitions
    assert isinstance(definition.body, Internal)
    send = definition.body.branches[0]
    types = {name: Type(of) for name, of in known.items()}
    bound = bind_send(send, spec.operation(send.operation), Types(spec), types)
    return [str(one) for one in bound.targets]


def _received(response: str, operation: str, spec: ApiSpec) -> list[str]:
    [definition] = parse_protocol(f"S = {response} . end").definitions
    assert isinstance(definition.body, External)
    receive = definition.body.branches[0]
    return [
        str(one) for one in bind_receive(receive, spec.operation(operation), Types(spec)).sources
    ]


SOCKSHOP = EXAMPLES / "sockshop.openapi.yaml"


@pytest.mark.parametrize(
    ("call", "places"),
    [
        ("!addCust(apiKey: String, c1: Customer)", ["header.apiKey", "body"]),
        ("!addCard(apiKey, custId, card: Card)", ["header.apiKey", "query.custId", "body"]),
        ("!getCust(apiKey, custId)", ["header.apiKey", "path.id"]),
    ],
)
def test_the_arguments_of_figure_3(call: str, places: list[str]) -> None:
    assert _sent(call, spec_of(SOCKSHOP), apiKey="String", custId="String") == places


@pytest.mark.parametrize(
    ("response", "operation", "places"),
    [
        ("?C201(custId: String)", "addCust", ["body.id"]),
        ("?C201(CardId: String)", "addCard", ["body.id"]),
        ("?C200(c2: Customer)", "getCust", ["body"]),
    ],
)
def test_the_variables_of_figure_3(response: str, operation: str, places: list[str]) -> None:
    assert _received(response, operation, spec_of(SOCKSHOP)) == places


@pytest.mark.parametrize(
    ("call", "places"),
    [
        ("!addPet(id: Int, name: String)", ["body.id", "body.name"]),
        ("!addPet(body.category.name = c: String)", ["body.category.name"]),
        ("!addPet(category.name = c: String)", ["body.category.name"]),
        ("!addPet(p: NewPet)", ["body"]),
        ("!addPet(whatever: Object)", ["body"]),
        ("!updatePet(p: Pet, id: Int)", ["body", "body.id"]),
        ("!getPetById(pet: Int)", ["path.petId"]),
        ("!getPetById(which: Int)", ["path.petId"]),
        ("!getPetById(5)", ["path.petId"]),
        ("!updatePetWithForm(pet_id: Int, status = 'sold')", ["path.petId", "query.status"]),
        ("!updateUser(username: String, body.username = u: String)",
         ["path.username", "body.username"]),
        ("!addPet(other: String)", ["None"]),
    ],
)  # fmt: skip
def test_arguments_find_their_place(call: str, places: list[str]) -> None:
    assert _sent(call, demo("petstore")) == places


def test_between_two_places_nothing_is_guessed() -> None:
    spec = demo("features")
    call = "!addRequiresConstraintToProduct(productName: String, feat: String)"
    assert _sent(call, spec) == ["path.productName", "None"]
    [definition] = parse_protocol(f"S = {call} . end").definitions
    assert isinstance(definition.body, Internal)
    send = definition.body.branches[0]
    [misfit] = bind_send(send, spec.operation(send.operation), Types(spec)).misfits
    assert misfit.message == "`feat` may be body.sourceFeature or body.requiredFeature"


def test_a_token_is_sent_as_the_document_asks() -> None:
    spec = demo("shop")
    places = ["header.Authorization", "body.email"]
    assert _sent("!createCustomer(token, email: String)", spec, token="String") == places
    assert _sent("!createCustomer(accessToken, email: String)", spec) == places
    call = "!replaceCustomer(If-Match = tag, customer: Object, body.name = 'Ada')"
    assert _sent(call, spec) == ["header.If-Match", "body", "body.name"]


def test_parts_that_a_client_may_not_write_are_no_places() -> None:
    spec = demo("shop")
    assert _sent("!createAddress(id: String)", spec) == ["path.customer_id"]
    assert _sent("!createAddress(customer_id: String)", spec) == ["path.customer_id"]


ENVELOPED = {
    "openapi": "3.0.3",
    "info": {"title": "Boxes", "version": "1"},
    "paths": {
        "/boxes": {
            "post": {
                "operationId": "addBox",
                "responses": {
                    "201": {
                        "description": "made",
                        "headers": {
                            "Location": {"schema": {"type": "string"}},
                            "ETag": {"schema": {"type": "string"}},
                        },
                    },
                    "202": {
                        "description": "wrapped",
                        "content": {
                            "application/json": {
                                "schema": {
                                    "type": "object",
                                    "properties": {
                                        "status": {"type": "string"},
                                        "data": {"$ref": "#/components/schemas/Box"},
                                    },
                                }
                            }
                        },
                    },
                    "203": {
                        "description": "bare",
                        "content": {"application/json": {"schema": {"type": "integer"}}},
                    },
                    "206": {
                        "description": "many",
                        "content": {
                            "application/json": {
                                "schema": {
                                    "type": "array",
                                    "items": {"$ref": "#/components/schemas/Box"},
                                }
                            }
                        },
                    },
                },
            }
        }
    },
    "components": {
        "schemas": {
            "Box": {
                "type": "object",
                "properties": {"id": {"type": "integer"}, "size": {"type": "number"}},
            }
        }
    },
}


@pytest.mark.parametrize(
    ("response", "place"),
    [
        ("?C201(boxId: Int)", "location"),
        ("?C201(etag: String)", "header.ETag"),
        ("?C201(tag: String = header.ETag)", "header.ETag"),
        ("?C201(x: String = header.X-Other)", "header.X-Other"),
        ("?C201(id: String = location)", "location"),
        ("?C202(boxId: Int)", "body.data.id"),
        ("?C202(box: Box)", "body.data"),
        ("?C202(size: Number)", "body.data.size"),
        ("?C202(status: String)", "body.status"),
        ("?C202(all: Object)", "body"),
        ("?C2XX(box: Box)", "body.data"),
        ("?C203(number: Int)", "body"),
        ("?C206(boxes: Box[])", "body"),
        ("?C206(first: Int = body.0.id)", "body.0.id"),
        ("?C202(colour: Bool)", "None"),
    ],
)
def test_variables_find_their_place(response: str, place: str) -> None:
    assert _received(response, "addBox", document(ENVELOPED)) == [place]
