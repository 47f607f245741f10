"""What earlier responses held, by operation and name of the field."""

from __future__ import annotations

from collections.abc import Iterator

from rapidfuzz.fuzz import token_set_ratio

from icepick.inputs.merge import contains
from icepick.inputs.types import FromResponse
from icepick.openapi.types import Json
from icepick.resources.types import Reference, ResourceMap, Role
from icepick.resources.words import words

_SIMILAR = 60
_KEPT = 50
_READ = 5_000
_GIVING = (Role.CREATE, Role.READ, Role.LIST, Role.SEARCH)


class Responses:
    """Collects the values of successful responses; of each field the latest are kept."""

    def __init__(self) -> None:
        self._values: dict[FromResponse, list[Json]] = {}

    def record(self, operation: str, body: Json) -> None:
        """Keep the values of a response, each under the name of its field."""
        for name, value in _leaves(body):
            kept = self._values.setdefault(FromResponse(operation, name), [])
            if contains(kept, value):
                continue
            kept.append(value)
            del kept[:-_KEPT]

    def values(self, source: FromResponse) -> tuple[Json, ...]:
        """What a field had, oldest first."""
        return tuple(self._values.get(source, ()))

    def similar(self, name: str) -> tuple[FromResponse, ...]:
        """The fields whose names are similar to this one, in the order they were first seen."""
        return tuple(source for source in self._values if similar(name, source.field))


def similar(one: str, other: str) -> bool:
    """Whether two names share enough of their words, as the paper measures it."""
    return token_set_ratio(" ".join(words(one)), " ".join(words(other))) > _SIMILAR


def sources_of(reference: Reference, resources: ResourceMap) -> tuple[FromResponse, ...]:
    """Where the identifiers that a reference may hold are found."""
    target = resources.resources.get(reference.target)
    if target is None or target.identifier is None:
        return ()
    path = target.identifier.property or (target.identifier.parameter,)
    return tuple(FromResponse(use.operation, path[-1]) for use in target.having(*_GIVING))


def _leaves(body: Json) -> Iterator[tuple[str, Json]]:
    waiting: list[tuple[str, Json]] = [("", body)]
    for name, value in waiting:
        if isinstance(value, dict):
            waiting += [(str(key), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [(name, inner) for inner in value]
        elif name and value is not None:
            yield name, value
        if len(waiting) > _READ:
            return
