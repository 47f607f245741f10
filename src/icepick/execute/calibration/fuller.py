"""What an instance lacks that was created with little: a service may count on more than it asks
for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from icepick.openapi.shape import Schemas, properties, types
from icepick.openapi.types import Json, Operation
from icepick.resources.fields import json_media
from icepick.resources.types import Resource


def left_out(
    resource: Resource, shown: Json, creations: Iterable[Operation], schemas: Schemas
) -> frozenset[str]:
    """The properties without a value that a creation may have, or that the schema wants one of;
    not those that refer to others."""
    if not isinstance(shown, Mapping):
        return frozenset()
    declared = {name for one in creations for name in _declared(one, schemas)}
    own = resource.identifier.property if resource.identifier is not None else None
    others = {one.field.path[0] for one in resource.references} | set(own or ())
    return frozenset(
        name
        for name, one in properties(resource.schema, schemas).items()
        if not one.read_only and shown.get(name) is None and name not in others
        if name in declared or _wants_a_value(types(one.schema, schemas))
    )


def _declared(operation: Operation, schemas: Schemas) -> Iterable[str]:
    media = json_media(operation.request_body)
    return properties(media.schema, schemas) if media is not None else ()


def _wants_a_value(kinds: frozenset[str]) -> bool:
    return bool(kinds) and "null" not in kinds
