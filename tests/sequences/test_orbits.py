"""Symmetry: one of the transitions that are alike, and real calls all the same."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from icepick.explore import Exploration, decode, outgoing
from icepick.sequences import Kind, Options, Refusals, Strategy, carried_out, plan
from icepick.sequences.orbits import Orbits
from tests.sequences.examples import petstore, tournaments
from tests.sequences.simulator import Interpreter, run

TOUR = Options(strategy=Strategy.TOUR)


def test_sizes_of_orbits_add_up_to_all_transitions() -> None:
    explored = tournaments(3, symmetry=True)
    made = plan(explored, TOUR)
    assert made.worth is not None
    sizes = np.bincount(made.worth.classes, weights=made.worth.edges)
    assert sizes.sum() == 349_008
    found = carried_out(made)
    assert found.transitions.covered == found.transitions.total == 349_008
    assert found.states.covered == 46_700


def test_a_fiftieth_of_the_calls_of_the_full_tour() -> None:
    # The full tour has a call for each transition at the very least.
    assert 50 * carried_out(plan(tournaments(3, symmetry=True), TOUR)).calls <= 349_008


@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("size", [2, 3])
def test_the_calls_can_be_made(strategy: Strategy, size: int) -> None:
    explored = tournaments(size, symmetry=True)
    made = plan(explored, Options(strategy, refusals=Refusals.ONE))
    calls = 0
    for sequence in made.sequences():
        calls += len(run(sequence))
    assert calls == carried_out(made).calls > 0


def test_sets_of_values_are_exchanged_too() -> None:
    explored = petstore(3, symmetry=True)
    interpreter = Interpreter(explored.model)
    for sequence in plan(explored, TOUR).sequences():
        interpreter.run(sequence)


Renaming = dict[str, str]


def renamings(explored: Exploration) -> list[Renaming]:
    names = [[r.value_name(v) for v in range(r.size)] for r in explored.model.resources]
    return [
        {
            old: new
            for olds, news in zip(names, chosen, strict=True)
            for old, new in zip(olds, news, strict=True)
        }
        for chosen in product(*(permutations(own) for own in names))
    ]


def renamed(transition: tuple[Any, ...], renaming: Renaming) -> tuple[Any, ...]:
    action, arguments, state = transition

    def of(value: Any) -> Any:
        return renaming.get(value, value)

    return (
        action,
        tuple(of(a) if isinstance(a, str) else tuple(sorted(map(of, a))) for a in arguments),
        tuple(sorted((r, of(v), *((f, of(x)) for f, x in fields)) for r, v, *fields in state)),
    )


def transitions(explored: Exploration) -> dict[int, tuple[Any, ...]]:
    """Each transition by number: its action, its arguments and its source, all by name."""
    found = {}
    table = plan(explored, TOUR).calls
    for state in range(explored.found.states):
        shown = decode(explored.machine.layout, explored.states[:, state])
        source = tuple(
            sorted(
                (resource, value, *fields.items())
                for resource, values in shown.items()
                for value, fields in values.items()
            )
        )
        for action, _ in outgoing(explored, state):
            call = table[action]
            found[len(found)] = (call.action, call.arguments, source)
    return found


@pytest.mark.parametrize("example", [tournaments, petstore], ids=["tournaments", "petstore"])
def test_what_is_alike_is_what_some_exchange_makes_the_same(example: Any) -> None:
    reduced, full = example(2, symmetry=True), example(2)
    classes = Orbits(reduced).classes()
    every = renamings(full)

    def least(transition: tuple[Any, ...]) -> str:
        return min(repr(renamed(transition, renaming)) for renaming in every)

    orbits = {least(transition) for transition in transitions(full).values()}
    named = {number: least(t) for number, t in transitions(reduced).items()}
    assert set(named.values()) == orbits
    assert len(np.unique(classes)) == len(orbits)
    for number, name in named.items():
        assert named[int(classes[number])] == name


def test_a_tour_really_takes_one_transition_of_each_orbit() -> None:
    reduced, full = tournaments(2, symmetry=True), tournaments(2)
    every = renamings(full)
    taken = set()
    for sequence in plan(reduced, TOUR).sequences():
        before: tuple[Any, ...] = ((), (), ())
        for step, state in zip(sequence.steps, run(sequence), strict=True):
            assert step.call.kind is Kind.TRANSITION
            players, cups, joined = before
            source = tuple(
                sorted(
                    [("Player", p) for p in players]
                    + [("Tournament", t, ("capacity", str(c))) for t, c in cups]
                    + [("Enrolment", e, ("pid", p), ("tid", t)) for e, (p, t) in joined]
                )
            )
            found = (step.call.action, step.call.arguments, source)
            taken.add(min(repr(renamed(found, renaming)) for renaming in every))
            before = state
    orbits = {
        min(repr(renamed(transition, renaming)) for renaming in every)
        for transition in transitions(full).values()
    }
    assert taken == orbits
