"""Texts made from expressions match them, at the lengths that are asked for."""

from __future__ import annotations

import re
from random import Random

import pytest

from icepick.inputs.patterns import pattern

EXPRESSIONS = (
    *("^[12][0-9]{8}$", "^(a|bc|def)+$", "^[^#$%^&*()']*$", r"\b(?:\d[ -]*?){13,16}\b", "^x?y*z+$"),
    *(r"^\+[1-9][0-9]?[\s]*\(?\d{3}\)?[-\s]?\d{3}$", r"^(\w)(\d)\2\1$", "^(?:(?:a|b){2}){3}$"),
    *("^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*@[A-Za-z0-9]+(\\.[A-Za-z0-9]+)+$", "^(?i:abc)$", "^.+$"),
    *("^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89aAbB][a-f0-9]{3}-[a-f0-9]{12}$", r"^\D\W\S$"),
    *("^$", "", "^[\u0000-\uffff]{3}$", "^\u00e9$", r"^[^\x20-\x7e]$", "^a{2,}?$", r"^\/api\/v\d$"),
)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_texts_match(expression: str) -> None:
    found = pattern(expression)
    assert found is not None
    for seed in range(50):
        made = found.make(Random(seed))
        assert re.search(expression, made), made


@pytest.mark.parametrize(
    ("expression", "low", "high"),
    [
        ("^[a-z]+$", 10, 10),
        ("^[a-z]*[0-9]*$", 7, 7),
        ("^(a|bb|ccc)$", 3, 3),
        ("^[A-Z]{2}-[0-9]{1,30}$", 20, 21),
        ("^(ab)+$", 12, 12),
        ("[0-9]", 8, 9),
        ("^x", 6, 9),
        ("x$", 6, 9),
        ("^.{1,255}$", 100, 110),
    ],
)
def test_lengths(expression: str, low: int, high: int) -> None:
    found = pattern(expression)
    assert found is not None
    for seed in range(30):
        made = found.make(Random(seed), low, high)
        assert low <= len(made) <= high, made
        assert found.matches(made)


@pytest.mark.parametrize("expression", ["^(?=.*[A-Z])(?=.*[0-9]).{8,12}$", "^(?!a)[ab]{3}$"])
def test_lookaheads_hold_often_enough(expression: str) -> None:
    found = pattern(expression)
    assert found is not None
    rng = Random(5)
    assert sum(found.matches(found.make(rng)) for _ in range(100)) > 20


@pytest.mark.parametrize("expression", [r"^\p{L}+$", r"^[\pL '-]+$", r"^\p{Lu}\p{Ll}+$"])
def test_classes_of_unicode(expression: str) -> None:
    found = pattern(expression)
    assert found is not None
    assert re.fullmatch("[A-Za-z '-]+", found.make(Random(1)))


def test_named_groups_as_others_write_them() -> None:
    found = pattern("^(?<year>[0-9]{4})(?<=[0-9])$")
    assert found is not None
    assert re.fullmatch("[0-9]{4}", found.make(Random(1)))


@pytest.mark.parametrize("expression", ["(", "[z-a]", "a{99999999999}"])
def test_what_python_cannot_read(expression: str) -> None:
    assert pattern(expression) is None


def test_expressions_that_cost_others_exponential_time() -> None:
    found = pattern(r"^(\w+\s?)*$")
    assert found is not None
    assert not found.matches("a" * 60 + "!")
    assert found.matches(found.make(Random(1), 20, 30))
