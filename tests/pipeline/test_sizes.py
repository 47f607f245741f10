"""How many values models have where nobody chooses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from icepick.execute.engine import RunOptions
from icepick.execute.events import ModelPlanned, Noted
from icepick.execute.transport.settings import HttpSettings
from icepick.openapi import read_spec
from icepick.pipeline.models import describe
from icepick.pipeline.planning import Planned, model_planned, planned
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.execute.servers import free_port
from tests.pipeline.running import demo, ran
from tests.resources.documents import TEXT, crud, document, obj, ref

SETTINGS = RunSettings(
    seed=1, wrong=0, learn=False, calibrate=False, correction=False, operations=False
)


def sizes(one: Planned) -> dict[str, int]:
    return {resource.name: resource.size for resource in one.derivation.model.resources}


def test_two_that_meet_a_third_are_in_one_model() -> None:
    found = [sizes(one) for one in planned(describe(read_spec(demo("features"))), SETTINGS)]
    two = [one for one in found if one.get("ConfigurationFeature") == 2]
    assert [(one.get("Constraint"), one["Feature"]) for one in two] == [(1, 2)]


def test_what_needs_very_many_others_is_planned_as_far_as_it_can_be_walked(tmp_path: Path) -> None:
    """A hub that needs one each of 14 kinds has more than 16,000 states with one value each."""
    kinds = [f"Kind{chr(ord('A') + number)}" for number in range(14)]
    operations, schemas = {}, {}
    for kind in kinds:
        operations |= crud(f"/{kind.lower()}s", f"{kind.lower()}Id", ref(kind))
        schemas[kind] = obj("name", id=TEXT, name=TEXT)
    links = {f"{kind.lower()}Id": TEXT for kind in kinds}
    operations |= crud("/hubs", "hubId", ref("Hub"))
    schemas["Hub"] = obj(*links, id=TEXT, **links)
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(document(operations, schemas)), encoding="utf-8")
    api = describe(read_spec(str(path)))
    assert len(planned(api, SETTINGS, lambda: True)) == 1
    found = planned(api, SETTINGS)
    assert len(found) > 1
    large = [one.exploration for one in found if one.exploration.stopped is not None]
    assert large
    assert all(one.found.states < 1_000 for one in large)
    told = [model_planned(number, one) for number, one in enumerate(found)]
    assert all(one.sequences for one in told)
    assert any("not expanded" in what for one in told for what, _, _ in one.gaps)


def test_planning_counts_against_the_time(tmp_path: Path) -> None:
    operations, schemas = {}, {}
    for number in range(30):
        kind = f"Kind{chr(ord('A') + number % 26)}{number // 26}"
        operations |= crud(f"/{kind.lower()}s", f"{kind.lower()}Id", ref(kind))
        schemas[kind] = obj("name", id=TEXT, name=TEXT)
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(document(operations, schemas)), encoding="utf-8")
    engine = RunOptions(max_time=0.01, outage=0.1)
    reach = Reach(f"http://127.0.0.1:{free_port()}", http=HttpSettings(retries=0))
    events = ran(str(path), reach, replace(SETTINGS, engine=engine))
    assert len([one for one in events if isinstance(one, ModelPlanned)]) == 1
    noted = [one.text for one in events if isinstance(one, Noted) and one.kind == "planning"]
    assert noted == ["no time for more than 1 models"]
