"""Wrong calls, and what their answers are held against."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from icepick.inputs.case import Case, Wire
from icepick.inputs.learn import OperationLearner
from icepick.inputs.learn.bugs import crash_texts, normalised
from icepick.inputs.learn.exceptional import Exceptional, Oddity, OddityKind
from icepick.inputs.learn.mutate import Mutation, Mutator, put
from icepick.inputs.learn.wrong import wrong_values
from icepick.openapi import ApiSpec
from icepick.openapi.types import ABSENT, Json
from tests.inputs.learn.documents import (
    JSON,
    TAKEN,
    Answer,
    drive,
    learner_of,
    posting,
    refusal,
    setting_of,
)

FIELDS: dict[str, Any] = {
    "name": {"type": "string", "minLength": 2, "maxLength": 10},
    "age": {"type": "integer", "minimum": 18, "maximum": 99},
    "price": {"type": "number"},
    "vip": {"type": "boolean"},
    "level": {"type": "string", "enum": ["low", "high"]},
    "born": {"type": "string", "format": "date"},
    "tags": {"type": "array", "maxItems": 3, "uniqueItems": True, "items": {"type": "string"}},
    "owner": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}},
}
RIGHT = {
    "name": "Ada",
    "age": 40,
    "price": 1.5,
    "vip": True,
    "level": "low",
    "born": "2000-01-01",
    "tags": ["a"],
    "owner": {"id": "x"},
}
PAGE = {"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 1}}


@pytest.fixture
def spec(tmp_path: Path) -> ApiSpec:
    return posting(FIELDS, tmp_path, ("name",), parameters=[PAGE])


def _mutations(spec: ApiSpec) -> list[Mutation]:
    mutator = Mutator(setting_of(spec).generator, spec.schemas, Random(1))
    case = Case(spec.operation("createThing"), body=RIGHT, content_type=JSON)
    return [one.make(case) for one in mutator.candidates(case, lambda _: ("Known@X.com",))]


def test_every_kind_of_wrong_call(spec: ApiSpec) -> None:
    described = {one.description for one in _mutations(spec)}
    assert {
        "body: array",
        "body: inside an array",
        "body: null",
        "body: number",
        "body: cut short",
        "body: not UTF-8",
        "body: nested deeply",
        "body: content type text/plain",
        "body: content type application/xml",
        "body: no content type",
        "name: missing though required",
        "age: missing",
        "name: null",
        "name: integer for string",
        "name: empty text",
        "name: very long text",
        "name: one character too long",
        "name: one character too short",
        "name: non-ASCII text",
        "name: control characters",
        "name: other case",
        "name: another's in other case",
        "age: string for integer",
        "age: fraction",
        "age: huge",
        "age: negative",
        "age: below the minimum",
        "age: above the maximum",
        "age: number as text",
        "level: not in the list",
        "born: not a date (1)",
        "tags: empty array",
        "tags: one element too many",
        "tags: repeated element",
        "tags.0: null",
        "owner: empty object",
        "owner.id: missing though required",
        "owner.id: of nobody",
        "owner.icepick_extra: additional field",
        "icepick_extra: additional field",
        "query page: negative",
        "query page: string for integer",
        "query page: repeated",
    } <= described


def test_each_is_wrong_in_one_place_and_can_be_sent(spec: ApiSpec) -> None:
    for one in _mutations(spec):
        sent = one.wire(spec.schemas)
        assert sent.method == "POST"
        place = one.mistakes[0].place
        if isinstance(one.request, Case) and place not in {"body", "query page"}:
            changed = [
                key
                for key in {*RIGHT, *one.request.body}
                if one.request.body.get(key, ABSENT) != RIGHT.get(key, ABSENT)
            ]
            assert len(changed) <= 1, one.description


def test_the_document_says_what_is_forbidden(spec: ApiSpec) -> None:
    forbidden = {one.description: one.forbidden for one in _mutations(spec)}
    for one in ("name: null", "age: fraction", "body: array", "name: missing though required",
                "level: not in the list", "body: cut short", "body: empty",
                "query page: string for integer", "query page: negative", "born: not a date (1)",
                "age: huge"):  # fmt: skip
        assert forbidden[one], one
    for one in ("age: missing", "icepick_extra: additional field", "body: no content type",
                "name: non-ASCII text", "query page: repeated", "query page: null",
                "query page: number as text", "body: content type text/plain"):  # fmt: skip
        assert not forbidden[one], one


def _of_parameter(
    tmp_path: Path, place: str, schema: dict[str, Any], **more: Any
) -> list[Mutation]:
    one = {"name": "x", "in": place, "schema": schema, **more}
    spec = posting({"name": {"type": "string"}}, tmp_path, ("name",), parameters=[one])
    mutator = Mutator(setting_of(spec).generator, spec.schemas, Random(1))
    case = Case(spec.operation("createThing"), body={"name": "Ada"}, content_type=JSON)
    made = [one.make(case) for one in mutator.candidates(case, lambda _: ())]
    return [one for one in made if one.mistakes[0].place == f"{place} x"]


@pytest.mark.parametrize("place", ["query", "header", "cookie"])
def test_any_text_is_a_string(tmp_path: Path, place: str) -> None:
    for schema in ({"type": "string"}, {}):
        found = _of_parameter(tmp_path, place, schema, required=True)
        assert not [one for one in found if " for " in one.mistakes[0].kind]
    assert {one.mistakes[0].kind for one in found} >= {"non-ASCII text"}


@pytest.mark.parametrize("place", ["header", "cookie"])
def test_blanks_around_a_header_do_not_arrive(tmp_path: Path, place: str) -> None:
    schema = {"type": "string", "pattern": "^[a-z]+$"}
    found = {one.mistakes[0].kind: one for one in _of_parameter(tmp_path, place, schema)}
    assert not {"empty text", "blank text", "null"} & found.keys()
    assert found["against the pattern"].forbidden
    assert not found["non-ASCII text"].forbidden


def test_a_header_may_be_added_on_the_way(tmp_path: Path) -> None:
    string = {"type": "string"}
    for place, forbidden in (("query", True), ("header", False), ("cookie", False)):
        found = _of_parameter(tmp_path, place, string, required=True)
        [missing] = [one for one in found if one.mistakes[0].kind == "missing"]
        assert missing.forbidden is forbidden


def test_text_is_read_as_it_can_be(tmp_path: Path) -> None:
    found = _of_parameter(tmp_path, "query", {"type": "number", "maximum": 9.5})
    forbidden = {one.mistakes[0].kind: one.forbidden for one in found}
    assert not forbidden["number as text"]
    assert not forbidden["many decimals"]
    assert forbidden["above the maximum"]
    assert forbidden["boolean for number"]
    whole = _of_parameter(tmp_path, "query", {"type": "integer"})
    assert {one.mistakes[0].kind: one.forbidden for one in whole}["fraction"]


def test_what_has_a_default_may_be_missing(tmp_path: Path) -> None:
    spec = posting({"kind": {"type": "string", "default": "x"}}, tmp_path, ("kind",))
    mutator = Mutator(setting_of(spec).generator, spec.schemas, Random(1))
    case = Case(spec.operation("createThing"), body={"kind": "y"}, content_type=JSON)
    made = [one.make(case) for one in mutator.candidates(case, lambda _: ())]
    [missing] = [one for one in made if one.description == "kind: missing though required"]
    assert not missing.forbidden


def test_a_body_that_may_be_left_out_may_be_empty(tmp_path: Path) -> None:
    spec = posting({"name": {"type": "string"}}, tmp_path)
    operation = spec.operation("createThing")
    assert operation.request_body is not None
    for required in (True, False):
        body = replace(operation.request_body, required=required)
        case = Case(replace(operation, request_body=body), body={"name": "x"}, content_type=JSON)
        mutator = Mutator(setting_of(spec).generator, spec.schemas, Random(1))
        made = [one.make(case) for one in mutator.candidates(case, lambda _: ())]
        forbidden = {one.description: one.forbidden for one in made}
        assert forbidden["body: empty"] is required
        assert forbidden["body: null"] is required
        assert forbidden["body: cut short"]


def test_a_change_is_forbidden_only_where_the_body_fitted_before_it(tmp_path: Path) -> None:
    spec = posting(FIELDS, tmp_path, ("name",))
    mutator = Mutator(setting_of(spec).generator, spec.schemas, Random(1))
    taught = {**RIGHT, "level": "a level that the document does not know"}
    case = Case(spec.operation("createThing"), body=taught, content_type=JSON)
    made = [one.make(case) for one in mutator.candidates(case, lambda _: ())]
    assert not [one for one in made if one.forbidden and one.mistakes[0].place != "body"]


def test_values_of_unknown_schemas_do_no_harm() -> None:
    values: tuple[Any, ...] = (ABSENT, None, 10**400, "x", [], {}, True, 1e300)
    for schema in ({}, {"type": ["string", "null"]}, {"anyOf": [{"type": "integer"}]}):
        for value in values:
            assert len(list(wrong_values(schema, {}, value))) > 5


def test_put() -> None:
    whole = {"a": [{"b": 1}, {"b": 2}], "c": 3}
    assert put(whole, ("a", "0", "b"), None) == {"a": [{"b": None}, {"b": 2}], "c": 3}
    assert put(whole, ("c",), ABSENT) == {"a": [{"b": 1}, {"b": 2}]}
    assert put(whole, ("x", "y"), 1)["x"] == {"y": 1}
    assert put(whole, (), []) == []
    assert whole == {"a": [{"b": 1}, {"b": 2}], "c": 3}


def _hunt(
    spec: ApiSpec, service: Callable[[dict[str, Any]], Answer], calls: int = 300, seed: int = 1
) -> tuple[Exceptional, list[Oddity]]:
    learner = learner_of(spec, seed=seed)
    drive(learner, lambda case: service(case.body))
    phase = Exceptional([learner], setting_of(spec), Random(seed))
    found: list[Oddity] = []
    for _ in range(calls):
        mutation = phase.next()
        assert mutation is not None
        sent = mutation.wire(spec.schemas)
        try:
            value = json.loads(sent.content or b"")
        except (ValueError, RecursionError):
            found += phase.observe(mutation, *refusal("not JSON"))
            continue
        found += phase.observe(mutation, *service(value))
    return phase, found


def _strict(value: Any) -> Answer:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return refusal("name must be text")
    return TAKEN


def test_crashes_are_told_apart_by_their_messages(tmp_path: Path) -> None:
    spec = posting({"name": {"type": "string"}, "age": {"type": "integer"}}, tmp_path, ("name",))

    def service(value: Any) -> Answer:
        if isinstance(value, list):
            return 500, {"message": "TypeError: list indices must be integers"}, JSON
        if isinstance(value, dict) and isinstance(value.get("age"), str):
            return 500, {"message": f"ValueError: bad age {len(value['age'])}"}, JSON
        return _strict(value)

    phase, found = _hunt(spec, service)
    crashes = [one for one in found if one.kind is OddityKind.CRASH]
    assert sorted(one.key for one in crashes) == [
        "TypeError: list indices must be integers",
        "ValueError: bad age ?",
    ]
    assert phase.bugs("createThing") == 2


def test_crashes_without_a_message_are_told_apart_by_place(tmp_path: Path) -> None:
    spec = posting({"name": {"type": "string"}}, tmp_path, ("name",))

    def service(value: Any) -> Answer:
        if isinstance(value, dict) and value.get("name", "") is None:
            return 500, "Internal Server Error", "text/plain"
        return _strict(value)

    _, found = _hunt(spec, service)
    keys = [one.key for one in found if one.kind is OddityKind.CRASH]
    assert "silent at name" in keys
    assert len(keys) <= 2


def test_what_the_schema_forbids_must_not_be_taken(tmp_path: Path) -> None:
    spec = posting(FIELDS, tmp_path, ("name",))
    _, found = _hunt(spec, lambda _: TAKEN)
    accepted = {one.key for one in found if one.kind is OddityKind.ACCEPTED}
    assert {"name: null", "age: string for integer", "body: array"} <= accepted
    assert "age: missing" not in accepted
    assert "icepick_extra: additional field" not in accepted


def test_operations_with_bugs_come_more_often(tmp_path: Path) -> None:
    spec = posting({"name": {"type": "string"}}, tmp_path, ("name",))
    other = spec.operation("createThing")
    quiet = type(other)("quiet", "POST", "/quiet", "/x", request_body=other.request_body)
    learners = []
    setting = setting_of(spec)
    for operation in (other, quiet):
        learner = OperationLearner(operation, setting, Random(1))
        drive(learner, lambda _: TAKEN)
        learners.append(learner)
    phase = Exceptional(learners, setting, Random(1))
    counts = {"createThing": 0, "quiet": 0}
    for count in range(1_500):
        mutation = phase.next()
        assert mutation is not None
        counts[mutation.operation.id] += count > 100
        kinds = {one.kind for one in mutation.mistakes} & {"null", "empty text"}
        crash = mutation.operation.id == "createThing" and kinds
        answer = (500, {"message": f"Crash on {min(kinds)}"}, JSON) if crash else TAKEN
        phase.observe(mutation, *answer)
    assert phase.bugs("createThing") == 2
    assert counts["createThing"] > 2 * counts["quiet"] > 0


def test_a_mistake_that_nobody_looked_at_is_made_again(spec: ApiSpec) -> None:
    def made(*, blocked: bool) -> int:
        learner = learner_of(spec, seed=1)
        drive(learner, lambda _: TAKEN)
        phase, count = Exceptional([learner], setting_of(spec), Random(1)), 0
        for _ in range(200):
            mutation = phase.next()
            assert mutation is not None
            if ("age", "fraction") in {(one.place, one.kind) for one in mutation.mistakes}:
                count += 1
                if blocked:
                    phase.blocked(mutation)
        return count

    assert made(blocked=True) > made(blocked=False) > 0


def test_a_body_that_is_wrong_as_a_whole_gets_no_fields(spec: ApiSpec) -> None:
    learner = learner_of(spec, seed=1)
    drive(learner, lambda _: TAKEN)
    phase = Exceptional([learner], setting_of(spec), Random(1))
    made = [phase.next() for _ in range(400)]
    whole = [one for one in made if one is not None and "body" in {m.place for m in one.mistakes}]
    assert any(isinstance(one.request, Case) and one.request.body == {} for one in whole)
    assert all(len(one.mistakes) == 1 for one in whole)


def test_no_operation_no_call(tmp_path: Path) -> None:
    spec = posting({}, tmp_path)
    assert Exceptional([], setting_of(spec), Random(1)).next() is None


def test_the_same_seed_sends_the_same(spec: ApiSpec) -> None:
    def sent(seed: int) -> list[Wire]:
        learner = learner_of(spec, seed=3)
        drive(learner, lambda _: TAKEN)
        phase = Exceptional([learner], setting_of(spec), Random(seed))
        found = []
        for _ in range(40):
            mutation = phase.next()
            assert mutation is not None
            found.append(mutation.wire(spec.schemas))
            phase.observe(mutation, *refusal("no"))
        return found

    assert sent(1) == sent(1)
    assert sent(1) != sent(2)


def test_what_a_service_gave_does_not_change_which_mistakes_are_made(spec: ApiSpec) -> None:
    def made(body: Json) -> set[tuple[str, str]]:
        learner = learner_of(spec, seed=3)
        drive(learner, lambda _: TAKEN)
        phase = Exceptional([learner], setting_of(spec), Random(1))
        found = set()
        for _ in range(40):
            mutation = phase.next()
            assert mutation is not None
            found |= {(one.place, one.kind) for one in mutation.mistakes}
            phase.observe(mutation, 201, body, JSON)
        return found

    assert made({"id": "a1", "name": "first"}) == made({"id": "Zz", "name": "b", "age": 12})


def test_every_operation_comes_early(spec: ApiSpec) -> None:
    kind = spec.operation("createThing")
    several = [replace(kind, id=f"make{number}") for number in range(8)]
    setting = setting_of(spec)
    learners = [OperationLearner(one, setting, Random(1)) for one in several]
    for one in learners:
        drive(one, lambda _: TAKEN)
    phase = Exceptional(learners, setting, Random(1))
    seen = Counter(made.operation.id for _ in range(100) if (made := phase.next()) is not None)
    assert set(seen) == {one.id for one in several}
    assert max(seen.values()) <= 18


PYTHON = """Traceback (most recent call last):
  File "/app/shop/users.py", line {}, in create
    body["x"]
  File "/usr/lib/python3.11/json.py", line {}, in load
    ^^^^
KeyError: 'x'
"""
JAVA = """java.lang.NullPointerException: null
\tat com.example.Users.create(Users.java:{})
\tat org.spring.Web.call(Web.java:{})
"""
NODE = """TypeError: Cannot read properties of undefined
    at create (/srv/app/users.js:{}:13)
    at Layer.handle (/srv/node_modules/express/layer.js:{}:5)
"""
RUBY = """NoMethodError: undefined method `strip' for nil
app/users.rb:{}:in `create'
app/base.rb:{}:in `call'
"""


@pytest.mark.parametrize("trace", [PYTHON, JAVA, NODE, RUBY])
def test_traces_of_one_crash_are_one(trace: str) -> None:
    first, second = normalised(trace.format(10, 20)), normalised(trace.format(11, 99))
    assert first == second
    assert "create" in first
    assert crash_texts(trace.format(1, 2), "text/plain") == (first,)


def test_traces_of_two_crashes_are_two() -> None:
    other = PYTHON.replace("'x'", "'y'")
    assert normalised(PYTHON.format(1, 2)) != normalised(other.format(1, 2))


def test_a_value_at_the_end_of_a_message_does_not_make_another_crash_of_it() -> None:
    one, other = (normalised(f"invalid order key: {value}") for value in ("tundra989", "maple7x"))
    assert one == other
    kinds = [normalised(f"cannot read it: {kind}") for kind in ("KeyError", "TypeError")]
    assert len(set(kinds)) == 2


@pytest.mark.parametrize("body", ["", "Internal Server Error", {"error": "Server Error"}, None])
def test_some_crashes_say_nothing(body: Any) -> None:
    assert crash_texts(body, "text/plain") == ()
