from __future__ import annotations

from typing import Any

import pytest
import yaml

from icepick.errors import Code
from icepick.protocol import (
    ProtocolError,
    check_protocols,
    from_arazzo,
    print_text,
    read_protocols,
    to_arazzo,
)
from icepick.protocol.arazzo import problems
from icepick.protocol.load import Protocols
from tests.protocol.documents import demo

BUY = """
Buy =
  !createSession(username = "demo", password = "demo-password") . ?C201(token: String) .
  !createCustomer(token, email: String(genMail), vip = true) .
  ?C201(customer_id: String = body.id)<res_code(@) = 201> .
  !getCustomer(token, customer_id) . ?C200(c: Customer)<c.email = email; isFine(c)> .
  !replaceCustomer(token, customer_id, sent: CustomerInput, email) . ?C2XX() .
  !getCustomer(token, customer_id) . ?C200(tag: String = header.ETag) .
  !deleteCustomer(token, customer_id, If-Match = tag) . ?C204() . end
"""
FUNCTIONS = {"genMail": str, "isFine": bool}


def _bought() -> Protocols:
    protocols = read_protocols(BUY, "buy.protocol", FUNCTIONS)
    assert check_protocols(protocols, demo("shop")) == ()
    return protocols


def _document() -> dict[str, Any]:
    exported = to_arazzo(_bought(), demo("shop"), "./shop.yaml")
    assert exported.diagnostics == ()
    assert exported.document is not None
    return exported.document


def test_an_export_is_an_arazzo_description() -> None:
    exported = _document()
    assert list(problems(exported)) == []
    assert exported["arazzo"] == "1.0.1"
    assert exported["sourceDescriptions"] == [
        {"name": "Shop", "url": "./shop.yaml", "type": "openapi"}
    ]
    [workflow] = exported["workflows"]
    steps = [step["stepId"] for step in workflow["steps"]]
    assert steps == [
        "createSession",
        "createCustomer",
        "getCustomer",
        "replaceCustomer",
        "getCustomer-2",
        "deleteCustomer",
    ]


def test_the_values_of_a_step() -> None:
    [workflow] = _document()["workflows"]
    step = workflow["steps"][1]
    assert step["parameters"] == [
        {
            "name": "Authorization",
            "in": "header",
            "value": "Bearer {$steps.createSession.outputs.token}",
        }
    ]
    # What the operation requires and the protocol leaves open is an input of the workflow.
    assert step["requestBody"] == {
        "contentType": "application/json",
        "payload": {"email": "$inputs.email", "vip": True, "name": "$inputs.createCustomer_name"},
    }
    assert step["successCriteria"] == [{"condition": "$statusCode == 201"}]
    assert step["outputs"] == {"customer_id": "$response.body#/id"}
    assert workflow["inputs"]["properties"]["email"] == {
        "type": "string",
        "x-icepick-type": "String",
        "x-icepick-generator": "genMail",
    }
    replaced = workflow["steps"][3]
    assert replaced["requestBody"]["payload"] == "$inputs.sent"
    assert replaced["requestBody"]["replacements"] == [
        {"target": "/email", "value": "$inputs.email"}
    ]
    assert replaced["successCriteria"] == [
        {"condition": "$statusCode >= 200"},
        {"condition": "$statusCode < 300"},
    ]


def test_an_export_comes_back() -> None:
    spec = demo("shop")
    text = to_arazzo(_bought(), spec, "./shop.yaml").text()
    imported = from_arazzo(text, "flows.yaml", spec)
    assert imported.diagnostics == ()
    again = read_protocols(print_text(imported.text), "again", FUNCTIONS)
    assert check_protocols(again, spec) == ()
    printed = print_text(imported.text)
    assert "body.email = email: String(genMail)" in printed
    assert "?C200(c: Object = body)<c.email = email; isFine(c)> ." in printed
    assert "header.If-Match = tag" in printed
    # Once more round, nothing changes any more.
    second = to_arazzo(again, spec, "./shop.yaml").text()
    assert print_text(from_arazzo(second, "flows.yaml", spec).text) == printed


@pytest.mark.parametrize(
    ("text", "caret"),
    [
        (
            "Loop = rec X.(!listOrders() . ?C200() . X)",
            "Loop = rec X.(!listOrders() . ?C200() . X)\n" + " " * 30 + "^",
        ),
        (
            "Fork = +{!listOrders() . ?C200() . end, !listUsers() . ?C200() . end}",
            "Fork = +{!listOrders() . ?C200() . end, !listUsers() . ?C200() . end}\n"
            + " " * 40
            + "^",
        ),
        ("Nothing = end", "Nothing = end\n^"),
    ],
)
def test_what_is_not_linear_is_told_and_left_out(text: str, caret: str) -> None:
    exported = to_arazzo(read_protocols(text), demo("shop"))
    assert exported.document is None
    [found] = exported.diagnostics
    assert found.code is Code.NOT_LINEAR
    assert found.place.caret() == caret


def test_a_bounded_loop_is_linear() -> None:
    exported = to_arazzo(read_protocols("S = rec X[3].(!listOrders() . ?C200() . X)"), demo("shop"))
    assert exported.document is not None
    assert len(exported.document["workflows"][0]["steps"]) == 3


def test_part_of_a_header_has_no_counterpart() -> None:
    text = (
        "S = !createOrder() . ?C201(order_id: String = location) . "
        "!getOrder(order_id) . ?C200() . end"
    )
    exported = to_arazzo(read_protocols(text), demo("shop"))
    assert [one.code for one in exported.diagnostics] == [Code.LOST_IN_EXCHANGE]


def test_a_text_that_arazzo_would_take_for_an_expression_is_told() -> None:
    text = "S = !createCustomer(name = '$inputs.x') . ?C201() . end"
    [found] = to_arazzo(read_protocols(text), demo("shop")).diagnostics
    assert found.code is Code.LOST_IN_EXCHANGE
    assert found.place.caret() == text + "\n" + " " * 20 + "^"


PETS = """
arazzo: 1.0.0
info: {title: Pets, version: 0.0.1}
sourceDescriptions:
  - {name: pets, url: ./petstore.yaml, type: openapi}
workflows:
  - workflowId: buy-a-pet
    inputs: {$ref: '#/components/inputs/wanted'}
    parameters:
      - {name: api_version, in: header, value: 2}
    steps:
      - stepId: add
        operationId: $sourceDescriptions.pets.addPet
        requestBody:
          payload:
            name: $inputs.pet-name
            status: available
            category: {name: $inputs.kind, id: 4}
            photoUrls: []
        successCriteria:
          - condition: $statusCode == 201
        outputs:
          pet: $response.body#/id
          again: $response.body.name
      - stepId: read
        operationPath: '{$sourceDescriptions.pets.url}#/paths/~1pet~1{petId}/get'
        parameters:
          - {name: petId, value: $steps.add.outputs.pet}
        successCriteria:
          - condition: $statusCode == 200
          - {context: $response.body, condition: $.name == 'Rex', type: jsonpath}
      - stepId: search
        operationId: findPetsByStatus
        parameters:
          - {reference: $components.parameters.status}
        onFailure:
          - {name: again, type: retry}
      - stepId: other
        workflowId: somewhere-else
components:
  parameters:
    status: {name: status, in: query, value: [available]}
  inputs:
    wanted:
      type: object
      properties:
        pet-name: {type: string}
        kind: {type: string}
"""


def test_a_workflow_of_others_is_read() -> None:
    spec = demo("petstore")
    imported = from_arazzo(PETS.replace("api_version, in: header, value: 2", "x, value: $url"),
                           "pets.yaml", spec)  # fmt: skip
    assert print_text(imported.text) == (
        "buy_a_pet =\n"
        '  !addPet(body.name = pet_name: String, body.status = "available", '
        "body.category.name = kind: String, body.category.id = 4, body.photoUrls = []) . "
        "?C201(pet: Int = body.id, again: String = body.name) .\n"
        "  !getPetById(path.petId = pet) . ?C200() .\n"
        '  !findPetsByStatus(query.status = ["available"]) . ?C200() . end\n'
    )
    messages = [one.message for one in imported.diagnostics]
    assert messages == [
        "the value '$url' at query.x of the step add has no counterpart; left out",
        "the value '$url' at query.x of the step read has no counterpart; left out",
        "the criterion `$.name == 'Rex'` of the step read has no counterpart; left out",
        "`onFailure` has no counterpart in a linear flow; left out",
        "the value '$url' at query.x of the step search has no counterpart; left out",
        "the step other calls somewhere-else, which is no operation; left out",
    ]
    assert imported.diagnostics[-1].place.pointer == "/workflows/0/steps/3"
    assert check_protocols(read_protocols(print_text(imported.text)), spec) == ()


def _changed(path: list[str | int], value: Any) -> str:
    content = yaml.safe_load(PETS)
    at = content
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value
    return yaml.safe_dump(content)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("openapi: 3.0.0", '"arazzo" is a required property'),
        ("[1, 2]", "not of type"),
        ("a: [", "YAML"),
        (_changed(["arazzo"], "2.0.0"), "does not match"),
        (_changed(["workflows"], []), "less than 1 item"),
        (_changed(["workflows", 0, "steps", 1, "stepId"], "add"), "'add' stands twice"),
        (_changed(["workflows", 0, "steps", 0, "workflowId"], "x"), "more than one"),
        (_changed(["workflows", 0, "colour"], "red"), "colour"),
    ],
)
def test_what_is_no_arazzo_description(text: str, reason: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        from_arazzo(text, "flows.yaml", demo("petstore"))
    assert caught.value.code is Code.NOT_ARAZZO
    assert reason in caught.value.message
