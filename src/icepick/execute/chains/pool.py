"""What a chain of calls has met: the objects that answers showed, and where each is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from icepick.execute.answers import at, identifier_in
from icepick.execute.binding.addresses import address_in
from icepick.execute.binding.emulator import Instance
from icepick.glacier import Answer
from icepick.inputs import Case
from icepick.openapi.places import holes, same_places
from icepick.openapi.types import ABSENT, Json
from icepick.resources.graph import PropertyGraph
from icepick.resources.types import Identifier, Path, Resource, ResourceMap, Role, Use

_PER_LIST = 3
"""How many elements of a list are remembered: more would only be more of the same."""

_CREATING = frozenset({Role.CREATE, Role.REPLACE, Role.CREATE_MANY})

Address = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Thing:
    """An object that the service holds.

    `schema` is its node in the property graph, `address` the path parameters that lead to it;
    `own` where the chain created it. What was sent counts as known even if no answer shows it.
    """

    schema: str | None
    resource: str | None
    value: Json = field(hash=False)
    identifier: Json = field(default=ABSENT, hash=False)
    address: Address = field(default_factory=dict, hash=False)
    own: bool = False
    item_path: str | None = None

    def agrees(self, address: Address, template: str = "") -> bool:
        """Whether it may be what an address in a path leads to, or lie beside or below that."""
        own = self.parameters(template) if template else self.address
        return all(str(own[name]) == str(address[name]) for name in own if name in address)

    def parameters(self, template: str) -> Address:
        """The parameters of a path that it fills."""
        return address_in(template, self.item_path, self.address)

    def is_below(self, address: Address, template: str) -> bool:
        """Whether an address leads to it, or to what holds it."""
        places = same_places(template, self.item_path or "")
        names = {name: name for name in address} if places is None else places
        return all(
            str(self.address.get(names.get(name, name), ABSENT)) == str(value)
            for name, value in address.items()
        )

    def instance(self) -> Instance:
        """The same for whoever removes instances."""
        name = self.resource or self.schema or ""
        return Instance(
            f"{name} {self.identifier}", name, self.identifier, self.address,
            item_path=self.item_path,
        )  # fmt: skip


class Pool:
    """The things of one chain, oldest first."""

    def __init__(self) -> None:
        self.things: list[Thing] = []
        self.lost: list[tuple[Case, Answer]] = []
        """Creations of which nobody knows what they created."""
        self.in_doubt: list[Thing] = []
        """What was created, if the service did it: no answer came."""

    def of_resource(
        self, name: str, address: Address, template: str = "", *, own: bool = False
    ) -> list[Thing]:
        """Instances that agree with an address in a path, the newest first, those of the chain
        before all."""
        found = [
            one
            for one in reversed(self.things)
            if one.resource == name and one.agrees(address, template) and (one.own or not own)
        ]
        return sorted(found, key=lambda one: not one.own)

    def of_schema(self, name: str, *, own: bool = False) -> list[Thing]:
        """Objects of a schema, the newest first."""
        return [one for one in reversed(self.things) if one.schema == name and (one.own or not own)]

    def own(self) -> list[Instance]:
        """What the chain created and has not removed, oldest first."""
        known = [*self.things, *self.in_doubt]
        return [one.instance() for one in known if one.own and one.address]

    def own_singleton(self, operation: str, resources: ResourceMap) -> Thing | None:
        """The thing without an identifier that an operation deletes, where the chain made it."""
        for resource, use in resources.uses_of(operation):
            if use.role is Role.DELETE and resource.is_singleton:
                return next(iter(self.of_resource(resource.name, {}, own=True)), None)
        return None

    def add(self, thing: Thing) -> None:
        """Remember a thing; one that is known already is known better from now on."""
        for index, known in enumerate(self.things):
            if _is_same(known, thing):
                value = _merged(known.value, thing.value)
                self.things[index] = Thing(
                    thing.schema or known.schema, known.resource, value, known.identifier,
                    known.address or thing.address, known.own or thing.own,
                    known.item_path or thing.item_path,
                )  # fmt: skip
                return
        self.things.append(thing)

    def remove(self, resource: str, case: Case) -> None:
        """What a call deleted is gone, and with it what lies below it."""

        def falls(one: Thing) -> bool:
            below = one.resource == resource or len(one.address) > len(case.path) > 0
            return below and one.is_below(case.path, case.operation.path)

        self.things = [one for one in self.things if not falls(one)]


def _is_same(one: Thing, other: Thing) -> bool:
    if one.resource is None or one.resource != other.resource or one.identifier is ABSENT:
        return False
    return str(one.identifier) == str(other.identifier) and one.agrees(other.address)


class Memory:
    """Turns calls that worked into things."""

    def __init__(self, graph: PropertyGraph, resources: ResourceMap) -> None:
        self._resources = resources
        self._produces: dict[str, list[tuple[str, Path]]] = {}
        for edge in graph.produces:
            self._produces.setdefault(edge.operation, []).append((edge.schema, edge.path))
        self._nodes: dict[str, list[Resource]] = {}
        for resource in resources.resources.values():
            node = resource.schema_name or resource.name
            self._nodes.setdefault(node, []).append(resource)

    def perhaps(self, pool: Pool, case: Case) -> None:
        """Take in a call that was not answered, and may have been done."""
        for resource, use in self._resources.uses_of(case.operation.id):
            if use.creates and use.role in _CREATING:
                pool.in_doubt += _created(resource, use, case, Answer(0))

    def happened(self, pool: Pool, case: Case, answer: Answer) -> None:
        """Take in a call that was answered with a 2xx."""
        operation = case.operation
        uses = self._resources.uses_of(operation.id)
        for resource, use in uses:
            if use.role is Role.DELETE and operation.method == "DELETE":
                pool.remove(resource.name, case)
                return
        for resource, use in uses:
            if use.creates and use.role in _CREATING:
                born = list(_created(resource, use, case, answer))
                for thing in born:
                    pool.add(thing)
                pool.lost += [] if born else [(case, answer)]
        for schema, path in self._produces.get(operation.id, ()):
            for value in _objects(answer.body, path):
                for thing in self._seen(schema, value, case):
                    pool.add(thing)

    def _seen(self, schema: str, value: Json, case: Case) -> list[Thing]:
        """An object that an answer shows, as an instance where it is known of what; of each
        resource that looks like it where there are several."""
        things: list[Thing] = []
        for resource in self._nodes.get(schema, ()):
            identifier = resource.identifier
            found = at(value, identifier.property) if identifier and identifier.property else ABSENT
            address = _address(resource, found, case, value)
            if identifier is not None and found is not ABSENT and address is not None:
                path = resource.item_path
                things.append(Thing(schema, resource.name, value, found, address, item_path=path))
        return things or [Thing(schema, None, value)]


def _created(resource: Resource, use: Use, case: Case, answer: Answer) -> Iterator[Thing]:
    node, identifier = resource.schema_name or resource.name, resource.identifier
    if identifier is None:
        yield Thing(node, resource.name, _merged(case.body, answer.body), own=answer.status == 201)
        return
    start = use.request.path if use.request is not None else ()
    sent = at(case.body, start) if start else case.body
    if use.role is Role.CREATE_MANY:
        for element in sent if isinstance(sent, list) else ():
            found = at(element, identifier.property or ())
            address = _address(resource, found, case, element)
            if found is not ABSENT and address is not None:
                yield Thing(node, resource.name, element, found, address, True, resource.item_path)
        return
    found = identifier_in(answer, use, identifier, resource.item_path)
    if found is ABSENT:
        found = _sent_identifier(case, sent, identifier)
    address = _address(resource, found, case, sent)
    if found is not ABSENT and address is not None:
        shown = at(answer.body, use.response.path) if use.response is not None else answer.body
        value = _merged(sent, shown)
        yield Thing(node, resource.name, value, found, address, True, resource.item_path)


def _sent_identifier(case: Case, sent: Json, identifier: Identifier) -> Json:
    if identifier.parameter in case.path:
        return case.path[identifier.parameter]
    if identifier.input is not None and identifier.input.location.value != "body":
        return case.values(identifier.input.location).get(identifier.input.name, ABSENT)
    return at(sent, identifier.property) if identifier.property else ABSENT


def _address(
    resource: Resource, identifier: Json, case: Case, value: Json
) -> dict[str, Json] | None:
    """The path parameters of an instance; None where some of them are not known."""
    path = resource.item_path or ""
    keyed = value if resource.is_keyed and isinstance(value, dict) else {}
    found = {name: keyed[name] for name in holes(path) if name in keyed}
    found |= address_in(path, case.operation.path, case.path)
    if resource.identifier is not None and identifier is not ABSENT:
        found[resource.identifier.parameter] = identifier
    return found if all(name in found for name in holes(path)) else None


def _merged(sent: Json, shown: Json) -> Json:
    if not isinstance(shown, dict):
        return sent if isinstance(sent, dict) else {}
    return {**sent, **shown} if isinstance(sent, dict) else shown


def _objects(body: Json, path: Path) -> list[dict[str, Json]]:
    """The objects at a place inside a body; of lists the first few."""
    found = [body]
    for part in path:
        if part == "[]":
            found = [inner for one in found if isinstance(one, list) for inner in one[:_PER_LIST]]
        else:
            found = [one[part] for one in found if isinstance(one, dict) and part in one]
    return [one for one in found if isinstance(one, dict)]
