"""The names that a document gives to things, wherever they are."""

from __future__ import annotations

from collections.abc import Iterator

from icepick.openapi.places import segments
from icepick.openapi.shape import subschemas
from icepick.openapi.types import ApiSpec, Operation, Schema


def declared_names(spec: ApiSpec) -> frozenset[str]:
    """The names of properties, of parameters and of the fixed parts of paths."""
    schemas = [*spec.schemas.values()]
    names = set[str]()
    for operation in spec.operations:
        schemas += _schemas(operation)
        names |= {one.name for one in operation.parameters}
        names |= {part for part in segments(operation.path) if "{" not in part}
    while schemas:
        schema = schemas.pop()
        names |= schema.get("properties", {}).keys()
        schemas += subschemas(schema)
    return frozenset(names)


def _schemas(operation: Operation) -> Iterator[Schema]:
    if operation.request_body is not None:
        yield from (media.schema for media in operation.request_body.content.values())
    for response in operation.responses.values():
        yield from (media.schema for media in response.content.values())
