"""References to things of any kind: an input beside the identifier tells what it identifies."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from icepick.execute.binding.leaves import AllLeaves
from icepick.execute.chains.needs import Need, Wants
from icepick.execute.chains.rules import creations
from icepick.execute.chains.turns import Turns
from icepick.inputs import Responses, Slot
from icepick.inputs.learn import references_of
from icepick.openapi.shape import keyword
from icepick.openapi.types import Json, Operation
from icepick.resources.pairs import Pair, called, pairs
from icepick.resources.types import Field, Resource, ResourceMap


class Kinds:
    """Finds what such inputs may refer to, by the names of kinds that the document lists or that
    answers have shown."""

    def __init__(
        self,
        operations: Mapping[str, Operation],
        resources: ResourceMap,
        leaves: AllLeaves,
        wants: Wants,
        turns: Turns,
    ) -> None:
        self._operations = operations
        self._resources = resources
        self._leaves = leaves
        self._wants = wants
        self._turns = turns

    def slots(self, operation: Operation) -> frozenset[Slot]:
        """The inputs of a creation that may identify things of several kinds."""
        return frozenset(_slot(which) for _, which in self._pairs(operation))

    def needs(
        self, operation: Operation, seen: Responses, eager: Container[Slot]
    ) -> tuple[Need, ...]:
        """One thing for each that is wanted, of the kind whose turn it is."""
        found: dict[Slot, Need] = {}
        for kind, which in self._pairs(operation):
            slot = _slot(which)
            taken = self._turns.taken_by(operation.id, slot)
            wanted = which.required or slot in eager
            options = taken or [*self._options(operation, kind, which, seen)] if wanted else taken
            if options:
                found.setdefault(slot, min(options, key=lambda one: self._refused(operation, one)))
        return tuple(found.values())

    def _refused(self, operation: Operation, need: Need) -> int:
        return self._turns.refused[operation.id, need.resource]

    def _pairs(self, operation: Operation) -> Iterator[Pair]:
        uses = self._resources.uses_of(operation.id)
        if operation.method != "POST" and not any(use.creates for _, use in uses):
            return
        known = {one.slot for one in self._wants.needs(operation)} | self._wants.names(operation)
        for pair in pairs(self._leaves.of(operation).all):
            if _slot(pair[1]) not in known:
                yield pair

    def _options(
        self, operation: Operation, kind: Field, which: Field, seen: Responses
    ) -> Iterator[Need]:
        own = {resource.name for resource, _ in self._resources.uses_of(operation.id)}
        for value in self._names(operation, kind, seen):
            for one in called(value, self._resources.resources.values()):
                if one.name not in own and self._can_be_made(one):
                    told = (_slot(kind), value)
                    yield Need(_slot(which), one.name, required=False, owned=True, told=told)

    def _can_be_made(self, resource: Resource) -> bool:
        made = creations(resource.name, self._operations, self._resources)
        return resource.identifier is not None and bool(made)

    def _names(self, operation: Operation, kind: Field, seen: Responses) -> list[str]:
        """The names of kinds that are known, those in the document first."""
        listed = keyword(kind.schema, "enum", self._leaves.schemas)
        alike = [one for one in seen.similar(kind.name) if one.field == kind.name]
        sources = (*references_of(operation, self._resources).get(_slot(kind), ()), *alike)
        values: list[Json] = [*(listed or ()), *(v for one in sources for v in seen.values(one))]
        return list(dict.fromkeys(one for one in values if isinstance(one, str)))


def _slot(field: Field) -> Slot:
    return field.location, field.path
