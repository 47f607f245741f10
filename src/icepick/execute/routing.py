"""From the path of a GET to the operation that answers it, and to the collection it lists."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from icepick.openapi.places import holes, pattern_of
from icepick.openapi.types import Operation
from icepick.resources.types import Path, ResourceMap, Role

_REMEMBERED = 5_000
_LISTS = (Role.LIST, Role.SEARCH)


@dataclass(frozen=True, slots=True)
class Listing:
    """Where the elements of a list stand in an answer, and where an element has its identifier.

    An element that is an identifier itself has the empty path.
    """

    resource: str
    path: Path
    identifier: Path


class Routing:
    """The GETs of a document by their paths."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._by_length: dict[int, list[tuple[int, re.Pattern[str], Operation]]] = {}
        self._found: dict[str, Operation | None] = {}
        for operation in operations:
            if operation.method == "GET":
                self._add(operation)
        for entries in self._by_length.values():
            # Where several fit, the one that says most literally is meant.
            entries.sort(key=lambda entry: entry[0])

    def _add(self, operation: Operation) -> None:
        path = operation.path.rstrip("/")
        entry = len(holes(path)), re.compile(pattern_of(path)), operation
        self._by_length.setdefault(path.count("/"), []).append(entry)

    def find(self, target: str) -> Operation | None:
        """The operation that a path, with or without a query, leads to."""
        if target not in self._found:
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            self._found[target] = self._find(target)
        return self._found[target]

    def _find(self, target: str) -> Operation | None:
        path = target.partition("?")[0].rstrip("/")
        for _, pattern, operation in self._by_length.get(path.count("/"), ()):
            if pattern.fullmatch(path):
                return operation
        return None


def listings(resources: ResourceMap) -> dict[str, Listing]:
    """The lists of whole collections by operation."""
    found: dict[str, Listing] = {}
    for resource in resources.resources.values():
        identifier = resource.identifier
        for use in resource.having(*_LISTS) if identifier is not None else ():
            shown = use.response
            if shown is None or not shown.many or use.owner is not None:
                continue
            inside = (identifier.property or ()) if identifier is not None else ()
            found.setdefault(use.operation, Listing(resource.name, shown.path, inside))
    return found
