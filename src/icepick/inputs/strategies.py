"""The ways in which each leaf parameter may get its value (section 4.1 of EmRest)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from icepick.inputs import numeric
from icepick.inputs.generate import Generator
from icepick.inputs.hints import with_hints
from icepick.inputs.merge import Flat, same
from icepick.inputs.pool import Responses
from icepick.inputs.types import (
    Drawn,
    Fixed,
    FromResponse,
    Hint,
    Hints,
    Made,
    NotMade,
    Null,
    Options,
    Result,
    Strategy,
    Why,
)
from icepick.openapi.shape import Schemas, keyword, types
from icepick.openapi.types import ABSENT, Absent, Json, Operation, Schema
from icepick.resources.fields import inputs
from icepick.resources.types import Field, Path

_QUOTED = re.compile(
    r"'([^'\n]{1,80})'|\"([^\"\n]{1,80})\"|`([^`\n]{1,80})`|\u2018([^\u2019\n]{1,80})\u2019"
)
_STRING_FORMATS = ("binary", "byte", "password")
_LONGEST = 10_000
_NUMBERS = {"integer", "number"}
_NO_HINT = Hint()


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a field beside its schema; references go before similar names."""

    description: str = ""
    examples: tuple[Json, ...] = ()
    responses: Responses | None = None
    references: tuple[FromResponse, ...] = ()
    hint: Hint = _NO_HINT


@dataclass(frozen=True, slots=True)
class Leaf:
    """An input parameter with its strategies."""

    field: Field
    strategies: tuple[Strategy, ...]


_NOTHING = Known()


def strategies_for(field: Field, schemas: Schemas, known: Known = _NOTHING) -> tuple[Strategy, ...]:
    """The strategies of one leaf parameter: NS, FS, RS and RBS, in the order of the paper."""
    schema = with_hints(field.schema, schemas, {(): known.hint})
    required = field.required if known.hint.required is None else known.hint.required
    start: list[Strategy] = [] if required else [Null()]
    listed = keyword(schema, "enum", schemas)
    if listed is None and (constant := keyword(schema, "const", schemas)) is not None:
        listed = [constant]
    if listed is not None:
        why = Why.HINT if known.hint.allowed else Why.ENUM
        return (*start, *(Fixed(value, why) for value in listed))
    fixed = _distinct([*_said(schema, schemas, known), *_boundaries(schema, schemas)])
    return (*start, *fixed, *_random(schema, schemas), *_from_responses(field, known))


def _said(schema: Schema, schemas: Schemas, known: Known) -> Iterator[Fixed]:
    """The values that the document mentions."""
    for value in (*known.examples, *(keyword(schema, "examples", schemas) or ())):
        yield Fixed(value, Why.EXAMPLE)
    default = keyword(schema, "default", schemas)
    if default is not None:
        yield Fixed(default, Why.DEFAULT)
    texts = (known.description, keyword(schema, "description", schemas) or "")
    for text in dict.fromkeys(texts):
        for found in _QUOTED.finditer(text):
            word = next(group for group in found.groups() if group)
            yield from _typed(word, types(schema, schemas))


def _typed(word: str, kinds: frozenset[str]) -> Iterator[Fixed]:
    """A quoted word as a value of the parameter's type, where it is one."""
    if not kinds or "string" in kinds:
        yield Fixed(word, Why.QUOTED)
    elif kinds & _NUMBERS and re.fullmatch(r"-?\d{1,15}", word):
        yield Fixed(int(word), Why.QUOTED)


def _boundaries(schema: Schema, schemas: Schemas) -> Iterator[Fixed]:
    kinds = types(schema, schemas)
    if "string" in kinds:
        yield from (Fixed(text, Why.BOUNDARY) for text in _edge_texts(schema, schemas))
    elif kinds & _NUMBERS:
        yield from (Fixed(number, Why.BOUNDARY) for number in _edge_numbers(schema, schemas))
    if "null" in kinds and len(kinds) > 1:
        yield Fixed(None, Why.BOUNDARY)


def _edge_texts(schema: Schema, schemas: Schemas) -> Iterator[str]:
    yield ""
    if any(keyword(schema, name, schemas) for name in ("pattern", "format")):
        return
    low = keyword(schema, "minLength", schemas)
    high = keyword(schema, "maxLength", schemas)
    edges = [] if not low else [low, low + 1]
    edges += [] if high is None else [high - 1, high]
    within = [n for n in edges if (low or 0) <= n <= (_LONGEST if high is None else high)]
    yield from ("a" * int(length) for length in within if length <= _LONGEST)


def _edge_numbers(schema: Schema, schemas: Schemas) -> Iterator[int | float]:
    yield from (0, 1, -1)
    flat: Flat = {
        name: value
        for name in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
        if (value := keyword(schema, name, schemas)) is not None
    }
    numbers = numeric.number_range(flat, whole="number" not in types(schema, schemas))
    step = numbers.step or 1
    first, last = numbers.first, numbers.last
    edges = [] if first is None else [first, first + step]
    edges += [] if last is None else [last - step, last]
    yield from (number for edge in edges if (number := numeric.plain(edge)) in numbers)


def _distinct(fixed: list[Fixed]) -> list[Fixed]:
    found: list[Fixed] = []
    for one in fixed:
        if not any(same(one.value, other.value) for other in found):
            found.append(one)
    return found


def _random(schema: Schema, schemas: Schemas) -> Iterator[Drawn]:
    kinds = sorted(types(schema, schemas) - {"null"}) or ["string"]
    form = keyword(schema, "format", schemas)
    yield Drawn(form if isinstance(form, str) and kinds == ["string"] else kinds[0])
    # A pattern says more than these formats would: all four would draw the same texts.
    if kinds == ["string"] and not form and not keyword(schema, "pattern", schemas):
        yield from map(Drawn, _STRING_FORMATS)


def _from_responses(field: Field, known: Known) -> tuple[FromResponse, ...]:
    named = known.responses.similar(field.name) if known.responses else ()
    return tuple(dict.fromkeys([*known.references, *named]))


def input_space(
    operation: Operation,
    schemas: Schemas,
    responses: Responses | None = None,
    hints: Hints | None = None,
    references: Mapping[Path, tuple[FromResponse, ...]] | None = None,
) -> tuple[Leaf, ...]:
    """Every leaf parameter of an operation with its strategies; what is readOnly is left out."""
    found = []
    for leaf in inputs(operation, schemas):
        if leaf.read_only:
            continue
        description, examples = _told(operation, leaf)
        hint = (hints or {}).get(leaf.path, _NO_HINT)
        source = (references or {}).get(leaf.path, ())
        known = Known(description, examples, responses, source, hint)
        found.append(Leaf(leaf, strategies_for(leaf, schemas, known)))
    return tuple(found)


def _told(operation: Operation, leaf: Field) -> tuple[str, tuple[Json, ...]]:
    for one in operation.parameters:
        if (one.location.value, one.name) == (leaf.location.value, leaf.name):
            return one.description, one.examples
    return "", ()


class Drawer:
    """Turns strategies into values."""

    def __init__(
        self, generator: Generator, responses: Responses, options: Options | None = None
    ) -> None:
        self._generator = generator
        self._responses = responses
        self._options = options or Options()
        self._schemas: dict[tuple[int, str], tuple[Schema, Schema]] = {}

    def draw(self, strategy: Strategy, leaf: Field, rng: Random) -> Result | Absent:
        """The value that a strategy gives to a leaf; ABSENT where it is to be left out."""
        if isinstance(strategy, Null):
            return ABSENT
        if isinstance(strategy, Fixed):
            return Made(strategy.value)
        if isinstance(strategy, FromResponse):
            values = self._responses.values(strategy)
            return Made(rng.choice(values)) if values else NotMade(f"{strategy} has no value yet")
        schema = self._drawn(leaf.schema, strategy.kind)
        return self._generator.value(schema, rng, self._options, name=leaf.name)

    def _drawn(self, schema: Schema, kind: str) -> Schema:
        if kind not in _STRING_FORMATS:
            return schema
        key = (id(schema), kind)
        if key not in self._schemas:
            # The schema is kept beside what is made of it so that its id stays its own.
            self._schemas[key] = (schema, {"allOf": [{"format": kind}, schema]})
        return self._schemas[key][1]
