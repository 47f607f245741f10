"""No value is given out twice, and each of them fits."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from icepick.inputs import Fresh, Generator, Made, NotMade

SCHEMAS: dict[str, dict[str, Any]] = {
    "integer": {"type": "integer"},
    "int64": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 2**63 - 1},
    "bounded": {"type": "integer", "minimum": 100, "maximum": 5000, "multipleOf": 3},
    "negative": {"type": "integer", "maximum": -1, "minimum": -2000},
    "number": {"type": "number", "minimum": 0.5},
    "text": {"type": "string"},
    "short": {"type": "string", "maxLength": 3},
    "pattern": {"type": "string", "pattern": "^[12][0-9]{8}$"},
    "login": {"type": "string", "pattern": "^[a-z][a-z0-9_]{2,29}$"},
    "code": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3}$"},
    "uuid": {"type": "string", "format": "uuid"},
    "email": {"type": "string", "format": "email", "maxLength": 40},
    "uri": {"type": "string", "format": "uri"},
    "hostname": {"type": "string", "format": "hostname"},
    "nullable": {"anyOf": [{"type": "string", "minLength": 40}, {"type": "null"}]},
    "date": {"type": "string", "format": "date"},
    "any": {},
}


def _fresh(seed: int = 1) -> tuple[Fresh, Generator]:
    generator = Generator({})
    return Fresh(generator, Random(seed)), generator


@pytest.mark.parametrize("name", SCHEMAS)
def test_values_are_unique_and_fit(name: str) -> None:
    fresh, generator = _fresh()
    made = [fresh.value(SCHEMAS[name], name) for _ in range(300)]
    values = [one.value for one in made if isinstance(one, Made)]
    assert len(values) == 300
    assert len(set(values)) == 300
    assert all(generator.fits(SCHEMAS[name], value) for value in values)


@pytest.mark.parametrize(
    ("schema", "count"),
    [
        ({"type": "integer", "minimum": -2, "maximum": 7}, 10),
        ({"type": "integer", "minimum": 1, "maximum": 2000}, 2000),
        ({"type": "string", "enum": ["a", "b"]}, 2),
        ({"type": "boolean"}, 2),
        ({"type": "string", "pattern": "^[ab]{2}$"}, 4),
    ],
)
def test_every_value_is_used_before_it_gives_up(schema: dict[str, Any], count: int) -> None:
    fresh, _ = _fresh()
    made = [fresh.value(schema) for _ in range(count)]
    assert all(isinstance(one, Made) for one in made)
    last = fresh.value(schema)
    assert isinstance(last, NotMade)
    assert str(count) in last.reason


def test_scopes_are_apart_and_values_can_be_taken() -> None:
    fresh, _ = _fresh()
    schema = {"type": "integer", "minimum": 1, "maximum": 2}
    fresh.take(1, "a")
    assert fresh.value(schema, scope="a") == Made(2)
    assert isinstance(fresh.value(schema, scope="a"), NotMade)
    assert isinstance(fresh.value(schema, scope="b"), Made)


def test_the_seed_decides_and_seeds_differ() -> None:
    def run(seed: int) -> list[Any]:
        fresh, _ = _fresh(seed)
        return [fresh.value(SCHEMAS[name], name) for name in SCHEMAS]

    assert run(3) == run(3)
    assert not [one for one, other in zip(run(3), run(4), strict=True) if one == other]


def test_what_cannot_be_is_explained() -> None:
    fresh, _ = _fresh()
    refused = fresh.value({"type": "integer", "minimum": 2, "maximum": 1})
    assert isinstance(refused, NotMade)
    assert "bounds" in refused.reason


def test_what_stands_in_a_path_is_one_word() -> None:
    fresh = Fresh(Generator({}), Random(1))
    made = (
        fresh.value({"type": "string"}, "name"),
        fresh.value({"type": "string"}, "name", in_path=True),
    )
    assert [" " in str(one.value) for one in made if isinstance(one, Made)] == [True, False]
