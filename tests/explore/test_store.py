"""Explorations on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from icepick.errors import Code, ExploreError
from icepick.explore import Exploration, explore, load, save, trace
from tests.explore.test_search import crowded
from tests.model.examples import features, tournaments

COLUMNS = ("states", "levels", "degrees", "taken", "finals")


def _same(left: Exploration, right: Exploration) -> None:
    for name in COLUMNS:
        assert np.array_equal(getattr(left, name), getattr(right, name)), name
    assert left.model == right.model
    assert left.totals == right.totals
    assert (left.expanded, left.stopped, left.violations) == (
        right.expanded,
        right.stopped,
        right.violations,
    )


@pytest.mark.parametrize("symmetry", [False, True])
def test_everything_comes_back(tmp_path: Path, symmetry: bool) -> None:
    found = explore(crowded(), symmetry=symmetry)
    save(found, tmp_path / "graph.npz")
    again = load(tmp_path / "graph.npz")
    _same(found, again)
    assert found.edges is not None
    assert again.edges is not None
    assert np.array_equal(found.edges.targets, again.edges.targets)
    assert np.array_equal(found.edges.actions, again.edges.actions)
    assert np.array_equal(found.edges.offsets, again.edges.offsets)
    state = again.violations[0].state
    assert trace(again, state) == trace(found, state)


def test_an_exploration_that_was_stopped_and_only_counted_comes_back(tmp_path: Path) -> None:
    found = explore(features(2, 2, 2), graph=False, max_states=500)
    save(found, tmp_path / "graph.npz")
    again = load(tmp_path / "graph.npz")
    _same(found, again)
    assert again.edges is None
    assert again.stopped == "there are more than 500 states"


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("not an archive")
    np.savez(tmp_path / "other.npz", numbers=np.arange(3))
    save(explore(tournaments(1, 1, 1)), tmp_path / "cut.npz")
    whole = (tmp_path / "cut.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(whole[: len(whole) // 2])
    for name in ("text.npz", "other.npz", "cut.npz"):
        with pytest.raises(ExploreError) as caught:
            load(tmp_path / name)
        assert caught.value.code is Code.NOT_A_STATE_GRAPH
        assert caught.value.place is not None
