"""From the path of a GET in a clause to the operation that answers it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from icepick.glacier.static.kinds import kinds
from icepick.glacier.tree import Request
from icepick.openapi.places import blank, holes, pattern_of
from icepick.openapi.shape import Schemas
from icepick.openapi.types import ApiSpec, Operation, ParameterLocation

_VALUE = "\0"
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Route:
    """Where a request leads: a GET, or a path that has other `methods` only, or nowhere."""

    operation: Operation | None = None
    methods: tuple[str, ...] = ()
    hint: str | None = None
    unread: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    """A path of the document that can be matched."""

    method: str
    path: str
    operation: Operation | None
    pattern: re.Pattern[str]
    numeric: tuple[bool, ...]

    def fits(self, path: str) -> bool:
        match = self.pattern.fullmatch(path)
        return match is not None and all(
            _VALUE in value or _NUMBER.fullmatch(value)
            for value, numeric in zip(match.groups(), self.numeric, strict=True)
            if numeric
        )


class Routes:
    """The paths of a document."""

    def __init__(self, spec: ApiSpec) -> None:
        entries = [_entry(o.method, o.path, o, spec.schemas) for o in spec.operations]
        for label in spec.left_out:
            method, _, path = label.partition(" ")
            entries.append(_entry(method, path, None, spec.schemas))
        # Where several fit, the one that says most literally is meant.
        self._entries = sorted(entries, key=lambda entry: len(entry.numeric))
        self._bases = _bases(spec)
        self._known: dict[str, Route] = {}

    def find(self, request: Request) -> Route:
        """Where a request leads."""
        path, _ = _split(request)
        if path not in self._known:
            self._known[path] = self._found(path)
        return self._known[path]

    def _found(self, path: str) -> Route:
        fitting = [e for e in self._entries if any(e.fits(p) for p in self._variants(path))]
        if not fitting:
            return Route(hint=self._suggestion(path))
        same = [entry for entry in fitting if entry.path == fitting[0].path]
        for entry in [e for e in same if e.method == "GET"] or [e for e in fitting if _reads(e)]:
            return Route(entry.operation, unread=entry.operation is None)
        return Route(methods=tuple(dict.fromkeys(entry.method for entry in same)))

    def _variants(self, path: str) -> Iterator[str]:
        """The path as it is, and without the base path of a server."""
        bare = path.rstrip("/") or "/"
        yield bare
        for base in self._bases:
            if bare.startswith(f"{base}/"):
                yield bare.removeprefix(base)

    def _suggestion(self, path: str) -> str | None:
        readable = {blank(e.path): e.path for e in reversed(self._entries) if _reads(e)}
        near = get_close_matches(path.replace(_VALUE, "{}"), list(readable), n=1, cutoff=0.6)
        return f"did you mean `GET {readable[near[0]]}`?" if near else None


def _reads(entry: _Entry) -> bool:
    return entry.method == "GET"


def _entry(method: str, path: str, operation: Operation | None, schemas: Schemas) -> _Entry:
    numeric = tuple(_is_numeric(operation, name, schemas) for name in holes(path))
    pattern = re.compile(pattern_of(path.rstrip("/") or "/"))
    return _Entry(method, path, operation, pattern, numeric)


def _is_numeric(operation: Operation | None, name: str, schemas: Schemas) -> bool:
    for parameter in operation.parameters_in(ParameterLocation.PATH) if operation else ():
        if parameter.name == name:
            return kinds(parameter.schema, schemas) == {"number"}
    return False


def _bases(spec: ApiSpec) -> tuple[str, ...]:
    servers = [*spec.servers, *(s for operation in spec.operations for s in operation.servers)]
    found = (server.base_path for server in servers)
    return tuple(dict.fromkeys(base for base in found if base))


def _split(request: Request) -> tuple[str, str]:
    """The path and the query of a request, a mark in place of every value."""
    whole = "".join(part if isinstance(part, str) else _VALUE for part in request.parts)
    path, _, query = whole.partition("?")
    return path, query


def query_names(request: Request) -> list[str]:
    """The query parameters that a request names."""
    _, query = _split(request)
    names = (pair.partition("=")[0] for pair in query.split("&"))
    return [name for name in names if name and _VALUE not in name]
