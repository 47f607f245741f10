"""Forbidden calls: which are tried, where, and because of what."""

from __future__ import annotations

from collections import Counter

import pytest

from icepick.explore import Exploration, explore
from icepick.sequences import Call, Kind, Options, Refusals, Strategy, carried_out, plan
from tests.sequences.examples import model, petstore, tournaments
from tests.sequences.simulator import Interpreter, run


def refused(explored: Exploration, which: Refusals, seed: int = 0) -> list[tuple[int, Call]]:
    made = plan(explored, Options(Strategy.TOUR, refusals=which, seed=seed))
    return [
        (step.state, step.call)
        for sequence in made.sequences()
        for step in sequence.steps
        if step.call.kind is Kind.REFUSAL
    ]


def clauses(explored: Exploration) -> set[tuple[str, ...]]:
    return {(call.operation, *call.violated) for _, call in refused(explored, Refusals.ONE)}


def test_each_tries_everything_that_is_no_transition() -> None:
    explored = tournaments(2)
    tried = refused(explored, Refusals.EACH)
    pairs = {(state, call.action, call.arguments) for state, call in tried}
    assert len(pairs) == 192 * len(explored.actions) - 872


@pytest.mark.parametrize("which", [Refusals.ONE, Refusals.EACH])
@pytest.mark.parametrize("strategy", Strategy)
def test_the_service_refuses_them_and_accepts_all_others(
    which: Refusals, strategy: Strategy
) -> None:
    made = plan(tournaments(2), Options(strategy, refusals=which))
    assert sum(len(run(sequence)) for sequence in made.sequences()) > 200
    found = carried_out(made)
    assert found.refusals.percent == 100.0
    assert found.refusals.total > 0


def test_none_tries_nothing() -> None:
    assert refused(tournaments(2), Refusals.NONE) == []


def test_what_the_issue_of_refusals_is_about() -> None:
    tried = [call for _, call in refused(tournaments(2), Refusals.ONE)]
    broken = {(call.action, part) for call in tried for part in call.violated}
    of = {name: {part for action, part in broken if action == name} for name, _ in broken}
    assert of["postPlayer"] == {"res_code(GET /players/req_body(@){pid}) = 404"}
    assert of["deletePlayer"] == {
        "res_code(GET /players/{pid}) = 200",
        "res_body(GET /players/{pid}/tournaments).len = 0",
    }
    alone = {call.violated for call in tried if call.action == "postEnrolment"}
    # A full tournament is tried by itself, with everything else in order.
    assert any(len(parts) == 1 and "capacity" in parts[0] for parts in alone)
    assert any(len(parts) == 1 and "players/" in parts[0] for parts in alone)


def test_groups_do_not_depend_on_how_many_values_there_are_beyond_two() -> None:
    two, three = clauses(petstore(2)), clauses(petstore(3))
    assert two == three
    assert len(refused(petstore(3), Refusals.ONE)) < 60


def test_the_seed_decides_where() -> None:
    explored = tournaments(2)
    first, again = (refused(explored, Refusals.ONE, seed=3) for _ in range(2))
    assert first == again
    other = refused(explored, Refusals.ONE, seed=4)
    assert first != other
    assert Counter(call.violated for _, call in first) == Counter(
        call.violated for _, call in other
    )


def test_a_parent_that_was_deleted_is_referred_to() -> None:
    made = plan(tournaments(2), Options(Strategy.TOUR, refusals=Refusals.ONE))
    hits = set()
    for sequence in made.sequences():
        names = [step.call.name for step in sequence.steps]
        for place, step in enumerate(sequence.steps):
            missing = [v for v in step.call.arguments if f"deletePlayer({v})" in names[:place]]
            if step.call.kind is Kind.REFUSAL and step.call.action == "postEnrolment":
                hits |= {v for v in missing if names[place - 1] == f"deletePlayer({v})"}
    assert hits


def test_nobody_asks_a_service_for_an_identifier_that_it_chooses_itself() -> None:
    bounds = {"Customer": 1, "Product": 1, "Order": 1, "User": 1, "Address": 1, "Line": 1}
    explored = explore(model("shop", **bounds))
    tried = {call.action for _, call in refused(explored, Refusals.ONE)}
    assert {"deleteCustomer", "createOrder", "deleteLine"} <= tried
    # A PUT of what exists is an update, and the POSTs get their identifiers from the service.
    assert not tried & {"putProduct", "createCustomer", "createUser"}


def test_a_rule_that_no_guard_says_is_named() -> None:
    bounds = {"Customer": 1, "Product": 1, "Order": 1, "User": 1, "Address": 1, "Line": 1}
    explored = explore(model("shop", **bounds))
    kept = [call for _, call in refused(explored, Refusals.ONE) if call.action == "deleteProduct"]
    assert {call.violated for call in kept} == {
        ("res_code(GET /products/{sku}) = 200",),
        ("nothing refers to it",),
    }


def test_bulk_calls_are_refused_where_all_members_exist() -> None:
    explored = petstore(2)
    of_lists = [call for _, call in refused(explored, Refusals.ONE) if "List" in call.operation]
    assert {len(call.arguments[0]) for call in of_lists} == {1, 2}
    interpreter = Interpreter(explored.model)
    for sequence in plan(explored, Options(refusals=Refusals.ONE)).sequences():
        interpreter.run(sequence)
