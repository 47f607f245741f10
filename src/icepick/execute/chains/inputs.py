"""The values that a chain has for a call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from icepick.execute.answers import at
from icepick.execute.binding.choosing import chosen
from icepick.execute.binding.leaves import AllLeaves
from icepick.execute.chains.needs import Need, Wants
from icepick.execute.chains.pool import Pool, Thing
from icepick.inputs import Generator, Slot
from icepick.openapi.places import HOLE
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.correct import Origin
from icepick.resources.fields import json_media
from icepick.resources.filters import takes_items
from icepick.resources.graph import Consumes
from icepick.resources.types import (
    Location,
    Resource,
)

_SURE = 0.5
_NOTHING = (ABSENT, None, "")


@dataclass(frozen=True, slots=True)
class Inputs:
    """Values that a call gets, and the edges of the graph along which they came."""

    given: Mapping[Slot, Json] = field(default_factory=dict)
    origins: tuple[Origin, ...] = ()
    lacking: tuple[Need, ...] = ()
    """What is needed and nobody has made."""
    wanted: frozenset[Slot] = frozenset()
    """Inputs that are to have a value though they need none: others ask for it."""
    also: tuple[Need, ...] = ()
    """What it was to have beside what every such call has."""
    more: frozenset[str] = frozenset()
    """Properties that are sent this once."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """`eager` are references that are wanted though they are not required, `also` are needs that
    a call has only as things are."""

    eager: Container[Slot] = ()
    also: tuple[Need, ...] = ()


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
        wishes: Wishes,
        *,
        other: bool,
        last: bool = True,
    ) -> Inputs:
        """The values; `other` where the call worked already, so that edges which were not used yet
        are worth a try.

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
        for need in wishes.also:
            self._of_a_kind(draft, need, pool)
        for need in needs:
            if need.slot[0] is not Location.PATH:
                self._referred(draft, need, pool, wishes.eager)
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

    def _of_a_kind(self, draft: _Draft, need: Need, pool: Pool) -> None:
        """An instance, and what it is: one without the other would say nothing."""
        schema = self._leaves.of(draft.operation).by_slot[need.slot].schema
        found = next(iter(pool.of_resource(need.resource, {}, own=need.owned)), None)
        if found is None:
            draft.lacking.append(need)
            return
        shown = (found.identifier, str(found.identifier))
        value = next((one for one in shown if self._generator.fits(schema, one)), ABSENT)
        if value is not ABSENT and need.told is not None:
            draft.take(need.slot, value, found)
            draft.given.setdefault(*need.told)

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
