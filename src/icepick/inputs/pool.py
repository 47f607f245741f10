"""What earlier responses held, by operation and name of the field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TypeVar

from rapidfuzz.fuzz import token_set_ratio

from icepick.inputs.merge import contains, same
from icepick.inputs.types import FromResponse
from icepick.openapi.nested import leaves
from icepick.openapi.types import Json
from icepick.resources.types import Reference, Resource, ResourceMap, Role
from icepick.resources.words import words

_SIMILAR = 60
_KEPT = 50
_READ = 5_000
_NOT_PLAIN = (dict, list, type(None))
_UNMISTAKABLE = 20
_NEWEST = 0.5
_NOTHING: Mapping[str, Json] = {}
_GIVING = (Role.CREATE, Role.READ, Role.LIST, Role.SEARCH)


Key = TypeVar("Key")
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A value that is wanted: what it is called, and where such values are found.

    The sure ones are known to hold it, the others have a similar name.
    """

    name: str
    sources: tuple[FromResponse, ...]
    sure: tuple[FromResponse, ...] = ()

    def fields(self) -> dict[str, dict[str, bool]]:
        """By operation the fields that hold such values and whether they do for certain; those
        that do first."""
        found: dict[str, dict[str, bool]] = {}
        certain = {one for one in self.sources if one in self.sure or one.field == self.name}
        for one in sorted(self.sources, key=lambda one: one not in certain):
            found.setdefault(one.operation, {}).setdefault(one.field, one in certain)
        return found


def latest(values: Sequence[Item], rng: Random, newest: float = _NEWEST) -> Item:
    """One of the values, the last as often as asked: it is the least likely to be gone."""
    return values[-1] if rng.random() < newest else rng.choice(values)


class Responses:
    """Collects the values of successful responses; of each field the latest are kept."""

    def __init__(self) -> None:
        self._values: dict[FromResponse, list[Json]] = {}
        self._records: dict[str, list[tuple[int, dict[str, Json]]]] = {}
        self._now = 0

    def record(self, operation: str, body: Json, sent: Mapping[str, Json] = _NOTHING) -> None:
        """Keep the values of a response, each under the name of its field.

        `sent` are the values that named things in the request; they go with every object in it.
        """
        records = self._records.setdefault(operation, [])
        self._now += 1
        objects = [{**sent, **one} for one in _objects(body)] or ([dict(sent)] if sent else [])
        records += [(self._now, one) for one in objects]
        del records[:-_KEPT]
        shown = ((name, one) for name, one in leaves(body, _READ) if name and one is not None)
        for name, value in (*sent.items(), *shown):
            kept = self._values.setdefault(FromResponse(operation, name), [])
            if contains(kept, value):
                continue
            kept.append(value)
            del kept[:-_KEPT]

    def copy(self) -> Responses:
        """The same values, to which others are added apart."""
        found = Responses()
        found._values = {source: list(kept) for source, kept in self._values.items()}
        found._records = {name: list(records) for name, records in self._records.items()}
        found._now = self._now
        return found

    def values(self, source: FromResponse) -> tuple[Json, ...]:
        """What a field had, oldest first."""
        return tuple(self._values.get(source, ()))

    def forget(self, name: str, value: Json) -> None:
        """Give out a value no more: what it named is gone.

        A short value may name other things too, so it is forgotten under its own name alone.
        """
        anywhere = isinstance(value, str) and len(value) >= _UNMISTAKABLE
        for source, kept in self._values.items():
            if anywhere or source.field == name:
                kept[:] = [one for one in kept if not same(one, value)]
        for operation, records in self._records.items():
            self._records[operation] = [
                (time, record)
                for time, record in records
                if not any(same(v, value) and (anywhere or k == name) for k, v in record.items())
            ]

    def postpone(self, value: Json) -> None:
        """Give out a value only where there are no others: what it names cannot be used now."""
        for kept in self._values.values():
            kept.sort(key=lambda one: not same(one, value))
        for operation, records in self._records.items():
            self._records[operation] = [
                (0 if any(same(one, value) for one in record.values()) else time, record)
                for time, record in records
            ]

    def together(
        self, wanted: Mapping[Key, Wanted], rng: Random, newest: float = _NEWEST
    ) -> dict[Key, Json]:
        """Values that stood side by side in one object, for as many of the wanted as there are.

        An object that holds them for certain goes before others.
        """
        found: list[tuple[int, int, dict[Key, Json]]] = []
        places = {key: one.fields() for key, one in wanted.items()}
        for operation, records in self._records.items():
            here = [(key, some[operation]) for key, some in places.items() if operation in some]
            for time, record in records if here else ():
                some: dict[Key, Json] = {}
                score = 0
                for key, fields in here:
                    field = next((name for name in fields if name in record), None)
                    if field is not None:
                        some[key] = record[field]
                        score += 2 + fields[field]
                found.append((score, time, some))
        most = max((score for score, _, _ in found), default=0)
        best = sorted((one for one in found if one[0] == most), key=lambda one: one[1])
        return latest([some for _, _, some in best], rng, newest) if most else {}

    def similar(self, name: str) -> tuple[FromResponse, ...]:
        """The fields whose names are similar to this one, in the order they were first seen."""
        return tuple(source for source in self._values if similar(name, source.field))


def _objects(body: Json) -> list[dict[str, Json]]:
    """The plain fields of every object in a body, the outermost first."""
    waiting, found = [body], []
    for value in waiting:
        if isinstance(value, dict):
            plain = {
                k: v for k, v in value.items() if v is not None and not isinstance(v, dict | list)
            }
            found += [plain] if plain else []
            waiting += list(value.values())
        elif isinstance(value, list):
            waiting += value
        if len(waiting) > _READ or len(found) >= _KEPT:
            break
    return found


@lru_cache(maxsize=1 << 16)
def similar(one: str, other: str) -> bool:
    """Whether two names share enough of their words, as the paper measures it."""
    return token_set_ratio(" ".join(words(one)), " ".join(words(other))) > _SIMILAR


def sources_of(reference: Reference, resources: ResourceMap) -> tuple[FromResponse, ...]:
    """Where the identifiers that a reference may hold are found."""
    target = resources.resources.get(reference.target)
    return () if target is None else identifiers_of(target)


def identifiers_of(resource: Resource) -> tuple[FromResponse, ...]:
    """Where the identifiers of a resource are found."""
    if resource.identifier is None:
        return ()
    path = resource.identifier.property or (resource.identifier.parameter,)
    made = [use for use in resource.uses if use.creates or use.role is Role.CREATE]
    uses = [*made, *resource.having(*_GIVING)]
    return tuple(dict.fromkeys(FromResponse(use.operation, path[-1]) for use in uses))
