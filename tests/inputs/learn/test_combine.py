"""Covering arrays: what they hold, what they leave out, how large they are."""

from __future__ import annotations

import time
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icepick.inputs.learn.combine import Combination, Row, cover


def _holds(row: Row, combination: Combination) -> bool:
    return all(row[factor] == value for factor, value in combination.items())


def _possible(sizes: list[int], excluded: list[dict[int, int]]) -> list[Row]:
    rows = product(*(range(size) for size in sizes))
    return [row for row in rows if not any(_holds(row, one) for one in excluded)]


def _pairs(rows: list[Row]) -> set[tuple[int, int, int, int]]:
    return {(i, row[i], j, row[j]) for row in rows for i, j in combinations(range(len(row)), 2)}


@st.composite
def _spaces(draw: st.DrawFn) -> tuple[list[int], list[dict[int, int]]]:
    sizes = draw(st.lists(st.integers(1, 4), min_size=2, max_size=5))
    parts = st.integers(0, len(sizes) - 1).flatmap(
        lambda factor: st.tuples(st.just(factor), st.integers(0, sizes[factor] - 1))
    )
    excluded = draw(st.lists(st.lists(parts, min_size=1, max_size=3), max_size=6))
    return sizes, [dict(one) for one in excluded]


@settings(max_examples=40, deadline=None)
@given(_spaces(), st.integers(0, 1000))
def test_every_possible_pair_is_held_and_nothing_excluded(
    space: tuple[list[int], list[dict[int, int]]], seed: int
) -> None:
    sizes, excluded = space
    rows = list(cover(sizes, 2, Random(seed), excluded))
    possible = _possible(sizes, excluded)
    assert set(rows) <= set(possible)
    assert _pairs(rows) == _pairs(possible)


@settings(max_examples=40, deadline=None)
@given(_spaces(), st.integers(0, 1000))
def test_every_possible_value_is_held(
    space: tuple[list[int], list[dict[int, int]]], seed: int
) -> None:
    sizes, excluded = space
    rows = list(cover(sizes, 1, Random(seed), excluded))
    possible = _possible(sizes, excluded)
    assert set(rows) <= set(possible)
    held = {(factor, value) for row in rows for factor, value in enumerate(row)}
    assert held == {(factor, value) for row in possible for factor, value in enumerate(row)}


def test_one_row_per_value_at_strength_one() -> None:
    assert len(list(cover([8] * 21, 1, Random(1)))) == 8


def test_twenty_one_inputs_of_eight_ways_in_well_under_a_second() -> None:
    start = time.process_time()
    rows = list(cover([8] * 21, 2, Random(1)))
    assert time.process_time() - start < 0.9
    assert len(_pairs(rows)) == 210 * 64
    assert len(rows) <= 165


def test_the_seed_decides() -> None:
    first = list(cover([3, 4, 2], 2, Random(5)))
    assert first == list(cover([3, 4, 2], 2, Random(5)))
    assert any(first != list(cover([3, 4, 2], 2, Random(seed))) for seed in range(6, 9))


@pytest.mark.parametrize("strength", [1, 2])
def test_small_spaces(strength: int) -> None:
    assert list(cover([], strength, Random(1))) == [()]
    assert sorted(cover([3], strength, Random(1))) == [(0,), (1,), (2,)]
    assert list(cover([1], strength, Random(1), [{0: 0}])) == []
