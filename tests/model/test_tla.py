"""TLA+ text: golden files, and names that TLA+ would not accept."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from icepick.model import Action, Conjunct, Invariant, Model, Parameter, Resource
from icepick.model.expressions import (
    And,
    Constant,
    Exists,
    FieldOf,
    Implies,
    Not,
    Or,
    Some,
    ValuesOf,
    Var,
)
from icepick.model.tla import tla_text
from icepick.model.types import Assign, Create, Each, Field, Numbers, OneOf, SetOf, Update
from tests.model.examples import create, delete, equal, features, petstore, tournaments, value

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    "model",
    [tournaments(2, 2, 2), petstore(2, 2, 2), features(2, 2, 2)],
    ids=lambda m: m.name,
)
def test_the_text_is_the_golden_one(model: Model) -> None:
    text = tla_text(model)
    assert text.module == (GOLDEN / f"{text.name}.tla").read_text()
    assert text.config == (GOLDEN / f"{text.name}.cfg").read_text()


def _body(text: str, name: str) -> list[str]:
    """The lines of a definition."""
    match = re.search(rf"^{name}(\(.*\))? ==\n((  .*\n)+)", text, re.MULTILINE)
    assert match is not None
    return [line.strip() for line in match[2].splitlines()]


def test_names_are_made_acceptable_and_kept_apart() -> None:
    odd = Resource("api-key", 1, prefix="k-")
    model = Model(
        "My API",
        (odd, Resource("final", 1, prefix="f")),
        (create("IF", "final", "api-key"), create("api-keys", "x", "final")),
        (Invariant("TypeInv", And(())),),
    )
    text = tla_text(model)
    assert text.name == "My_API"
    assert "VARIABLES api_keys, finals, final\n" in text.module
    assert "\nIF_(final_) ==\n" in text.module
    assert "\napi_keys_(x) ==\n" in text.module
    assert "\nTypeInv_ ==\n" in text.module
    assert "  api_keyID = {k_1}\n" in text.config


def test_clauses_stand_above_what_comes_from_them() -> None:
    lines = _body(tla_text(tournaments(1, 1, 1)).module, "postTournament")
    assert lines[:4] == [
        "\\* res_code(GET /tournaments/{tid}) = 404",
        "/\\ t \\notin DOMAIN tournaments",
        "\\* res_code(GET /tournaments/{tid}) = 200",
        "/\\ tournaments' = MapPut(tournaments, t, [capacity |-> c])",
    ]


def test_a_clause_cannot_break_out_of_its_comment() -> None:
    model = tournaments(1, 1, 1)
    first = replace(model.actions[0], guard=(Conjunct(And(()), "a (* é\n== \u2028 b"),))
    text = tla_text(replace(model, actions=(first, *model.actions[1:]))).module
    assert text.isascii()
    assert _body(text, "postPlayer")[:2] == ["\\* a ( * \\xe9", "\\* == \\u2028 b"]


def test_a_disjunction_in_a_guard_is_no_choice_between_transitions() -> None:
    model = petstore(2, 1, 1)
    lines = _body(tla_text(model).module, "createUsersWithList")
    assert lines[0] == "/\\ (\\E u \\in S : u \\notin DOMAIN users) = TRUE"


def _sized(guard: tuple[Conjunct, ...], *assigns: Assign) -> str:
    thing = Resource("Thing", 2, (Field("size", Numbers(1, 2)), Field("top", Numbers(-1, 9), True)))
    act = Action(
        "act",
        (value("x", "Thing"), value("y", "Thing"), Parameter("n", OneOf(Numbers(0, 5)))),
        guard,
        (Update("Thing", Var("x"), assigns),),
    )
    return tla_text(Model("Sizes", (thing,), (act,))).module


def test_fields_are_read_only_where_they_exist() -> None:
    mine, other = (FieldOf("Thing", Var(name), "size") for name in ("x", "y"))
    known = Conjunct(Exists("Thing", Var("x")))
    lines = _body(_sized((known, Conjunct(equal(mine, other)))), "act")
    assert lines[:3] == [
        "/\\ x \\in DOMAIN things",
        "/\\ y \\in DOMAIN things",
        "/\\ things[x].size = things[y].size",
    ]
    lines = _body(_sized((Conjunct(Not(equal(mine, Constant(1)))),)), "act")
    assert lines[0] == "/\\ ~(x \\in DOMAIN things /\\ things[x].size = 1)"


def test_what_is_known_from_a_premise_or_conjunct_is_not_said_again() -> None:
    here = Exists("Thing", Var("x"))
    small = equal(FieldOf("Thing", Var("x"), "size"), Constant(1))
    lines = _body(_sized((Conjunct(Implies(here, small)), Conjunct(And((here, small))))), "act")
    assert lines[:3] == [
        "/\\ x \\in DOMAIN things => things[x].size = 1",
        "/\\ x \\in DOMAIN things",
        "/\\ things[x].size = 1",
    ]


def test_nothing_is_known_after_a_disjunction() -> None:
    here = Exists("Thing", Var("x"))
    small = equal(FieldOf("Thing", Var("x"), "size"), Constant(1))
    lines = _body(_sized((Conjunct(Or((here, small))), Conjunct(small))), "act")
    assert lines[1:3] == ["/\\ x \\in DOMAIN things", "/\\ things[x].size = 1"]


def test_an_assignment_that_may_not_fit_is_a_condition() -> None:
    lines = _body(_sized((), Assign("size", Var("n")), Assign("top", Constant(-1))), "act")
    assert lines[0] == "/\\ n \\in 1..2"
    assert not any("\\in (-1)..9" in line for line in lines)
    lines = _body(_sized((), Assign("size", FieldOf("Thing", Var("y"), "top"))), "act")
    assert lines[:2] == ["/\\ y \\in DOMAIN things", "/\\ things[y].top \\in 1..2"]


def test_effects_one_after_another_build_on_each_other() -> None:
    thing = Resource("Thing", 2, (Field("size", Numbers(1, 2)),))
    act = Action(
        "act",
        (Parameter("S", SetOf("Thing")),),
        (),
        (
            Create("Thing", Each("S", "m"), (Assign("size", Constant(1)),)),
            Update("Thing", Each("S", "m"), (Assign("size", Constant(2)),)),
        ),
    )
    text = tla_text(Model("Sizes", (thing,), (act,))).module
    created = "IF m \\in DOMAIN things THEN things[m] ELSE [size |-> 1]"
    updated = "IF m \\in S THEN [things1[m] EXCEPT !.size = 2] ELSE things1[m]"
    assert _body(text, "act")[:2] == [
        f"/\\ LET things1 == [m \\in DOMAIN things \\cup S |-> {created}]",
        f"IN  /\\ things' = [m \\in DOMAIN things1 |-> {updated}]",
    ]


def test_a_reference_without_a_rule_restricts() -> None:
    model = petstore(1, 1, 1)
    strict = delete("deletePet", "p", "Pet")
    actions = tuple(strict if a.name == "deletePet" else a for a in model.actions)
    lines = _body(tla_text(replace(model, actions=actions)).module, "deletePet")
    assert "/\\ \\A key \\in DOMAIN orders : orders[key].petId \\notin {p}" in lines


def test_a_final_condition_of_its_own() -> None:
    some = Some("x", ValuesOf("Player"), Exists("Player", Var("x")))
    text = tla_text(replace(tournaments(1, 1, 1), final=some)).module
    assert _body(text, "TS") == ["/\\ \\E x \\in PlayerID : x \\in DOMAIN players"]
