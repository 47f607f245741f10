"""What a call of a chain needs, and the values that the chain has for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace

from icepick.execute.answers import at
from icepick.execute.binding.choosing import chosen
from icepick.execute.binding.leaves import AllLeaves
from icepick.execute.chains.pool import Pool, Thing
from icepick.inputs import Generator, Slot
from icepick.inputs.learn import identity_of
from icepick.openapi.places import HOLE
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.correct import Origin
from icepick.resources.fields import json_media
from icepick.resources.filters import takes_items
from icepick.resources.graph import Consumes, PropertyGraph
from icepick.resources.keys import is_identified, key_in, named_by
from icepick.resources.types import (
    Location,
    Resource,
    ResourceMap,
    Role,
)

_WHOLE = frozenset({Role.REPLACE, Role.UPDATE})
_SURE = 0.5
_NOTHING = (ABSENT, None, "")


@dataclass(frozen=True, slots=True)
class Need:
    """An input that takes the identifier of an instance, or the property `key` of one; `owned`
    where it must be the chain's."""

    slot: Slot
    resource: str
    required: bool
    owned: bool = False
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Inputs:
    """Values that a call gets, and the edges of the graph along which they came."""

    given: Mapping[Slot, Json] = field(default_factory=dict)
    origins: tuple[Origin, ...] = ()
    lacking: tuple[Need, ...] = ()
    """What is needed and nobody has made."""
    wanted: frozenset[Slot] = frozenset()
    """Inputs that are to have a value though they need none: others ask for it."""


class Wants:
    """What operations take from one another, by resources and by the property graph."""

    def __init__(self, graph: PropertyGraph, resources: ResourceMap, leaves: AllLeaves) -> None:
        self._resources = resources
        self._leaves = leaves
        self._into: dict[str, list[Consumes]] = {}
        for edge in graph.consumes:
            self._into.setdefault(edge.operation, []).append(edge)
        self._failures = graph.failures
        self._dropped: dict[str, list[Consumes]] = {}
        for one in graph.dropped:
            if isinstance(one, Consumes):
                self._dropped.setdefault(one.operation, []).append(one)

    def needs(self, operation: Operation) -> tuple[Need, ...]:
        """The instances that a call is about or refers to, those of its path first."""
        return tuple({one.slot: one for one in self._all_needs(operation)}.values())

    def _all_needs(self, operation: Operation) -> Iterator[Need]:
        changes = not operation.is_safe
        for hole in HOLE.findall(operation.path):
            need = self._addressed(operation, hole)
            if need is not None:
                yield replace(need, owned=changes)
        slots = self._leaves.of(operation).by_slot
        for slot, asked in slots.items():
            if asked.required and slot[0] in {Location.QUERY, Location.HEADER}:
                target = named_by(asked.name, self._resources.resources.values())
                if target is not None:
                    yield Need(slot, target, required=True)
        for resource, use in self._resources.uses_of(operation.id):
            start = use.request.path if use.request is not None else ()
            for reference in resource.references:
                slot = (reference.field.location, (*start, *reference.field.path))
                leaf = slots.get(slot)
                if reference.target == resource.name and not use.creates:
                    continue  # two that refer to one another can never be removed
                if leaf is not None and slot[0] is not Location.PATH and not leaf.read_only:
                    yield Need(slot, reference.target, leaf.required)
            identifier = resource.identifier
            if use.role in _WHOLE and not use.creates and identifier and identifier.property:
                slot = (Location.BODY, (*start, *identifier.property))
                if slot in slots and f"{{{identifier.parameter}}}" not in operation.path:
                    yield Need(slot, resource.name, required=True, owned=True)

    def repeated(self, operation: Operation) -> Iterator[tuple[Slot, Slot]]:
        """Where the path of an update has an identifier, and where its body has it once more:
        another one there would give it to what is updated."""
        slots = self._leaves.of(operation).by_slot
        for resource, use in self._resources.uses_of(operation.id):
            identifier = resource.identifier
            start = use.request.path if use.request is not None else ()
            if use.role in _WHOLE and identifier is not None and identifier.property:
                slot = (Location.BODY, (*start, *identifier.property))
                if slot in slots and not slots[slot].read_only:
                    yield (Location.PATH, (identifier.parameter,)), slot

    def changed_by_filter(self, operation: Operation) -> list[Resource]:
        """The resources of which a call changes whatever its query lets through."""
        uses = self._resources.uses_of(operation.id)
        return [resource for resource, use in uses if use.role is Role.UPDATE_MANY]

    def _addressed(self, operation: Operation, hole: str) -> Need | None:
        """What a hole takes; None for what the call itself makes up."""
        slot, known = (Location.PATH, (hole,)), self._resources.resources.values()
        uses = self._resources.uses_of(operation.id)
        if slot in self.names(operation):
            references = (r for one, _ in uses for r in one.references)
            target = next((one.target for one in references if one.field.path == (hole,)), None)
            return Need(slot, target, required=True) if target is not None else None
        above = [
            r.target
            for one, _ in uses
            for r in one.references
            if (r.field.location, r.field.path) == slot
            and (one.identifier is None or one.identifier.parameter != hole)
        ]
        if above:
            return Need(slot, above[0], required=True)
        path, schemas = operation.path, self._leaves.schemas
        by_path = [one.name for one in known if is_identified(path, hole, one, schemas)]
        if by_path:
            return Need(slot, by_path[0], required=True)
        key = key_in(path, hole, known, schemas)
        if key is not None:
            return Need(slot, key[0], required=True, key=key[1])
        own = [one for one, _ in uses if one.identifier and one.identifier.parameter == hole]
        named = [one for one in known if one.identifier and one.identifier.parameter == hole]
        meant = own or (named if len(named) == 1 else [])
        return Need(slot, meant[0].name, required=True) if meant else None

    def parameter(self, resource: str) -> str:
        """The name of the identifier of a resource in paths."""
        identifier = self._resources.resources[resource].identifier
        return identifier.parameter if identifier is not None else ""

    def item_path(self, resource: str) -> str | None:
        """Where the instances of a resource are."""
        return self._resources.resources[resource].item_path

    def names(self, operation: Operation) -> frozenset[Slot]:
        """The inputs by which a call names what it creates."""
        return frozenset(identity_of(operation, self._resources))

    def dropped(self, operation: Operation) -> list[Consumes]:
        """The edges into an operation that failed too often; they return once they work."""
        return self._dropped.get(operation.id, [])

    def edges(self, operation: Operation) -> list[Consumes]:
        """The edges into an operation, those that never failed and are surest first."""
        found = self._into.get(operation.id, [])
        return sorted(found, key=lambda e: (self._failures.get(e, 0), -e.evidence.confidence))


@dataclass(slots=True)
class _Draft:
    """The values of one call while they are put together."""

    operation: Operation
    edges: list[Consumes]
    dropped: list[Consumes]
    given: dict[Slot, Json] = field(default_factory=dict)
    origins: list[Origin] = field(default_factory=list)
    address: dict[str, Json] = field(default_factory=dict)
    taken: dict[str, list[Json]] = field(default_factory=dict)
    lacking: list[Need] = field(default_factory=list)
    closed: set[Slot] = field(default_factory=set)
    """The inputs that no edge may fill: names of what is made, references that must differ."""

    def take(self, slot: Slot, value: Json, thing: Thing) -> None:
        """A value of a thing for an input, and the edge that says so."""
        if slot in self.given:
            return
        self.given[slot] = value
        for edge in (*self.edges, *self.dropped):
            same = slot_of(edge) == slot and edge.schema == thing.schema and not edge.is_whole
            if same and at(thing.value, edge.path) == value:
                self.origins.append(Origin(edge, thing.value))
                return


class Filling:
    """Puts together the values that a chain has for a call."""

    def __init__(self, wants: Wants, leaves: AllLeaves, generator: Generator) -> None:
        self._wants = wants
        self._leaves = leaves
        self._generator = generator

    def fill(
        self,
        operation: Operation,
        pool: Pool,
        uses: Counter[Consumes],
        *,
        eager: Container[Slot],
        other: bool,
        last: bool = True,
    ) -> Inputs:
        """The values; `eager` are references that are wanted though they are not required, `other`
        where the call worked already, so that edges which were not used yet are worth a try.

        Where an instance is needed, edges only do as a `last` resort: a property that is called
        alike may be of anything.
        """
        draft = _Draft(operation, self._wants.edges(operation), self._wants.dropped(operation))
        draft.closed |= self._wants.names(operation)
        self._chosen(draft, pool)
        if other:
            self._along_edges(draft, pool, uses, optional=True)
        needs = self._wants.needs(operation)
        # From the innermost out: what lies deepest knows the address of what holds it.
        for need in reversed([one for one in needs if one.slot[0] is Location.PATH]):
            self._addressed(draft, need, pool)
        for named, again in self._wants.repeated(operation):
            if named in draft.given:
                draft.given.setdefault(again, draft.given[named])
        for need in needs:
            if need.slot[0] is not Location.PATH:
                self._referred(draft, need, pool, eager)
        draft.closed |= set() if last else {one.slot for one in draft.lacking}
        self._along_edges(draft, pool, uses, optional=False)
        lacking = tuple(one for one in draft.lacking if one.slot not in draft.given)
        return Inputs(draft.given, tuple(draft.origins), lacking)

    def _chosen(self, draft: _Draft, pool: Pool) -> None:
        """The one instance that a change of many is to be about."""
        for resource in self._wants.changed_by_filter(draft.operation):
            found = next(iter(pool.of_resource(resource.name, {}, own=True)), None)
            query = self._only(draft.operation, resource, found) if found else None
            if found is None or query is None:
                draft.lacking.append(Need((Location.QUERY, ()), resource.name, True, owned=True))
                continue
            draft.given |= query
            identifier = resource.identifier
            slot = (Location.BODY, (identifier.property if identifier else None) or ())
            whole = (Location.BODY, ()) in query
            if slot in self._leaves.of(draft.operation).by_slot and not whole:
                draft.take(slot, found.identifier, found)

    def _only(
        self, operation: Operation, resource: Resource, found: Thing
    ) -> dict[Slot, Json] | None:
        """What makes a change of many one of this instance; None where nothing does."""
        own = chosen(operation, resource, found.address, self._leaves)
        media, identifier = json_media(operation.request_body), resource.identifier
        if own is not None or media is None or identifier is None:
            return own
        shown = found.value if isinstance(found.value, dict) else {}
        slots = self._leaves.of(operation).by_slot
        kept = {name: one for name, one in shown.items() if (Location.BODY, (name,)) in slots}
        items = [{**kept, (identifier.property or ("id",))[-1]: found.identifier}]
        fits = takes_items(operation, resource) and self._generator.fits(media.schema, items)
        return {(Location.BODY, ()): items} if fits else None

    def _addressed(self, draft: _Draft, need: Need, pool: Pool) -> None:
        if need.slot in draft.given:
            return
        around = draft.address if need.key is None else {}
        path = draft.operation.path
        found = pool.of_resource(need.resource, around, path, own=need.owned)
        if need.key is not None:
            found = [one for one in found if at(one.value, (need.key,)) not in _NOTHING]
        if not found:
            draft.lacking.append(need)
            return
        if need.key is not None:
            draft.take(need.slot, at(found[0].value, (need.key,)), found[0])
            return
        draft.take(need.slot, found[0].identifier, found[0])
        address = found[0].parameters(path)
        for name, value in address.items():
            draft.take((Location.PATH, (name,)), value, found[0])
        draft.address |= address

    def _referred(self, draft: _Draft, need: Need, pool: Pool, eager: Container[Slot]) -> None:
        """A reference; two to the same resource get two different instances."""
        if need.slot in draft.given:
            return
        own = self._wants.parameter(need.resource)
        around = {name: value for name, value in draft.address.items() if name != own}
        taken = draft.taken.setdefault(need.resource, [])
        things = pool.of_resource(need.resource, around, own=need.owned)
        found = next((one for one in things if one.identifier not in taken), None)
        if found is not None:
            draft.take(need.slot, found.identifier, found)
            taken.append(found.identifier)
            draft.address |= found.address
        elif need.required or need.slot in eager:
            draft.lacking.append(need)
        if taken:
            draft.closed.add(need.slot)

    def _along_edges(
        self, draft: _Draft, pool: Pool, uses: Counter[Consumes], *, optional: bool
    ) -> None:
        """Values of properties that the graph says an input takes."""
        operation, slots = draft.operation, self._leaves.of(draft.operation).by_slot
        named = {one.slot: one.resource for one in self._wants.needs(operation)}
        edges = sorted(draft.edges, key=lambda e: uses[e]) if optional else draft.edges
        for edge in edges:
            slot = slot_of(edge)
            leaf = slots.get(slot)
            if edge.is_whole or leaf is None or slot in draft.given or slot in draft.closed:
                continue
            if optional and not self._may_vary(operation, slot, edge):
                continue
            if not optional and not leaf.required:
                continue
            owned = slot[0] is Location.PATH and not operation.is_safe
            for thing in pool.of_schema(edge.schema, own=owned):
                if owned and thing.resource != named.get(slot, thing.resource):
                    continue  # the same number is somebody else's there
                value = at(thing.value, edge.path)
                if value is not ABSENT and self._generator.fits(leaf.schema, value):
                    draft.given[slot] = value
                    draft.origins.append(Origin(edge, thing.value))
                    break

    def _may_vary(self, operation: Operation, slot: Slot, edge: Consumes) -> bool:
        """Whether another source of an input can be tried without harm: in reads that take one
        identifier, and in queries."""
        if not operation.is_safe or edge.evidence.confidence < _SURE:
            return False
        one = len(HOLE.findall(operation.path)) == 1
        return slot[0] is Location.QUERY or (slot[0] is Location.PATH and one)


def slot_of(edge: Consumes) -> Slot:
    """The input that an edge leads to."""
    return Location(edge.input[0]), edge.input[1:]
