"""Clauses about what everybody changes are judged while nobody else is at work."""

from __future__ import annotations

from pathlib import Path

from icepick.execute.events import ClauseCounted, FindingFound, NotConfirmed
from icepick.execute.findings.alone import is_shared
from icepick.execute.routing import Routing, listings
from icepick.glacier import Clause
from icepick.openapi import read_spec
from icepick.pipeline.models import describe
from icepick.pipeline.settings import RunSettings
from tests.execute.test_engine import events

EXAMPLES = Path(__file__).parents[3] / "examples"
SETTINGS = RunSettings(
    seed=1, bounds={"User": 1, "Pet": 2, "Order": 1}, wrong=0, operations=False, learn=False
)


def test_what_is_neither_a_list_nor_about_one_instance_is_shared() -> None:
    api = describe(read_spec(str(EXAMPLES / "petstore.yaml")))
    shared = is_shared(Routing(api.spec.operations), listings(api.resources))
    clauses: list[Clause] = [*api.contracts.invariants]
    for contract in api.contracts.operations.values():
        clauses += [*contract.requires, *contract.ensures]
    found = [clause.text for clause in clauses if shared(clause)]
    assert len(found) == 1
    assert "GET /store/inventory" in found[0]


def test_a_count_of_everything_is_judged_alone() -> None:
    found = events("petstore", settings=SETTINGS)
    counted = [one for one in found if isinstance(one, ClauseCounted) and "inventory" in one.text]
    assert [one.true > 0 and not one.false for one in counted] == [True]
    assert not [one for one in found if isinstance(one, FindingFound | NotConfirmed)]


def test_a_count_that_is_wrong_is_found() -> None:
    found = events("petstore", "inventory-counts-deleted", settings=SETTINGS)
    findings = [one.finding for one in found if isinstance(one, FindingFound)]
    assert [one.action for one in findings] == ["deletePet"]
    assert "inventory" in findings[0].complaint.promised
    assert len(findings[0].steps) == 2
