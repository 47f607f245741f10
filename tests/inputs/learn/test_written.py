"""What was learned, written down: as JSON, as clauses, as an overlay."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from icepick.glacier import (
    MemoryEnvironment,
    Sent,
    Truth,
    compile_formula,
    parse_formula,
    truth_of,
)
from icepick.inputs import (
    Case,
    CaseMaker,
    Drawn,
    Fixed,
    FromResponse,
    Generator,
    Hint,
    Null,
    Optionals,
    Options,
    RequiredIf,
    Why,
)
from icepick.inputs.learn import Learned, explain, slot_hints
from icepick.inputs.learn.clauses import requires
from icepick.inputs.learn.codec import from_json, to_json
from icepick.inputs.learn.overlay import overlay
from icepick.inputs.learn.types import Blocked, Heard, Invalid, Kind, Relation
from icepick.resources.types import Location
from tests.inputs.learn.documents import body, posting, spec_of
from tests.inputs.test_strategies import LISTING_1

PAGE = (Location.QUERY, ("page",))
A, B, C = body("a"), body("b"), body("owner", "c")
WHOLE = Learned(
    operation="createThing",
    hints={
        A: Hint(allowed=("low", 'hi"gh'), required=True),
        B: Hint(minimum=18, maximum=120.5),
        C: Hint(pattern="^[A-Z]{3}$", min_length=3, max_length=3, required_if=(RequiredIf("a"),)),
        PAGE: Hint(minimum=1, required=True),
        body("lines", "[]", "qty"): Hint(minimum=1),
    },
    relations=(
        Relation(Kind.REQUIRES, A, (B,), "x"),
        Relation(Kind.REQUIRES, A, (C,)),
        Relation(Kind.ONLY_IF, A, (B,), True),
        Relation(Kind.NOT_WITH, A, (B,)),
        Relation(Kind.BEFORE, A, (B,)),
        Relation(Kind.AFTER, A, (B,)),
        Relation(Kind.EQUAL, A, (B,)),
        Relation(Kind.DIFFERENT, A, (B,)),
        Relation(Kind.ONE_OF, A, (B, C)),
    ),
    unique=(A,),
    existing=(B,),
    forbidden=(body("colour"),),
    examples={A: ("low",)},
    invalid=(
        Invalid("a and b", ((A, Fixed("x", Why.ENUM)), (B, Null())), 3, 4),
        Invalid("drawn", ((A, Drawn("string")), (B, FromResponse("op", "id"))), 2, 2),
    ),
    worked={A: ("low", None, 1.5), B: ([1], {"k": "v"})},
    picky={B: ("known",)},
    taken={A: Drawn("string"), B: Fixed("known", Why.EXAMPLE)},
    free=(A,),
    vain={B: 4},
    blocked=Blocked(422, "a is bad", (A,), "a is bad: 'x'"),
    heard=(Heard((A,), "a must be one of [low, high]"),),
    calls=7,
    successes=0,
)


def test_there_and_back_again() -> None:
    text = json.dumps(to_json(WHOLE))
    assert from_json(json.loads(text)) == WHOLE
    assert from_json(json.loads(json.dumps(to_json(Learned("x"))))) == Learned("x")


@pytest.mark.parametrize(
    "value",
    [None, 3, [], {}, {"format": 99}, {"format": 1}, {**to_json(WHOLE), "hints": [{"input": []}]}],
)
def test_what_is_not_of_this_form_is_nothing(value: Any) -> None:
    assert from_json(value) is None


def test_clauses_are_glacier() -> None:
    texts = [one.text for one in requires(WHOLE)]
    assert len(texts) == len(set(texts)) == 19
    for text in texts:
        parse_formula(text)
    assert "req_body(@){a} != null" in texts
    assert "query_param(@){page} >= 1" in texts
    assert 'req_body(@){b} = "x" => req_body(@){a} != null' in texts
    assert '!(req_body(@){a} = "x" && req_body(@){b} = null)' in texts
    assert "req_body(@){colour} = null" in texts


def test_clauses_tell_where_they_are_from() -> None:
    assert requires(WHOLE)[0].reason == "a must be one of [low, high]"


@pytest.mark.parametrize(
    ("value", "holds"),
    [
        ({"type": "standard", "address": "x"}, True),
        ({"type": "standard"}, False),
        ({"type": "express"}, True),
        ({"type": "express", "level": "low"}, True),
        ({"type": "express", "level": "odd"}, False),
    ],
)
def test_clauses_judge_calls(value: dict[str, Any], holds: bool) -> None:
    learned = Learned(
        "createThing",
        hints={body("level"): Hint(allowed=("low", "high"))},
        relations=(Relation(Kind.REQUIRES, body("address"), (body("type"),), "standard"),),
    )
    environment = MemoryEnvironment(sent=Sent(body=value))
    found = [
        truth_of(compile_formula(parse_formula(one.text)), environment) for one in requires(learned)
    ]
    assert found.count(Truth.FALSE) == (0 if holds else 1), found
    assert found.count(Truth.TRUE) == (2 if holds else 1), found


def test_sentences_for_people() -> None:
    lines = explain(WHOLE)
    assert lines[0] == "createThing: 0 of 7 calls were taken"
    assert 'a must be one of low, hi"gh' in lines
    assert "query page must be at least 1" in lines
    assert "a is required if b is 'x'" in lines
    assert "a must not be sent unless b is True" in lines
    assert "one of a, b, owner.c is required" in lines
    assert "lines[].qty must be at least 1" in lines
    assert "{a = FS('x'), b = NS()} fails in 3 of 4 calls: a and b" in lines
    assert lines[-1] == "in the way: 422 about a: a is bad: 'x'"
    assert explain(Learned("x")) == ("x: 0 of 0 calls were taken",)


def test_hints_for_the_maker_of_cases(tmp_path: Path) -> None:
    fields = {"type": {"type": "string"}, "address": {"type": "string"}}
    spec = posting(fields, tmp_path, ("type",))
    learned = Learned(
        "createThing",
        hints={body("type"): Hint(allowed=("standard", "express"))},
        relations=(
            Relation(Kind.REQUIRES, body("address"), (body("type"),), "standard"),
            Relation(Kind.REQUIRES, C, (A,)),
        ),
    )
    maker = CaseMaker(Generator(spec.schemas), spec.schemas)
    operation = spec.operation("createThing")
    maker.learn(operation, slot_hints(learned))
    seen = set()
    for seed in range(20):
        case = maker.make(operation, Random(seed), Options(optionals=Optionals.NONE))
        assert isinstance(case, Case)
        seen.add((case.body["type"], "address" in case.body))
    assert seen == {("standard", True), ("express", False)}


def _actions(document: dict[str, Any]) -> dict[str, Any]:
    return {one["target"]: one["update"] for one in document["actions"]}


def test_an_overlay_of_inline_schemas(tmp_path: Path) -> None:
    page = {"name": "page", "in": "query", "schema": {"type": "integer"}}
    owner = {"type": "object", "properties": {"c": {"type": "string"}}}
    fields = {"a": {"type": "string"}, "b": {"type": "integer"}, "owner": owner}
    spec = posting(fields, tmp_path, parameters=[page])
    made = overlay(spec, {"createThing": WHOLE})
    assert made["overlay"] == "1.0.0"
    assert made["info"]["title"]
    found = _actions(made)
    start = "$.paths['/things'].post"
    schema = f"{start}.requestBody.content['application/json'].schema"
    assert found[f"{schema}.properties['a']"] == {"enum": ["low", 'hi"gh']}
    assert found[schema] == {"required": ["a"]}
    assert found[f"{schema}.properties['b']"] == {"minimum": 18, "maximum": 120.5}
    assert found[f"{schema}.properties['owner'].properties['c']"]["pattern"] == "^[A-Z]{3}$"
    place = f"{start}.parameters[?(@.name == 'page' && @.in == 'query')]"
    assert found[place] == {"required": True}
    assert found[f"{place}.schema"] == {"minimum": 1}
    assert found[start]["x-glacier"]["requires"] == [one.text for one in requires(WHOLE)]
    json.dumps(made)


def test_an_overlay_of_named_schemas(tmp_path: Path) -> None:
    spec = spec_of(LISTING_1, tmp_path)
    learned = Learned("createOrder", hints={body("address"): Hint(min_length=5, required=True)})
    found = _actions(overlay(spec, {"createOrder": learned}))
    assert found["$.definitions['CreateOrder'].properties['address']"] == {"minLength": 5}
    assert found["$.definitions['CreateOrder']"] == {"required": ["address"]}


def test_nothing_learned_nothing_written(tmp_path: Path) -> None:
    spec = spec_of(LISTING_1, tmp_path)
    assert overlay(spec, {"createOrder": Learned("createOrder")})["actions"] == []
