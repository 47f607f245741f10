"""Inputs that a service wants though its document says nothing of them, or something else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from icepick.inputs.case import Case
from icepick.inputs.learn import (
    Beside,
    Effort,
    Learned,
    OperationLearner,
    beside_of,
    from_json,
    to_json,
)
from icepick.openapi import ApiSpec
from icepick.resources.find import find_resources
from icepick.resources.types import Location
from tests.inputs.learn.documents import (
    JSON,
    TAKEN,
    Answer,
    body,
    drive,
    learner_of,
    posting,
    refusal,
    setting_of,
    spec_of,
)
from tests.resources.documents import TEXT, crud, document, obj, ref

OPEN = Beside(is_open=True)


def learner(spec: ApiSpec, beside: Beside, known: Learned | None = None) -> OperationLearner:
    setting = replace(setting_of(spec), beside=beside)
    return OperationLearner(spec.operation("createThing"), setting, Random(1), Effort(30), known)


def test_a_field_that_a_refusal_names_is_sent_though_nobody_declared_it(tmp_path: Path) -> None:
    def service(case: Case) -> Answer:
        sent = case.body if isinstance(case.body, dict) else {}
        missing = [name for name in ("kind", "store") if name not in sent]
        return refusal(f'Invalid payload. "{missing[0]}" is required.') if missing else TAKEN

    asking = learner(posting({"name": TEXT}, tmp_path), OPEN)
    sent = drive(asking, service)
    assert len(sent) == 3
    assert asking.learned.undeclared == {body("kind"): TEXT, body("store"): TEXT}


def test_its_schema_is_that_of_what_is_created(tmp_path: Path) -> None:
    kinds = ["read", "write"]
    shown = obj(id=TEXT, name=TEXT, action={**TEXT, "enum": kinds})
    operations = crud("/rights", "id", ref("Right"), obj(name=TEXT))
    spec = spec_of(document(operations, {"Right": shown}), tmp_path)
    create = next(one for one in spec.operations if one.label == "POST /rights")
    beside = beside_of(create, find_resources(spec), spec.schemas)
    entry = {"message": "Value is required.", "extensions": {"field": "action", "type": "required"}}

    def service(case: Case) -> Answer:
        taken = isinstance(case.body, dict) and case.body.get("action") in kinds
        return TAKEN if taken else (400, {"errors": [entry]}, JSON)

    setting = replace(setting_of(spec), beside=beside)
    asking = OperationLearner(create, setting, Random(1), Effort(5))
    assert len(drive(asking, service)) == 2


def test_what_was_not_declared_is_known_the_next_time(tmp_path: Path) -> None:
    spec = posting({"name": TEXT}, tmp_path)
    known = Learned("createThing", undeclared={body("kind"): TEXT})
    again = from_json(to_json(known))
    assert again == known
    sent = drive(learner(spec, OPEN, again), lambda _: TAKEN)
    assert [list(case.body) for case in sent] == [["kind"]]


def test_a_sentence_about_what_is_there_adds_nothing(tmp_path: Path) -> None:
    asking = learner(posting({"name": TEXT}, tmp_path), OPEN)
    drive(asking, lambda _: refusal('"night" is not a time of day'))
    assert asking.learned.undeclared == {}


def test_an_object_that_is_missing_gets_what_is_declared_inside_it(tmp_path: Path) -> None:
    data = {"type": "object", "required": ["name"], "properties": {"name": TEXT}}

    def service(case: Case) -> Answer:
        sent = case.body if isinstance(case.body, dict) else {}
        return TAKEN if isinstance(sent.get("data"), dict) else refusal('"data" is required')

    asking = learner(posting({"data": data, "note": TEXT}, tmp_path), OPEN)
    assert len(drive(asking, service)) == 2
    assert asking.learned.undeclared == {}


def test_what_is_required_and_not_allowed_is_left_out(tmp_path: Path) -> None:
    def service(case: Case) -> Answer:
        for name in ("datatype", "length"):
            if name in case.body:
                return refusal(f'"{name}" is not allowed')
        return TAKEN

    spec = posting({"name": TEXT, "length": TEXT}, tmp_path, ("name", "length", "datatype"))
    sent = drive(learner(spec, OPEN), service)
    assert len(sent) == 3
    assert list(sent[-1].body) == ["name"]


def test_objects_that_instances_show_are_tried_where_nobody_says_what_is_missing(
    tmp_path: Path,
) -> None:
    spec = posting({"name": TEXT}, tmp_path, ("name",))
    seen = OPEN.showing({"name": "a", "meta": {"icon": "x"}, "size": 3, "schema": {}})
    asking = learner(spec, seen)
    sent = drive(asking, lambda case: TAKEN if "schema" in case.body else (403, {}, JSON))
    assert [sorted(case.body) for case in sent] == [["name"], ["meta", "name", "schema"]]
    assert list(asking.learned.undeclared) == [body("meta"), body("schema")]


def test_they_are_forgotten_where_they_do_not_help(tmp_path: Path) -> None:
    asking = learner(
        posting({"name": TEXT}, tmp_path, ("name",)), OPEN.showing({"name": "a", "meta": {}})
    )
    sent = drive(asking, lambda _: refusal("no"))
    assert "meta" in sent[1].body
    assert not any("meta" in case.body for case in sent[2:])
    assert asking.learned.undeclared == {}


def test_after_a_crash_on_the_least_input_a_whole_one_is_tried(tmp_path: Path) -> None:
    asking = learner_of(posting({"name": TEXT, "note": TEXT}, tmp_path))
    sent = drive(asking, lambda case: TAKEN if case.body.get("name") else (500, {}, JSON))
    assert [sorted(case.body) for case in sent[-1:]] == [["name", "note"]]
    assert len(sent) == 2


def test_of_two_that_need_not_be_there_one_must(tmp_path: Path) -> None:
    spec = posting({"name": TEXT, "every": TEXT, "at": TEXT}, tmp_path, ("name",))
    schema = {
        "type": "object",
        "required": ["name"],
        "minProperties": 2,
        "properties": {"name": TEXT, "every": TEXT, "at": TEXT},
    }
    operation = spec.operation("createThing")
    assert operation.request_body is not None
    content = {
        kind: replace(media, schema=schema)
        for kind, media in operation.request_body.content.items()
    }
    operation = replace(operation, request_body=replace(operation.request_body, content=content))
    asking = OperationLearner(operation, setting_of(spec), Random(1), Effort(5))
    sent = drive(asking, lambda _: TAKEN)
    assert [len(case.body) for case in sent] == [2]


def test_values_that_are_told_for_an_input_that_was_left_out_are_sent(tmp_path: Path) -> None:
    spec = posting({"name": TEXT, "mode": TEXT}, tmp_path, ("name",))

    def service(case: Case) -> Answer:
        good = case.body.get("mode") in {"fast", "slow"}
        return TAKEN if good else refusal("mode must be one of [fast, slow]")

    assert len(drive(learner_of(spec), service)) == 2


def test_what_is_offered_and_not_wanted_is_left_out(tmp_path: Path) -> None:
    spec = posting({"name": TEXT, "owner": TEXT}, tmp_path, ("name",))

    def service(case: Case) -> Answer:
        return refusal('"owner" is not allowed') if "owner" in case.body else TAKEN

    slot = body("owner")
    setting = replace(setting_of(spec), given={slot: "o1"}, offered=frozenset({slot}))
    asking = OperationLearner(spec.operation("createThing"), setting, Random(1), Effort(5))
    assert [sorted(case.body) for case in drive(asking, service)] == [["name", "owner"], ["name"]]
    fixed = replace(setting, offered=frozenset())
    asking = OperationLearner(spec.operation("createThing"), fixed, Random(1), Effort(5))
    assert all("owner" in case.body for case in drive(asking, service))


@pytest.mark.parametrize("said", ['"id" is not allowed', '"id" is required'])
def test_what_is_said_of_a_part_of_the_path_is_meant_of_the_body(tmp_path: Path, said: str) -> None:
    unwanted = "not allowed" in said
    sent_by = {"required": True, "content": {JSON: {"schema": obj(id=TEXT, note=TEXT)}}}
    path = {"name": "id", "in": "path", "required": True, "schema": TEXT}
    patch = {
        "operationId": "change", "parameters": [path], "requestBody": sent_by,
        "responses": {"200": {"description": "done"}},
    }  # fmt: skip
    paths = {"/things/{id}": {"patch": patch}}
    about = {"title": "Things", "version": "1"}
    spec = spec_of({"openapi": "3.1.0", "info": about, "paths": paths}, tmp_path)
    given = {(Location.PATH, ("id",)): "t1"} | ({body("id"): "t1"} if unwanted else {})
    offered = frozenset({body("id")} & given.keys())
    setting = replace(setting_of(spec), given=given, offered=offered)
    asking = OperationLearner(spec.operation("change"), setting, Random(1), Effort(2))

    def fields(case: Case) -> list[str]:
        return sorted(case.body) if isinstance(case.body, dict) else []

    right = [] if unwanted else ["id"]
    sent = drive(asking, lambda case: TAKEN if fields(case) == right else refusal(said))
    assert [fields(case) for case in sent] == [["id"] if unwanted else [], right]
