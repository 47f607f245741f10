"""Seeing to what a call of a chain needs: it is taken from the chain, or made or found first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from icepick.execute.binding.leaves import AllLeaves
from icepick.execute.chains.inputs import Filling, Inputs, Wishes
from icepick.execute.chains.kinds import Kinds
from icepick.execute.chains.needs import Need, Wants
from icepick.execute.chains.record import Record
from icepick.execute.chains.rules import LISTING, creations, lacks, surroundings
from icepick.execute.chains.types import Chain, Outfit
from icepick.inputs import Slot
from icepick.openapi.types import Operation
from icepick.resources.graph import Consumes, PropertyGraph
from icepick.resources.types import Location, ResourceMap, Role

Visit = Callable[[Chain, Operation, tuple[str, ...]], Awaitable[bool]]
"""Makes one call of a chain succeed, for the sake of resources that are being made; whether it
did."""

_AROUND = 6
_BARREN = 2
"""How often a creation may give nothing that can be used before it is left alone."""

_PROVISIONS = 6


class Provisions:
    """Provides calls with what they need; `visit` makes the calls that this takes."""

    def __init__(
        self, operations: Mapping[str, Operation], leaves: AllLeaves, outfit: Outfit,
        record: Record, visit: Visit, is_over: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._operations = operations
        self._leaves = leaves
        self._outfit = outfit
        self._record = record
        self._visit = visit
        self._is_over = is_over
        self._barren: Counter[str] = Counter()
        self._asked: dict[str, set[str]] = {}
        """Properties that what an operation creates is to have, since others name it by them."""
        self._eager: dict[str, frozenset[Slot]] = {}
        """Inputs that an operation worked with, or may need as it did not work without."""
        self._resources = ResourceMap({}, ())

    def believe(self, resources: ResourceMap, graph: PropertyGraph) -> None:
        """Go by these resources and this graph from now on."""
        if resources.resources != self._resources.resources:
            self._barren.clear()
        self._resources = resources
        self._wants = Wants(graph, resources, self._leaves)
        turns = self._outfit.client.shared.turns
        self._kinds = Kinds(self._operations, resources, self._leaves, self._wants, turns)
        self._filling = Filling(self._wants, self._leaves, self._outfit.setting.generator)

    def learn(self, operation: Operation, inputs: Inputs, *, worked: bool) -> None:
        """Note what a call got, and whether that was enough."""
        needs = {one.slot for one in self._wants.needs(operation)} | self._kinds.slots(operation)
        self._eager[operation.id] = frozenset(inputs.given if worked else needs)
        self._outfit.client.shared.turns.note(operation.id, inputs.also, worked=worked)

    async def inputs(
        self, chain: Chain, operation: Operation, under: tuple[str, ...], uses: Counter[Consumes]
    ) -> Inputs | str:
        """The values that a call gets from the chain, or why it must not be made."""
        inputs = self._filled(chain, operation, uses)
        for _ in range(_PROVISIONS):
            before = inputs.lacking
            for need in before:
                await self.provide(chain, need, under)
            inputs = self._filled(chain, operation, uses)
            if not inputs.lacking or inputs.lacking == before:
                break
        inputs = self._filled(chain, operation, uses, last=True) if inputs.lacking else inputs
        missing = [one for one in inputs.lacking if one.required]
        if missing and not operation.is_safe:
            reasons = self._record.reasons
            return lacks(operation, missing[0], self._operations, self._resources, reasons)
        return inputs

    def _filled(
        self, chain: Chain, operation: Operation, uses: Counter[Consumes], *, last: bool = False
    ) -> Inputs:
        worked = self._record.successes[operation.id] > 0
        eager = self._eager.get(operation.id, frozenset())
        wishes = Wishes(eager, self._of_kinds(chain, operation, eager))
        found = self._filling.fill(operation, chain.pool, uses, wishes, other=worked, last=last)
        asked = self._asked.get(operation.id, set())
        slots = [slot for slot in self._leaves.of(operation).by_slot if slot[1][-1] in asked]
        wanted = frozenset(slot for slot in slots if len(slot[1]) == 1)
        made = {one.name for one, use in self._resources.uses_of(operation.id) if use.creates}
        more = chain.more if chain.fuller in made else frozenset()
        return replace(found, wanted=wanted, also=wishes.also, more=more)

    def _of_kinds(
        self, chain: Chain, operation: Operation, eager: frozenset[Slot]
    ) -> tuple[Need, ...]:
        """What a call needs of which its other inputs tell the kind."""
        known = self._outfit.learned.get(operation.id)
        asked = {slot for slot, one in known.hints.items() if one.required} if known else set()
        return self._kinds.needs(operation, chain.responses, eager | asked)

    async def own_singleton(
        self, chain: Chain, operation: Operation, under: tuple[str, ...]
    ) -> bool:
        """Whether a deletion of the only one there is deletes what the chain created."""
        for resource, use in self._resources.uses_of(operation.id):
            if use.role is Role.DELETE and resource.is_singleton:
                return await self.provide(chain, instance_of(resource.name), under)
        return True

    async def provide(self, chain: Chain, need: Need, under: tuple[str, ...]) -> bool:
        """Make or find an instance that a call needs."""
        if need.resource in under or self._is_over():
            return False
        shared = self._outfit.client.shared
        kept = shared.kept.get(need.resource)
        if kept is not None and shared.staying.is_enough(need.resource):
            chain.pool.add(kept)
            return True
        below = (*under, need.resource)
        for name in self._creators(need.resource):
            self._asked.setdefault(name, set()).update([need.key] if need.key else [])
            if await self._visit(chain, self._operations[name], below):
                born = bool(chain.pool.of_resource(need.resource, {}, own=True))
                self._barren[name] += not born
                return born
        for use in self._resources.resources[need.resource].having(*LISTING):
            operation = self._operations[use.operation]
            new = operation.id not in chain.worked and self._record.may_work(operation.id)
            if not need.owned and operation.method == "GET" and new:
                await self._visit(chain, operation, below)
        return bool(chain.pool.of_resource(need.resource, {}, own=need.owned))

    def around(self, operation: Operation) -> list[str]:
        """Creations of what an operation may need to be there."""
        wanted = surroundings(operation, self._wants, self._resources)
        first = [self._creators(name)[:1] for name in wanted]
        return [name for some in first for name in some if name != operation.id][:_AROUND]

    def _creators(self, resource: str) -> list[str]:
        """The operations that create one, those that may work first."""
        names = creations(resource, self._operations, self._resources)
        return [one for one in names if self._record.may_work(one) and self._barren[one] < _BARREN]


def instance_of(resource: str) -> Need:
    """An instance that the chain itself has made."""
    return Need((Location.PATH, ()), resource, required=True, owned=True)
