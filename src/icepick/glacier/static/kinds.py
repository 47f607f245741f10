"""The JSON types that a value can have, as far as its schema tells."""

from __future__ import annotations

from collections.abc import Iterable

from icepick.openapi.shape import Schemas, parts, reference_name
from icepick.openapi.types import Json, Schema

Kinds = frozenset[str]

ANYTHING: Schema = {}
NOTHING: Schema = {"not": {}}
TRUTH: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "number"}
TEXT: Schema = {"type": "string"}

ALL: Kinds = frozenset({"null", "boolean", "number", "string", "array", "object"})
SCALARS: Kinds = frozenset({"boolean", "number", "string"})
ORDERED: Kinds = frozenset({"number", "string"})

_NAMES = {
    "null": "null",
    "boolean": "a truth value",
    "number": "a number",
    "string": "a text",
    "array": "a list",
    "object": "an object",
}


def kinds(schema: Schema, schemas: Schemas, seen: Kinds = frozenset()) -> Kinds:
    """The JSON types of a value; all of them where the schema says nothing, or nothing sensible."""
    found = _declared(schema)
    name = reference_name(schema)
    if name is not None and name not in seen:
        found &= kinds(schemas.get(name, ANYTHING), schemas, seen | {name})
    for part in schema.get("allOf", ()):
        found &= kinds(part, schemas, seen)
    for keyword in ("anyOf", "oneOf"):
        choices = [kinds(part, schemas, seen) for part in schema.get(keyword, ())]
        found &= frozenset[str]().union(*choices) if choices else ALL
    return found or ALL


def _declared(schema: Schema) -> Kinds:
    found = ALL
    listed = schema.get("type")
    if listed is not None:
        found = _all_of([listed] if isinstance(listed, str) else listed)
    elif "properties" in schema:
        found = frozenset({"object"})
    elif "items" in schema:
        found = frozenset({"array"})
    if "enum" in schema:
        found &= frozenset(map(kind_of, schema["enum"]))
    if "const" in schema:
        found &= {kind_of(schema["const"])}
    return found


def _all_of(names: Iterable[str]) -> Kinds:
    return frozenset("number" if name == "integer" else name for name in names)


def kind_of(value: Json) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    names = {bool: "boolean", str: "string", dict: "object", list: "array"}
    return names.get(type(value), "number")


def elements(schema: Schema, schemas: Schemas) -> Schema:
    """The schema of the elements of a list."""
    found = [part for part, _ in parts(schema, schemas) if "items" in part or "prefixItems" in part]
    if not found or any("prefixItems" in part for part in found):
        return ANYTHING
    return either([part["items"] for part in found])


def either(choices: Iterable[Schema]) -> Schema:
    """The schema of a value that fits one of several."""
    found: list[Schema] = []
    for choice in choices:
        if choice not in found:
            found.append(choice)
    return found[0] if len(found) == 1 else {"anyOf": found} if found else ANYTHING


def named(found: Kinds) -> str:
    """Types in words: `a number or null`."""
    names = [text for name, text in _NAMES.items() if name in found and name != "null"]
    names += ["null"] if "null" in found else []
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
