"""The keywords of JSON Schema: which of them hold schemas, and what the values of others may be."""

from __future__ import annotations

import math
from collections.abc import Callable

from icepick.openapi.types import Json

TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
ONE_SCHEMA = frozenset(
    {
        "additionalProperties",
        "contains",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
SCHEMA_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SCHEMA_MAPS = frozenset({"dependentSchemas", "patternProperties", "properties"})


def _anything(_: Json) -> bool:
    return True


def _flag(value: Json) -> bool:
    return isinstance(value, bool)


def _text(value: Json) -> bool:
    return isinstance(value, str)


def _number(value: Json) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)  # 1e400 is a number in JSON, but infinite here
    return isinstance(value, int) and not isinstance(value, bool)


def _count(value: Json) -> bool:
    return _number(value) and value >= 0 and value == int(value)


def _name_lists(value: Json) -> bool:
    return isinstance(value, dict) and all(
        isinstance(names, list)
        and all(isinstance(name, str) for name in names)
        and len(set(names)) == len(names)
        for names in value.values()
    )


PLAIN: dict[str, Callable[[Json], bool]] = {
    "const": _anything,
    "contentEncoding": _text,
    "contentMediaType": _text,
    "default": _anything,
    "dependentRequired": _name_lists,
    "deprecated": _flag,
    "description": _text,
    "enum": lambda value: isinstance(value, list) and bool(value),
    "exclusiveMaximum": _number,
    "exclusiveMinimum": _number,
    "format": _text,
    "maxContains": _count,
    "maxItems": _count,
    "maxLength": _count,
    "maxProperties": _count,
    "maximum": _number,
    "minContains": _count,
    "minItems": _count,
    "minLength": _count,
    "minProperties": _count,
    "minimum": _number,
    "multipleOf": lambda value: _number(value) and value > 0,
    "readOnly": _flag,
    "title": _text,
    "uniqueItems": _flag,
    "writeOnly": _flag,
}
"""Keywords taken over as they are, each with the test that its value must pass."""

_ANNOTATIONS = {"default", "deprecated", "description", "readOnly", "title", "writeOnly"}
_TELLING = (PLAIN.keys() - _ANNOTATIONS) | ONE_SCHEMA | SCHEMA_LISTS | SCHEMA_MAPS
_MUTE = {"$comment", "$defs", "$id", "$schema", "definitions", "externalDocs", "required", "xml"}


def looks_like_a_schema(value: Json) -> bool:
    """Whether a reference to this may mean a schema: not where all that it says is of other kinds.

    `info`, a response or a parameter are objects too, but none of them says anything about a value.
    """
    if not isinstance(value, dict):
        return isinstance(value, bool)
    if value.keys() & (_TELLING | {"$ref", "$dynamicRef", "discriminator", "pattern", "type"}):
        return True
    known = _ANNOTATIONS | _MUTE | {"example", "examples", "nullable", "$anchor", "$dynamicAnchor"}
    return all(key in known or key.startswith("x-") for key in value)
