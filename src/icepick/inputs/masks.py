"""Masks: parameters that list the fields which an update is about, as `update_mask` does."""

from __future__ import annotations

from collections.abc import Mapping

from icepick.inputs.merge import contains
from icepick.openapi.shape import Schemas, items, keyword, types
from icepick.openapi.types import Json, Operation, Parameter, ParameterLocation
from icepick.resources.words import words

_WORDS = frozenset({"update", "field", "fields", "mask", "path", "paths"})


def with_masks(
    operation: Operation, query: dict[str, Json], body: Json, schemas: Schemas
) -> dict[str, Json]:
    """A query whose masks name what the body has; a mask of nothing is left out.

    What a mask does not name is not to be changed, so that made-up names would undo the update.
    """
    masks = [one for one in operation.parameters_in(ParameterLocation.QUERY) if one.name in query]
    for mask in masks:
        if operation.is_safe or not _is_mask(mask, schemas):
            continue
        found = _naming(mask, body, schemas)
        query = {name: value for name, value in query.items() if name != mask.name}
        if found:
            query[mask.name] = found
    return query


def _is_mask(parameter: Parameter, schemas: Schemas) -> bool:
    named = set(words(parameter.name))
    text = types(parameter.schema, schemas) & {"string", "array"}
    return "mask" in named and named <= _WORDS and bool(text)


def _naming(mask: Parameter, body: Json, schemas: Schemas) -> Json:
    fields = list(body) if isinstance(body, Mapping) else []
    element = items(mask.schema, schemas)
    if element is None:
        return ",".join(fields)
    listed = keyword(element, "enum", schemas)
    return [name for name in fields if listed is None or contains(listed, name)]
