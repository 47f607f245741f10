"""Getting to know what is there: where a run may create nothing, ids come from lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import quote

from icepick.execute.answers import answer_of, at
from icepick.execute.transport.client import Client
from icepick.execute.types import Purpose, Response
from icepick.openapi.places import holes
from icepick.openapi.types import Json, Operation, Parameter, ParameterLocation
from icepick.pipeline.models import Described
from icepick.resources.types import Resource, Role, Use

_LISTS = (Role.LIST, Role.SEARCH, Role.MEMBERS)
_ROUNDS = 3
"""How deep lists are followed: those of users, of their orders, of the items of these."""

_MOST_IDS = 20
_MOST_READS = 3

Ids = Mapping[str, list[Json]]
"""The identifiers of a resource's instances by its name."""


def creates_nothing(api: Described) -> bool:
    """Whether no operation changes anything, so that a run must take what is there."""
    return all(operation.is_safe for operation in api.spec.operations)


async def acquainted(api: Described, client: Client) -> Described:
    """The API with its path parameters restricted to ids that lists show."""
    seen: dict[str, list[Json]] = {}
    for _ in range(_ROUNDS):
        for resource in api.resources.resources.values():
            if resource.identifier is not None and not seen.get(resource.name):
                seen[resource.name] = await _listed(api, client, resource, seen)
    operations = tuple(_restricted(api, one, seen) for one in api.spec.operations)
    return replace(api, spec=replace(api.spec, operations=operations))


async def _listed(api: Described, client: Client, resource: Resource, seen: Ids) -> list[Json]:
    operations = {operation.id: operation for operation in api.spec.operations}
    found: dict[str, Json] = {}
    for use in resource.having(*_LISTS):
        operation = operations[use.operation]
        for target in _targets(api, operation, seen) if operation.method == "GET" else ():
            exchange = await client.patiently(client.reading(target), Purpose.READ, operation.id)
            if isinstance(exchange.reply, Response) and exchange.reply.status == 200:
                body = answer_of(exchange.reply).body
                found |= {str(one): one for one in _identifiers(resource, use, body)}
    return list(found.values())[:_MOST_IDS]


def _targets(api: Described, operation: Operation, seen: Ids) -> Iterator[str]:
    """The addresses of a list: one, or those below some instances that are known."""
    named = holes(operation.path)
    known = [seen.get(_owner(api, operation.path, hole) or "", []) for hole in named]
    if not named:
        yield operation.path
    for values in zip(*(ids[:_MOST_READS] for ids in known), strict=False):
        target = operation.path
        for hole, value in zip(named, values, strict=True):
            target = target.replace(f"{{{hole}}}", quote(str(value), safe=""))
        yield target


def _identifiers(resource: Resource, use: Use, body: Json) -> Iterator[Json]:
    elements = at(body, use.response.path if use.response is not None else ())
    path = (resource.identifier.property if resource.identifier else None) or ()
    for element in elements if isinstance(elements, list) else ():
        value = at(element, path) if isinstance(element, Mapping) else element
        if isinstance(value, str | int) and not isinstance(value, bool):
            yield value


def _owner(api: Described, path: str, hole: str) -> str | None:
    """The resource that a hole in a path names: by the path up to it, or else by its name."""
    up_to = path[: path.index(f"{{{hole}}}") + len(hole) + 2]
    resources = api.resources.resources.values()
    for resource in resources:
        if resource.item_path == up_to:
            return resource.name
    named = [one.name for one in resources if one.identifier and one.identifier.parameter == hole]
    return named[0] if len(named) == 1 else None


def _restricted(api: Described, operation: Operation, seen: Ids) -> Operation:
    def known(parameter: Parameter) -> Parameter:
        if parameter.location is not ParameterLocation.PATH:
            return parameter
        ids = seen.get(_owner(api, operation.path, parameter.name) or "")
        return replace(parameter, schema={**parameter.schema, "enum": ids}) if ids else parameter

    return replace(operation, parameters=tuple(known(one) for one in operation.parameters))
