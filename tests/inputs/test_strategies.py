"""The lists of strategies, first of all those of the paper's worked example."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from icepick.inputs import (
    ABSENT,
    Drawer,
    Drawn,
    Fixed,
    FromResponse,
    Generator,
    Hint,
    Known,
    Leaf,
    Made,
    NotMade,
    Null,
    Optionals,
    Options,
    Responses,
    Why,
    input_space,
    sources_of,
    strategies_for,
)
from icepick.openapi import ApiSpec, check_spec
from icepick.resources.find import find_resources
from icepick.resources.types import Field, Location

LISTING_1 = {
    "swagger": "2.0",
    "info": {"title": "Orders", "version": "1"},
    "paths": {
        "/orders": {
            "post": {
                "operationId": "createOrder",
                "parameters": [
                    {
                        "in": "body",
                        "name": "body",
                        "required": True,
                        "schema": {"$ref": "#/definitions/CreateOrder"},
                    }
                ],
                "responses": {"201": {"description": "made"}},
            }
        }
    },
    "definitions": {
        "CreateOrder": {
            "type": "object",
            "required": ["id", "type"],
            "properties": {
                "id": {"type": "integer"},
                "type": {"type": "string", "enum": ["standard", "express"]},
                "address": {"type": "string", "description": "Required if 'type' is 'standard'"},
                "priority": {
                    "type": "string",
                    "enum": ["low", "high"],
                    "description": "Required if 'type' is 'express'",
                },
            },
        }
    },
}


@pytest.fixture
def orders(tmp_path: Path) -> ApiSpec:
    document = tmp_path / "orders.json"
    document.write_text(json.dumps(LISTING_1))
    return check_spec(str(document))


def _space(spec: ApiSpec, responses: Responses | None = None) -> dict[str, Leaf]:
    operation = spec.operation("createOrder")
    return {leaf.field.name: leaf for leaf in input_space(operation, spec.schemas, responses)}


def _field(schema: dict[str, Any], name: str = "x", *, required: bool = True) -> Field:
    return Field((name,), Location.BODY, schema, required)


def test_the_example_of_the_paper(orders: ApiSpec) -> None:
    space = _space(orders)
    assert list(space) == ["id", "type", "address", "priority"]
    assert space["type"].strategies == (Fixed("standard"), Fixed("express"))
    assert space["address"].strategies == (
        Null(),
        Fixed("type"),
        Fixed("standard"),
        Fixed(""),
        Drawn("string"),
        Drawn("binary"),
        Drawn("byte"),
        Drawn("password"),
    )
    assert space["priority"].strategies == (Null(), Fixed("low"), Fixed("high"))
    assert space["id"].strategies == (Fixed(0), Fixed(1), Fixed(-1), Drawn("integer"))


def test_responses_with_similar_names_come_last(orders: ApiSpec) -> None:
    responses = Responses()
    responses.record("GET:/customers", [{"id": 7, "regionId": 2, "homeAddress": "1 Mill Lane"}])
    space = _space(orders, responses)
    assert space["id"].strategies[-2:] == (
        FromResponse("GET:/customers", "id"),
        FromResponse("GET:/customers", "regionId"),
    )
    assert space["address"].strategies[-1] == FromResponse("GET:/customers", "homeAddress")
    assert len(space["address"].strategies) == 9
    assert len(space["type"].strategies) == 2


def test_strategies_are_written_as_in_the_paper() -> None:
    shown = [Null(), Fixed("a"), Drawn("byte"), FromResponse("GET:/customers", "id")]
    assert [str(one) for one in shown] == ["NS()", "FS('a')", "RS(byte)",
                                           "RBS('GET:/customers', 'id')"]  # fmt: skip


def test_examples_defaults_and_bounds() -> None:
    schema = {"type": "integer", "minimum": 5, "maximum": 90, "examples": [7], "default": 9}
    found = strategies_for(_field(schema), {})
    values = [one.value for one in found if isinstance(one, Fixed)]
    assert values == [7, 9, 0, 1, -1, 5, 6, 89, 90]
    assert [one.why for one in found if isinstance(one, Fixed)][:3] == [
        Why.EXAMPLE,
        Why.DEFAULT,
        Why.BOUNDARY,
    ]


def test_bounds_of_exclusive_and_stepped_numbers() -> None:
    schema = {"type": "integer", "exclusiveMinimum": 10, "exclusiveMaximum": 40, "multipleOf": 10}
    values = [s.value for s in strategies_for(_field(schema), {}) if isinstance(s, Fixed)]
    assert values == [0, 1, -1, 20, 30]


def test_lengths_at_their_bounds() -> None:
    schema = {"type": "string", "minLength": 2, "maxLength": 5}
    values = [s.value for s in strategies_for(_field(schema), {}) if isinstance(s, Fixed)]
    assert values == ["", "aa", "aaa", "aaaa", "aaaaa"]


def test_a_format_or_a_pattern_leaves_one_random_strategy() -> None:
    for schema, kind in (
        ({"type": "string", "format": "date"}, "date"),
        ({"type": "string", "pattern": "^a$"}, "string"),
        ({"type": "boolean"}, "boolean"),
    ):
        drawn = [s for s in strategies_for(_field(schema), {}) if isinstance(s, Drawn)]
        assert drawn == [Drawn(kind)]


def test_null_is_a_value_where_it_is_allowed() -> None:
    assert Fixed(None) in strategies_for(_field({"type": ["string", "null"]}), {})


def test_true_is_not_one() -> None:
    found = strategies_for(_field({"type": "integer"}), {}, Known(examples=(True,)))
    assert [s.value for s in found if isinstance(s, Fixed)] == [True, 0, 1, -1]


def test_hints_override() -> None:
    field = _field({"type": "string", "enum": ["a", "b"]}, required=False)
    known = Known(hint=Hint(allowed=("low", "high"), required=True))
    assert strategies_for(field, {}, known) == (Fixed("low"), Fixed("high"))


def test_what_is_told_of_parameters_counts() -> None:
    spec = check_spec(str(Path(__file__).parents[2] / "src/icepick/demo/petstore/openapi.yaml"))
    operation = spec.operation("findPetsByStatus")
    leaf = next(iter(input_space(operation, spec.schemas)))
    assert leaf.field.location is Location.QUERY
    assert any(isinstance(one, Fixed | Drawn) for one in leaf.strategies)


def test_references_name_where_identifiers_are_found() -> None:
    spec = check_spec(str(Path(__file__).parents[2] / "src/icepick/demo/shop/openapi.yaml"))
    resources = find_resources(spec)
    found = {
        source.field
        for resource in resources.resources.values()
        for reference in resource.references
        for source in sources_of(reference, resources)
    }
    assert "id" in found
    first = FromResponse("GET /customers", "id")
    field = _field({"type": "string"}, "buyer")
    assert strategies_for(field, {}, Known(references=(first,)))[-1] == first


def test_drawing() -> None:
    responses = Responses()
    drawer = Drawer(Generator({}), responses)
    field, rng = _field({"type": "string", "maxLength": 9}), Random(1)
    source = FromResponse("GET /a", "x")
    assert drawer.draw(Null(), field, rng) is ABSENT
    assert drawer.draw(Fixed([1]), field, rng) == Made([1])
    assert isinstance(drawer.draw(source, field, rng), NotMade)
    responses.record("GET /a", {"items": [{"x": 4}]})
    assert drawer.draw(source, field, rng) == Made(4)
    for kind in ("string", "binary", "byte", "password"):
        made = drawer.draw(Drawn(kind), field, rng)
        assert isinstance(made, Made)
        assert len(made.value) <= 9


def test_passwords_are_mixed() -> None:
    drawer = Drawer(Generator({}), Responses(), Options(Optionals.NONE))
    made = drawer.draw(Drawn("password"), _field({"type": "string"}, "name"), Random(2))
    assert isinstance(made, Made)
    text = made.value
    assert any(c.isupper() for c in text)
    assert any(c.islower() for c in text)
    assert any(c.isdigit() for c in text)
    assert any(not c.isalnum() for c in text)


def test_responses_keep_the_latest_values() -> None:
    responses = Responses()
    for number in range(80):
        responses.record("GET /a", {"id": number, "none": None})
    kept = responses.values(FromResponse("GET /a", "id"))
    assert (len(kept), kept[-1]) == (50, 79)
    assert responses.similar("none") == ()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("customerId", "id", True),
        ("address", "addresses", True),
        ("home_address", "addressLine", True),
        ("status", "state", True),
        ("address", "id", False),
        ("name", "price", False),
    ],
)
def test_similar_names(one: str, other: str, expected: bool) -> None:
    responses = Responses()
    responses.record("GET /a", {other: 1})
    assert bool(responses.similar(one)) is expected
