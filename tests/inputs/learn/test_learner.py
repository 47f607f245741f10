"""Learning from services that say what they want, in ways good and bad."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from icepick.inputs import Drawn, Fixed, FromResponse, Hint, Why
from icepick.inputs.case import Case
from icepick.inputs.learn import Effort, Learned, OperationLearner, Setting
from icepick.inputs.learn.types import Kind, Relation
from icepick.openapi import ApiSpec
from icepick.openapi.types import ABSENT
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

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def _learned(
    spec: ApiSpec, service: Callable[[Case], Answer], calls: int = 100
) -> tuple[Learned, list[Case]]:
    learner = learner_of(spec, calls=calls)
    sent = drive(learner, service)
    return learner.learned, sent


def test_an_input_that_is_taken_is_enough(tmp_path: Path) -> None:
    learned, sent = _learned(posting({"name": TEXT}, tmp_path, ("name",)), lambda _: TAKEN)
    assert len(sent) == 1
    assert (learned.calls, learned.successes) == (1, 1)
    assert learned.worked[body("name")] == (sent[0].body["name"],)
    assert learned.blocked is None


def test_more_inputs_where_more_are_asked_for(tmp_path: Path) -> None:
    learner = learner_of(posting({"name": TEXT, "size": WHOLE}, tmp_path, ("name",)), wanted=5)
    sent = drive(learner, lambda _: TAKEN)
    assert len(sent) == 5
    assert learner.enough()
    assert {frozenset(case.body) for case in sent} == {
        frozenset({"name"}),
        frozenset({"name", "size"}),
    }


def test_the_example_of_the_document_comes_first(tmp_path: Path) -> None:
    example = {"name": "Ada", "size": 3}
    schema = {"type": "object", "properties": {"name": TEXT, "size": WHOLE}}
    content = {JSON: {"schema": schema, "example": example}}
    spec = posting({}, tmp_path, requestBody={"required": True, "content": content})
    _, sent = _learned(spec, lambda _: TAKEN)
    assert sent[0].body == example


def test_a_body_that_may_be_left_out_is_sent_all_the_same(tmp_path: Path) -> None:
    def service(case: Case) -> Answer:
        return refusal("No content to map") if case.body is ABSENT else TAKEN

    schema = {"type": "object", "properties": {"name": TEXT}}
    spec = posting({}, tmp_path, requestBody={"content": {JSON: {"schema": schema}}})
    learned, sent = _learned(spec, service)
    assert learned.successes == 1
    assert [case.body for case in sent] == [{}]


@pytest.mark.parametrize(
    "message",
    [
        "Invalid body, pool name from request body doesn't match uri parameter",
        "pool must match the path parameter",
        "The pool differs from the name in the URL",
    ],
)
def test_what_must_be_as_in_the_path(tmp_path: Path, message: str) -> None:
    def service(case: Case) -> Answer:
        return TAKEN if case.body.get("pool") == case.path["pool_name"] else refusal(message)

    schema = {"type": "object", "required": ["pool"], "properties": {"size": WHOLE, "pool": TEXT}}
    changing = {
        "operationId": "changePool",
        "parameters": [{"name": "pool_name", "in": "path", "required": True, "schema": TEXT}],
        "requestBody": {"required": True, "content": {JSON: {"schema": schema}}},
        "responses": {"200": {"description": "changed"}},
    }
    info = {"title": "Pools", "version": "1"}
    paths = {"/pools/{pool_name}": {"patch": changing}}
    spec = spec_of({"openapi": "3.1.0", "info": info, "paths": paths}, tmp_path)
    learner = learner_of(spec, "changePool", calls=20)
    assert len(drive(learner, service)) == 2
    assert learner.learned.successes == 1


def test_an_enum_that_only_the_message_reveals(tmp_path: Path) -> None:
    def service(case: Case) -> Answer:
        if case.body.get("level") in {"low", "high"}:
            return TAKEN
        return refusal("level must be one of [low, high]")

    learned, sent = _learned(posting({"level": TEXT}, tmp_path), service)
    assert learned.successes == 1
    assert learned.hints[body("level")].allowed == ("low", "high")
    assert len(sent) <= 15


def test_required_fields_one_after_another(tmp_path: Path) -> None:
    names = [f"field_{letter}" for letter in "abcdefgh"]

    def service(case: Case) -> Answer:
        for name in names:
            if name not in case.body:
                return refusal(f"{name} is required")
        return TAKEN

    learned, sent = _learned(posting(dict.fromkeys(names, TEXT), tmp_path), service)
    assert learned.successes == 1
    assert len(sent) == len(names) + 1
    assert all(learned.hints[body(name)].required for name in names)


def test_dependencies_between_fields(tmp_path: Path) -> None:
    fields = {
        "type": {"type": "string", "enum": ["standard", "express"]},
        "address": TEXT,
        "priority": TEXT,
        "first": {"type": "string", "format": "date"},
        "second": {"type": "string", "format": "date"},
    }

    def service(case: Case) -> Answer:
        value = case.body
        if value["type"] == "standard" and "address" not in value:
            return refusal("address is required when type is standard")
        if value["type"] == "standard" and "priority" in value:
            return refusal("priority must be absent unless type is 'express'")
        if value.get("first", "0") >= value.get("second", "9"):
            return refusal("first must be before second")
        return TAKEN

    learner = learner_of(posting(fields, tmp_path, ("type",)), calls=60, wanted=25)
    sent = drive(learner, service)
    kind = body("type")
    assert set(learner.learned.relations) == {
        Relation(Kind.REQUIRES, body("address"), (kind,), "standard"),
        Relation(Kind.ONLY_IF, body("priority"), (kind,), "express"),
        Relation(Kind.BEFORE, body("first"), (body("second"),)),
    }
    assert learner.learned.successes >= 20
    assert len(sent) <= 32


def test_unique_fields_get_new_values(tmp_path: Path) -> None:
    seen: set[str] = {"Ada"}

    def service(case: Case) -> Answer:
        name = case.body["name"]
        if name in seen:
            return refusal(f"name {name!r} is already taken", 409)
        seen.add(name)
        return TAKEN

    spec = posting({"name": {"type": "string", "examples": ["Ada"]}}, tmp_path, ("name",))
    learner = learner_of(spec, calls=20, wanted=6)
    sent = drive(learner, service)
    assert learner.learned.unique == (body("name"),)
    assert len(sent) == 7


def test_what_must_exist_is_taken_from_responses(tmp_path: Path) -> None:
    spec = posting({"customer_id": TEXT}, tmp_path, ("customer_id",))
    setting = setting_of(spec)
    setting.responses.record("createCustomer", {"id": "c-17", "name": "Ada"})

    def service(case: Case) -> Answer:
        if case.body["customer_id"] == "c-17":
            return TAKEN
        return refusal("customer_id: there is no such customer", 404)

    learner = OperationLearner(spec.operation("createThing"), setting, Random(1))
    drive(learner, service)
    assert learner.learned.successes == 1
    assert learner.learned.existing == (body("customer_id"),)


def test_values_that_belong_together_are_sent_together(tmp_path: Path) -> None:
    owner = {"name": "owner_id", "in": "path", "required": True, "schema": TEXT}
    item = {"name": "item_id", "in": "path", "required": True, "schema": TEXT}
    reading = {
        "operationId": "getItem",
        "parameters": [owner, item],
        "responses": {"200": {"description": "ok"}},
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/owners/{owner_id}/items/{item_id}": {"get": reading}},
    }
    spec = spec_of(document, tmp_path)
    setting = setting_of(spec)
    for number in range(10):
        setting.responses.record("addItem", {"item_id": f"i{number}"}, {"owner_id": f"o{number}"})

    def service(case: Case) -> Answer:
        if case.path["owner_id"][1:] == case.path["item_id"][1:]:
            return 200, {}, JSON
        return refusal("not found", 404)

    learner = OperationLearner(spec.operation("getItem"), setting, Random(3))
    assert len(drive(learner, service)) <= 4
    assert learner.learned.successes == 1


def test_invalid_combinations_are_left_out(tmp_path: Path) -> None:
    fields = {name: {"type": "string", "enum": ["a", "b", "c"]} for name in ("one", "two", "six")}

    def service(case: Case) -> Answer:
        if (case.body["one"], case.body["two"]) == ("a", "b"):
            return refusal("one and two do not go with each other")
        return TAKEN

    spec = posting(fields, tmp_path, tuple(fields))
    learner = learner_of(spec, calls=200, wanted=60)
    sent = drive(learner, service)
    bad = [case for case in sent if (case.body["one"], case.body["two"]) == ("a", "b")]
    assert len(bad) == 1
    found = learner.learned.invalid
    assert [(one.choice, one.hits, one.uses) for one in found] == [
        (((body("one"), Fixed("a")), (body("two"), Fixed("b"))), 1, 1)
    ]


def test_given_values_stay(tmp_path: Path) -> None:
    spec = posting({"name": TEXT, "size": WHOLE}, tmp_path, ("name",))
    setting = setting_of(spec, given={body("name"): "Ada"})
    learner = OperationLearner(spec.operation("createThing"), setting, Random(1))
    sent = drive(learner, lambda _: refusal("name is bad"))
    assert sent
    assert all(case.body["name"] == "Ada" for case in sent)


def test_what_was_learned_before_is_heeded(tmp_path: Path) -> None:
    spec = posting({"level": TEXT}, tmp_path)
    known = Learned("createThing", hints={body("level"): Hint(allowed=("low",), required=True)})
    learner = OperationLearner(
        spec.operation("createThing"), setting_of(spec), Random(1), known=known
    )
    assert drive(learner, lambda _: TAKEN)[0].body == {"level": "low"}


def test_a_misread_sentence_is_dropped_again(tmp_path: Path) -> None:
    """The service says "at least 900 characters" and means something else."""

    def service(case: Case) -> Answer:
        if len(case.body.get("name", "")) > 800:
            return refusal("name must have at least 900 characters, or so they say")
        if len(case.body.get("name", "")) < 5:
            return refusal("name must have at least 900 characters, or so they say")
        return TAKEN

    learned, _ = _learned(posting({"name": TEXT}, tmp_path, ("name",)), service)
    assert learned.successes == 1


def test_what_stands_in_the_way_is_told(tmp_path: Path) -> None:
    message = "name is not welcome here"
    learned, sent = _learned(
        posting({"name": TEXT}, tmp_path, ("name",)), lambda _: refusal(message)
    )
    assert learned.blocked is not None
    assert learned.blocked.slots == (body("name"),)
    assert learned.blocked.message == message
    assert len(sent) < 40


UNDECLARED = {"errors": [{"field": "policy", "message": "policy is required"}]}


@pytest.mark.parametrize("answer", [refusal("no", 403), (400, UNDECLARED, JSON)])
def test_no_input_is_tried_for_long_against_what_is_about_none(
    answer: Answer, tmp_path: Path
) -> None:
    names = [f"field_{letter}" for letter in "abcdefghijklmnopqrst"]
    learned, sent = _learned(posting(dict.fromkeys(names, TEXT), tmp_path), lambda _: answer)
    assert learned.blocked is not None
    assert len(sent) < 12


BAD_SERVICES: dict[str, Answer] = {
    "HTML": (400, "<html><body><h1>Bad Request</h1></body></html>", "text/html"),
    "another language": refusal("Das Feld ist leider ungültig"),
    "no Latin letter": refusal("入力が正しくありません"),
    "empty": (400, "", ""),
    "no content": (400, None, ""),
    "the same for everything": refusal("Bad Request"),
    "broken JSON": (400, '{"message": "na', JSON),
    "a list": (400, [[[]], None, 3], JSON),
    "a number": (400, 3, JSON),
    "all fields at once": refusal("name, size and level: one of them is bad"),
    "not allowed": refusal("no", 403),
    "too many": refusal("slow down", 429),
    "conflict": refusal("no", 409),
    "not found": refusal("no", 404),
    "crash": (500, {"message": "KeyError: 'x'"}, JSON),
    "redirect": (302, "", ""),
    "everything": refusal("is required. must be one of [a, b]. must match ^(. at least 9 items"),
}


@pytest.mark.parametrize("name", BAD_SERVICES)
def test_bad_services_end_without_harm(name: str, tmp_path: Path) -> None:
    fields = {"name": TEXT, "size": WHOLE, "level": {"type": "string", "enum": ["low", "high"]}}
    learned, sent = _learned(posting(fields, tmp_path, ("name",)), lambda _: BAD_SERVICES[name])
    assert 1 <= len(sent) <= 100
    assert learned.successes == 0
    assert learned.blocked is not None or name == "redirect"


@pytest.mark.parametrize("name", ["HTML", "another language", "empty", "the same for everything"])
def test_bad_messages_degrade_to_status_codes(name: str, tmp_path: Path) -> None:
    """Covering arrays alone find the one combination that is taken."""
    listed: dict[str, Any] = {"type": "string", "enum": ["a", "b", "c"]}
    fields = {"one": listed, "two": listed, "six": listed}

    def service(case: Case) -> Answer:
        taken = case.body.get("one") == "b" and case.body.get("two") == "c"
        return TAKEN if taken else BAD_SERVICES[name]

    learned, sent = _learned(posting(fields, tmp_path), service)
    assert learned.successes == 1
    assert len(sent) <= 60


def test_an_error_inside_a_200_counts_as_taken(tmp_path: Path) -> None:
    answer = (200, {"success": False, "error": "name is required"}, JSON)
    learned, sent = _learned(posting({"name": TEXT}, tmp_path), lambda _: answer)
    assert (len(sent), learned.successes) == (1, 1)


def test_the_same_seed_sends_the_same(tmp_path: Path) -> None:
    fields = {"name": TEXT, "size": WHOLE, "mail": {"type": "string", "format": "email"}}
    spec = posting(fields, tmp_path)

    def sent(seed: int) -> str:
        learner = learner_of(spec, seed=seed, calls=30)
        return json.dumps([case.body for case in drive(learner, lambda _: refusal("no"))])

    assert sent(4) == sent(4)
    assert sent(4) != sent(5)


def test_operations_without_inputs_are_tried_once(tmp_path: Path) -> None:
    reading = {"operationId": "list", "responses": {"200": {"description": "ok"}}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/things": {"get": reading}},
    }
    learner = learner_of(spec_of(document, tmp_path), "list")
    assert len(drive(learner, lambda _: refusal("no"))) == 1


def test_arrays_nested_objects_and_query_parameters(tmp_path: Path) -> None:
    fields = {
        "lines": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["sku"],
                "properties": {"sku": TEXT, "note": TEXT},
            },
        },
        "owner": {"type": "object", "properties": {"name": TEXT, "age": WHOLE}},
        "tags": {"type": "array", "items": TEXT},
    }
    query = {"name": "mode", "in": "query", "schema": TEXT}

    def service(case: Case) -> Answer:
        if "note" not in case.body["lines"][0]:
            return refusal("lines[0].note is required")
        if "age" not in case.body.get("owner", {}):
            return refusal("owner.age is required")
        if case.query.get("mode") not in {"fast", "slow"}:
            return refusal("mode must be one of [fast, slow]")
        return TAKEN if case.query["mode"] else refusal("mode is required")

    spec = posting(fields, tmp_path, ("lines",), parameters=[query])
    learned, sent = _learned(spec, service)
    assert learned.successes == 1
    assert learned.hints[Location.QUERY, ("mode",)].allowed == ("fast", "slow")
    assert len(sent) <= 25


def test_responses_are_kept_with_what_was_sent(tmp_path: Path) -> None:
    spec = posting({"name": TEXT}, tmp_path, ("name",))
    setting = setting_of(spec)
    learner = OperationLearner(spec.operation("createThing"), setting, Random(1))
    drive(learner, lambda _: (201, {"id": 77}, JSON))
    assert setting.responses.values(FromResponse("createThing", "id")) == (77,)


def test_an_input_like_the_one_that_was_taken(tmp_path: Path) -> None:
    def service(case: Case) -> Answer:
        return TAKEN if case.body.get("level") == "high" else refusal("level must be one of [high]")

    learner = learner_of(posting({"level": TEXT, "name": TEXT}, tmp_path, ("level",)))
    drive(learner, service)
    again, whole = learner.valid(), learner.full()
    assert again is not None
    assert again.case.body == {"level": "high"}
    assert whole is not None
    assert set(whole.case.body) == {"level", "name"}


def test_what_may_be_left_out_is_where_it_is_refused_without_a_reason(tmp_path: Path) -> None:
    def service(case: Case) -> Answer:
        if case.headers:
            return refusal("the header x-version is of another format")
        return TAKEN if case.body.get("name") == "" else refusal("try something else")

    header = {"name": "x-version", "in": "header", "schema": TEXT}
    spec = posting({"name": TEXT, "size": WHOLE}, tmp_path, parameters=[header])
    learner = learner_of(spec, calls=100)
    sent = drive(learner, service)
    assert learner.learned.successes == 1
    assert sum(bool(case.headers) for case in sent) == 2


def test_names_may_stand_in_the_plural(tmp_path: Path) -> None:
    def service(case: Case) -> Answer:
        return TAKEN if "name" in case.body else refusal("Names must be provided for what is kept")

    _, sent = _learned(posting({"name": TEXT, "size": WHOLE}, tmp_path), service)
    assert len(sent) == 2


def test_a_list_may_be_empty_where_no_element_is_taken(tmp_path: Path) -> None:
    def service(case: Case) -> Answer:
        return refusal("no") if case.body else TAKEN

    schema = {"type": "array", "items": {"type": "object", "properties": {"name": TEXT}}}
    content = {JSON: {"schema": schema}}
    spec = posting({}, tmp_path, requestBody={"required": True, "content": content})
    learned, sent = _learned(spec, service)
    assert learned.successes == 1
    assert [len(case.body) for case in sent[:1]] == [1]
    assert sent[-1].body == []


def _makes(setting: Setting) -> Setting:
    setting.responses.record("listMakes", {"makes": [{"name": "turbo", "since": 1990}]})
    return setting


def _turbo_alone(case: Case) -> Answer:
    return TAKEN if case.body.get("name") == "turbo" else (500, {"message": "Unhandled"}, JSON)


def test_what_takes_a_value_seen_elsewhere_alone_is_picky(tmp_path: Path) -> None:
    spec = posting({"name": TEXT, "size": WHOLE}, tmp_path, ("name",))
    setting = _makes(setting_of(spec))
    operation = spec.operation("createThing")
    learner = OperationLearner(operation, setting, Random(1), Effort(60))
    sent = drive(learner, _turbo_alone)
    learned = learner.learned
    assert sent[-1].body["name"] == "turbo"
    assert len(sent) <= 5
    assert learned.picky == {}
    again = OperationLearner(operation, setting, Random(2), Effort(60), learned)
    drive(again, _turbo_alone)
    assert again.learned.picky == {body("name"): ("turbo",)}
    setting.responses.record("me", {"name": "somebody"})
    for seed in range(3, 9):
        third = OperationLearner(operation, setting, Random(seed), Effort(60), again.learned)
        assert drive(third, _turbo_alone)[0].body["name"] == "turbo"


def test_what_took_a_value_that_was_made_up_is_not_picky(tmp_path: Path) -> None:
    spec = posting({"name": TEXT}, tmp_path, ("name",))
    answers = iter([*[refusal("no", 400)] * 3, *[TAKEN] * 40])
    setting = _makes(setting_of(spec))
    learner = OperationLearner(spec.operation("createThing"), setting, Random(1), Effort(60, 30))
    sent = drive(learner, lambda _: next(answers))
    names = [case.body["name"] for case in sent[3:]]
    assert "turbo" in names
    assert set(names) - {"turbo", ""}
    assert learner.learned.picky == {}


def test_another_input_like_one_that_was_taken(tmp_path: Path) -> None:
    spec = posting({"name": TEXT, "kind": TEXT, "size": WHOLE}, tmp_path, ("name", "kind"))
    fixed = {body("name"): Drawn("string"), body("kind"): Fixed("x", Why.EXAMPLE)}
    known = Learned("createThing", taken=fixed, successes=1)
    learner = OperationLearner(
        spec.operation("createThing"), setting_of(spec), Random(1), known=known
    )
    made = [learner.like(known.taken) for _ in range(3)]
    sent = [one.case.body for one in made if one is not None]
    assert [set(one) for one in sent] == [{"name", "kind"}] * 3
    assert {one["kind"] for one in sent} == {"x"}
    assert len({one["name"] for one in sent}) > 1
