"""Query parameters that choose instances by the value of a property."""

from __future__ import annotations

import re
from collections.abc import Mapping

from icepick.openapi.types import Json, Operation, ParameterLocation
from icepick.resources.fields import json_media
from icepick.resources.types import Path, Resource
from icepick.resources.words import Words, words

_WRAPPING = frozenset({"where", "filter", "filters", "query", "q", "by"})
_EQUAL = frozenset({"eq", "equal", "equals", "is", "exact", "exactly"})


def equality_filter(operation: Operation, name: str) -> str | None:
    """The parameter that lets through what has a certain value of a property: `where.id.eq`."""
    for parameter in operation.parameters_in(ParameterLocation.QUERY):
        one = parameter.schema.get("type") != "array"
        if one and _filtered(parameter.name) == words(name):
            return parameter.name
    return None


def only_this(
    operation: Operation, resource: Resource, address: Mapping[str, Json]
) -> dict[str, Json] | None:
    """The query that lets through nothing but the instance at an address; None where there is
    none."""
    identifier = resource.identifier
    if identifier is None or not address:
        return None
    found: dict[str, Json] = {}
    for parameter, value in address.items():
        own = parameter == identifier.parameter and identifier.property is not None
        name = identifier.property[-1] if own and identifier.property else parameter
        given = equality_filter(operation, name)
        if given is None:
            return None
        found[given] = value
    return found


def key_list(operation: Operation, resource: Resource) -> Path | None:
    """Where a body lists the identifiers of what it is about; None where it does not."""
    uses = (use for use in resource.uses if use.operation == operation.id)
    return next((use.keys for use in uses if use.keys is not None), None)


def can_choose(operation: Operation, resource: Resource) -> bool:
    """Whether a call can say that it is about one instance and no other."""
    if key_list(operation, resource) is not None and resource.identifier is not None:
        return True
    names = re.findall(r"\{([^{}]*)\}", resource.item_path or "")
    return only_this(operation, resource, dict.fromkeys(names)) is not None


def takes_items(operation: Operation, resource: Resource) -> bool:
    """Whether a body can be a list of the items to change, each under its own identifier.

    A PUT of a list may put it in the place of all that there is.
    """
    media = json_media(operation.request_body)
    identifier = resource.identifier
    if media is None or operation.method != "PATCH" or identifier is None:
        return False
    branches = [*media.schema.get("oneOf", ()), *media.schema.get("anyOf", ())]
    lists = any(one.get("type") == "array" for one in (media.schema, *branches))
    return lists and identifier.property is not None


def _filtered(name: str) -> Words:
    """The property that a parameter speaks of."""
    found = words(name)
    while len(found) > 1 and found[0] in _WRAPPING:
        found = found[1:]
    return found[:-1] if len(found) > 1 and found[-1] in _EQUAL else found
