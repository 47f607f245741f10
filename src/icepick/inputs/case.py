"""One call of an operation: its values, and the same as text and bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from icepick.inputs.bodies import body_bytes
from icepick.inputs.generate import Generator
from icepick.inputs.hints import with_hints
from icepick.inputs.masks import with_masks
from icepick.inputs.serialise import cookie_text, header_texts, path_text, query_text
from icepick.inputs.types import Given, Hint, Made, NotMade, Optionals, Options
from icepick.openapi.shape import Schemas
from icepick.openapi.types import (
    ABSENT,
    Json,
    MediaType,
    Operation,
    Parameter,
    ParameterLocation,
    Schema,
)
from icepick.resources.fields import json_media
from icepick.resources.types import Location, Path

Slot = tuple[Location, Path]
"""Where a value of a call stands: a parameter by name, or a place in the body."""

Values = Mapping[Slot, Json]
"""Values that a call must have; ABSENT leaves out."""

SlotHints = Mapping[Slot, Hint]
"""What is known of the inputs of one operation beyond its document."""

_NOTHING: Values = {}


@dataclass(frozen=True, slots=True)
class Case:
    """The values of one call, before they become text and bytes."""

    operation: Operation
    path: Mapping[str, Json] = field(default_factory=dict)
    query: Mapping[str, Json] = field(default_factory=dict)
    headers: Mapping[str, Json] = field(default_factory=dict)
    cookies: Mapping[str, Json] = field(default_factory=dict)
    body: Json = ABSENT
    content_type: str | None = None

    def values(self, location: ParameterLocation | Location) -> Mapping[str, Json]:
        """The parameters of one location by name."""
        found: dict[str, Mapping[str, Json]] = {
            "path": self.path,
            "query": self.query,
            "header": self.headers,
            "cookie": self.cookies,
        }
        return found[location.value]


@dataclass(frozen=True, slots=True)
class Wire:
    """What is sent: `target` is path and query, below the base address of the service."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    content: bytes | None = None


def wire(case: Case, schemas: Schemas) -> Wire:
    """A call as text and bytes."""
    operation = case.operation
    target = path_text(operation.path, operation.parameters, case.path)
    query = query_text(operation.parameters, case.query) if case.query else ""
    headers = header_texts(operation.parameters, case.headers) if case.headers else {}
    cookie = cookie_text(operation.parameters, case.cookies) if case.cookies else ""
    if cookie:
        headers["Cookie"] = cookie
    content = None
    if case.body is not ABSENT:
        body = body_bytes(_media(case), case.body, schemas)
        headers["Content-Type"], content = body.content_type, body.content
    whole = f"{target}?{query}" if query else target
    return Wire(operation.method, whole, tuple(headers.items()), content)


def _media(case: Case) -> MediaType:
    declared = case.operation.request_body
    kind = case.content_type or "application/json"
    known = declared.content.get(kind) if declared is not None else None
    return known or MediaType(kind, {})


class CaseMaker:
    """Makes the values of calls; what it knows beyond the document are hints by operation."""

    def __init__(self, generator: Generator, schemas: Schemas) -> None:
        self._generator = generator
        self._schemas = schemas
        self._hints: dict[str, SlotHints] = {}
        self._hinted: dict[str, Operation] = {}

    def learn(self, operation: Operation, hints: SlotHints) -> None:
        """Heed these hints from now on, in place of earlier ones."""
        self._hints[operation.id] = hints
        self._hinted[operation.id] = self._with_hints(operation, hints)

    def make(
        self, operation: Operation, rng: Random, options: Options, given: Values = _NOTHING
    ) -> Case | NotMade:
        """A call that fits the document and has the given values.

        Parameters outside the body that are not required are left out, unless given.
        """
        known = self._hinted.get(operation.id, operation)
        outside: list[dict[str, Json]] = []
        for location in ParameterLocation:
            values = self._parameters(known.parameters_in(location), rng, options, given)
            if isinstance(values, NotMade):
                return values
            outside.append(values)
        media = json_media(known.request_body)
        body = ABSENT if media is None else self._body(media, rng, options, given)
        if isinstance(body, NotMade):
            return body
        path, query, headers, cookies = outside
        query = with_masks(known, query, body, self._schemas) if query else query
        kind = media.content_type if media is not None else None
        return Case(operation, path, query, headers, cookies, body, kind)

    def element(
        self, schema: Schema, rng: Random, options: Options, given: Given
    ) -> Made | NotMade:
        """One element of a list that a body holds."""
        return self._generator.value(schema, rng, options, given)

    def _parameters(
        self, parameters: Iterable[Parameter], rng: Random, options: Options, given: Values
    ) -> dict[str, Json] | NotMade:
        found: dict[str, Json] = {}
        for one in parameters:
            slot = (Location(one.location.value), (one.name,))
            if slot in given:
                if given[slot] is not ABSENT:
                    found[one.name] = given[slot]
                continue
            if not one.required and options.optionals is not Optionals.ALL:
                continue
            made = self._generator.parameter(one, rng, options)
            if isinstance(made, Made):
                found[one.name] = made.value
            elif one.required:
                return NotMade(made.reason, (one.name, *made.path))
        return found

    def _body(self, media: MediaType, rng: Random, options: Options, given: Values) -> Json:
        """The value of a body, or NotMade."""
        inside = {path: value for (place, path), value in given.items() if place is Location.BODY}
        if () in inside:
            return inside[()]
        made = self._generator.body(media, rng, options, inside)
        return made.value if isinstance(made, Made) else made

    def _with_hints(self, operation: Operation, hints: SlotHints) -> Operation:
        parameters = tuple(self._hinted_parameter(one, hints) for one in operation.parameters)
        inside = {path: hint for (place, path), hint in hints.items() if place is Location.BODY}
        body = operation.request_body
        if body is None or not inside:
            return replace(operation, parameters=parameters)
        content = {
            kind: replace(media, schema=with_hints(media.schema, self._schemas, inside))
            for kind, media in body.content.items()
        }
        return replace(
            operation, parameters=parameters, request_body=replace(body, content=content)
        )

    def _hinted_parameter(self, one: Parameter, hints: SlotHints) -> Parameter:
        hint = hints.get((Location(one.location.value), (one.name,)))
        if hint is None:
            return one
        required = one.required if hint.required is None else hint.required
        schema = with_hints(one.schema, self._schemas, {(): hint})
        return replace(one, schema=schema, required=required)
