"""Correct resources by what a service really answers: identifiers that live elsewhere, collections
behind envelopes, lists that hold only identifiers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from icepick.openapi.types import Json
from icepick.resources.correct import Observation
from icepick.resources.types import (
    Evidence,
    Path,
    Payload,
    Provenance,
    Resource,
    ResourceMap,
    Role,
    Use,
)

_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Learned:
    """The corrected resources, and what was learned, in words."""

    resources: ResourceMap
    changes: tuple[str, ...]


def learn_resources(resources: ResourceMap, observations: Iterable[Observation]) -> Learned:
    """The resources after these observations; nothing is learned from negative tests."""
    answered: dict[str, list[Observation]] = defaultdict(list)
    for observation in observations:
        if observation.succeeded and not observation.negative:
            answered[observation.operation].append(observation)
    changes: list[str] = []
    found = {}
    for name, resource in resources.resources.items():
        identified, about_identifier = _relocated_identifier(resource, answered)
        found[name], about_lists = _relocated_lists(identified, answered)
        changes += about_identifier + about_lists
    return Learned(ResourceMap(found, resources.standalone), tuple(changes))


Answered = dict[str, list[Observation]]


def _relocated_identifier(resource: Resource, answered: Answered) -> tuple[Resource, list[str]]:
    """Where reads really show the identifier that was in the path."""
    identifier = resource.identifier
    if identifier is None:
        return resource, []
    places: set[Path] | None = None
    values: set[str] = set()
    for use in resource.having(Role.READ):
        start = use.response.path if use.response else ()
        for observation in answered[use.operation]:
            value = observation.inputs.get(("path", identifier.parameter))
            if value is None:
                continue
            body = _at(observation.body, start)
            seen = {path for path, leaf in _leaves(body) if str(leaf) == str(value)}
            places = seen if places is None else places & seen
            values.add(str(value))
    if not places or len(values) < 2 or identifier.property in places or len(places) > 1:
        return resource, []
    (place,) = places
    reason = f"reads of {len(values)} instances show the identifier there"
    evidence = Evidence(Provenance.LEARNED, 0.95, reason)
    corrected = replace(identifier, property=place, evidence=evidence)
    words = f"{resource.name}: the identifier is {'.'.join(place)}; {reason}"
    return replace(resource, identifier=corrected), [words]


def _relocated_lists(resource: Resource, answered: Answered) -> tuple[Resource, list[str]]:
    """Where lists really hold their elements, and whether those are only identifiers."""
    uses, changes = [], []
    for use in resource.uses:
        corrected = use
        if use.role in {Role.LIST, Role.SEARCH, Role.MEMBERS}:
            corrected = _relocated(use, [o.body for o in answered[use.operation]])
        if corrected is not use and corrected.response is not None:
            place = ".".join(corrected.response.path) or "the body itself"
            changes.append(f"{resource.name}: {use.operation} lists its elements at {place}")
        uses.append(corrected)
    return replace(resource, uses=tuple(uses)), changes


def _relocated(use: Use, bodies: Iterable[Json]) -> Use:
    shown = use.response
    for body in bodies:
        arrays = [(path, value) for path, value in _arrays(body) if value]
        declared = shown is not None and shown.many and isinstance(_at(body, shown.path), list)
        if declared or len(arrays) != 1:
            continue
        path, value = arrays[0]
        schema = shown.schema if shown is not None and shown.many else {}
        if not isinstance(value[0], dict):
            schema = {"type": _type(value[0])}
        return replace(use, response=Payload(path, schema, many=True))
    return use


def _type(value: Json) -> str:
    if isinstance(value, bool):
        return "boolean"
    return {int: "integer", float: "number", list: "array"}.get(type(value), "string")


def _at(body: Json, path: Path) -> Json:
    for part in path:
        body = body.get(part) if isinstance(body, dict) else None
    return body


def _leaves(body: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    if isinstance(body, dict) and len(path) < _DEEPEST:
        for name, value in body.items():
            yield from _leaves(value, (*path, name))
    elif isinstance(body, (str, int, float)) and not isinstance(body, bool) and path:
        yield path, body


def _arrays(body: Json, path: Path = ()) -> Iterator[tuple[Path, list[Json]]]:
    """The outermost arrays of a body."""
    if isinstance(body, list):
        yield path, body
    elif isinstance(body, dict) and len(path) < _DEEPEST:
        for name, value in body.items():
            yield from _arrays(value, (*path, name))
