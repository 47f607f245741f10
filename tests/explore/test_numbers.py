"""The numbers of the papers, exactly, and what the graph behind them looks like."""

from __future__ import annotations

import numpy as np
import pytest

from icepick.explore import Exploration, Totals, explore, outgoing, parents
from icepick.explore.graph import NO_PARENT, sources
from icepick.model import Model
from tests.model.examples import features, petstore, tournaments

KNOWN = {
    "p1": (tournaments(1, 1, 1), Totals(5, 10, 1)),
    "p2": (tournaments(2, 2, 2), Totals(192, 872, 40)),
    "p3": (tournaments(3, 3, 3), Totals(46_700, 349_008, 10_368)),
    "u1": (petstore(1, 1, 1), Totals(6, 19, 1)),
    "u2": (petstore(2, 2, 2), Totals(72, 574, 4)),
    "u3": (petstore(3, 3, 3), Totals(1_360, 19_922, 27)),
}
LARGE = tournaments(4, 3, 4)


@pytest.fixture(params=KNOWN.values(), ids=KNOWN)
def known(request: pytest.FixtureRequest) -> tuple[Model, Totals]:
    pair: tuple[Model, Totals] = request.param
    return pair


@pytest.mark.parametrize("graph", [True, False])
def test_states_transitions_and_final_states(known: tuple[Model, Totals], graph: bool) -> None:
    model, totals = known
    found = explore(model, graph=graph)
    assert found.totals == totals
    assert found.stopped is None
    assert found.expanded == totals.states
    assert found.violations == ()
    assert found.untaken == ()


def test_sums_over_orbits_are_the_full_numbers(known: tuple[Model, Totals]) -> None:
    model, totals = known
    found = explore(model, symmetry=True)
    assert found.totals == totals
    assert found.found.states <= totals.states


def test_symmetry_leaves_one_state_in_a_hundred_at_three_values() -> None:
    assert explore(tournaments(3, 3, 3), symmetry=True).found == Totals(488, 4_768, 80)


def test_the_largest_model_that_the_papers_could_dump_within_an_hour() -> None:
    found = explore(LARGE, graph=False)
    assert (found.totals.states, found.totals.transitions) == (2_534_312, 23_384_000)


def test_symmetry_gives_the_same_for_the_large_model() -> None:
    found = explore(LARGE, symmetry=True, graph=False)
    assert (found.totals.states, found.totals.transitions) == (2_534_312, 23_384_000)
    assert found.totals.finals == 499_968


def test_numbers_do_not_depend_on_whether_the_space_is_flat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    flat = explore(features(2, 2, 2))
    # Two words per state, and a hash table instead of bits.
    monkeypatch.setattr("icepick.explore.layout.SMALL_SPACE", 1)
    monkeypatch.setattr("icepick.explore.visited.SMALL_SPACE", 1)
    monkeypatch.setattr("icepick.explore.layout._WORD", 5_000)
    hashed = explore(features(2, 2, 2))
    assert hashed.machine.layout.words > 1
    assert hashed.totals == flat.totals == Totals(3_466, 34_762, 48)
    assert hashed.taken.tolist() == flat.taken.tolist()
    assert hashed.levels.tolist() == flat.levels.tolist()


def test_a_space_of_many_words_is_explored_as_it_is() -> None:
    wide = explore(tournaments(2, 2, 40, limit=1))
    assert wide.machine.layout.words > 1
    assert wide.machine.layout.slots > 2**64
    # Without enrolments 4 x 9 states; with one, 40 values for it, and both ends exist.
    assert wide.totals.states == 36 + 40 * 4 * 2 * 2 * 3
    assert wide.violations == ()


def _check_graph(found: Exploration) -> None:
    assert found.edges is not None
    offsets, actions, targets = found.edges.offsets, found.edges.actions, found.edges.targets
    assert len(actions) == len(targets) == found.found.transitions == int(offsets[-1])
    assert np.bincount(actions, minlength=len(found.actions)).tolist() == found.taken.tolist()
    depths = np.searchsorted(found.levels, np.arange(found.found.states), side="right") - 1
    origin = sources(found, 0, len(targets))
    assert (depths[targets] <= depths[origin] + 1).all()
    assert (np.diff(origin) >= 0).all()
    for state in (0, found.found.states // 2, found.found.states - 1):
        chosen = [action for action, _ in outgoing(found, state)]
        assert chosen == sorted(set(chosen))


@pytest.mark.parametrize("model", [tournaments(2, 2, 2), petstore(2, 2, 2)], ids=["p2", "u2"])
def test_edges_are_ordered_by_source_and_lead_one_level_on_at_most(model: Model) -> None:
    _check_graph(explore(model))
    _check_graph(explore(model, symmetry=True))


def test_parallel_edges_are_different_edges() -> None:
    found = explore(petstore(1, 1, 1))
    names = {found.actions[action].name for action, target in outgoing(found, 0) if target == 1}
    assert names == {"createUser(u1)", "createUsersWithList({u1})"}


def test_the_parent_of_a_state_is_one_level_up() -> None:
    found = explore(tournaments(2, 2, 2))
    assert found.edges is not None
    edges = parents(found)
    assert edges[0] == NO_PARENT
    for state in range(1, found.found.states):
        edge = int(edges[state])
        assert found.edges.targets[edge] == state
        assert found.depth(int(sources(found, edge, edge + 1)[0])) == found.depth(state) - 1
        assert edge == int(np.argmax(found.edges.targets == state))


def test_states_within_a_level_ascend_and_none_is_there_twice() -> None:
    found = explore(tournaments(2, 2, 2))
    packed = found.states[0].tolist()
    assert len(set(packed)) == len(packed)
    for first, after in zip(found.levels[:-1], found.levels[1:], strict=True):
        assert packed[first:after] == sorted(packed[first:after])
