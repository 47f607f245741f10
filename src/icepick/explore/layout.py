"""Where each instance stands in the integer that is a state.

Every instance is a digit: 0 while it is absent, else 1 + the code of its record. A record's code
is a mixed-radix integer of its fields in turn. Digits are packed into one 32-bit word while the
product of all radices fits, else into as many 64-bit words as it takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from icepick.errors import Code, ExploreError
from icepick.model.expressions import (
    Constant,
)
from icepick.model.references import can_dangle
from icepick.model.types import (
    Choice,
    Domain,
    Field,
    Model,
    Numbers,
    Reference,
    Resource,
)

Array = npt.NDArray[Any]

NULL = -(2**30)
DANGLING = NULL + 1
LARGEST_RECORD = 2**20
SMALL_SPACE = 2**32
_WORD = 2**63


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """A field inside a record: `values[d]` is the encoded value of its digit d."""

    name: str
    values: tuple[int, ...]
    weight: int


@dataclass(frozen=True, slots=True)
class Place:
    """A digit: the value of a resource that it stands for, and its word, weight and radix."""

    resource: str
    value: int
    word: int
    weight: int
    radix: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The digits of a model's states, in order of their weights."""

    model: Model
    symbols: Mapping[str, int]
    records: Mapping[str, tuple[FieldPlace, ...]]
    places: tuple[Place, ...]
    words: int

    @property
    def slots(self) -> int:
        """How many integers there are, whether reachable or not."""
        return prod(place.radix for place in self.places)

    @property
    def dtype(self) -> npt.DTypeLike:
        """The type of a word."""
        return np.uint32 if self.slots <= SMALL_SPACE else np.uint64

    def positions(self, resource: str) -> list[int]:
        """The positions of a resource's values, in their order."""
        return [i for i, place in enumerate(self.places) if place.resource == resource]

    def field(self, resource: str, name: str) -> FieldPlace:
        """Where a field is in the records of a resource."""
        return next(place for place in self.records[resource] if place.name == name)

    def digit(self, states: Array, position: int) -> Array:
        """That digit of each of the packed states (one row per word)."""
        place = self.places[position]
        word = states[place.word]
        rest = word // word.dtype.type(place.weight) if place.weight > 1 else word
        digit: Array = rest % rest.dtype.type(place.radix)
        return digit.astype(np.uint8 if place.radix <= 256 else np.uint32)

    def exchanged(self, resource: str, mapping: Mapping[str, Sequence[int]]) -> Array:
        """The digits of a resource, each after the exchange of what its record refers to: value v
        of a resource r makes place for `mapping[r][v]`."""
        radix = next(place.radix for place in self.places if place.resource == resource)
        codes = np.arange(radix - 1)
        renamed = np.ones(radix - 1, dtype=np.int64)
        fields = self.model.resource(resource).fields
        for field, place in zip(fields, self.records[resource], strict=True):
            images = np.arange(len(place.values))
            if isinstance(field.domain, Reference):
                targets = mapping[field.domain.resource]
                images[: len(targets)] = targets
            renamed += images[codes // place.weight % len(place.values)] * place.weight
        return np.concatenate(([0], renamed))

    def initial(self) -> Array:
        """The packed empty state."""
        return np.zeros((self.words, 1), dtype=self.dtype)

    def pack(self, digits: list[Array]) -> Array:
        """The packed states with these digits, given by position."""
        if not digits:
            return self.initial()  # a model without resources has this one state
        states = np.zeros((self.words, len(digits[0])), dtype=self.dtype)
        for place, digit in zip(self.places, digits, strict=True):
            states[place.word] += digit.astype(states.dtype) * states.dtype.type(place.weight)
        return states


def layout_of(model: Model) -> Layout:
    """The layout of the model's states."""
    symbols = {text: i for i, text in enumerate(sorted(_texts(model)))}
    dangling = can_dangle(model)
    records = {r.name: _record(model, r, symbols, dangling) for r in model.resources}
    places, words = _places(model, records)
    return Layout(model, symbols, records, places, words)


def _texts(model: Model) -> set[str]:
    texts: set[str] = set()
    _collect(model, texts)
    return texts


def _collect(value: Any, texts: set[str]) -> None:
    """Choices stand in domains and constants anywhere in the tree."""
    if isinstance(value, Choice):
        texts.update(value.values)
    elif isinstance(value, Constant):
        texts.update({value.value} if isinstance(value.value, str) else ())
    elif isinstance(value, tuple):
        for item in value:
            _collect(item, texts)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            _collect(getattr(value, name), texts)


def domain_values(model: Model, domain: Domain, symbols: Mapping[str, int]) -> tuple[int, ...]:
    """The encoded values of a domain, in its order."""
    if isinstance(domain, Reference):
        return tuple(range(model.resource(domain.resource).size))
    if isinstance(domain, Numbers):
        return tuple(range(domain.low, domain.high + 1))
    if isinstance(domain, Choice):
        return tuple(symbols[text] for text in domain.values)
    return (0, 1)


def _record(
    model: Model,
    resource: Resource,
    symbols: Mapping[str, int],
    dangling: frozenset[tuple[str, str]],
) -> tuple[FieldPlace, ...]:
    places: list[FieldPlace] = []
    weight = 1
    for field in resource.fields:
        values = domain_values(model, field.domain, symbols)
        values += _specials(resource, field, dangling)
        places.append(FieldPlace(field.name, values, weight))
        weight *= len(values)
    if weight > LARGEST_RECORD:
        raise ExploreError(
            Code.MODEL_TOO_LARGE,
            f"a record of {resource.name} has {weight} possible values",
            hint="Leave out fields that no guard reads, or narrow their domains.",
        )
    return tuple(places)


def _specials(
    resource: Resource, field: Field, dangling: frozenset[tuple[str, str]]
) -> tuple[int, ...]:
    null = (NULL,) if field.optional else ()
    return null + ((DANGLING,) if (resource.name, field.name) in dangling else ())


def _places(
    model: Model, records: Mapping[str, tuple[FieldPlace, ...]]
) -> tuple[tuple[Place, ...], int]:
    radices = {name: 1 + prod(len(f.values) for f in record) for name, record in records.items()}
    slots = prod(radices[r.name] ** r.size for r in model.resources)
    room = SMALL_SPACE if slots <= SMALL_SPACE else _WORD
    places: list[Place] = []
    word, weight = 0, 1
    for resource in model.resources:
        radix = radices[resource.name]
        for value in range(resource.size):
            if weight * radix > room:
                word, weight = word + 1, 1
            places.append(Place(resource.name, value, word, weight, radix))
            weight *= radix
    return tuple(places), word + 1


def value_text(model: Model, domain: Domain, code: int, symbols: Mapping[str, int]) -> str:
    """How an encoded value is shown: `p1`, `3`, `available`, `true`, `null`, `dangling`."""
    if code in (NULL, DANGLING):
        return "null" if code == NULL else "dangling"
    if isinstance(domain, Reference):
        return model.resource(domain.resource).value_name(code)
    if isinstance(domain, Numbers):
        return str(code)
    if isinstance(domain, Choice):
        return next(text for text, symbol in symbols.items() if symbol == code)
    return "true" if code else "false"


def encode_constant(value: bool | int | str, symbols: Mapping[str, int]) -> int:
    """The encoded value of a constant."""
    return symbols[value] if isinstance(value, str) else int(value)
