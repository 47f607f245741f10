"""Ranges of numbers and what is drawn from them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from icepick.inputs.numeric import draw, number_range, series


@pytest.mark.parametrize(
    ("schema", "whole", "first", "last"),
    [
        ({"minimum": 1, "maximum": 9}, True, 1, 9),
        ({"exclusiveMinimum": 1, "exclusiveMaximum": 9}, True, 2, 8),
        ({"minimum": 1.2, "maximum": 8.9}, True, 2, 8),
        ({"exclusiveMinimum": 10, "exclusiveMaximum": 40, "multipleOf": 10}, True, 20, 30),
        ({"minimum": -7, "maximum": 7, "multipleOf": 2.5}, False, -5, 5),
        ({"multipleOf": 1.5, "minimum": 1, "maximum": 7}, True, 3, 6),
        ({"minimum": 3, "exclusiveMinimum": 3, "maximum": 5}, True, 4, 5),
        ({"format": "int32"}, True, -(2**31), 2**31 - 1),
        ({"format": "int64", "minimum": 5}, True, 5, 2**63 - 1),
        ({}, True, None, None),
    ],
)
def test_bounds(schema: dict[str, Any], whole: bool, first: Any, last: Any) -> None:
    numbers = number_range(schema, whole=whole)
    assert (numbers.first, numbers.last) == (first, last)
    for seed in range(50):
        drawn = draw(numbers, Random(seed), None)
        assert drawn is not None
        assert drawn in numbers
        assert not whole or isinstance(drawn, int)


@pytest.mark.parametrize(
    "schema",
    [
        {"minimum": 2, "maximum": 1},
        {"exclusiveMinimum": 1, "maximum": 1},
        {"minimum": 1, "maximum": 6, "multipleOf": 7},
    ],
)
def test_empty_ranges(schema: dict[str, Any]) -> None:
    for whole in (True, False):
        assert draw(number_range(schema, whole=whole), Random(1), None) is None


def test_usual_numbers_give_way() -> None:
    numbers = number_range({"minimum": 50}, whole=True)
    assert draw(numbers, Random(1), (60, 60)) == 60
    drawn = draw(numbers, Random(1), (1, 10))
    assert drawn is not None
    assert drawn >= 50


def test_prices_have_cents() -> None:
    drawn = {draw(number_range({}, whole=False), Random(seed), (1, 5)) for seed in range(50)}
    assert all(one is not None and round(one, 2) == one for one in drawn)
    assert len(drawn) > 30


@pytest.mark.parametrize(
    ("schema", "numbers"),
    [
        ({}, (2**31 - 1, 1, 1)),
        ({"minimum": -3, "maximum": 3}, (7, -3, 1)),
        ({"minimum": 10, "exclusiveMaximum": 40, "multipleOf": 10}, (3, 10, 10)),
        ({"format": "uint64", "minimum": 2**32}, (2**64 - 2**32, 2**32, 1)),
        ({"minimum": 2**40}, (0, 2**40, 1)),
        ({"maximum": 4, "minimum": 2}, (3, 2, 1)),
        ({"maximum": -4}, (0, 0, 1)),
        ({"minimum": 5, "maximum": 4}, (0, 5, 1)),
    ],
)
def test_series_of_whole_numbers(schema: dict[str, Any], numbers: tuple[int, int, int]) -> None:
    found = series(schema)
    assert found == numbers
    assert {type(one) for one in found} == {int}
