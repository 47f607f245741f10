"""The inputs of an operation and the ways to fill each, under what is known of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from icepick.inputs.case import Slot, Values
from icepick.inputs.fresh import Fresh
from icepick.inputs.generate import Generator
from icepick.inputs.hints import with_hints
from icepick.inputs.learn.knowledge import Knowledge
from icepick.inputs.learn.undeclared import Beside, sources_for
from icepick.inputs.merge import contains
from icepick.inputs.pool import Responses, identifiers_of, sources_of
from icepick.inputs.strategies import Known, strategies_for
from icepick.inputs.types import Drawn, Fixed, FromResponse, Hint, Null, Strategy, Why
from icepick.openapi.shape import Schemas, keyword, properties
from icepick.openapi.types import Json, Operation, Schema
from icepick.resources.fields import inputs, json_media
from icepick.resources.paths import place_of
from icepick.resources.types import Field, Location, ResourceMap

UNIQUE = Drawn("unique")
"""A value that this run has not used yet."""

References = Mapping[Slot, tuple[FromResponse, ...]]
"""Where the identifiers that inputs refer to are found."""

_NO_HINT = Hint()
_REFUSED = 2
"""How often an input is found wanting before it is left out."""

_RANKS = {Why.HINT: 1, Why.ENUM: 1, Why.EXAMPLE: 2, Why.DEFAULT: 3, Why.QUOTED: 6, Why.BOUNDARY: 7}


class Avoided:
    """Inputs that may be left out, and are since answers found fault with them and did not say
    what is right. A header means the same for every operation."""

    def __init__(self) -> None:
        self._refused: Counter[tuple[str, Slot]] = Counter()

    def refused(self, operation: str, slot: Slot) -> bool:
        """An answer found fault with an input; whether it is avoided from now on."""
        key = self._key(operation, slot)
        self._refused[key] += 1
        return self._refused[key] == _REFUSED

    def has(self, operation: str, slot: Slot) -> bool:
        """Whether an input is avoided."""
        return self._refused[self._key(operation, slot)] >= _REFUSED

    @staticmethod
    def _key(operation: str, slot: Slot) -> tuple[str, Slot]:
        shared = slot[0] in {Location.HEADER, Location.COOKIE}
        return "" if shared else operation, slot


@dataclass(frozen=True, slots=True)
class Setting:
    """What the learners of one API share, and what is settled from outside."""

    schemas: Schemas
    generator: Generator
    fresh: Fresh
    responses: Responses
    references: References = field(default_factory=dict)
    needed: frozenset[Slot] = frozenset()
    given: Values = field(default_factory=dict)
    offered: frozenset[Slot] = frozenset()
    """What is given, and left out where the service does not want it."""
    avoided: Avoided = field(default_factory=Avoided)
    beside: Beside = field(default_factory=Beside)


@dataclass(frozen=True, slots=True)
class Input:
    """A leaf with the strategies to try, the most promising first; its schema heeds the hints."""

    slot: Slot
    field: Field
    required: bool
    strategies: tuple[Strategy, ...]

    @property
    def best(self) -> Strategy:
        """The most promising way to have a value."""
        return next((one for one in self.strategies if not isinstance(one, Null)), Null())


def references_of(operation: Operation, resources: ResourceMap) -> References:
    """Where the identifiers are found that a call takes in its path and its body."""
    found: dict[Slot, tuple[FromResponse, ...]] = {}
    for resource in resources.resources.values():
        place = place_of(resource.item_path or "", operation.path)
        if resource.identifier is not None and place is not None:
            found[Location.PATH, (place,)] = identifiers_of(resource)
    for resource, _ in resources.uses_of(operation.id):
        for one in resource.references:
            if one.writable:
                found.setdefault((one.field.location, one.field.path), sources_of(one, resources))
    return found


def needed_of(operation: Operation, resources: ResourceMap) -> frozenset[Slot]:
    """The references that a creation cannot do without, though the document may let it."""
    return frozenset(
        (one.field.location, one.field.path)
        for resource, use in resources.uses_of(operation.id)
        for one in resource.references
        if use.creates and one.writable and one.field.required
    )


class Space:
    """The inputs of one operation; a schema under the same hint is the same object."""

    def __init__(self, operation: Operation, setting: Setting) -> None:
        self._operation = operation
        self._setting = setting
        self._schemas: dict[tuple[Slot, str], Schema] = {}
        declared = [one for one in inputs(operation, setting.schemas) if not one.read_only]
        self.fields = (*declared, *_merely_required(operation, setting.schemas))
        self._declared = {(one.location, one.path) for one in self.fields}

    def inputs(self, known: Knowledge) -> dict[Slot, Input]:
        """Every leaf that is not given, in the order of the document."""
        found = {}
        for leaf in (*self.fields, *known.undeclared.values()):
            slot = (leaf.location, leaf.path)
            if slot not in self._setting.given:
                found[slot] = self._input(slot, leaf, known)
        return found

    def _input(self, slot: Slot, leaf: Field, known: Knowledge) -> Input:
        hint = known.hint(slot)
        needed = leaf.required or slot in self._setting.needed
        required = needed if hint.required is None else hint.required
        hinted = replace(leaf, schema=self._hinted(slot, leaf, hint), required=required)
        avoided = self._setting.avoided.has(self._operation.id, slot) and not required
        if slot in known.forbidden or avoided:
            return Input(slot, hinted, False, (Null(),))
        strategies = list(strategies_for(hinted, self._setting.schemas, self._known(slot, hinted)))
        strategies += [Fixed(value, Why.QUOTED) for value in known.examples.get(slot, ())]
        # Of the same value the first reason counts.
        picked = [Fixed(value, Why.HINT) for value in known.picky.get(slot, ())]
        strategies = [*picked, *strategies]
        if slot in known.unique:
            strategies = [*(one for one in strategies if isinstance(one, Null)), UNIQUE]
        ordered = sorted(strategies, key=lambda one: self._rank(one, slot, known))
        fitting = [one for one in ordered if self._fits(hinted, one)]
        return Input(slot, hinted, required, tuple(_distinct(fitting or ordered)))

    def _known(self, slot: Slot, leaf: Field) -> Known:
        description, examples = "", ()
        for one in self._operation.parameters:
            if (one.location.value, one.name) == (leaf.location.value, leaf.name):
                description, examples = one.description, one.examples
        sources = self._sources(slot, leaf)
        # The schema heeds the hint already; the enum of a hint is told by the schema then.
        return Known(description, examples, self._setting.responses, sources, _NO_HINT)

    def _sources(self, slot: Slot, leaf: Field) -> tuple[FromResponse, ...]:
        """Where the identifiers that an input refers to are found."""
        known = self._setting.references.get(slot)
        if known is None and slot not in self._declared:
            return sources_for(leaf.name, self._setting.beside)
        return known or ()

    def _hinted(self, slot: Slot, leaf: Field, hint: Hint) -> Schema:
        key = (slot, repr(hint))
        if key not in self._schemas:
            plain = hint == replace(_NO_HINT, required=hint.required)
            made = (
                leaf.schema if plain else with_hints(leaf.schema, self._setting.schemas, {(): hint})
            )
            self._schemas[key] = made
        return self._schemas[key]

    def _rank(self, strategy: Strategy, slot: Slot, known: Knowledge) -> float:
        if isinstance(strategy, Null):
            return 8
        if strategy == UNIQUE:
            return -1
        if isinstance(strategy, FromResponse):
            if strategy in self._setting.references.get(slot, ()):
                return 0
            if slot in known.undeclared and strategy in self._sources(slot, known.undeclared[slot]):
                return 0
            exact = 0.0 if strategy.field == slot[1][-1] else 0.5
            return exact + (0.1 if slot in known.existing else 5)
        if isinstance(strategy, Fixed):
            return _RANKS[strategy.why]
        return 4 if strategy.kind in {"binary", "byte", "password"} else 3

    def _fits(self, leaf: Field, strategy: Strategy) -> bool:
        if isinstance(strategy, FromResponse):
            values = self._setting.responses.values(strategy)
            return bool(values) and self._setting.generator.fits(leaf.schema, values[-1])
        if not isinstance(strategy, Fixed):
            return True
        return self._setting.generator.fits(leaf.schema, strategy.value)


def _merely_required(operation: Operation, schemas: Schemas) -> Iterator[Field]:
    """What a body must have, though its schema says nothing else of it."""
    media = json_media(operation.request_body)
    known = properties(media.schema, schemas) if media is not None else {}
    for name in (keyword(media.schema, "required", schemas) or ()) if media is not None else ():
        if name not in known:
            yield Field((name,), Location.BODY, {}, required=True)


def _distinct(strategies: list[Strategy]) -> list[Strategy]:
    found: list[Strategy] = []
    values: list[Json] = []
    for one in strategies:
        if isinstance(one, Fixed):
            if contains(values, one.value):
                continue
            values.append(one.value)
        elif one in found:
            continue
        found.append(one)
    return found
