from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icepick.protocol import (
    Automaton,
    Coverage,
    CoverPolicy,
    Edge,
    Policy,
    RandomPolicy,
    Tally,
    automaton_of,
    load_protocols,
    read_protocols,
    tours,
)
from icepick.protocol.coverage import START, all_pairs
from icepick.protocol.tree import Send
from tests.protocol.documents import EXAMPLE_DOCUMENTS, EXAMPLES

Service = Callable[[Automaton, Edge], Edge | None]
"""Answers a call with one of its responses, or with one that the model does not have."""


def _anyhow(rng: Random) -> Service:
    return lambda automaton, sent: rng.choice(automaton.edges_of(sent.target))


def _drive(
    automaton: Automaton, policy: Policy, service: Service, most: int
) -> tuple[int, Coverage]:
    """How many calls were made until the policy was done, and what they covered."""
    tally, calls = Tally(automaton), 0
    while calls < most and not policy.is_done and not tally.coverage().is_full:
        policy.begin()
        tally.begin()
        state = 0
        while calls < most and (sent := policy.next_send(state)) is not None:
            calls += 1
            policy.took(sent)
            tally.took(sent)
            answer = service(automaton, sent)
            if answer is None:
                break
            policy.took(answer)
            tally.took(answer)
            state = answer.target
            if automaton.is_end(state):
                break
    return calls, tally.coverage()


def _models() -> list[tuple[str, str]]:
    return [
        (file, model)
        for file in [*sorted(EXAMPLE_DOCUMENTS), "figure5"]
        for model in load_protocols(EXAMPLES / f"{file}.protocol").models
    ]


@pytest.mark.parametrize(("file", "model"), _models())
@pytest.mark.parametrize("seed", range(3))
def test_every_example_is_covered_within_200_calls(file: str, model: str, seed: int) -> None:
    definitions = load_protocols(EXAMPLES / f"{file}.protocol").definitions
    automaton = automaton_of(model, definitions)
    calls, coverage = _drive(automaton, CoverPolicy(automaton), _anyhow(Random(seed)), 200)
    assert coverage.is_full, coverage.missing
    assert coverage.branches.total == coverage.branches.covered > 0
    assert calls <= 200


def test_cover_needs_fewer_calls_than_chance() -> None:
    definitions = load_protocols(EXAMPLES / "checkout.protocol").definitions
    automaton = automaton_of("Checkout", definitions)
    covered, _ = _drive(automaton, CoverPolicy(automaton), _anyhow(Random(0)), 10_000)
    chance = RandomPolicy(automaton, Random(0))
    by_chance, coverage = _drive(automaton, chance, _anyhow(Random(0)), 10_000)
    assert coverage.is_full
    assert covered * 2 < by_chance


SHOP = "S = rec X.(+{!a().&{?C200().X, ?C404().end}, !b().&{?C200().X, ?C409().X}, !c().?C200().X})"


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.2, 0.8))
def test_cover_gets_every_pair_from_a_service_of_whims(seed: int, chance: float) -> None:
    rng = Random(seed)

    def service(automaton: Automaton, sent: Edge) -> Edge:
        first, *others = automaton.edges_of(sent.target)
        return first if not others or rng.random() < chance else others[0]

    automaton = automaton_of("S", read_protocols(SHOP).definitions)
    policy = CoverPolicy(automaton, patience=200)
    _, coverage = _drive(automaton, policy, service, 5000)
    assert coverage.is_full
    assert policy.is_done


def test_cover_gives_up_responses_that_never_come() -> None:
    automaton = automaton_of("S", read_protocols(SHOP).definitions)
    policy = CoverPolicy(automaton)
    calls, coverage = _drive(automaton, policy, lambda a, e: a.edges_of(e.target)[0], 5000)
    assert policy.is_done
    assert calls < 150
    assert (coverage.branches.covered, coverage.responses.covered) == (3, 3)
    lacking = {edge.label for _, edge in coverage.missing} | {
        edge.label for edge, _ in coverage.missing if edge is not None
    }
    assert {"?C404", "?C409"} <= lacking


def test_cover_gives_up_calls_that_are_always_answered_wrongly() -> None:
    automaton = automaton_of("S", read_protocols(SHOP).definitions)
    policy = CoverPolicy(automaton)
    _drive(automaton, policy, lambda _automaton, _sent: None, 5000)
    assert policy.is_done
    calls, coverage = _drive(automaton, CoverPolicy(automaton), lambda _a, _e: None, 5000)
    assert calls < 20
    assert coverage.branches.covered == 3


def test_a_run_that_cannot_end_stops_where_nothing_is_left() -> None:
    text = "S = +{!a().?C200().rec X.(!b().?C200().X), !c().?C200().end}"
    automaton = automaton_of("S", read_protocols(text).definitions)
    calls, coverage = _drive(automaton, CoverPolicy(automaton), _anyhow(Random(0)), 100)
    assert coverage.is_full
    assert calls == 4


def test_chance_heeds_weights_and_the_length_of_a_run() -> None:
    text = "S = rec X.(+{[3] !a().?C200().X, [0.5] !b().?C200().X, !c().?C200().X})"
    automaton = automaton_of("S", read_protocols(text).definitions)
    policy = RandomPolicy(automaton, Random(5), most=4500)
    policy.begin()
    counted: Counter[str] = Counter()
    while (edge := policy.next_send(0)) is not None:
        policy.took(edge)
        counted[edge.label] += 1
    assert sum(counted.values()) == 4500
    assert [round(counted[name] / 1000) for name in ("!a", "!c")] == [3, 1]
    assert 400 < counted["!b"] < 600


def test_the_same_seed_gives_the_same_walk() -> None:
    automaton = automaton_of("S", read_protocols(SHOP).definitions)

    def walk(seed: int) -> list[int]:
        policy, service, found = RandomPolicy(automaton, Random(seed)), _anyhow(Random(9)), []
        state = 0
        while (edge := policy.next_send(state)) is not None:
            policy.took(edge)
            answer = service(automaton, edge)
            assert answer is not None
            found.append(edge.number)
            state = answer.target
        return found

    assert walk(1) == walk(1)
    assert walk(1) != walk(2)


@pytest.mark.parametrize(("file", "model"), _models())
def test_tours_take_every_pair(file: str, model: str) -> None:
    definitions = load_protocols(EXAMPLES / f"{file}.protocol").definitions
    automaton = automaton_of(model, definitions)
    plan = tours(automaton)
    taken = set()
    for sequence in plan.sequences:
        state, last = 0, START
        for edge in sequence:
            assert edge.source == state
            taken.add((last, edge.key))
            state, last = edge.target, edge.key
    assert taken == set(all_pairs(automaton))
    sent = [edge for one in plan.sequences for edge in one if isinstance(edge.branch, Send)]
    assert plan.calls == len(sent) <= 200


def test_a_branch_counts_once_wherever_it_is() -> None:
    text = "S = rec X[3].(!a().?C200().X)"
    automaton = automaton_of("S", read_protocols(text).definitions)
    assert len(automaton.edges) == 6
    coverage = Tally(automaton).coverage()
    assert (coverage.branches.total, coverage.responses.total, coverage.pairs.total) == (1, 1, 3)
