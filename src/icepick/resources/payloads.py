"""Find the representation of a resource inside a body: bare, in a list, in an envelope."""

from __future__ import annotations

from collections.abc import Iterable

from icepick.openapi.shape import (
    Schemas,
    items,
    parts,
    properties,
    reference_name,
    single,
    types,
)
from icepick.openapi.types import Schema
from icepick.resources.types import Path, Payload
from icepick.resources.words import Words, noun, words

_ENVELOPES = frozenset(
    {"data", "items", "results", "result", "content", "records", "entries", "values", "value"}
    | {"rows", "list", "elements", "members", "hits", "docs", "objects", "payload", "response"}
    | {"_embedded", "embedded", "resources", "collection", "nodes", "entities"}
)
_WRAPPING = frozenset(
    {"page", "pages", "per", "size", "total", "count", "number", "of", "elements", "items"}
    | {"next", "previous", "prev", "first", "last", "current", "limit", "offset", "skip", "cursor"}
    | {"has", "more", "links", "link", "meta", "metadata", "pagination", "paging", "pageable"}
    | {"sort", "empty", "status", "success", "ok", "code", "message", "error", "errors", "warnings"}
    | {"timestamp", "took", "timed", "out", "request", "trace", "id", "kind", "etag", "token"}
    | {"object", "type", "url", "href", "self", "odata", "context", "included", "jsonapi", "api"}
    | {"version", "result", "results", "response", "data"}
)
"""Words of the properties that stand beside the content of an envelope."""

_SCALARS = frozenset({"string", "integer", "number", "boolean"})


def schema_name(schema: Schema, schemas: Schemas) -> str | None:
    """The name of a schema, also where it stands as the only part of a composition."""
    for part, must in parts(schema, schemas):
        name = reference_name(part)
        if must and name is not None:
            return name
    return None


def payload(schema: Schema | None, named: Words, schemas: Schemas) -> Payload | None:
    """What a body carries of a resource called `named`; None where there is no body."""
    if schema is None:
        return None
    return _unwrapped((), single(schema), named, schemas, depth=0)


def _unwrapped(path: Path, schema: Schema, named: Words, schemas: Schemas, depth: int) -> Payload:
    element = items(schema, schemas)
    if element is not None:
        return Payload(path, element, many=True)
    inner = _enveloped(schema, named, schemas)
    if inner is None or depth >= 2:
        return Payload(path, schema, many=False)
    return _unwrapped((*path, inner[0]), inner[1], named, schemas, depth + 1)


def _enveloped(schema: Schema, named: Words, schemas: Schemas) -> tuple[str, Schema] | None:
    """The property that holds the real content, where the rest is wrapping."""
    found = properties(schema, schemas)
    complex_ones = {
        name: part.schema
        for name, part in found.items()
        if not (types(part.schema, schemas) & _SCALARS)
    }
    for name, inner in complex_ones.items():
        called = words(name)
        if noun(name) == named or called == named:
            alone = len(found) == 1 or items(inner, schemas) is not None
            if alone and not _has_identifier(found, named):
                return name, inner
    for name, inner in complex_ones.items():
        is_envelope = name.lower() in _ENVELOPES and not _has_identifier(found, named)
        if is_envelope and _wraps(other for other in found if other != name):
            return name, inner
    return None


def _wraps(others: Iterable[str]) -> bool:
    """Whether properties are about the transport: an order with `items` is no envelope."""
    return all(set(words(name)) <= _WRAPPING for name in others)


def _has_identifier(found: dict[str, object] | object, named: Words) -> bool:
    """Whether an object is itself a representation: it has an id of its own."""
    keys = {words(name) for name in found} if isinstance(found, dict) else set()
    return bool({("id",), ("uuid",), (*named, "id")} & keys)
