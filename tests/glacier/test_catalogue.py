"""The catalogue of reusable clauses."""

from __future__ import annotations

import pytest

from icepick.glacier.inference.catalogue import CATALOGUE, as_contracts, instances
from icepick.resources.find import find_resources
from tests.glacier.test_inference import SERVICES, spec_of
from tests.golden.compare import assert_golden


def made(service: str, template: str) -> list[str]:
    spec = spec_of(service)
    (chosen,) = [entry for entry in CATALOGUE if entry.name == template]
    return [instance.text for instance in instances(chosen, spec, find_resources(spec))]


def test_listing_4():
    players = "res_body(GET /tournaments/{t.tid}/players).len"
    capacity = "res_body(GET /tournaments/{t.tid}/capacity)"
    listing = f"for t in res_body(GET /tournaments) :- {players} <= {capacity}"
    assert made("tournaments", "capacity") == [listing]


def test_nested_resources_are_reached_through_their_parents():
    assert made("shop", "key-uniqueness")[-1] == (
        "for o in res_body(GET /orders){data} :-"
        " for l, l2 in res_body(GET /orders/{o.id}/lines) :- l.id != l2.id"
    )


def test_a_template_that_does_not_apply_gives_nothing():
    assert made("petstore", "capacity") == []


@pytest.mark.parametrize("service", SERVICES)
def test_golden(service: str):
    spec = spec_of(service)
    resources = find_resources(spec)
    lines = [
        f"{template.name}: {instance.operation or 'invariant'}: {instance.text}"
        for template in CATALOGUE
        for instance in instances(template, spec, resources)
    ]
    assert_golden(f"catalogue/{service}.txt", "\n".join(lines) + "\n")


def test_chosen_clauses_become_contracts():
    spec = spec_of("tournaments")
    resources = find_resources(spec)
    chosen = [i for template in CATALOGUE for i in instances(template, spec, resources)]
    contracts = as_contracts(chosen, spec)
    assert len(contracts.invariants) == sum(1 for i in chosen if i.operation is None)
    assert len(list(contracts.clauses())) == len(chosen)
