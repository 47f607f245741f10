"""What calls need: the instances that they are about or refer to, and the edges that lead there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from icepick.execute.binding.leaves import AllLeaves
from icepick.inputs import Slot
from icepick.inputs.learn import identity_of
from icepick.openapi.places import HOLE
from icepick.openapi.types import Json, Operation
from icepick.resources.graph import Consumes, PropertyGraph
from icepick.resources.keys import is_identified, key_in, named_by
from icepick.resources.types import (
    Location,
    Resource,
    ResourceMap,
    Role,
)

_WHOLE = frozenset({Role.REPLACE, Role.UPDATE})


@dataclass(frozen=True, slots=True)
class Need:
    """An input that takes the identifier of an instance, or the property `key` of one; `owned`
    where it must be the chain's. `told` is the input beside it that says of what kind it is."""

    slot: Slot
    resource: str
    required: bool
    owned: bool = False
    key: str | None = None
    told: tuple[Slot, Json] | None = None


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
