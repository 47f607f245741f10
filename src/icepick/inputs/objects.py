"""Which properties an object gets, and what schema each of them has."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Protocol

from icepick.inputs.flatten import Flattener
from icepick.inputs.formats import word
from icepick.inputs.heights import Heights
from icepick.inputs.merge import Flat
from icepick.inputs.patterns import pattern
from icepick.inputs.types import Given, Optionals, Options
from icepick.openapi.shape import keyword
from icepick.openapi.types import ABSENT, Json, Schema
from icepick.resources.types import Path

_ANYTHING: Schema = {}
_NEVER: Schema = {"not": {}}


class _Tools(Protocol):
    @property
    def flattener(self) -> Flattener: ...

    @property
    def heights(self) -> Heights: ...


class Chooser:
    """Chooses the properties of objects."""

    def __init__(self, tools: _Tools, rng: Random, options: Options, given: Given) -> None:
        self._flattener = tools.flattener
        self._heights = tools.heights
        self._rng = rng
        self._options = options
        self._asked: dict[Path, set[str]] = {}
        """By path the properties that the given values need there."""
        self._absent: dict[Path, set[str]] = {}
        """By path the properties that are to be left out there."""
        for place, value in given.items():
            if value is ABSENT:
                self._absent.setdefault(place[:-1], set()).update(place[-1:])
                continue
            for at, name in enumerate(place):
                if name != "[]":
                    self._asked.setdefault(place[:at], set()).add(name)

    def names(
        self, flat: Flat, path: Path, depth: int, like: dict[str, Json], *, full: bool
    ) -> list[str]:
        """The required ones, those given, and as many of the others as are asked for."""
        possible = self._possible(flat, path)
        chosen = self._needed(flat, path, possible)
        others = [name for name in possible if name not in chosen]
        allowed = [name for name in others if self._ends(flat, name, depth, full=full)]
        room = max(0, int(flat.get("maxProperties", 1_000_000)) - len(chosen))
        wanted = self._wanted(allowed, like)[:room]
        missing = max(0, int(flat.get("minProperties", 0)) - len(chosen) - len(wanted))
        wanted += [name for name in others if name not in wanted][:missing]
        known = [name for name in possible if name in wanted or name in chosen]
        unknown = [name for name in chosen if name not in known]
        return known + unknown + self._open(flat, depth, full=full)

    def _needed(self, flat: Flat, path: Path, possible: list[str]) -> list[str]:
        """The required and the given ones, those that the schema does not declare included."""
        declared, absent = flat.get("properties", {}), self._absent.get(path, ())
        named = dict.fromkeys([*flat.get("required", ()), *sorted(self._asked.get(path, ()))])
        return [
            name
            for name in named
            if name in possible or (name not in declared and name not in absent)
        ]

    def completed(self, flat: Flat, names: list[str], path: Path) -> list[str]:
        """The names with all that their presence requires."""
        found = list(dict.fromkeys([*names, *flat.get("required", ())]))
        requiring = flat.get("dependentRequired", {})
        for name in found if requiring else ():
            found += [one for one in requiring.get(name, ()) if one not in found]
        known, absent = flat.get("properties", {}), self._absent.get(path, ())
        return [
            name
            for name in found
            if name not in absent
            and (name in names or name not in known or not self._read_only(known[name]))
        ]

    def _possible(self, flat: Flat, path: Path) -> list[str]:
        allowed, asked = flat.get("names"), self._asked.get(path, ())
        absent = self._absent.get(path, ())
        return [
            name
            for name, schema in flat.get("properties", {}).items()
            if (allowed is None or name in allowed)
            and name not in absent
            and (name in asked or not self._read_only(schema))
        ]

    def _read_only(self, schema: Schema) -> bool:
        variants = self._flattener.variants(schema)
        if len(variants) == 1:
            return variants[0].get("readOnly") is True
        if not variants:
            return keyword(schema, "readOnly", {}) is True
        return any(one.get("readOnly") is True for one in variants)

    def _ends(self, flat: Flat, name: str, depth: int, *, full: bool) -> bool:
        schema = flat["properties"][name]
        if full or depth + 1 + self._heights.of(schema) > self._options.max_depth:
            return False
        return bool(self._flattener.variants(schema))

    def _wanted(self, names: list[str], like: dict[str, Json]) -> list[str]:
        if self._options.optionals is Optionals.ALL:
            return names
        chance = 0.5 if self._options.optionals is Optionals.RANDOM else 0.0
        return [name for name in names if name in like or self._rng.random() < chance]

    def _open(self, flat: Flat, depth: int, *, full: bool) -> list[str]:
        """Some names of a map, which declares its values but not their names."""
        schema = flat.get("additionalProperties")
        if not schema or schema == _NEVER or flat.get("properties") or "propertyNames" in flat:
            return []
        if self._options.optionals is Optionals.NONE or full or "maxProperties" in flat:
            return []
        deep = depth + 1 + self._heights.of(schema) > self._options.max_depth
        names = dict.fromkeys(word(self._rng) for _ in range(self._rng.randint(1, 2)))
        return [] if deep else [name for name in names if name not in flat.get("required", ())]


def member_schema(flat: Flat, name: str) -> Schema:
    """The schema of a property, declared or not."""
    declared: Schema | None = flat.get("properties", {}).get(name)
    if declared is not None:
        return declared
    for expression, schema in flat.get("patternProperties", {}).items():
        found = pattern(expression)
        if found is not None and found.matches(name):
            return schema  # type: ignore[no-any-return]
    other: Schema = flat.get("additionalProperties", _ANYTHING)
    return other


def extra_name(flat: Flat, rng: Random, named: Callable[[Schema], str]) -> str:
    """A name that the schema does not declare."""
    if "propertyNames" in flat:
        return named(flat["propertyNames"])
    patterns = [found for one in flat.get("patternProperties", {}) if (found := pattern(one))]
    if patterns:
        return rng.choice(patterns).make(rng)
    return re.sub(r"\W", "", f"{word(rng)}{rng.randrange(100)}")
