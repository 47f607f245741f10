"""Does a value fit its schema? Answered by jsonschema-rs, in the direction the value travels."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import jsonschema_rs

from icepick.openapi.keywords import ONE_SCHEMA, SCHEMA_LISTS, SCHEMA_MAPS
from icepick.openapi.schemas import DEFS
from icepick.openapi.shape import Schemas, flagged, parts
from icepick.openapi.source import pointer
from icepick.openapi.types import Json, Schema

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_NOTHING: Schema = {"not": {}}
_INSIDE = frozenset(
    {"additionalProperties", "contains", "items", "patternProperties", "unevaluatedProperties"}
)
"""Keywords whose schemas are about what is inside a value, wherever it stands."""


class Direction(StrEnum):
    """A request need not carry what is readOnly, a response not what is writeOnly."""

    REQUEST = "request"
    RESPONSE = "response"


@dataclass(frozen=True, slots=True)
class Problem:
    """One way in which a value breaks its schema; `pointer` leads into the value.

    `field` is the same place for all values: `Pet.name` inside a named schema, else `/*/name`.
    """

    pointer: str
    keyword: str
    message: str
    field: str = ""


class Validators:
    """The validators of one API, each compiled once."""

    def __init__(self, schemas: Schemas, *, formats: bool = False) -> None:
        self._schemas = schemas
        self._formats = formats
        self._compiled: dict[
            tuple[int, Direction], tuple[Schema, jsonschema_rs.Validator | None]
        ] = {}

    def problems(
        self, schema: Schema, value: Json, direction: Direction
    ) -> tuple[Problem, ...] | None:
        """Everything wrong with a value; None where the schema itself cannot be used."""
        validator = self._validator(schema, direction)
        if validator is None:
            return None
        if validator.is_valid(value):
            return ()
        return tuple(map(_problem, validator.iter_errors(value)))

    def _validator(self, schema: Schema, direction: Direction) -> jsonschema_rs.Validator | None:
        key = (id(schema), direction)
        found = self._compiled.get(key)
        if found is None:
            # The schema is kept beside its validator so that its id stays its own.
            found = self._compiled[key] = (schema, self._compile(schema, direction))
        return found[1]

    def _compile(self, schema: Schema, direction: Direction) -> jsonschema_rs.Validator | None:
        try:
            return jsonschema_rs.validator_for(
                _Directed(self._schemas, direction).whole(schema), validate_formats=self._formats
            )
        except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError):
            return None


def _problem(error: jsonschema_rs.ValidationError) -> Problem:
    keyword = str(error.schema_path[-1])
    place = pointer([str(part) for part in error.instance_path])
    kind = error.kind
    lacking = (
        [kind.property] if isinstance(kind, jsonschema_rs.ValidationErrorKind.Required) else []
    )
    return Problem(place, keyword, error.message, _field(error.schema_path[:-1], lacking))


def _field(schema_path: list[str | int], below: list[str]) -> str:
    """The place that part of a schema describes, by the named schema that it stands in."""
    name, parts, rest = "", list[str](), list(map(str, schema_path))
    while rest:
        step = rest.pop(0)
        if step == "$defs":
            # The validator says where a definition stands, not how it was come to.
            name, parts = rest.pop(0).partition(":")[0], []
        elif step == "properties":
            parts.append(rest.pop(0))
        elif step in _INSIDE:
            parts.append("*")
            del rest[: step == "patternProperties"]
        elif step == "prefixItems":
            parts.append(rest.pop(0))
        elif step in {*SCHEMA_LISTS, "dependentSchemas"}:
            rest.pop(0)
    parts += below
    return ".".join([name, *parts]) if name else pointer(parts)


class _Directed:
    """Rewrites a schema, with all that it refers to, for values that travel in one direction."""

    def __init__(self, schemas: Schemas, direction: Direction) -> None:
        self._schemas = schemas
        self._request = direction is Direction.REQUEST
        self._names: dict[tuple[str, frozenset[str]], str] = {}
        self._waiting: deque[tuple[str, frozenset[str]]] = deque()

    def whole(self, schema: Schema) -> dict[str, Any]:
        """The schema by itself, its definitions included."""
        root = self._schema(schema)
        definitions: dict[str, Any] = {}
        while self._waiting:
            key = self._waiting.popleft()
            definitions[self._names[key]] = self._schema(self._schemas.get(key[0], {}), key[1])
        return {"$schema": _DRAFT, "$defs": definitions, **root}

    def _schema(self, schema: Schema, exempt: frozenset[str] = frozenset()) -> dict[str, Any]:
        """The schema with no property required that does not travel this way.

        `exempt` are the properties of which a schema around this one says so: one part of an
        `allOf` may require what another part declares.
        """
        exempt |= self._exempt(schema)
        copy: dict[str, Any] = {}
        for key, value in schema.items():
            if key == "required":
                copy[key] = [name for name in value if name not in exempt]
            elif key == "$ref":
                copy[key] = DEFS + self._name(value.removeprefix(DEFS), exempt)
            elif key in SCHEMA_LISTS:
                shared = frozenset() if key == "prefixItems" else exempt
                copy[key] = [self._schema(part, shared) for part in value]
            elif key in SCHEMA_MAPS:
                copy[key] = {name: self._schema(part) for name, part in value.items()}
            elif key in ONE_SCHEMA:
                # `false` in place of its long form: the messages are about the keyword then.
                copy[key] = False if value == _NOTHING else self._schema(value)
            else:
                copy[key] = value
        return copy

    def _name(self, name: str, exempt: frozenset[str]) -> str:
        """Where a named schema stands once it is rewritten under these exemptions."""
        key = (name, exempt & self._required(name) if exempt else exempt)
        if key not in self._names:
            # No schema has a colon in its name, so the new name is free.
            self._names[key] = f"{name}:{len(self._names)}" if key[1] else name
            self._waiting.append(key)
        return self._names[key]

    def _required(self, name: str) -> frozenset[str]:
        named = parts(self._schemas.get(name, {}), self._schemas)
        return frozenset(required for part, _ in named for required in part.get("required", ()))

    def _exempt(self, schema: Schema) -> frozenset[str]:
        combines = {"required", "allOf", "anyOf", "oneOf"} & schema.keys()
        if not combines and not {"$ref", "properties"} <= schema.keys():
            return frozenset()
        return flagged(schema, "readOnly" if self._request else "writeOnly", self._schemas)
