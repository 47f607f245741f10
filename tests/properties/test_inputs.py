"""Generated values fit their schema: random schemas, and those of real and demo services."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from icepick.inputs import Generator, Made, NotMade, Optionals, Options, body_bytes
from icepick.openapi import ApiSpec, Direction, Validators, check_spec

ROOT = Path(__file__).parents[2]
DOCUMENTS = ROOT.parent / "shared" / "data" / "oas"
DEMOS = sorted((ROOT / "src" / "icepick" / "demo").glob("*/openapi.yaml"))
FORMATS = (
    *("date", "date-time", "time", "duration", "uuid", "email", "uri", "uri-reference"),
    *("hostname", "ipv4", "ipv6", "byte", "binary", "password"),
)
PATTERNS = (
    *("^[A-Z]{3}$", "^a+b*c?$", "^(cat|dog)-[0-9]{2,4}$", "[0-9]", "^x", "z$", "^[^a-z]{2}$"),
    *(r"^\d{3}-\w+$", r"^\+?[1-9]\d{1,14}$", "^(?=.*[A-Z])(?=.*[0-9]).{8,}$", "^(?!ab)[ab]{2}$"),
    *(r"^([a-z])\1$", r"^\S+@\S+\.\S+$", "^$|^[a-f]{4}$", r"^[\w.-]+$", "^(?:[a-z]{2}-)*[a-z]{2}$"),
)
NAMES = ("id", "name", "email", "price", "startDate", "end_date", "tags", "country", "x")
SCHEMAS = {
    "Tree": {
        "type": "object",
        "required": ["value"],
        "properties": {
            "value": {"type": "integer"},
            "left": {"$ref": "#/$defs/Tree"},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        },
    },
    "List": {
        "oneOf": [
            {"type": "null"},
            {
                "type": "object",
                "required": ["head", "tail"],
                "properties": {"head": {"type": "boolean"}, "tail": {"$ref": "#/$defs/List"}},
                "additionalProperties": {"not": {}},
            },
        ]
    },
}


def _between(draw: st.DrawFn, low: str, high: str, most: int) -> dict[str, int]:
    first = draw(st.integers(0, most))
    last = draw(st.integers(first, most + 3))
    chosen = draw(st.sampled_from(((), (low,), (high,), (low, high))))
    return {key: {low: first, high: last}[key] for key in chosen}


@st.composite
def texts(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(("plain", "format", "pattern")))
    if kind == "format":
        return {"type": "string", "format": draw(st.sampled_from(FORMATS))}
    if kind == "pattern":
        return {"type": "string", "pattern": draw(st.sampled_from(PATTERNS))}
    return {"type": "string", **_between(draw, "minLength", "maxLength", 30)}


@st.composite
def numbers(draw: st.DrawFn) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": draw(st.sampled_from(("integer", "number")))}
    first = draw(st.integers(-100, 100))
    low = draw(st.sampled_from(("minimum", "exclusiveMinimum", "")))
    high = draw(st.sampled_from(("maximum", "exclusiveMaximum", "")))
    schema |= {low: first} if low else {}
    schema |= {high: first + draw(st.integers(40, 200))} if high else {}
    if draw(st.booleans()):
        steps = (1, 2, 7, 0.5, 0.25) if schema["type"] == "number" else (1, 2, 7)
        schema["multipleOf"] = draw(st.sampled_from(steps))
    if draw(st.booleans()):
        kinds = ("int32", "int64") if schema["type"] == "integer" else ("float", "double")
        schema["format"] = draw(st.sampled_from(kinds))
    return schema


LISTED = st.sampled_from(
    ({"enum": ["a", 1, None]}, {"const": [1]}, {"type": "string", "enum": ["p", "q"]})
)
LEAVES = st.one_of(
    texts(),
    numbers(),
    LISTED,
    st.just({"type": "boolean"}),
    st.just({"type": ["string", "null"], "maxLength": 5}),
    st.just({"$ref": "#/$defs/Tree"}),
    st.just({"$ref": "#/$defs/List"}),
    st.just({"type": "integer", "not": {"multipleOf": 3}}),
)


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "array", "items": draw(inner)}
    if draw(st.booleans()):
        schema |= _between(draw, "minItems", "maxItems", 3)
    elif draw(st.booleans()):
        schema["prefixItems"] = [draw(inner), draw(inner)]
        schema |= draw(st.sampled_from(({"items": {"not": {}}}, {"minItems": 1}, {})))
    elif draw(st.booleans()):
        schema |= {"items": draw(texts()), "uniqueItems": True}
    return schema


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    properties = {name: draw(inner) for name in names}
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    schema["required"] = draw(st.lists(st.sampled_from(names), unique=True))
    more = draw(st.sampled_from(("closed", "typed", "minimum", "dependent", "hidden", "")))
    if more == "closed":
        schema["additionalProperties"] = {"not": {}}
    elif more == "typed":
        schema |= {"additionalProperties": {"type": "integer"}, "minProperties": len(names) + 1}
    elif more == "minimum":
        schema |= {"minProperties": 1, "maxProperties": max(1, len(schema["required"]))}
    elif more == "dependent":
        schema["dependentRequired"] = {names[0]: names[-1:]}
    elif more == "hidden":
        properties[names[0]] = {**properties[names[0]], "readOnly": True}
    return schema


def _combined(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    pair = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        arrays(inner),
        objects(inner),
        pair.map(lambda parts: {"anyOf": parts}),
        pair.map(lambda parts: {"oneOf": parts}),
        st.tuples(objects(inner), objects(inner)).map(
            lambda both: {"allOf": [{**one, "additionalProperties": {}} for one in both]}
        ),
        inner.map(lambda one: {"anyOf": [one, {"type": "null"}]}),
        objects(inner).map(lambda one: {"if": {"required": ["id"]}, "then": one, "type": "object"}),
    )


def _satisfiable(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    parts = st.lists(inner, min_size=1, max_size=3)
    return arrays(inner) | objects(inner) | parts.map(lambda found: {"anyOf": found})


SATISFIABLE = st.recursive(LEAVES, _satisfiable, max_leaves=6)
RANDOM_SCHEMAS = st.recursive(LEAVES, _combined, max_leaves=8)
OPTIONS = st.builds(
    Options,
    optionals=st.sampled_from(Optionals),
    examples=st.booleans(),
    realistic=st.booleans(),
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(RANDOM_SCHEMAS, OPTIONS, st.integers(0, 999))
def test_what_is_generated_fits(schema: dict[str, Any], options: Options, seed: int) -> None:
    generator = Generator(SCHEMAS)
    result = generator.value(schema, Random(seed), options)
    if isinstance(result, NotMade):
        assert result.reason
        return
    problems = Validators(SCHEMAS, formats=True).problems(schema, result.value, Direction.REQUEST)
    assert problems == ()
    assert Generator(SCHEMAS).value(schema, Random(seed), options) == result


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(SATISFIABLE, OPTIONS)
def test_schemas_that_something_fits_get_a_value(schema: dict[str, Any], options: Options) -> None:
    assume("uniqueItems" not in json.dumps(schema))  # few values may leave too few elements
    result = Generator(SCHEMAS).value(schema, Random(3), options)
    assert isinstance(result, Made), (schema, result)


def _specs() -> list[Path]:
    return [*DEMOS, *(sorted(DOCUMENTS.iterdir()) if DOCUMENTS.is_dir() else ())]


@pytest.mark.parametrize("path", _specs(), ids=lambda path: f"{path.parent.name}/{path.name}")
@pytest.mark.parametrize("optionals", Optionals)
def test_every_input_of_real_documents(path: Path, optionals: Optionals) -> None:
    spec = _spec(path)
    generator, rng = Generator(spec.schemas), Random(11)
    validators = Validators(spec.schemas, formats=True)
    for operation in spec.operations:
        for parameter in operation.parameters:
            made = generator.parameter(parameter, rng, Options(optionals))
            assert isinstance(made, Made), (operation.id, parameter.name, made)
            assert validators.problems(parameter.schema, made.value, Direction.REQUEST) == ()
        for media in operation.request_body.content.values() if operation.request_body else ():
            made = generator.body(media, rng, Options(optionals))
            assert isinstance(made, Made), (operation.id, made)
            assert validators.problems(media.schema, made.value, Direction.REQUEST) == ()
            assert body_bytes(media, made.value, spec.schemas).content_type


_READ: dict[Path, ApiSpec] = {}


def _spec(path: Path) -> ApiSpec:
    if path not in _READ:
        _READ[path] = check_spec(str(path))
    return _READ[path]
