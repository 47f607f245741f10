"""Tours: everything is covered, in few calls, in sequences of a bounded length."""

from __future__ import annotations

import pytest

from icepick.sequences import Options, Strategy, carried_out, plan
from icepick.sequences.tour import Loop, Tour, each_state, each_transition
from tests.sequences.examples import petstore, tournaments
from tests.sequences.graphs import graph
from tests.sequences.simulator import run

TOUR, STATES = Options(strategy=Strategy.TOUR), Options(strategy=Strategy.STATES)


def test_two_values_in_twelve_calls_for_ten_transitions() -> None:
    found = carried_out(plan(tournaments(2), TOUR))
    assert found.transitions.percent == found.states.percent == 100.0
    assert found.calls <= 1.20 * 872
    assert found.longest <= 50


def test_three_values_in_five_calls_for_four_transitions() -> None:
    found = carried_out(plan(tournaments(3), TOUR))
    assert found.transitions.covered == 349_008
    assert found.calls <= 1.25 * 349_008
    assert found.longest <= 50


@pytest.mark.parametrize("length", [6, 7, 10, 200])
def test_no_sequence_is_longer_than_asked_for(length: int) -> None:
    found = carried_out(plan(tournaments(2), Options(Strategy.TOUR, max_length=length)))
    assert found.longest <= length
    # The furthest states are six calls away, and one call more is needed to leave them.
    assert (found.transitions.percent == 100.0) == (length > 6)


def test_what_is_too_far_is_counted_and_said() -> None:
    found = carried_out(plan(tournaments(2), Options(Strategy.TOUR, max_length=4)))
    left = found.transitions.total - found.transitions.covered
    of_transitions = [gap for gap in found.gaps if gap.what.startswith("transitions of")]
    assert sum(gap.number for gap in of_transitions) == left > 0
    assert {gap.reason for gap in found.gaps} == {"further from the initial state than 4 calls"}


def test_every_state_in_few_calls() -> None:
    found = carried_out(plan(tournaments(2), STATES))
    assert found.states.percent == 100.0
    assert found.calls <= 1.2 * 192
    assert carried_out(plan(petstore(2), STATES)).calls <= 1.2 * 72


def test_the_calls_can_be_made() -> None:
    for options in (TOUR, STATES):
        numbers: dict[object, int] = {}
        for sequence in plan(tournaments(2), options).sequences():
            for state, step in zip(run(sequence), sequence.steps, strict=True):
                assert numbers.setdefault(state, step.state) == step.state
        # Some sequence comes back to the empty state, but none has to.
        assert len(set(numbers.values()) | {0}) == 192


def test_a_detour_is_taken_where_it_is_shorter_than_starting_again() -> None:
    # Past a chain of three, two cycles share a state: starting again costs more than going round.
    found, _ = graph([[1], [2], [3], [4, 5], [3], [3]], [])
    assert len(list(Tour(found, each_transition(found)).sequences())) == 1


def test_one_edge_is_enough_for_a_state_with_several() -> None:
    found, _ = graph([[1, 1, 2], [2], []], [])
    taken = list(Tour(found, each_state(found)).sequences())
    assert taken == [[0, 3]]


def test_loops_are_made_where_they_belong_and_count_as_calls() -> None:
    found, _ = graph([[1], [0]], [])
    loops = (Loop(1, (7, 7, 8)), Loop(0, (9,)))
    assert list(Tour(found, each_state(found), loops).sequences()) == [[~1, 0, ~0]]
    assert list(Tour(found, each_state(found), loops, 4).sequences()) == [[~1, 0], [0, ~0]]
    # Three calls after the one that leads there do not fit into three.
    assert list(Tour(found, each_state(found), loops, 3).sequences()) == [[~1, 0]]


def test_a_budget_buys_states_first_and_then_rare_actions() -> None:
    explored = tournaments(2)
    enough = carried_out(plan(explored, STATES)).calls
    found = carried_out(plan(explored, Options(Strategy.TOUR, max_calls=enough)))
    assert (found.calls, found.states.percent) == (enough, 100.0)
    more = carried_out(plan(explored, Options(Strategy.TOUR, max_calls=enough + 150)))
    left = {gap.what.rpartition(" ")[2]: gap.number for gap in more.gaps}
    before = {gap.what.rpartition(" ")[2]: gap.number for gap in found.gaps}
    gained = {name: number - left.get(name, 0) for name, number in before.items()}
    rare = min(
        before,
        key=lambda name: sum(
            n
            for a, n in zip(explored.actions, explored.taken.tolist(), strict=True)
            if a.action == name
        ),
    )
    assert gained[rare] == max(gained.values())
    budget = f"the budget of {enough + 150} calls is spent"
    assert {gap.reason for gap in more.gaps} == {budget}


@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("budget", [1, 7, 100])
def test_a_budget_is_never_exceeded(strategy: Strategy, budget: int) -> None:
    found = carried_out(plan(tournaments(2), Options(strategy, max_calls=budget)))
    assert found.calls == budget
    assert sum(gap.number for gap in found.gaps if gap.what == "states") == (
        found.states.total - found.states.covered
    )


def test_a_budget_that_suffices_leaves_nothing_out() -> None:
    found = carried_out(plan(tournaments(2), Options(Strategy.TOUR, max_calls=3_000)))
    assert found.transitions.percent == 100.0
    assert found.calls < 3_000
    assert found.gaps == ()
