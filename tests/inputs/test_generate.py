"""Values for each keyword, and reasons where there is none."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from icepick.inputs import ABSENT, Generator, Made, NotMade, Optionals, Options
from icepick.openapi import check_spec
from icepick.openapi.types import MediaType, Parameter, ParameterLocation

DEMO = Path(__file__).parents[2] / "src" / "icepick" / "demo"
NEVER: dict[str, Any] = {"not": {}}
ALL = Options(Optionals.ALL)
NONE = Options(Optionals.NONE)
PET = {
    "type": "object",
    "required": ["kind"],
    "properties": {"kind": {"type": "string"}},
    "discriminator": {"propertyName": "kind", "mapping": {"dog": "Dog"}},
}
SCHEMAS: dict[str, Any] = {
    "Pet": PET,
    "Cat": {"allOf": [{"$ref": "#/$defs/Pet"}, {"properties": {"lives": {"type": "integer"}}}]},
    "Dog": {"allOf": [{"$ref": "#/$defs/Pet"}, {"properties": {"bark": {"type": "boolean"}}}]},
    "Car": {"type": "object", "properties": {"wheels": {"type": "integer"}}},
    "Boat": {"type": "object", "properties": {"sails": {"type": "integer"}}},
    "Endless": {
        "type": "object",
        "required": ["next"],
        "properties": {"next": {"$ref": "#/$defs/Endless"}},
    },
    "Itself": {"anyOf": [{"$ref": "#/$defs/Itself"}, {"type": "integer"}]},
    "Wide": {
        "type": "object",
        "properties": {name: {"$ref": "#/$defs/Wide"} for name in "abcdef"},
    },
}
FITTING: dict[str, dict[str, Any]] = {
    "anything": {},
    "not": {"type": "integer", "not": {"enum": [1, 2]}, "minimum": 1, "maximum": 3},
    "bounds": {"type": "integer", "exclusiveMinimum": 4, "maximum": 5},
    "step": {"type": "integer", "minimum": 10, "maximum": 20, "multipleOf": 7},
    "cents": {"type": "number", "minimum": 0.01, "maximum": 0.03, "multipleOf": 0.01},
    "narrow": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.001},
    "huge": {"type": "integer", "minimum": 2**62, "format": "int64"},
    "negative": {"type": "number", "maximum": -1000000},
    "long": {"type": "string", "minLength": 3000},
    "empty": {"type": "string", "maxLength": 0},
    "short email": {"type": "string", "format": "email", "maxLength": 12},
    "email by pattern": {"type": "string", "format": "email", "pattern": "^[a-z]+@ex[a-z]+\\.com$"},
    "two patterns": {"allOf": [{"pattern": "^[a-z]{4}$"}, {"pattern": "q"}], "type": "string"},
    "password": {"type": "string", "pattern": "^(?=.*[A-Z])(?=.*\\d)(?=.*[!@#$]).{8,20}$"},
    "unique": {"type": "array", "items": {"enum": [1, 2, 3]}, "uniqueItems": True, "minItems": 3},
    "tuple": {"type": "array", "prefixItems": [{"type": "string"}, {"const": 4}], "minItems": 4},
    "contains": {"type": "array", "contains": {"const": 5}, "minContains": 2, "items": {}},
    "more names": {
        "type": "object",
        "minProperties": 3,
        "propertyNames": {"pattern": "^[a-z]{3}$"},
    },
    "pattern names": {
        "type": "object",
        "patternProperties": {"^x-[a-z]+$": {"type": "integer"}},
        "additionalProperties": NEVER,
        "minProperties": 2,
    },
    "dependents": {
        "type": "object",
        "required": ["card"],
        "properties": {"card": {"type": "string"}, "cvc": {"type": "integer"}},
        "dependentRequired": {"card": ["cvc"]},
        "dependentSchemas": {"cvc": {"required": ["zip"], "properties": {"zip": {"const": 1}}}},
    },
    "closed parts": {
        "allOf": [
            {"properties": {"a": {}, "b": {}}, "additionalProperties": NEVER, "required": ["a"]},
            {"properties": {"a": {"type": "integer"}, "c": {}}},
        ],
        "type": "object",
    },
    "condition": {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": ["a", "b"]}, "size": {"type": "integer"}},
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"required": ["size"]},
    },
    "one of": {
        "oneOf": [{"type": "integer", "multipleOf": 2}, {"type": "integer", "multipleOf": 3}]
    },
    "many one of": {
        "type": "array",
        "minItems": 30,
        "items": {"oneOf": [{"type": "integer"}, {"type": "integer", "multipleOf": 3}]},
    },
    "null alone": {"oneOf": [{"type": ["string", "null"]}, {"type": "string"}]},
    "itself": {"$ref": "#/$defs/Itself"},
    "enum beside": {
        "type": "string",
        "enum": [*"abcdefghijklmnopqrstuvwxyz", "zz"],
        "minLength": 2,
    },
    "last resort": {"anyOf": [{"type": "string", "enum": [1]}, {"type": "null"}]},
}
CONTRADICTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "types": ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "contradicts"),
    "bounds": ({"type": "integer", "minimum": 3, "maximum": 2}, "bounds"),
    "step": ({"type": "integer", "minimum": 1, "maximum": 6, "multipleOf": 7}, "bounds"),
    "length": ({"type": "string", "minLength": 3, "maxLength": 2}, "length"),
    "pattern": ({"type": "string", "pattern": "^a{5}$", "maxLength": 2}, "pattern"),
    "endless": ({"$ref": "#/$defs/Endless"}, "without end"),
    "unique": ({"items": {"const": 1}, "uniqueItems": True, "minItems": 2}, "only 1"),
    "number": ({"type": "object", "minProperties": 2, "maxProperties": 1}, "more than 1"),
    "never": (NEVER, "contradicts"),
    "enum": ({"type": "string", "enum": [1]}, "enum"),
}


@pytest.fixture(scope="module")
def generator() -> Generator:
    return Generator(SCHEMAS)


def _made(
    generator: Generator, schema: Any, seed: int = 1, options: Options = ALL, **more: Any
) -> Any:
    result = generator.value(schema, Random(seed), options, **more)
    assert isinstance(result, Made), result
    return result.value


@pytest.mark.parametrize("options", [ALL, NONE, Options()])
@pytest.mark.parametrize("name", FITTING)
def test_values_fit(generator: Generator, name: str, options: Options) -> None:
    schema = FITTING[name]
    for seed in range(10):
        assert generator.fits(schema, _made(generator, schema, seed, options))


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_what_cannot_be_is_explained(generator: Generator, name: str) -> None:
    schema, said = CONTRADICTIONS[name]
    result = generator.value(schema, Random(1))
    assert isinstance(result, NotMade)
    assert said in result.reason


def test_the_reason_says_where(generator: Generator) -> None:
    inner = {"type": "integer", "minimum": 3, "maximum": 2}
    schema = {"type": "object", "required": ["a"], "properties": {"a": inner}}
    result = generator.value(schema, Random(1))
    assert isinstance(result, NotMade)
    assert (result.path, str(result)) == (("a",), "a: no number is within the bounds")


def test_an_optional_field_that_cannot_be_is_left_out(generator: Generator) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "enum": [1]}, "b": {"const": 2}},
    }
    assert _made(generator, schema) == {"b": 2}


def test_a_schema_that_is_none_is_said_to_be(generator: Generator) -> None:
    result = generator.value({"type": "string", "pattern": "(", "minLength": 1}, Random(1))
    assert isinstance(result, NotMade)


def test_which_optional_fields(generator: Generator) -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {name: {"type": "integer"} for name in "abcd"},
    }
    assert list(_made(generator, schema, options=NONE)) == ["a"]
    assert list(_made(generator, schema, options=ALL)) == list("abcd")
    chosen = {tuple(_made(generator, schema, seed, Options())) for seed in range(60)}
    assert len(chosen) == 8


def test_what_is_read_only_is_left_out(generator: Generator) -> None:
    schema = {
        "type": "object",
        "required": ["id", "name"],
        "properties": {"id": {"type": "integer", "readOnly": True}, "name": {"type": "string"}},
    }
    assert list(_made(generator, schema)) == ["name"]


def test_recursion_ends(generator: Generator) -> None:
    def depth(value: Any) -> int:
        inner = value.values() if isinstance(value, dict) else ()
        return 1 + max(map(depth, inner), default=0)

    value = _made(generator, {"$ref": "#/$defs/Wide"}, options=Options(Optionals.ALL, max_depth=3))
    assert depth(value) == 4
    assert depth(_made(generator, {"$ref": "#/$defs/Wide"}, options=ALL)) <= 6


def test_every_branch(generator: Generator) -> None:
    schema = {"oneOf": [{"type": "string"}, {"type": "integer"}, {"const": None}, {"const": [1]}]}
    made = generator.branches(schema, Random(1))
    assert [type(one.value) for one in made if isinstance(one, Made)] == [
        str,
        int,
        type(None),
        list,
    ]


def test_the_discriminator_tells_the_branch(generator: Generator) -> None:
    schema = {
        "anyOf": [{"$ref": "#/$defs/Car"}, {"$ref": "#/$defs/Boat"}],
        "discriminator": {"propertyName": "type", "mapping": {"car": "Car"}},
    }
    made = [
        one.value for one in generator.branches(schema, Random(1), ALL) if isinstance(one, Made)
    ]
    assert [(one["type"], *sorted(one.keys() - {"type"})) for one in made] == [
        ("car", "wheels"),
        ("Boat", "sails"),
    ]


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
def test_a_property_with_one_value_tells_the_branch_though_nobody_requires_it(
    keyword: str, generator: Generator
) -> None:
    schema = {
        keyword: [
            {"type": "object", "properties": {"type": {"const": name}, "size": {"type": "integer"}}}
            for name in ("pause", "resume")
        ]
    }
    made = [_made(generator, schema, seed, NONE) for seed in range(20)]
    assert {one.get("type") for one in made} == {"pause", "resume"}
    alone = {"type": "object", "properties": {"type": {"const": "pause"}}}
    assert _made(generator, alone, options=NONE) == {}


def test_the_discriminator_of_a_base(generator: Generator) -> None:
    kinds = {"Cat": {"kind": "Cat"}, "Dog": {"kind": "dog"}}
    for name, expected in kinds.items():
        value = _made(generator, {"$ref": f"#/$defs/{name}"}, options=NONE)
        assert value == expected
    values = [_made(generator, {"$ref": "#/$defs/Pet"}, seed) for seed in range(20)]
    assert {one["kind"] for one in values} == {"Cat", "dog"}
    assert all(("bark" in one) == (one["kind"] == "dog") for one in values)


def test_given_values_stay(generator: Generator) -> None:
    schema = {
        "type": "object",
        "required": ["id", "lines"],
        "properties": {
            "id": {"type": "integer"},
            "owner": {"type": "object", "properties": {"id": {"type": "integer"}, "x": {}}},
            "lines": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["product", "quantity"],
                    "properties": {"product": {"type": "string"}, "quantity": {"type": "integer"}},
                },
            },
        },
    }
    given = {("owner", "id"): 5, ("lines", "[]", "product"): "p1", ("id",): ABSENT}
    value = _made(generator, schema, options=NONE, given=given)
    assert value["owner"] == {"id": 5}
    assert [one["product"] for one in value["lines"]] == ["p1"]
    assert isinstance(value["lines"][0]["quantity"], int)
    assert "id" not in value


def test_given_values_need_not_fit(generator: Generator) -> None:
    schema = {
        "type": "object",
        "properties": {
            "tags": {"type": "array", "items": {"type": "integer"}},
            "id": {"type": "null"},
        },
    }
    value = _made(generator, schema, given={("tags", "[]"): "x", ("id",): 3}, options=NONE)
    assert value == {"tags": ["x"], "id": 3}


def test_elements_that_are_to_be_left_out_are(generator: Generator) -> None:
    least = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    schema = {
        "type": "object",
        "properties": {"tags": {"type": "array", "items": {"type": "string"}}, "least": least},
    }
    for seed in range(5):
        given = {("tags", "[]"): ABSENT, ("least", "[]"): ABSENT}
        value = _made(generator, schema, seed, given=given)
        assert value["tags"] == []
        assert [type(one) for one in value["least"]] == [str]


@pytest.mark.parametrize("options", [ALL, NONE])
def test_a_list_as_a_body_has_one_element(generator: Generator, options: Options) -> None:
    for bounds, size in (({}, 1), ({"minItems": 2}, 2), ({"maxItems": 0}, 0)):
        schema = {"type": "array", "items": {"$ref": "#/$defs/Car"}, **bounds}
        media = MediaType("application/json", schema)
        for seed in range(3):
            made = generator.body(media, Random(seed), options)
            assert isinstance(made, Made)
            assert len(made.value) >= size if size > 1 else len(made.value) == size


def test_given_values_choose_the_branch(generator: Generator) -> None:
    branches = [
        {"type": "object", "properties": {name: {"type": "integer"}}, "additionalProperties": NEVER}
        for name in "abcdefghijklmnopqrstuvwxyz"
    ]
    for seed in range(20):
        assert _made(generator, {"anyOf": branches}, seed, given={("q",): 1}) == {"q": 1}


def test_long_values_stay_small(generator: Generator) -> None:
    def count(value: Any) -> int:
        return 1 + sum(map(count, value))

    schema: dict[str, Any] = {"type": "array", "items": {"const": []}}
    for _ in range(12):
        schema = {"type": "array", "items": schema}
    options = Options(Optionals.ALL, max_depth=20, max_values=100)
    sizes = [count(_made(generator, schema, seed, options)) for seed in range(5)]
    assert 100 < max(sizes) < 200


def test_wide_values_stay_small(generator: Generator) -> None:
    def count(value: Any) -> int:
        return 1 + sum(map(count, value.values()))

    options = Options(Optionals.ALL, max_depth=8, max_values=100)
    assert 50 < count(_made(generator, {"$ref": "#/$defs/Wide"}, options=options)) < 200


def test_examples_are_preferred_when_asked(generator: Generator) -> None:
    schema = {
        "type": "object",
        "examples": [{"name": "Rex", "id": 9, "age": "old"}],
        "properties": {
            "id": {"type": "integer", "readOnly": True},
            "name": {"type": "string"},
            "age": {"type": "integer", "default": 3},
            "tags": {"type": "array", "items": {"type": "string"}, "examples": [["a", "b"]]},
        },
    }
    value = _made(generator, schema, options=Options(Optionals.ALL, examples=True))
    assert isinstance(value["age"], int)
    assert value | {"age": 0} == {"name": "Rex", "age": 0, "tags": ["a", "b"]}


def test_examples_of_bodies_and_parameters(generator: Generator) -> None:
    asked = Options(examples=True)
    media = MediaType("application/json", {"type": "integer"}, ("wrong", 41))
    assert generator.body(media, Random(1), asked) == Made(41)
    parameter = Parameter(
        "q", ParameterLocation.QUERY, True, {"type": "integer"}, "form", True, examples=(42,)
    )
    assert generator.parameter(parameter, Random(1), asked) == Made(42)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "array", "items": {"type": "string"}},
        {"type": "string", "maxLength": 0},
    ],
)
def test_parameters_do_not_vanish(generator: Generator, schema: dict[str, Any]) -> None:
    parameter = Parameter("id", ParameterLocation.PATH, True, schema, "simple", False)
    for seed in range(20):
        made = generator.parameter(parameter, Random(seed), NONE)
        assert isinstance(made, Made)
        assert made.value or schema.get("maxLength") == 0


def test_the_seed_decides(generator: Generator) -> None:
    spec = check_spec(str(DEMO / "shop" / "openapi.yaml"))
    bodies = [op.request_body for op in spec.operations if op.request_body]
    schemas = [media.schema for body in bodies for media in body.content.values()]

    def run(seed: int) -> list[Any]:
        rng, fresh = Random(seed), Generator(spec.schemas)
        return [fresh.value(schema, rng) for schema in schemas]

    assert run(4) == run(4)
    assert run(4) != run(5)


def test_formats_of_integers_bound_them(generator: Generator) -> None:
    schema = {"type": "integer", "format": "int32", "minimum": 2**31 - 3}
    values = {_made(generator, schema, seed) for seed in range(30)}
    assert values == {2**31 - 3, 2**31 - 2, 2**31 - 1}


def test_texts_keep_when_trimmed(generator: Generator) -> None:
    schema = {"type": "string", "pattern": "^.{1,5}$"}
    values = [_made(generator, schema, seed) for seed in range(200)]
    assert all(value == value.strip() for value in values)
    assert _made(generator, {"type": "string", "pattern": "^ $"}) == " "


def test_schemas_as_deep_as_documents_may_be(generator: Generator) -> None:
    schema: dict[str, Any] = {"type": "integer"}
    for _ in range(90):
        schema = {"type": "object", "required": ["a"], "properties": {"a": schema}}
    assert _made(generator, schema, options=NONE)


def test_choices_that_multiply_stay_few(generator: Generator) -> None:
    kinds = ["string", "integer", "boolean", "null", "array", "object"]
    parts = [{"anyOf": [{"type": kind} for kind in kinds]} for _ in range(12)]
    assert generator.fits({"allOf": parts}, _made(generator, {"allOf": parts}))


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_what_is_told_in_two_ways_is_told_the_shorter_one(
    generator: Generator, keyword: str
) -> None:
    car = {"$ref": "#/$defs/Car"}
    reference = {keyword: [{"type": "integer"}, car]}
    one_or_many = {keyword: [{"type": "array", "items": car}, car]}
    for seed in range(20):
        named = generator.value(reference, Random(seed))
        single = generator.value(one_or_many, Random(seed), ALL)
        assert isinstance(named, Made)
        assert isinstance(named.value, int)
        assert isinstance(single, Made)
        assert single.value.keys() == {"wheels"}


class _Counting(Generator):
    """Counts how many values it makes before it has one that fits, or gives up."""

    made = 0

    def _make(self, *given: Any) -> Any:
        self.made += 1
        return super()._make(*given)


def test_where_the_given_leaves_no_choice_it_is_given_up_soon() -> None:
    """At most one of two, and both are given: nothing else can make that good."""
    schema = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "not": {"required": ["a", "b"]},
    }
    counting = _Counting({})
    assert isinstance(counting.value(schema, Random(1), given={("a",): 1, ("b",): 2}), NotMade)
    assert counting.made <= 10
