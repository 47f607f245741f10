"""The paper's algorithm: the same paths, the same numbers, and the pointers behind them."""

from __future__ import annotations

import numpy as np
import pytest

from icepick.explore import Exploration, explore
from icepick.sequences import Options, Strategy, carried_out, plan
from icepick.sequences.graph import UNREACHED, ways_from, ways_to
from icepick.sequences.paper import paper_batches
from tests.model import examples as by_hand
from tests.sequences.examples import petstore, tournaments
from tests.sequences.graphs import graph, is_walk, sequences

PAPER = Options(Strategy.PAPER)
NAMES = ("i", "1", "2", "3", "4", "5")
SLIDES = [[1, 2], [4], [3, 5], [2, 5], [2], []]


def paths(targets: list[list[int]], finals: list[int], **options: bool) -> list[str]:
    found, old = graph(targets, finals)
    texts = []
    for batch in paper_batches(found, **options):
        for edges in sequences(batch):
            assert is_walk(found, edges)
            states = [0, *(old[found.targets[edge]] for edge in edges)]
            texts.append(" ".join(NAMES[state] for state in states))
    return texts


def test_the_worked_example_of_the_slides() -> None:
    assert paths(SLIDES, [4, 5]) == [
        "i 1 4",
        "i 2 5",
        "i 1 4 2 5",
        "i 2 3 2 5",
        "i 2 3 5",
    ]


def test_a_path_ends_at_the_nearest_final_state() -> None:
    found, _ = graph(SLIDES, [4, 5])
    # Numbered breadth-first: i 1 2 4 3 5.
    assert ways_to(found).lengths.tolist() == [0, 1, 1, 2, 2, 2]
    assert ways_from(found, found.sources()).lengths.tolist() == [2, 1, 1, 0, 1, 0]


def test_what_leads_to_no_final_state_is_covered_all_the_same() -> None:
    assert paths([[1, 2], [], [1, 2]], []) == ["i 1", "i 2 1", "i 2 2"]
    found, _ = graph([[1], [0]], [])
    assert ways_from(found, found.sources()).lengths.tolist() == [UNREACHED, UNREACHED]


def test_a_graph_of_one_state_has_one_empty_path() -> None:
    assert paths([[]], [0]) == ["i"]


def test_parallel_edges_are_two_paths_whether_or_not_they_are_told_apart() -> None:
    found, _ = graph([[1, 1], []], [1])
    taken = {}
    for identity in (True, False):
        batches = list(paper_batches(found, transition_identity=identity))
        taken[identity] = [edges for batch in batches for edges in sequences(batch)]
    assert taken == {True: [[0], [1]], False: [[0], [0]]}


@pytest.mark.parametrize(
    ("explored", "number", "coverage"),
    [
        (tournaments(1), 7, 100.0),
        (tournaments(2), 721, 100.0),
        (tournaments(3), 312_677, 100.0),
        (petstore(1), 15, 84.2),
        (petstore(2), 507, 81.2),
        (petstore(3), 18_590, 74.4),
    ],
    ids=["p1", "p2", "p3", "u1", "u2", "u3"],
)
def test_numbers_of_table_four(explored: Exploration, number: int, coverage: float) -> None:
    told_apart = carried_out(plan(explored, PAPER))
    assert told_apart.paths == number
    assert told_apart.states.percent == told_apart.transitions.percent == 100.0
    assert told_apart.gaps == ()
    merged = carried_out(plan(explored, Options(Strategy.PAPER, transition_identity=False)))
    assert merged.paths == number
    assert merged.states.percent == 100.0
    assert round(merged.transitions.percent, 1) == coverage
    left = merged.transitions.total - merged.transitions.covered
    assert sum(gap.number for gap in merged.gaps) == left


@pytest.mark.parametrize(("size", "lengths"), [(1, (3, 6, 4)), (2, (5, 10, 7)), (3, (7, 13, 9))])
def test_lengths_of_table_four(size: int, lengths: tuple[int, int, int]) -> None:
    # They are calls, without the edge into the sink. Those of Tournaments (6 to 11 where the only
    # final state is three calls away) have updates in them that the paper placed at random.
    found = carried_out(plan(petstore(size), PAPER))
    assert (found.shortest, found.longest, round(found.mean)) == lengths


def test_calls_per_transition_before_updates() -> None:
    found = carried_out(plan(tournaments(2), PAPER))
    assert round(found.calls / found.transitions.total, 2) == 5.96


def test_no_path_is_kept() -> None:
    made = plan(tournaments(2), PAPER)
    first, again = (next(iter(made.sequences())) for _ in range(2))
    assert first == again
    assert [step.call.name for step in first.steps][-1].startswith("postEnrolment(e")


def test_an_exploration_that_stopped_early_says_so() -> None:
    stopped = explore(by_hand.tournaments(2, 2, 2), max_states=64)
    found = carried_out(plan(stopped, PAPER))
    assert found.states.percent == found.transitions.percent == 100.0
    assert [gap.what for gap in found.gaps] == ["states that were not expanded"]
    assert found.gaps[0].number == stopped.found.states - stopped.expanded
    assert "more than 64 states" in found.gaps[0].reason


def test_edges_of_a_batch_are_those_of_its_calls_and_states() -> None:
    explored = tournaments(2)
    assert explored.edges is not None
    for batch in plan(explored, PAPER).batches():
        assert np.array_equal(batch.calls, explored.edges.actions[batch.edges])
        assert np.array_equal(batch.states, explored.edges.targets[batch.edges])
