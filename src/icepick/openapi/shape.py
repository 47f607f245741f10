"""Questions about a normalised schema: what it refers to, its properties, its items, its types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from icepick.openapi.keywords import ONE_SCHEMA, SCHEMA_LISTS, SCHEMA_MAPS
from icepick.openapi.schemas import DEFS
from icepick.openapi.types import Schema

Schemas = Mapping[str, Schema]


@dataclass(frozen=True, slots=True)
class Property:
    """A property of an object schema."""

    name: str
    schema: Schema
    required: bool
    read_only: bool
    write_only: bool


def reference_name(schema: Schema) -> str | None:
    """The name of the schema that this one refers to, if it is a reference."""
    reference = schema.get("$ref")
    return reference.removeprefix(DEFS) if isinstance(reference, str) else None


def resolve(schema: Schema, schemas: Schemas) -> Schema:
    """The schema behind a chain of references."""
    seen: set[str] = set()
    while (name := reference_name(schema)) is not None and name not in seen:
        seen.add(name)
        schema = schemas.get(name, {})
    return schema


def subschemas(schema: Schema) -> Iterator[Schema]:
    """The schemas directly inside this one."""
    for key, value in schema.items():
        if key in SCHEMA_MAPS:
            yield from value.values()
        elif key in SCHEMA_LISTS:
            yield from value
        elif key in ONE_SCHEMA:
            yield value


def reachable(schema: Schema, schemas: Schemas) -> dict[str, Schema]:
    """Every named schema that this one refers to, directly or through others."""
    found: dict[str, Schema] = {}
    waiting = [schema]
    while waiting:
        current = waiting.pop()
        name = reference_name(current)
        if name is not None and name not in found and name in schemas:
            found[name] = schemas[name]
            waiting.append(schemas[name])
        waiting += subschemas(current)
    return found


def parts(schema: Schema, schemas: Schemas) -> Iterator[tuple[Schema, bool]]:
    """The schemas that together describe a value, and whether each of them must hold.

    References and `allOf` must; the branches of `anyOf` and `oneOf` may, unless there is but one
    beside null.
    """
    names: set[tuple[str, bool]] = set()
    waiting: list[tuple[Schema, bool]] = [(schema, True)]
    while waiting:
        current, must = waiting.pop(0)
        yield current, must
        name = reference_name(current)
        if name is not None and (name, must) not in names and name in schemas:
            names.add((name, must))
            waiting.append((schemas[name], must))
        waiting += [(part, must) for part in current.get("allOf", ())]
        for keyword in ("anyOf", "oneOf"):
            choices = [part for part in current.get(keyword, ()) if part.get("type") != "null"]
            waiting += [(part, must and len(choices) == 1) for part in choices]


def properties(schema: Schema, schemas: Schemas) -> Mapping[str, Property]:
    """The properties of an object schema, those of its parts and choices included."""
    return _properties(Same(schema), Same(schemas))


class Same:
    """A value that equals only itself: schemas are asked the same questions over and over."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value


@lru_cache(maxsize=4096)
def _properties(asked: Same, named: Same) -> Mapping[str, Property]:
    schema, schemas = asked.value, named.value
    declared: dict[str, list[tuple[Schema, bool]]] = {}
    required: set[str] = set()
    for part, must in parts(schema, schemas):
        for name, property_schema in part.get("properties", {}).items():
            declared.setdefault(name, []).append((property_schema, must))
        if must:
            required.update(part.get("required", ()))
    return {
        name: Property(
            name,
            found[0][0],
            name in required,
            _flagged(found, "readOnly", schemas),
            _flagged(found, "writeOnly", schemas),
        )
        for name, found in declared.items()
    }


def flagged(schema: Schema, flag: str, schemas: Schemas) -> frozenset[str]:
    """The properties that a part which must hold marks as `readOnly` or `writeOnly`."""
    return frozenset(
        name
        for part, must in parts(schema, schemas)
        if must
        for name, property_schema in part.get("properties", {}).items()
        if _flag(property_schema, flag, schemas)
    )


def _flagged(declared: list[tuple[Schema, bool]], flag: str, schemas: Schemas) -> bool:
    """Whether one declaration that must hold has a flag, or else each of those that may."""
    must = [schema for schema, holds in declared if holds]
    if must:
        return any(_flag(schema, flag, schemas) for schema in must)
    return all(_flag(schema, flag, schemas) for schema, _ in declared)


def items(schema: Schema, schemas: Schemas) -> Schema | None:
    """The schema of the elements, where this describes an array."""
    return _items(Same(schema), Same(schemas))


@lru_cache(maxsize=4096)
def _items(asked: Same, named: Same) -> Schema | None:
    for part, _ in parts(asked.value, named.value):
        if isinstance(part.get("items"), Mapping):
            found: Schema = part["items"]
            return found
    return None


_SCALARS = frozenset({"string", "integer", "number", "null"})


def expandable(schema: Schema, schemas: Schemas) -> tuple[Schema, tuple[str, ...]] | None:
    """The schema of an identifier and the names of objects, where a value is one of them.

    Such a value refers to a thing, and may show the thing in its place.
    """
    return _expandable(Same(schema), Same(schemas))


@lru_cache(maxsize=4096)
def _expandable(asked: Same, named: Same) -> tuple[Schema, tuple[str, ...]] | None:
    schema, schemas = asked.value, named.value
    choices = [one for one in _choices(schema) if one.get("type") != "null"]
    if len(choices) == 1:
        return expandable(choices[0], schemas)
    plain = [one for one in choices if reference_name(one) is None]
    names = tuple(name for one in choices if (name := reference_name(one)) is not None)
    if len(plain) != 1 or not names:
        return None
    kinds = types(plain[0], schemas)
    whole = all(properties(one, schemas) for one in choices if one is not plain[0])
    if not kinds or not kinds <= _SCALARS or not whole:
        return None
    about = {"description": schema["description"]} if "description" in schema else {}
    return {**about, **plain[0]}, names


def single(schema: Schema) -> Schema:
    """The schema of one, where a value is either a list of such things or one of them."""
    choices = _choices(schema)
    for one in choices:
        name = reference_name(one)
        lists = [other for other in choices if other is not one and _lists(other, name)]
        if name is not None and lists and len(choices) == 2:
            return one
    return schema


def _lists(schema: Schema, name: str | None) -> bool:
    element = schema.get("items")
    return isinstance(element, Mapping) and reference_name(element) == name


def types(schema: Schema, schemas: Schemas) -> frozenset[str]:
    """The JSON types a value may have as far as the schema tells; empty where it tells nothing."""
    return _types(Same(schema), Same(schemas))


@lru_cache(maxsize=4096)
def _types(asked: Same, named: Same) -> frozenset[str]:
    found: set[str] = set()
    for part, _ in parts(asked.value, named.value):
        kind = part.get("type")
        found.update([kind] if isinstance(kind, str) else kind or ())
        if kind is None and "properties" in part:
            found.add("object")
        if kind is None and "items" in part:
            found.add("array")
        if any(choice.get("type") == "null" for choice in _choices(part)):
            found.add("null")
    return frozenset(found)


def _choices(schema: Schema) -> list[Schema]:
    return [*schema.get("anyOf", ()), *schema.get("oneOf", ())]


def _flag(schema: Schema, keyword: str, schemas: Schemas) -> bool:
    return any(must and part.get(keyword) is True for part, must in parts(schema, schemas))


def keyword(schema: Schema, name: str, schemas: Schemas) -> Any:
    """The first value of a keyword among the parts that must hold; None where there is none."""
    return _keyword(Same(schema), name, Same(schemas))


@lru_cache(maxsize=1 << 15)
def _keyword(asked: Same, name: str, named: Same) -> Any:
    for part, must in parts(asked.value, named.value):
        if must and name in part:
            return part[name]
    return None
