"""Real contracts against real documents, and everything that inference writes: no false alarms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from icepick.errors import Code, Diagnostic, Place, Severity
from icepick.glacier import (
    Clause,
    Contracts,
    OperationContract,
    Provenance,
    load_contracts,
    parse_formula,
)
from icepick.glacier.inference.catalogue import CATALOGUE, instances
from icepick.glacier.inference.infer import infer_contracts
from icepick.glacier.static import check_contracts
from icepick.openapi import ApiSpec, read_spec
from icepick.resources.find import find_resources
from icepick.resources.types import ResourceMap

REPOSITORY = Path(__file__).parents[2]
DATA = REPOSITORY.parent / "shared" / "data"
DEMO = REPOSITORY / "src" / "icepick" / "demo"
DOCUMENTS = [*sorted(DEMO.glob("*/openapi.yaml")), *sorted(DATA.glob("oas/*"))]
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")


def checked(contracts: str, document: str) -> tuple[Diagnostic, ...]:
    spec = read_spec(str(DATA / "oas" / document))
    return check_contracts(load_contracts(str(DATA / "glacier" / contracts)).contracts, spec)


def worse_than_a_note(found: tuple[Diagnostic, ...]) -> list[tuple[str, str | None, str]]:
    return [(d.code.value, d.operation, d.message) for d in found if d.severity != Severity.NOTE]


@needs_data
def test_the_tournaments_contracts() -> None:
    found = checked("tournaments-glacier-extended.json", "tournaments.json")
    assert worse_than_a_note(found) == [
        (
            "ICP324",
            "DELETE /tournaments/{tid}",
            "`e` is neither a variable nor a path parameter here",
        ),
        ("ICP334", "DELETE /players/{pid}", "DELETE /players/{pid} takes no body"),
        ("ICP334", "DELETE /enrollments/{eid}", "DELETE /enrollments/{eid} takes no body"),
    ]
    [wrong] = [d for d in found if d.code is Code.UNKNOWN_VARIABLE]
    assert wrong.hint == "did you mean `eid`?"
    line, caret = (wrong.place.caret() or "").splitlines()
    assert line.lstrip().startswith('"for eid in response_body(GET /enrollments)')
    assert line[len(caret) - 1 :].startswith("e.pid")
    notes = [d for d in found if d.severity is Severity.NOTE]
    assert {(d.code, (d.place.excerpt or "").strip(' ",')) for d in notes} == {
        (Code.CONSTANT_FORMULA, "T")
    }


@needs_data
def test_the_petstore_contracts() -> None:
    found = checked("swagger-petstore-glacier.json", "swagger-petstore.json")
    order = "the document has no path /order/request_body(this){id}"
    assert worse_than_a_note(found) == [
        ("ICP320", "POST /store/order", order),
        ("ICP320", "POST /store/order", order),
        ("ICP308", "DELETE /pet/{id}", "the document has no operation DELETE /pet/{id}"),
        ("ICP334", "DELETE /pet/{id}", "DELETE /pet/{petId} takes no body"),
        ("ICP308", "GET /pet/{id}", "the document has no operation GET /pet/{id}"),
        (
            "ICP308",
            "DELETE /store/order/{id}",
            "the document has no operation DELETE /store/order/{id}",
        ),
        ("ICP334", "DELETE /store/order/{id}", "DELETE /store/order/{orderId} takes no body"),
        ("ICP308", "GET /store/order/{id}", "the document has no operation GET /store/order/{id}"),
    ]
    hints = {d.hint for d in found if d.code in {Code.UNKNOWN_PATH, Code.UNKNOWN_OPERATION}}
    assert hints == {
        "did you mean `GET /store/order/{orderId}`?",
        "the document calls it DELETE /pet/{petId}",
        "the document calls it GET /pet/{petId}",
        "the document calls it DELETE /store/order/{orderId}",
        "the document calls it GET /store/order/{orderId}",
    }


def from_catalogue(spec: ApiSpec, resources: ResourceMap) -> Iterator[tuple[str, Contracts]]:
    for template in CATALOGUE:
        for instance in instances(template, spec, resources):
            clause = Clause(
                parse_formula(instance.text),
                instance.text,
                Provenance.INFERRED,
                Place(spec.source),
            )
            if instance.operation is None:
                yield template.name, Contracts(invariants=(clause,))
            else:
                contract = OperationContract(instance.operation, ensures=(clause,))
                yield template.name, Contracts({instance.operation: contract})


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_is_inferred_fits_the_document(document: Path) -> None:
    spec = read_spec(str(document))
    resources = find_resources(spec)
    inferred = infer_contracts(spec, resources).contracts
    assert worse_than_a_note(check_contracts(inferred, spec)) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_the_catalogue_writes_fits_the_document(document: Path) -> None:
    spec = read_spec(str(document))
    alarms = [
        (document.name, template, code, message)
        for template, contracts in from_catalogue(spec, find_resources(spec))
        for code, _, message in worse_than_a_note(check_contracts(contracts, spec))
    ]
    assert alarms == []
