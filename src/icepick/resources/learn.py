"""Correct resources by what a service really answers: identifiers that live elsewhere, collections
behind envelopes, lists that hold only identifiers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from icepick.openapi.types import Json
from icepick.resources.correct import Observation
from icepick.resources.reference_fit import noun_of
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
from icepick.resources.words import ID_WORDS, words

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
        listed, about_lists = _relocated_lists(resource, answered)
        named, about_name = _named_identifier(listed, answered)
        found[name], about_place = _relocated_identifier(named, answered)
        changes += about_lists + about_name + about_place
    return Learned(ResourceMap(found, resources.standalone), tuple(changes))


Answered = dict[str, list[Observation]]
_Above = tuple[tuple[Path, str], ...]


def _named_identifier(resource: Resource, answered: Answered) -> tuple[Resource, list[str]]:
    """The identifier by the usual names, where what is believed of it is nowhere to be seen."""
    identifier = resource.identifier
    objects = list(_objects(resource, answered)) if identifier is not None else []
    if identifier is None or not objects:
        return resource, []
    known, first = identifier.property, objects[0][1]
    if known and any(_at(one, known) is not None for _, one in objects):
        return resource, []
    used = _addressed(resource, answered)
    own = noun_of(resource)
    usual = [name for name in first if _likely(name) < len(ID_WORDS)]
    # A field that is called `field` has its name there.
    called = [name for name in first if words(name) == own and name not in usual]
    for name in (*sorted(usual, key=_likely), *called):
        values = [(above, one.get(name)) for above, one in objects]
        if _identify(values, used):
            old = ".".join(identifier.property or ())
            reason = f"answers have no {old}" if old else "answers of creations and lists show it"
            evidence = Evidence(Provenance.LEARNED, 0.7, reason)
            corrected = replace(identifier, property=(name,), evidence=evidence)
            said = f"{resource.name}: the identifier is {name}; {reason}"
            return replace(resource, identifier=corrected), [said]
    return resource, []


def _identify(values: list[tuple[_Above, Json]], used: set[str]) -> bool:
    """Whether these can be identifiers: each is another one below the same parent, or they led to
    what was called by them; what was deleted may leave its identifier to the next."""
    places = {(above, str(value)) for above, value in values}
    texts = {text for _, text in places}
    different = len(places) == len(values) or (len(texts) > 1 and bool(texts & used))
    return different and all(_is_plain(value) for _, value in values)


def _addressed(resource: Resource, answered: Answered) -> set[str]:
    """The identifiers in paths under which something was read or deleted."""
    place = ("path", resource.identifier.parameter if resource.identifier is not None else "")
    return {
        str(one.inputs[place])
        for use in resource.having(Role.READ, Role.DELETE)
        for one in answered[use.operation]
        if place in one.inputs
    }


def _objects(resource: Resource, answered: Answered) -> Iterator[tuple[_Above, dict[str, Json]]]:
    """Different instances that answers show: those created, else those of one list; and what the
    path of the call names above each."""
    created = resource.having(Role.CREATE)
    for use in created or resource.having(Role.LIST, Role.SEARCH):
        start = use.response.path if use.response is not None else ()
        bodies = [(_above(one, resource), _at(one.body, start)) for one in answered[use.operation]]
        above, last = bodies[-1] if bodies else ((), None)
        shown = [(above, one) for one in last] if isinstance(last, list) else bodies
        yield from ((place, one) for place, one in shown if isinstance(one, dict))


def _above(observation: Observation, resource: Resource) -> _Above:
    own = resource.identifier.parameter if resource.identifier is not None else ""
    return tuple(
        (place, str(value))
        for place, value in observation.inputs.items()
        if place[0] == "path" and place != ("path", own)
    )


def _likely(name: str) -> int:
    """The place of a name among those that identifiers usually have."""
    last = (words(name) or ("",))[-1]
    return ID_WORDS.index(last) if last in ID_WORDS else len(ID_WORDS)


def _is_plain(value: Json) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and value != ""


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
    said = f"{resource.name}: the identifier is {'.'.join(place)}; {reason}"
    return replace(resource, identifier=corrected), [said]


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
