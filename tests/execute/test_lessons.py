"""Learning touches nothing but what the run created, and wastes no time on the rest."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any, cast
from unittest import mock

import pytest

from icepick.execute.lessons import NOT_OURS, Lessons
from icepick.execute.transport.client import Client
from icepick.glacier import Answer
from icepick.inputs import Case, Fresh, FromResponse, Generator, Responses
from icepick.inputs.learn import Effort, Setting
from icepick.openapi import ApiSpec, read_spec
from icepick.resources.find import find_resources
from tests.resources.documents import NUMBER, TEXT, crud, document, obj, op, ref

UNIT = {"name": "unit", "in": "path", "required": True, "schema": {**TEXT, "enum": ["day"]}}


@pytest.fixture
def spec(tmp_path: Path) -> ApiSpec:
    operations = {
        **crud("/pets", "id", ref("Pet")),
        "POST /pets/count-by/{unit}": {**op(obj(age=NUMBER)), "parameters": [UNIT]},
    }
    file = tmp_path / "pets.json"
    file.write_text(json.dumps(document(operations, {"Pet": obj(id=TEXT, name=TEXT)})))
    return read_spec(str(file))


def lessons_of(spec: ApiSpec, rng: Random) -> Lessons:
    generator = Generator(spec.schemas)
    setting = Setting(spec.schemas, generator, Fresh(generator, Random(1)), Responses())
    # No call may be made, so that nobody needs to be there to send one.
    client = Client(cast(Any, None), "", spec.schemas)
    return Lessons(spec, find_resources(spec), client, setting, rng)


def by_label(spec: ApiSpec, label: str) -> Any:
    return next(one for one in spec.operations if one.label == label)


def test_no_inputs_are_made_for_what_the_run_has_none_of(spec: ApiSpec) -> None:
    lessons = lessons_of(spec, Random(7))
    operation = by_label(spec, "PUT /pets/{id}")
    with mock.patch.object(lessons, "learner") as learner:
        found = asyncio.run(lessons.learn(operation, Effort(5)))
    assert (found.calls, lessons.obstacles) == (0, {operation.id: NOT_OURS})
    learner.assert_not_called()


def test_a_name_out_of_a_list_is_nobodys(spec: ApiSpec) -> None:
    lessons = lessons_of(spec, Random(7))
    assert lessons.may(Case(by_label(spec, "POST /pets/count-by/{unit}"), {"unit": "day"}))
    put = by_label(spec, "PUT /pets/{id}")
    assert not lessons.may(Case(put, {"id": "p1"}))
    lessons.creations.remember(Case(by_label(spec, "POST /pets")), Answer(201, {}, {"id": "p1"}))
    assert lessons.may(Case(put, {"id": "p1"}))
    assert not lessons.may(Case(put, {"id": "p2"}))


def test_what_two_names_lead_to_is_ours_where_both_are(tmp_path: Path) -> None:
    operations = {
        **crud("/pets", "id", ref("Pet")),
        **crud("/pets/{id}/visits", "visit", ref("Visit")),
    }
    schemas = {"Pet": obj(id=TEXT, name=TEXT), "Visit": obj(id=TEXT, day=TEXT)}
    file = tmp_path / "visits.json"
    file.write_text(json.dumps(document(operations, schemas)))
    spec = read_spec(str(file))
    lessons = lessons_of(spec, Random(7))
    add = Case(by_label(spec, "POST /pets/{id}/visits"), {"id": "2"})
    lessons.creations.remember(Case(by_label(spec, "POST /pets")), Answer(201, {}, {"id": "1"}))
    lessons.creations.remember(Case(by_label(spec, "POST /pets")), Answer(201, {}, {"id": "2"}))
    lessons.creations.remember(add, Answer(201, {}, {"id": "1"}))
    put = by_label(spec, "PUT /pets/{id}/visits/{visit}")
    assert lessons.may(Case(put, {"id": "2", "visit": "1"}))
    assert not lessons.may(Case(put, {"id": "1", "visit": "1"}))


def test_what_a_conflict_names_is_used_last(spec: ApiSpec) -> None:
    lessons, put = lessons_of(spec, Random(1)), by_label(spec, "PUT /pets/{id}")
    for name in ("pet-a1", "pet-b2", "pet-c3"):
        lessons.setting.responses.record("add", {"id": name})
    for said in ("somebody else is at it", "pet-c3 is sold"):
        lessons.notice(Case(put, {"id": "pet-c3"}), Answer(409, body={"detail": said}))
        first = lessons.setting.responses.values(FromResponse("add", "id"))[0]
        assert (first == "pet-c3") == ("pet-c3" in said)
