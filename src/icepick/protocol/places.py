"""Where values go in a request, and where they come from in an answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from icepick.inputs.case import Slot
from icepick.openapi.shape import Schemas, properties
from icepick.openapi.types import (
    ApiSpec,
    Operation,
    Parameter,
    Response,
    Schema,
    SecurityKind,
    SecurityScheme,
)
from icepick.resources.fields import json_media, request_schema
from icepick.resources.types import Location, Path

_MAX_DEPTH = 4
_MAX_FIELDS = 500
_TEXT: Schema = {"type": "string"}
_BEARER = {SecurityKind.BEARER, SecurityKind.OAUTH2, SecurityKind.OPENID}


@dataclass(frozen=True, slots=True)
class Target:
    """A place in a request.

    `extra` marks a header, query or cookie that the operation does not declare as a parameter:
    that of an API key or a token. `prefix` is put before its text, `aliases` are other names.
    """

    slot: Slot
    schema: Schema
    required: bool = False
    read_only: bool = False
    extra: bool = False
    prefix: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """Its name, or the way to it inside the body."""
        return self.slot[1]

    @property
    def is_text(self) -> bool:
        """Whether a value travels there as text."""
        return self.slot[0] is not Location.BODY

    def __str__(self) -> str:
        return ".".join([self.slot[0].value, *self.slot[1]])


class Origins(StrEnum):
    """The parts of an answer that a value may come from."""

    BODY = "body"
    HEADER = "header"
    LOCATION = "location"
    """The last part of the path in the Location header."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place in an answer."""

    part: Origins
    path: Path
    schema: Schema

    def __str__(self) -> str:
        return ".".join([self.part.value, *self.path])


def targets(operation: Operation, spec: ApiSpec) -> tuple[Target, ...]:
    """Every place of a request, parameters first, then the body and what is inside it."""
    found = [_of_parameter(one) for one in operation.parameters]
    taken = {(one.slot[0], one.path[0].lower()) for one in found}
    found += (
        one
        for one in _of_security(operation, spec)
        if (one.slot[0], one.path[0].lower()) not in taken
    )
    schema = request_schema(operation)
    if schema is not None:
        required = operation.request_body is not None and operation.request_body.required
        found.append(Target((Location.BODY, ()), schema, required))
        found += (
            Target((Location.BODY, path), inner, needed, fixed)
            for path, inner, needed, fixed in _inside(schema, spec.schemas)
        )
    return tuple(found)


def _of_parameter(parameter: Parameter) -> Target:
    slot = (Location(parameter.location.value), (parameter.name,))
    return Target(slot, parameter.schema, parameter.required)


def _of_security(operation: Operation, spec: ApiSpec) -> Iterator[Target]:
    names = dict.fromkeys(name for one in operation.security for name in one)
    for name in names:
        scheme = spec.security_schemes.get(name)
        target = _credential(scheme) if scheme is not None else None
        if target is not None:
            yield target


def _credential(scheme: SecurityScheme) -> Target | None:
    if scheme.kind in _BEARER:
        slot = (Location.HEADER, ("Authorization",))
        names = (scheme.name, "token", "bearer")
        return Target(slot, _TEXT, extra=True, prefix="Bearer ", aliases=names)
    if scheme.kind is SecurityKind.API_KEY and scheme.parameter and scheme.location:
        slot = (Location(scheme.location.value), (scheme.parameter,))
        return Target(slot, _TEXT, extra=True, aliases=(scheme.name, "apiKey", "key"))
    return None


def sources(operation: Operation, status: str, spec: ApiSpec) -> tuple[Source, ...]:
    """Every place of an answer with a status: the body, what is inside it, and headers."""
    response = declared_response(operation, status)
    if response is None:
        return ()
    found: list[Source] = []
    media = json_media(response)
    if media is not None:
        found.append(Source(Origins.BODY, (), media.schema))
        found += (
            Source(Origins.BODY, path, inner)
            for path, inner, _, _ in _inside(media.schema, spec.schemas)
        )
    for header in response.headers.values():
        found.append(Source(Origins.HEADER, (header.name,), header.schema))
        if header.name.lower() == "location":
            found.append(Source(Origins.LOCATION, (), {}))
    return tuple(found)


def declared_response(operation: Operation, status: str) -> Response | None:
    """What the document says of a status, or of the first one of a class that has a body."""
    if not status.endswith("XX"):
        return operation.response_for(int(status))
    same = [one for key, one in operation.responses.items() if key[:1] == status[0]]
    with_body = [one for one in same if one.content]
    return next(iter([*with_body, *same]), operation.responses.get("default"))


def _inside(schema: Schema, schemas: Schemas) -> Iterator[tuple[Path, Schema, bool, bool]]:
    """The fields of a body, outermost first, not through lists: path, schema, required, fixed."""
    waiting: deque[tuple[Path, Schema, bool, bool]] = deque([((), schema, True, False)])
    count = 0
    while waiting:
        path, current, required, fixed = waiting.popleft()
        if path:
            yield path, current, required, fixed
        if len(path) >= _MAX_DEPTH:
            continue
        for part in properties(current, schemas).values():
            count += 1
            if count > _MAX_FIELDS:
                break
            inner = (*path, part.name)
            waiting.append(
                (inner, part.schema, required and part.required, fixed or part.read_only)
            )
