"""How many values models have where nobody chooses."""

from __future__ import annotations

from icepick.openapi import read_spec
from icepick.pipeline.models import describe
from icepick.pipeline.run import Planned, RunSettings, planned
from tests.pipeline.running import demo

SETTINGS = RunSettings(
    seed=1, wrong=0, learn=False, calibrate=False, correction=False, operations=False
)


def sizes(one: Planned) -> dict[str, int]:
    return {resource.name: resource.size for resource in one.derivation.model.resources}


def test_two_that_meet_a_third_are_in_one_model() -> None:
    found = [sizes(one) for one in planned(describe(read_spec(demo("features"))), SETTINGS)]
    two = [one for one in found if one.get("ConfigurationFeature") == 2]
    assert [(one.get("Constraint"), one["Feature"]) for one in two] == [(1, 2)]
