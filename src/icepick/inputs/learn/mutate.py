"""Calls that are wrong in one place: bodies, fields, parameters, content types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from icepick.inputs.case import Case, Wire, wire
from icepick.inputs.generate import Generator
from icepick.inputs.learn.on_the_wire import arriving, can_be_sent, is_missed, readings
from icepick.inputs.learn.wrong import Wrong, wrong_values
from icepick.inputs.types import Made, Options
from icepick.openapi.shape import Schemas, items, keyword, properties, types
from icepick.openapi.types import (
    ABSENT,
    Json,
    MediaType,
    Operation,
    Parameter,
    ParameterLocation,
    Schema,
)
from icepick.resources.types import Path
from icepick.resources.words import words

_TYPES = ("text/plain", "application/xml", "application/x-www-form-urlencoded", "application/json",
          "multipart/form-data; boundary=x")  # fmt: skip
_EXTRA = "icepick_extra"
_IDENTIFYING = frozenset({"id", "ids", "uuid", "guid", "uid", "key", "sku", "ref"})
_PLAIN = Options(realistic=False)
_DEEP = 4
_MANY = 400
_NEST = 2_000


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong with a call; `forbidden` where the document rules it out."""

    place: str
    kind: str
    forbidden: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {self.kind}"


@dataclass(frozen=True, slots=True)
class Mutation:
    """A call that is wrong on purpose; one without a mistake is right, as far as is known.

    `right` is the call that it was made of.
    """

    operation: Operation
    request: Case | Wire
    mistakes: tuple[Mistake, ...] = ()
    right: Case | None = None

    @property
    def description(self) -> str:
        """What is wrong with it, in words."""
        return "; ".join(map(str, self.mistakes)) or "as it should be"

    @property
    def forbidden(self) -> bool:
        """Whether the document rules it out."""
        return any(one.forbidden for one in self.mistakes)

    def wire(self, schemas: Schemas) -> Wire:
        """The call as text and bytes."""
        return wire(self.request, schemas) if isinstance(self.request, Case) else self.request


Make = Callable[[Case], Mutation]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mutation that can be made of a call, or of one that is wrong elsewhere already; place and
    kind say which, whatever the values are."""

    place: str
    kind: str
    make: Make


class Mutator:
    """Makes wrong calls of right ones."""

    def __init__(self, generator: Generator, schemas: Schemas, rng: Random) -> None:
        self._generator = generator
        self._schemas = schemas
        self._rng = rng

    def candidates(self, case: Case, others: Callable[[str], tuple[Json, ...]]) -> list[Candidate]:
        """Everything that can be made wrong; `others` has values of things that exist by name."""
        return [*self._parameters(case), *self._bodies(case), *self._fields(case, others)][
            : _MANY * 2
        ]

    def _parameters(self, case: Case) -> Iterator[Candidate]:
        for one in case.operation.parameters:
            now = case.values(one.location).get(one.name, ABSENT)
            wrong = [*wrong_values(one.schema, self._schemas, now, as_text=True)]
            wrong += self._nobody(one.name, one.schema)
            if one.location is ParameterLocation.QUERY:
                wrong.append(Wrong("repeated", [now if now is not ABSENT else 1, 2]))
            if one.required and one.location is not ParameterLocation.PATH:
                wrong.append(Wrong("missing", ABSENT))
            for each in wrong:
                if can_be_sent(one, each.value):
                    yield self._parameter(one, each)

    def _parameter(self, one: Parameter, wrong: Wrong) -> Candidate:
        place = f"{one.location.value} {one.name}"

        def make(case: Case) -> Mutation:
            values = {**case.values(one.location), one.name: wrong.value}
            named = {ParameterLocation.HEADER: "headers", ParameterLocation.COOKIE: "cookies"}
            changes: dict[str, Any] = {named.get(one.location, one.location.value): values}
            mistake = Mistake(place, wrong.kind, self._is_forbidden(one, wrong))
            return Mutation(case.operation, replace(case, **changes), (mistake,))

        return Candidate(place, wrong.kind, make)

    def _is_forbidden(self, one: Parameter, wrong: Wrong) -> bool:
        """Whether no reading of the text that is sent fits the schema."""
        if wrong.value is ABSENT:
            return is_missed(one, self._schemas)
        text = arriving(one, wrong.value)
        if text is None or types(one.schema, self._schemas) & {"array", "object"}:
            return False
        return not any(self._generator.fits(one.schema, reading) for reading in readings(text))

    def _bodies(self, case: Case) -> Iterator[Candidate]:
        media = _media(case)
        if media is None or case.body is ABSENT:
            return
        instead: tuple[Json, ...] = ([], [case.body], "text", 7, True, None, {})
        for value in instead:
            yield self._body(case.operation, media, value)
        plain = wire(case, self._schemas)
        yield from _mistyped(case.operation, plain)
        if "json" in media.content_type:
            yield from _malformed(case.operation, plain)

    def _body(self, operation: Operation, media: MediaType, value: Json) -> Candidate:
        # A body that may be left out may just as well be null; no changes are changes too.
        optional = value is None and not _needs_body(operation)

        def make(case: Case) -> Mutation:
            nothing = value == [] and bool(media.step)
            fits = optional or nothing or self._generator.fits(media.schema, value)
            strict = "json" in media.content_type and not fits
            mistake = Mistake("body", _shown(value), strict)
            return Mutation(case.operation, replace(case, body=value), (mistake,))

        return Candidate("body", _shown(value), make)

    def _fields(self, case: Case, others: Callable[[str], tuple[Json, ...]]) -> Iterator[Candidate]:
        media = _media(case)
        if media is None or not isinstance(case.body, dict | list):
            return
        for path, schema, value, required in self._nodes(
            media.schema, case.body, (), required=True
        ):
            for wrong in self._wrong(path, schema, value, others):
                yield self._field(media, path, wrong)
            if path and value is not ABSENT and not path[-1].isdigit():
                kind = "missing though required" if required else "missing"
                default = keyword(schema, "default", self._schemas) is not None
                yield self._field(media, path, Wrong(kind, ABSENT), allowed=default)
            if isinstance(value, dict):
                extra = Wrong("additional field", 1)
                yield self._field(media, (*path, _EXTRA), extra)

    def _wrong(
        self, path: Path, schema: Schema, value: Json, others: Callable[[str], tuple[Json, ...]]
    ) -> Iterator[Wrong]:
        if not path:
            return
        yield from wrong_values(schema, self._schemas, value)
        yield from self._nobody(path[-1], schema)
        known = [one for one in others(path[-1]) if isinstance(one, str) and one != one.swapcase()]
        if known:
            yield Wrong("another's in other case", known[-1].swapcase())
            yield Wrong("another's", known[-1])

    def _nobody(self, name: str, schema: Schema) -> Iterator[Wrong]:
        """An identifier that is well-formed and that nothing has."""
        if (words(name) or ("",))[-1] in _IDENTIFYING:
            made = self._generator.value(schema, self._rng, _PLAIN)
            if isinstance(made, Made):
                yield Wrong("of nobody", made.value)

    def _field(
        self, media: MediaType, path: Path, wrong: Wrong, *, allowed: bool = False
    ) -> Candidate:
        place = ".".join(path)

        def make(case: Case) -> Mutation:
            body = put(case.body, path, wrong.value)
            strict = not allowed and self._is_spoilt(media, case.body, body)
            mistake = Mistake(place, wrong.kind, strict)
            return Mutation(case.operation, replace(case, body=body), (mistake,))

        return Candidate(place, wrong.kind, make)

    def _is_spoilt(self, media: MediaType, before: Json, after: Json) -> bool:
        """Whether it is the change that the schema forbids: a service may have taught inputs that
        never fitted it."""
        fits = self._generator.fits
        is_json = "json" in media.content_type
        return is_json and not fits(media.schema, after) and fits(media.schema, before)

    def _nodes(
        self, schema: Schema, value: Json, path: Path, *, required: bool
    ) -> Iterator[tuple[Path, Schema, Json, bool]]:
        """The places of a body, those included that are empty in this one."""
        yield path, schema, value, required
        if len(path) > _DEEP:
            return
        if isinstance(value, list) and value:
            element = items(schema, self._schemas) or {}
            yield from self._nodes(element, value[0], (*path, "0"), required=False)
        if isinstance(value, dict):
            for one in properties(schema, self._schemas).values():
                inner = value.get(one.name, ABSENT)
                if not one.read_only:
                    step = (*path, one.name)
                    yield from self._nodes(one.schema, inner, step, required=one.required)


def put(body: Json, path: Path, value: Json) -> Json:
    """A copy of a body with another value at a place; ABSENT takes it out."""
    if not path:
        return value
    head, rest = path[0], path[1:]
    if isinstance(body, list):
        index = int(head)
        return [put(one, rest, value) if at == index else one for at, one in enumerate(body)]
    copy = dict(body) if isinstance(body, dict) else {}
    inner = put(copy.get(head, ABSENT), rest, value)
    if inner is ABSENT:
        copy.pop(head, None)
    else:
        copy[head] = inner
    return copy


def _media(case: Case) -> MediaType | None:
    declared = case.operation.request_body
    return declared.content.get(case.content_type or "") if declared is not None else None


def _mistyped(operation: Operation, plain: Wire) -> Iterator[Candidate]:
    """The same bytes under another content type, and under none."""
    declared = operation.request_body.content if operation.request_body else {}
    known = {one.split(";", maxsplit=1)[0] for one in declared}
    for kind in _TYPES:
        if kind.split(";", maxsplit=1)[0] not in known:
            # No schema speaks of it: to take more than is declared is no fault.
            yield _raw(operation, _typed(plain, kind), Mistake("body", f"content type {kind}"))
    yield _raw(operation, _typed(plain, None), Mistake("body", "no content type"))


def _malformed(operation: Operation, plain: Wire) -> Iterator[Candidate]:
    """Bytes that are no JSON, or none that anybody would send."""
    content = plain.content or b""
    broken = {
        "cut short": content[:-1] if content[:1] in {b"{", b"[", b'"'} else b"{",
        "not JSON": b"{'a': 1}",
        "not UTF-8": b'{"a": "\xff\xfe"}',
        "not a number": b'{"a": NaN}',
    }
    for kind, sent in broken.items():
        yield _raw(operation, replace(plain, content=sent), Mistake("body", kind, forbidden=True))
    nothing = Mistake("body", "empty", forbidden=_needs_body(operation))
    yield _raw(operation, replace(plain, content=b""), nothing)
    deep = replace(plain, content=b"[" * _NEST + b"]" * _NEST)
    yield _raw(operation, deep, Mistake("body", "nested deeply"))


def _needs_body(operation: Operation) -> bool:
    return operation.request_body is not None and operation.request_body.required


def _raw(operation: Operation, request: Wire, mistake: Mistake) -> Candidate:
    mutation = Mutation(operation, request, (mistake,))
    return Candidate(mistake.place, mistake.kind, lambda _: mutation)


def _typed(request: Wire, kind: str | None) -> Wire:
    kept = tuple(pair for pair in request.headers if pair[0].lower() != "content-type")
    return replace(request, headers=(*kept, ("Content-Type", kind)) if kind else kept)


def _shown(value: Json) -> str:
    kinds = {list: "array", str: "text", int: "number", bool: "boolean", dict: "empty object"}
    if isinstance(value, list) and value:
        return "inside an array"
    return kinds.get(type(value), "null")
