from __future__ import annotations

import pytest

from icepick.errors import Severity
from icepick.glacier import Contracts, contracts_of
from icepick.glacier.inference.infer import infer_contracts
from icepick.openapi.types import ApiSpec
from icepick.protocol import (
    automaton_of,
    check_protocols,
    parse_protocol,
    read_protocols,
    write_protocol,
)
from icepick.protocol.write import write_models
from icepick.resources.find import find_resources
from tests.protocol.documents import demo, document


def _written(spec: ApiSpec) -> str:
    resources = find_resources(spec)
    written = contracts_of(spec).contracts
    inferred = infer_contracts(spec, resources, known=written.operations).contracts
    return write_protocol(spec, resources, written.merged(inferred))


@pytest.mark.parametrize(
    ("name", "models"),
    [
        ("tournaments", ["Player", "Tournament", "Enrolment"]),
        ("petstore", ["Pet", "User", "Order"]),
        (
            "features",
            ["Product", "Feature", "Configuration", "Constraint", "ConfigurationFeature"],
        ),
        ("shop", ["Customer", "Product", "Order", "User", "Address", "Line"]),
    ],
)
def test_a_first_model_of_every_demo_service_is_clean(name: str, models: list[str]) -> None:
    spec = demo(name)
    protocols = read_protocols(_written(spec), name)
    assert list(protocols.models) == models
    found = check_protocols(protocols, spec)
    assert [one for one in found if one.severity is not Severity.NOTE] == []
    for model in models:
        automaton = automaton_of(model, protocols.definitions)
        assert any(automaton.is_end(state) for state in range(len(automaton.states)))


def test_the_first_model_of_enrolments() -> None:
    spec = demo("tournaments")
    resources = find_resources(spec)
    text = write_protocol(spec, resources, Contracts())
    assert text.split("\n\n")[3] == (
        "Enrolment =\n"
        "  !postPlayer(pid: String(fresh)) . ?C201() .\n"
        "  !postTournament(tid: Int(fresh)) . ?C201() .\n"
        "  !postEnrolment(eid: Int(fresh), pid, tid) . ?C201() .\n"
        "  rec X.(\n"
        "    +{\n"
        "      !getEnrolments() . ?C200() . X,\n"
        "      !getEnrolment(eid) . ?C200(found: Enrolment)<found.eid = eid> . X,\n"
        "      !postEnrolment(eid, pid, tid) . ?C409() . X,\n"
        "      !deleteEnrolment(eid) . ?C200() .\n"
        "      !getEnrolment(eid) . ?C404() .\n"
        "      !deleteEnrolment(eid) . ?C404() .\n"
        "      !deleteTournament(tid) . ?C200() .\n"
        "      !deletePlayer(pid) . ?C200() . end\n"
        "    }\n"
        "  )\n"
    )


def test_what_contracts_ensure_is_asserted_unless_it_looks_back() -> None:
    text = _written(demo("tournaments"))
    assert "res_code(GET /players/req_body(@){pid}) = 200" in text
    assert "prev(" not in text


def test_two_references_to_one_resource_get_two_instances() -> None:
    text = _written(demo("features"))
    assert "path.featureName = sourceFeature: String(fresh)" in text
    assert "path.featureName = requiredFeature: String(fresh)" in text
    assert "!addRequiresConstraintToProduct(productName, sourceFeature, requiredFeature)" in text


def test_a_service_with_tokens_is_logged_in_to() -> None:
    text = _written(demo("shop"))
    login = '!createSession(body.username = "demo", body.password = "demo-password")'
    assert text.count(login) == 6
    assert "!createCustomer(token) . ?C201(customer_id: String = body.id)" in text


def test_where_nothing_is_created_there_is_no_model() -> None:
    spec = document(
        {
            "openapi": "3.0.3",
            "info": {"title": "Look\nonly", "version": "1"},
            "paths": {
                "/things": {
                    "get": {"operationId": "list", "responses": {"200": {"description": "x"}}}
                }
            },
        }
    )
    resources = find_resources(spec)
    assert write_models(spec, resources, Contracts()).definitions == ()
    text = write_protocol(spec, resources, Contracts())
    assert text.startswith("// A first model of Look only for")
    assert parse_protocol(text).definitions == ()
