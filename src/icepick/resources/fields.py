"""What an operation takes and gives, down to the single value."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from icepick.openapi.shape import Same, Schemas, expandable, items, properties
from icepick.openapi.types import MediaType, Operation, RequestBody, Response, Schema
from icepick.resources.types import Field, Location, Path

_MAX_DEPTH = 4
_MAX_NESTED = 3
_MAX_VALUES = 2_000
"""Wide recursive schemas have no end; what lies deeper than this identifies nothing."""


def json_media(content: dict[str, MediaType] | RequestBody | Response | None) -> MediaType | None:
    """The JSON body among the content types, else a form, else the first; a list of changes is
    JSON too, but says nothing of what is changed."""
    if content is None:
        return None
    found = content if isinstance(content, dict) else dict(content.content)
    kinds = [
        kind
        for kind in found
        if kind.split(";")[0].strip().endswith(("/json", "+json")) or kind == "*/*"
    ]
    if kinds:
        return found[min(kinds, key=lambda kind: "json-patch" in kind)]
    for kind, media in found.items():
        if "form" in kind:
            return media
    return next(iter(found.values()), None)


def success(operation: Operation) -> Response | None:
    """The declared answer of success that says most: a 2xx with a body, a 2xx, or default."""
    good = [r for status, r in sorted(operation.responses.items()) if status.startswith("2")]
    with_body = [response for response in good if response.content]
    chosen = with_body or good
    if chosen:
        return chosen[0]
    return operation.responses.get("default") if len(operation.responses) == 1 else None


def request_schema(operation: Operation) -> Schema | None:
    """The schema of the request body."""
    media = json_media(operation.request_body)
    return media.schema if media else None


def response_schema(operation: Operation) -> Schema | None:
    """The schema of the answer of success."""
    media = json_media(success(operation))
    return media.schema if media else None


@dataclass(frozen=True, slots=True)
class _Place:
    """A value inside a body on the way through its schema."""

    path: Path
    schema: Schema
    required: bool
    read_only: bool


def leaves(schema: Schema, schemas: Schemas) -> tuple[Field, ...]:
    """The values inside a body, outermost first; objects and arrays are walked, not given."""
    return _leaves(Same(schema), Same(schemas))


@lru_cache(maxsize=1024)
def _leaves(asked: Same, named: Same) -> tuple[Field, ...]:
    return tuple(
        _field(place, named.value)
        for place, inside in _walk(asked.value, named.value)
        if place.path and not inside
    )


def _field(place: _Place, schemas: Schemas) -> Field:
    schema, shows = expandable(place.schema, schemas) or (place.schema, ())
    return Field(place.path, Location.BODY, schema, place.required, place.read_only, shows)


def objects(schema: Schema, schemas: Schemas) -> Iterator[tuple[Path, Schema]]:
    """The objects inside a body, outermost first."""
    for place, inside in _walk(schema, schemas):
        if place.path and inside and properties(place.schema, schemas):
            yield place.path, place.schema


def _walk(schema: Schema, schemas: Schemas) -> Iterator[tuple[_Place, bool]]:
    """Every value inside a body, outermost first, and whether it has others inside."""
    waiting, known = deque([_Place((), schema, True, False)]), 1
    while waiting:
        place = waiting.popleft()
        deeper = known < _MAX_VALUES and _depth(place.path) < _MAX_DEPTH
        inside = _inside(place, schemas) if deeper else []
        known += len(inside)
        yield place, bool(inside)
        waiting += inside


def _depth(path: Path) -> int:
    return sum(part != "[]" for part in path)


def _inside(place: _Place, schemas: Schemas) -> list[_Place]:
    if place.path and expandable(place.schema, schemas):
        return []  # what lies inside is told by the thing itself
    found = [
        _Place(
            (*place.path, part.name),
            part.schema,
            place.required and part.required,
            place.read_only or part.read_only,
        )
        for part in properties(place.schema, schemas).values()
    ]
    element = items(place.schema, schemas) if not found else None
    if element is None or place.path[-_MAX_NESTED:] == ("[]",) * _MAX_NESTED:
        return found
    return [_Place((*place.path, "[]"), element, False, place.read_only)]


def inputs(operation: Operation, schemas: Schemas) -> tuple[Field, ...]:
    """Every value that a call takes: parameters first, then the body."""
    parameters = tuple(
        Field((p.name,), Location(p.location.value), p.schema, p.required)
        for p in operation.parameters
    )
    schema = request_schema(operation)
    return (*parameters, *(leaves(schema, schemas) if schema is not None else ()))
