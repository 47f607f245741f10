"""What answers teach of resources: identifiers and lists that the document does not tell of."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit

from icepick.execute.answers import body_of
from icepick.execute.events import Event, Exchanged, PhaseStarted
from icepick.execute.types import Purpose
from icepick.execute.types import Response as Answered
from icepick.openapi.places import HOLE
from icepick.openapi.shape import items, properties
from icepick.openapi.types import ABSENT, ApiSpec, Json, MediaType, Operation, Response, Schema
from icepick.resources.correct import Observation
from icepick.resources.fields import response_schema
from icepick.resources.find import find_resources
from icepick.resources.learn import learn_resources
from icepick.resources.types import Path, Resource, ResourceMap

_JSON = "application/json"
_DEEPEST = 4
_TYPES: Mapping[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}


@dataclass(frozen=True, slots=True)
class Relearned:
    """Resources under what was observed, the document that they come from, and what changed.

    A change names a resource and says what is known of it now, and from what.
    """

    spec: ApiSpec
    resources: ResourceMap
    changes: tuple[tuple[str, str], ...] = ()


def relearned(
    spec: ApiSpec, resources: ResourceMap, observations: Iterable[Observation]
) -> Relearned:
    """The resources after these observations; those given are what the document tells."""
    seen = tuple(one for one in observations if one.succeeded and not one.negative)
    shown = observed_spec(spec, seen)
    found = resources if shown is spec else find_resources(shown)
    learned = learn_resources(found, seen)
    words = (text.partition(": ")[::2] for text in learned.changes)
    changes = [*_news(resources, found), *((name, text) for name, text in words)]
    return Relearned(shown, learned.resources, tuple(changes))


def observed_spec(spec: ApiSpec, observations: Iterable[Observation]) -> ApiSpec:
    """The document with the shape of answers where it tells nothing of them, or nothing that is
    true; itself where it does."""
    first: dict[str, Observation] = {}
    for one in observations:
        if isinstance(one.body, dict | list) and one.body:
            first.setdefault(one.operation, one)
    new: dict[str, Observation] = {}
    alike: dict[str, Observation] = {}
    for operation in spec.operations:
        seen = first.get(operation.id)
        if seen is not None and not _told(operation, spec, seen.body):
            new[operation.id] = seen
            alike.setdefault(_declared(operation), seen)
    if not new:
        return spec
    for operation in spec.operations:
        # What is declared with words that proved wrong elsewhere is no better here.
        if (
            operation.id not in first
            and response_schema(operation)
            and _declared(operation) in alike
        ):
            new[operation.id] = alike[_declared(operation)]
    shown = (_with_answer(one, new[one.id]) if one.id in new else one for one in spec.operations)
    return replace(spec, operations=tuple(shown))


def _declared(operation: Operation) -> str:
    return json.dumps(response_schema(operation), sort_keys=True, default=str)


def _told(operation: Operation, spec: ApiSpec, body: Json) -> bool:
    """Whether the document tells of an answer anything that is there."""
    schema = response_schema(operation)
    if not schema:
        return False
    element = items(schema, spec.schemas)
    if isinstance(body, list):
        inside = body[0] if isinstance(body[0], dict) else None
        return element is not None and (inside is None or _share(element, spec, inside))
    return element is None and _share(schema, spec, body)


def _share(schema: Schema, spec: ApiSpec, body: Mapping[str, Json]) -> bool:
    known = properties(schema, spec.schemas)
    return not known or any(name in known for name in body)


def _with_answer(operation: Operation, seen: Observation) -> Operation:
    media = {_JSON: MediaType(_JSON, _schema(seen.body))}
    good = (status for status in operation.responses if status.startswith("2"))
    status = next(good, str(seen.status))
    known = operation.responses.get(status)
    answer = replace(known, content=media) if known is not None else Response(status, "", media)
    return replace(operation, responses={**operation.responses, status: answer})


def _schema(value: Json, depth: int = 0) -> Schema:
    """The shape of a value; what lies deeper than identifiers do is left open."""
    if isinstance(value, dict):
        inside = value.items() if depth < _DEEPEST else ()
        parts = {str(name): _schema(one, depth + 1) for name, one in inside}
        return {"type": "object", "properties": parts}
    if isinstance(value, list):
        return {"type": "array", "items": _schema(value[0], depth + 1) if value else {}}
    return {"type": _TYPES[type(value)]} if type(value) in _TYPES else {}


def _news(before: ResourceMap, now: ResourceMap) -> Iterator[tuple[str, str]]:
    """What the shape of answers says of resources beyond the document."""
    for name, resource in now.resources.items():
        old = before.resources.get(name)
        if old is None:
            yield name, "a resource, by what answers show"
        elif _place(resource) not in {"", _place(old)}:
            yield name, f"the identifier is {_place(resource)}; answers show it"


def _place(resource: Resource) -> str:
    identifier = resource.identifier
    return ".".join(identifier.property or ()) if identifier is not None else ""


def observations_in(
    spec: ApiSpec, events: Iterable[Event], phases: Collection[str]
) -> Iterator[Observation]:
    """The calls of some phases of a run, as far as events show them."""
    operations = {operation.id: operation for operation in spec.operations}
    now = ""
    for event in events:
        if isinstance(event, PhaseStarted):
            now = event.name
        elif isinstance(event, Exchanged) and now in phases:
            exchange = event.exchange
            operation = operations.get(exchange.operation or "")
            reply = exchange.reply
            if operation is None or not isinstance(reply, Answered):
                continue
            if exchange.purpose is Purpose.CALL:
                body = body_of(reply)
                shown = None if body is ABSENT else body
                inputs = path_inputs(operation, exchange.request.url)
                yield Observation(operation.id, reply.status, shown, inputs=inputs)


def path_inputs(operation: Operation, url: str) -> dict[Path, Json]:
    """The path parameters of a call, read from its address."""
    texts = HOLE.split(operation.path.rstrip("/"))
    pattern = "".join("([^/]+)" if i % 2 else re.escape(text) for i, text in enumerate(texts))
    match = re.search(f"{pattern}$", urlsplit(url).path.rstrip("/"))
    values = map(unquote, match.groups()) if match else ()
    return {("path", name): value for name, value in zip(texts[1::2], values, strict=False)}
