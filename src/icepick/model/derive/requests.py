"""Which operation a GET inside a formula is, and what stands for its path parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from icepick.glacier.tree import Expression, Field, Name, Part, Read, Request, Text
from icepick.openapi.types import ApiSpec, Operation
from icepick.resources.paths import Segment

Path = tuple[str, ...]
Piece = str | Expression


@dataclass(frozen=True, slots=True)
class Matched:
    """An operation, and the expression for each of its path parameters."""

    operation: Operation
    keys: dict[str, Expression]


Gets = Mapping[int, list[Operation]]
"""The GETs of a document by how many segments their paths have."""


def gets_of(spec: ApiSpec) -> Gets:
    """What `match` looks in."""
    found: dict[int, list[Operation]] = {}
    for operation in spec.operations:
        if operation.method == "GET":
            found.setdefault(len(_parsed(operation.path)), []).append(operation)
    return found


def match(request: Request, gets: Gets) -> Matched | None:
    """The GET that a request means; None where the document has none, or the request a query."""
    segments = _segments(request.parts)
    if segments is None:
        return None
    for operation in gets.get(len(segments), ()):
        keys = _keys(segments, operation)
        if keys is not None:
            return Matched(operation, keys)
    return None


def _segments(parts: Iterable[str | Expression]) -> list[Piece] | None:
    """The path cut at its slashes; None where a segment is half text and half value."""
    found: list[Piece] = []
    fresh = True
    for part in parts:
        if not isinstance(part, str):
            if not fresh:
                return None
            found.append(part)
            fresh = False
            continue
        if "?" in part:
            return None
        first, *rest = part.split("/")
        if first and not fresh:
            return None
        found += [text for text in (first, *rest) if text]
        fresh = part.endswith("/")
    return found


def _keys(segments: list[Piece], operation: Operation) -> dict[str, Expression] | None:
    wanted = _parsed(operation.path)
    keys: dict[str, Expression] = {}
    for segment, given in zip(wanted, segments, strict=True):
        if segment.parameter is not None:
            keys[segment.parameter] = Text(given) if isinstance(given, str) else given
        elif segment.text != given:
            return None
    return keys


@lru_cache(maxsize=4_096)
def _parsed(path: str) -> tuple[Segment, ...]:
    # Every formula is compared with every path, for each model anew.
    return tuple(Segment.parse(text) for text in path.split("/") if text)


def unwound(expression: Expression) -> tuple[Expression, Path]:
    """What fields are taken from, and their names from the outside in."""
    names: list[str] = []
    while isinstance(expression, Field):
        names.insert(0, expression.name)
        expression = expression.base
    return expression, tuple(names)


def sent(expression: Expression) -> tuple[Part, Path] | None:
    """The part of this call that an expression reads, and the path inside it."""
    base, path = unwound(expression)
    if isinstance(base, Read) and base.request is None:
        return base.part, path
    return None


def variable(expression: Expression) -> tuple[str, Path] | None:
    """The variable that an expression reads, and the path inside it."""
    base, path = unwound(expression)
    return (base.name, path) if isinstance(base, Name) else None
