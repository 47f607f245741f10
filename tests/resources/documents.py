"""Small OpenAPI documents, written as operations and schemas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from icepick.resources.types import Resource, ResourceMap

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer"}


def ref(name: str) -> Json:
    """A reference to a named schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def many(schema: Json) -> Json:
    """An array."""
    return {"type": "array", "items": schema}


def obj(*required: str, **properties: Json) -> Json:
    """An object with these properties."""
    return {"type": "object", "properties": properties, "required": list(required)}


def read_only(schema: Json) -> Json:
    """A property that only the service writes."""
    return {**schema, "readOnly": True}


def op(
    takes: Json | None = None,
    gives: Json | None = None,
    status: str = "200",
    query: Iterable[str] = (),
    headers: Iterable[str] = (),
) -> Json:
    """An operation by what it takes and gives; the parameters of its path are added later."""
    answer: Json = {"description": "done"}
    if gives is not None:
        answer["content"] = {"application/json": {"schema": gives}}
    if names := list(headers):
        answer["headers"] = {name: {"schema": TEXT} for name in names}
    found: Json = {"responses": {status: answer}}
    found["parameters"] = [{"name": name, "in": "query", "schema": TEXT} for name in query]
    if takes is not None:
        found["requestBody"] = {"content": {"application/json": {"schema": takes}}}
    return found


def crud(collection: str, parameter: str, schema: Json, sent: Json | None = None) -> Json:
    """The five usual operations."""
    item = f"{collection}/{{{parameter}}}"
    return {
        f"GET {collection}": op(gives=many(schema)),
        f"POST {collection}": op(sent or schema, schema, "201"),
        f"GET {item}": op(gives=schema),
        f"PUT {item}": op(sent or schema, schema),
        f"DELETE {item}": op(status="204"),
    }


def document(operations: Mapping[str, Json], schemas: Mapping[str, Json]) -> Json:
    """A whole document of version 3.0."""
    paths: Json = {}
    for label, operation in operations.items():
        method, path = label.split(" ", 1)
        declared = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
        own = [
            {"name": name, "in": "path", "required": True, "schema": TEXT}
            for name in re.findall(r"\{([^{}]+)\}", path)
            if name not in declared
        ]
        whole = {**operation, "parameters": [*own, *operation["parameters"]]}
        paths.setdefault(path, {})[method.lower()] = whole
    return {
        "openapi": "3.0.3",
        "info": {"title": "a small document", "version": "1"},
        "paths": paths,
        "components": {"schemas": dict(schemas)},
    }


def roles(found: ResourceMap, name: str) -> dict[str, str]:
    """The uses of a resource: the label of each operation and its role."""
    return {use.operation: use.role.value for use in found.resources[name].uses}


def references(resource: Resource) -> dict[str, tuple[str, bool]]:
    """The references of a resource: field, target, and whether it can be written."""
    return {str(r.field): (r.target, r.writable) for r in resource.references}
