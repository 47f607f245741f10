"""Schemas of every dialect made one: JSON Schema 2020-12, all references to `#/$defs/NAME`."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import jsonschema_rs

from icepick.errors import Code, Severity
from icepick.openapi.context import Context
from icepick.openapi.keywords import (
    ONE_SCHEMA,
    PLAIN,
    SCHEMA_LISTS,
    SCHEMA_MAPS,
    TYPES,
    looks_like_a_schema,
)
from icepick.openapi.references import BrokenPartError
from icepick.openapi.source import Node
from icepick.openapi.types import Dialect, Json, Schema

DEFS = "#/$defs/"
_BESIDE_A_REFERENCE = {"default", "deprecated", "description", "example", "readOnly", "writeOnly"}


@dataclass(frozen=True, slots=True)
class ReadSchema:
    """A schema as it was read: where it stands, and whether it is a part of a larger one."""

    node: Node
    schema: Schema
    operation: str | None
    is_part: bool


class SchemaReader:
    """Normalises schemas and collects, by name, all that they refer to."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._documents = context.documents
        self._dialect = context.dialect
        self._names: dict[tuple[str, str], str] = {}
        self._taken: set[str] = set()
        self._waiting: deque[tuple[str, Node]] = deque()
        self._patterns: dict[str, bool] = {}
        self._operation: str | None = None
        self.schemas: dict[str, Schema] = {}
        self.all: list[ReadSchema] = []

    def define(self, node: Node) -> str:
        """Name a schema and have it read; the name is its last path segment, or its file's."""
        key = (node.source.name, node.pointer)
        if key not in self._names:
            name = self._free_name(node)
            self._names[key] = name
            self._waiting.append((name, node))
        return self._names[key]

    def read(self, node: Node | None, operation: str | None = None) -> Schema:
        """A normalised schema, everything it refers to defined; no node accepts anything."""
        self._operation = operation
        schema = self._schema(node) if node is not None else {}
        self._operation = None
        while self._waiting:
            name, waiting = self._waiting.popleft()
            self.schemas[name] = self._schema(waiting)
        return schema

    def _free_name(self, node: Node) -> str:
        own = PurePosixPath(node.source.name).stem  # a schema that fills its file
        parts = [part for part in node.path if not part.isdigit()] or [own]
        wanted = re.sub(r"[^A-Za-z0-9_.-]+", "_", parts[-1]).strip("_") or "Schema"
        name, number = wanted, 2
        while name in self._taken:
            name, number = f"{wanted}_{number}", number + 1
        self._taken.add(name)
        return name

    def _warn(self, code: Code, message: str, node: Node, hint: str | None = None) -> None:
        self._context.warn(code, message, node, self._operation, hint)

    def _schema(self, node: Node) -> dict[str, Any]:
        if node.value is True:
            return {}
        if node.value is False:
            return {"not": {}}
        if not node.is_mapping:
            self._warn(Code.BROKEN_SCHEMA, "a schema must be an object; any value is allowed", node)
            return {}
        if "$ref" in node.value:
            return self._reference(node)
        schema = _made_nullable(node, self._keywords(node))
        is_part = len(node.path) > 1 and node.path[-2] in SCHEMA_LISTS
        self.all.append(ReadSchema(node, schema, self._operation, is_part))
        return schema

    def _reference(self, node: Node) -> dict[str, Any]:
        try:
            self._documents.follow(node)
            target = self._documents.target(node)
        except BrokenPartError as error:
            self._context.broken(error, self._operation)
            return {}
        if not looks_like_a_schema(target.value):
            message = f"the reference {node.value['$ref']!r} leads to something that is no schema"
            self._warn(Code.BROKEN_SCHEMA, message, node, "any value is allowed here")
            return {}
        schema: dict[str, Any] = {"$ref": DEFS + self.define(target)}
        beside = {key: value for key, value in node.value.items() if key != "$ref"}
        if self._dialect is not Dialect.OPENAPI_3_1:
            beside = {key: value for key, value in beside.items() if key in _BESIDE_A_REFERENCE}
        schema |= self._keywords(Node(node.source, node.path, beside))
        return _made_nullable(node, schema)

    def _keywords(self, node: Node) -> dict[str, Any]:
        schema: dict[str, Any] = {}
        for key, child in node.items():
            if key in PLAIN:
                self._plain(schema, key, child)
            elif key in SCHEMA_LISTS or (key == "items" and isinstance(child.value, list)):
                self._schema_list(schema, key, child)
            elif key in ONE_SCHEMA and child.value is not None:
                schema[key] = self._schema(child)
            elif key in SCHEMA_MAPS and child.value is not None:
                self._schema_map(schema, key, child)
        self._type(schema, node)
        self._pattern(schema, node)
        self._required(schema, node)
        self._examples(schema, node)
        self._discriminator(schema, node)
        return schema

    def _plain(self, schema: dict[str, Any], key: str, child: Node) -> None:
        if key in {"exclusiveMinimum", "exclusiveMaximum"} and isinstance(child.value, bool):
            return  # moved onto the bound itself, below
        if not PLAIN[key](child.value):
            shown = repr(child.value)[:60]
            self._warn(Code.BROKEN_SCHEMA, f"{key}: {shown} makes no sense; ignored", child)
            return
        schema[key] = child.value

    def _schema_list(self, schema: dict[str, Any], key: str, child: Node) -> None:
        parts = [self._schema(part) for part in child.elements()]
        if parts:
            schema["prefixItems" if key == "items" else key] = parts
        else:
            self._warn(Code.BROKEN_SCHEMA, f"{key} must be a list of schemas; ignored", child)

    def _schema_map(self, schema: dict[str, Any], key: str, child: Node) -> None:
        if not child.is_mapping:
            self._warn(Code.BROKEN_SCHEMA, f"{key} must be an object; ignored", child)
            return
        schema[key] = {
            name: self._schema(part)
            for name, part in child.items()
            if key != "patternProperties" or self._is_pattern(name, part)
        }

    def _type(self, schema: dict[str, Any], node: Node) -> None:
        _exclusive_bounds(schema, node)
        child = node.get("type")
        if child is None:
            return
        if child.value == "file":
            schema |= {"type": "string", "format": "binary"}
            return
        listed = child.value if isinstance(child.value, list) else [child.value]
        wanted = ["null" if kind is None else kind for kind in listed]  # YAML's unquoted null
        known = list(dict.fromkeys(k for k in wanted if isinstance(k, str) and k in TYPES))
        if not all(kind in known for kind in wanted):
            message = f"{child.value!r} is not a JSON type; ignored"
            self._warn(Code.BROKEN_SCHEMA, message, child, "one of " + ", ".join(sorted(TYPES)))
        if known:
            schema["type"] = known[0] if len(known) == 1 else known

    def _pattern(self, schema: dict[str, Any], node: Node) -> None:
        child = node.get("pattern")
        if child is not None and self._is_pattern(child.value, child):
            schema["pattern"] = child.value

    def _is_pattern(self, value: Json, node: Node) -> bool:
        if isinstance(value, str) and self._compiles(value):
            return True
        message = f"the pattern {value!r} is not a regular expression; ignored"
        self._warn(Code.BAD_PATTERN, message, node)
        return False

    def _compiles(self, pattern: str) -> bool:
        if pattern not in self._patterns:
            try:
                jsonschema_rs.Draft202012Validator({"pattern": pattern})
                self._patterns[pattern] = True
            except (jsonschema_rs.ValidationError, ValueError):
                self._patterns[pattern] = False
        return self._patterns[pattern]

    def _required(self, schema: dict[str, Any], node: Node) -> None:
        """The list of required properties, with those that say so on the property itself."""
        names = []
        child = node.get("required")
        if child is not None and isinstance(child.value, list):
            names = [name for name in child.value if isinstance(name, str)]
        elif child is not None and not isinstance(child.value, bool):
            self._warn(Code.MISPLACED_REQUIRED, "required must be a list of names; ignored", child)
        properties = node.get("properties")
        names += self._flagged(properties) if properties else []
        if names:
            schema["required"] = list(dict.fromkeys(names))

    def _flagged(self, properties: Node) -> list[str]:
        names = []
        for name, part in properties.items():
            flag = part.get("required")
            if flag is not None and isinstance(flag.value, bool):
                message = f"required stands on the property {name!r}, not in the list of its parent"
                hint = "taken as if it stood in that list"
                self._warn(Code.MISPLACED_REQUIRED, message, flag, hint)
                names += [name] if flag.value else []
        return names

    @staticmethod
    def _examples(schema: dict[str, Any], node: Node) -> None:
        examples = []
        if "example" in node.value:
            examples.append(node.value["example"])
        several = node.value.get("examples")
        if isinstance(several, (list, dict)):
            examples += list(several.values()) if isinstance(several, dict) else several
        if examples:
            schema["examples"] = examples

    def _discriminator(self, schema: dict[str, Any], node: Node) -> None:
        child = node.get("discriminator")
        if child is None:
            return
        named = child.value if isinstance(child.value, str) else child.text("propertyName")
        if not named:
            self._warn(Code.BROKEN_SCHEMA, "discriminator without propertyName; ignored", child)
            return
        mapping = child.get("mapping")
        choices = {
            value: self._mapped(part) for value, part in (mapping.items() if mapping else ())
        }
        schema["discriminator"] = {
            "propertyName": named,
            "mapping": {value: name for value, name in choices.items() if name},
        }
        if "oneOf" in schema and "anyOf" not in schema:
            # The discriminator tells the choices apart, so a value that happens to fit two is fine.
            schema["anyOf"] = schema.pop("oneOf")

    def _mapped(self, node: Node) -> str | None:
        """The name of the schema that a discriminator's value stands for."""
        text = str(node.value)
        prefix = (
            "#/definitions/" if self._dialect is Dialect.SWAGGER_2_0 else "#/components/schemas/"
        )
        reference = text if re.search(r"[#/]", text) else prefix + text
        try:
            return self.define(
                self._documents.target(Node(node.source, node.path, {"$ref": reference}))
            )
        except BrokenPartError as error:
            self._context.broken(error, self._operation, Severity.WARNING)
            return None


def _exclusive_bounds(schema: dict[str, Any], node: Node) -> None:
    """In 2.0 and 3.0 `exclusiveMinimum` is a flag on `minimum`."""
    for flag, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if node.value.get(flag) is True and bound in schema:
            schema[flag] = schema.pop(bound)


def _made_nullable(node: Node, schema: dict[str, Any]) -> dict[str, Any]:
    if not (node.flag("nullable") or node.flag("x-nullable")):
        return schema
    if {"$ref", "allOf", "anyOf", "oneOf"} & schema.keys():
        # Null would have to fit the parts as well, which nobody who writes this means.
        return {"anyOf": [schema, {"type": "null"}]}
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
    kinds = schema.get("type")
    if kinds is not None:
        listed = [kinds] if isinstance(kinds, str) else kinds
        schema["type"] = list(dict.fromkeys([*listed, "null"]))
    return schema
