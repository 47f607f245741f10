"""Plans on random graphs and random models: real walks that cover what they claim."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from icepick.explore import decode, explore
from icepick.model import Model
from icepick.sequences import Kind, Options, Refusals, Strategy, carried_out, plan
from icepick.sequences.graph import Graph
from icepick.sequences.paper import paper_batches
from icepick.sequences.tally import Tally
from icepick.sequences.tour import Tour, each_state, each_transition
from tests.model.random_models import models
from tests.sequences.graphs import graph, is_walk, sequences
from tests.sequences.simulator import Interpreter

MOST_STATES = 200


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Up to a dozen states, with loops and parallel edges, and any of them final."""
    number = draw(st.integers(1, 12))
    state = st.integers(0, number - 1)
    targets = [draw(st.lists(state, max_size=4)) for _ in range(number)]
    found, _ = graph(targets, sorted(draw(st.sets(state))))
    return found


def reachable(found: Graph, length: int) -> list[int]:
    """The edges whose source is less than that many calls away."""
    depths = found.depths()
    return [e for e, source in enumerate(found.sources().tolist()) if depths[source] < length]


@given(graphs())
def test_the_papers_paths_cover_every_edge(found: Graph) -> None:
    paths = [edges for batch in paper_batches(found) for edges in sequences(batch)]
    assert all(is_walk(found, edges) for edges in paths)
    assert {edge for edges in paths for edge in edges} == set(range(found.edges))
    ends = set(found.finals.tolist()) | set((found.degrees() == 0).nonzero()[0].tolist())
    assert len(paths) == found.edges - (found.states - 1) + len(ends)


@given(graphs())
def test_a_tally_counts_what_paths_cover(found: Graph) -> None:
    tally = Tally(found, None)
    paths: list[list[int]] = []
    for batch in paper_batches(found, transition_identity=False):
        tally.add(batch)
        paths += sequences(batch)
    taken = {edge for edges in paths for edge in edges}
    assert tally.uncovered_edges.tolist() == sorted(set(range(found.edges)) - taken)
    assert tally.uncovered_states.tolist() == []
    # One edge is left for each pair of states that any edge joins.
    pairs = set(zip(found.sources().tolist(), found.targets.tolist(), strict=True))
    assert len(taken) == len(pairs)


@given(graphs(), st.integers(1, 15))
def test_a_tour_covers_every_edge_that_is_near_enough(found: Graph, length: int) -> None:
    tour = list(Tour(found, each_transition(found), (), length).sequences())
    assert all(is_walk(found, edges) and len(edges) <= length for edges in tour)
    assert {edge for edges in tour for edge in edges} == set(reachable(found, length))


@given(graphs(), st.integers(1, 15))
def test_a_tour_covers_every_state_that_is_near_enough(found: Graph, length: int) -> None:
    tour = list(Tour(found, each_state(found), (), length).sequences())
    assert all(is_walk(found, edges) and len(edges) <= length for edges in tour)
    visited = {0} | {int(found.targets[edge]) for edges in tour for edge in edges}
    assert visited == set((found.depths() <= length).nonzero()[0].tolist())


SLOW = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@SLOW
@given(models(), st.sampled_from(Strategy), st.integers(0, 3))
def test_every_plan_of_a_model_can_be_carried_out(
    model: Model, strategy: Strategy, seed: int
) -> None:
    explored = explore(model, max_states=MOST_STATES)
    assume(explored.stopped is None)
    options = Options(strategy, refusals=Refusals.EACH, seed=seed, max_length=20)
    made, interpreter = plan(explored, options), Interpreter(model)
    texts = [
        json.dumps(decode(explored.machine.layout, explored.states[:, i]))
        for i in range(explored.found.states)
    ]
    tried = set()
    for sequence in made.sequences():
        for step, text in zip(sequence.steps, interpreter.run(sequence), strict=True):
            assert texts[step.state] == text
            if step.call.kind is Kind.REFUSAL:
                assert step.call.violated
                tried.add((step.state, step.call.action, step.call.arguments))
    found = carried_out(made)
    if strategy is not Strategy.STATES:
        assert found.transitions.percent == 100.0
    assert found.states.percent == found.refusals.percent == 100.0
    everything = explored.found.states * len(explored.actions)
    assert len(tried) == everything - explored.found.transitions


@SLOW
@given(models(), st.sampled_from(Strategy))
def test_every_plan_over_representatives_can_be_carried_out(
    model: Model, strategy: Strategy
) -> None:
    explored = explore(model, max_states=20 * MOST_STATES)
    assume(explored.stopped is None)
    reduced = explore(model, symmetry=True)
    options = Options(strategy, refusals=Refusals.ONE)
    made, interpreter = plan(reduced, options), Interpreter(model)
    for sequence in made.sequences():
        interpreter.run(sequence)
    found = carried_out(made)
    assert found.states.covered == explored.found.states
    assert found.transitions.total == explored.found.transitions
    if strategy is not Strategy.STATES:
        assert found.transitions.percent == 100.0
