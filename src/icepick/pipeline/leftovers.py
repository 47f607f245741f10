"""What a run that was cut off left behind, by what its journal shows of creations and deletions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import unquote, urlsplit

from icepick.execute.answers import answer_of, at, identifier_in
from icepick.execute.binding.emulator import Instance
from icepick.execute.events import Event, Exchanged
from icepick.execute.types import Exchange, Response
from icepick.openapi.places import holes, pattern_of
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.pipeline.models import Described
from icepick.resources.types import Resource, Role, Use

_Key = tuple[str, tuple[tuple[str, str], ...]]


def leftovers(api: Described, events: Iterable[Event]) -> tuple[Instance, ...]:
    """The instances that were created and not deleted, as far as addresses tell, oldest first."""
    operations = {operation.id: operation for operation in api.spec.operations}
    found: dict[_Key, Instance] = {}
    for event in events:
        if not isinstance(event, Exchanged) or not _worked(event.exchange):
            continue
        operation = operations.get(event.exchange.operation or "")
        for resource, use in api.resources.uses_of(operation.id) if operation else ():
            assert operation is not None  # noqa: S101 (there are uses of it)
            if use.role is Role.DELETE:
                found.pop(_key(resource, _holes(operation, event.exchange)), None)
            elif use.role is Role.CREATE or use.creates:
                instance = _created(resource, use, operation, event.exchange)
                if instance is not None:
                    found[_key(resource, instance.address)] = instance
    return tuple(found.values())


def _worked(exchange: Exchange) -> bool:
    return isinstance(exchange.reply, Response) and 200 <= exchange.reply.status < 300


def _key(resource: Resource, address: Mapping[str, Json]) -> _Key:
    named = holes(resource.item_path or "")
    return resource.name, tuple((name, str(address.get(name, ""))) for name in named)


def _created(
    resource: Resource, use: Use, operation: Operation, exchange: Exchange
) -> Instance | None:
    """The instance that a call created; None where its address does not show."""
    named = holes(resource.item_path or "")
    if resource.identifier is None or not named:
        return None
    address: dict[str, Json] = {**_holes(operation, exchange)}
    own = resource.identifier.parameter
    if own not in address:
        address[own] = next(_identifiers(resource, use, exchange), ABSENT)
    known = {name: address.get(name, ABSENT) for name in named}
    if ABSENT in known.values():
        return None
    return Instance(f"{resource.name} {known[own]}", resource.name, known[own], known)


def _identifiers(resource: Resource, use: Use, exchange: Exchange) -> Iterator[Json]:
    """The identifier by what the service answered, or else by what was sent."""
    identifier = resource.identifier
    if identifier is None or not isinstance(exchange.reply, Response):
        return
    answered = identifier_in(answer_of(exchange.reply), use, identifier, resource.item_path)
    if answered is not ABSENT:
        yield answered
    sent = _parsed(exchange.request.body)
    start = use.request.path if use.request is not None else ()
    for path in (
        ((*start, *identifier.property), identifier.property) if identifier.property else ()
    ):
        value = at(sent, path)
        if isinstance(value, str | int):
            yield value


def _parsed(body: bytes | None) -> Json:
    try:
        return json.loads(body or b"null")
    except ValueError:
        return None


def _holes(operation: Operation, exchange: Exchange) -> dict[str, str]:
    """The path parameters of a call, read from its address."""
    pattern = pattern_of(operation.path.rstrip("/"))
    match = re.search(f"{pattern}$", urlsplit(exchange.request.url).path.rstrip("/"))
    return (
        dict(zip(holes(operation.path), map(unquote, match.groups()), strict=True)) if match else {}
    )
