"""Changes as lists of steps (JSON Patch, RFC 6902), seen as the fields that they set.

A document that declares nothing else says how a change is written down, and not what can be
changed: that is in the schema of the resource.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from icepick.openapi.shape import Schemas, items, keyword, properties
from icepick.openapi.types import JSON_PATCH, ApiSpec, MediaType, Operation, Schema
from icepick.resources.types import Resource, ResourceMap, Role

_SET, _REPLACE = "add", "replace"


def fields_for_patches(spec: ApiSpec, resources: ResourceMap) -> ApiSpec:
    """The document with the fields of a resource as the body of its JSON patches; the document
    itself where there are none."""
    operations = tuple(_with_fields(one, resources, spec.schemas) for one in spec.operations)
    same = all(new is old for new, old in zip(operations, spec.operations, strict=True))
    return spec if same else replace(spec, operations=operations)


def _with_fields(operation: Operation, resources: ResourceMap, schemas: Schemas) -> Operation:
    body = operation.request_body
    found = [kind for kind in body.content if _is_patch(kind)] if body is not None else []
    if body is None or not found or len(found) < len(body.content):
        return operation
    for resource, use in resources.uses_of(operation.id):
        fields = _fields(resource, schemas)
        if use.role is Role.UPDATE and fields:
            content = {kind: _seen(body.content[kind], fields, schemas) for kind in found}
            return replace(operation, request_body=replace(body, content=content))
    return operation


def _is_patch(kind: str) -> bool:
    return kind.split(";", maxsplit=1)[0].strip().lower() == JSON_PATCH


def _fields(resource: Resource, schemas: Schemas) -> dict[str, Schema]:
    """What can be changed: the service's own fields cannot, nor what identifies an instance."""
    identifier = resource.identifier
    key = identifier.property[-1:] if identifier is not None and identifier.property else ()
    return {
        name: one.schema
        for name, one in properties(resource.schema, schemas).items()
        if not one.read_only and name not in key
    }


def _seen(media: MediaType, fields: Mapping[str, Schema], schemas: Schemas) -> MediaType:
    """A step adds a field: that sets it whether it is there or not. It replaces one where the
    document allows nothing else."""
    step = properties(items(media.schema, schemas) or {}, schemas).get("op")
    allowed = keyword(step.schema, "enum", schemas) if step is not None else None
    only = isinstance(allowed, list) and _SET not in allowed and _REPLACE in allowed
    schema = {"type": "object", "properties": dict(fields)}
    return replace(media, schema=schema, examples=(), step=_REPLACE if only else _SET)
