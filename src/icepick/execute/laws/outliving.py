"""What names something that is deleted does not stand in the way of the next of that name.

A record of what was may name what is gone: nothing is wrong with history. But a service that only
takes names of what is there, and refuses something about a new thing since it has the same about
the old one of that name, has taken the one for the other.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import partial

from icepick.execute.answers import at
from icepick.execute.binding.emulator import Instance
from icepick.execute.events import PhaseStarted
from icepick.execute.laws.echo import same
from icepick.execute.laws.errands import Arrived, Errands
from icepick.execute.laws.items import (
    ItemLaw,
    Wrong,
    creation_of,
    is_good,
    is_refused,
    look_at,
    send,
    sight,
    twin,
)
from icepick.execute.phases import Stage
from icepick.execute.types import Exchange, Verdict
from icepick.inputs import Case
from icepick.openapi.types import ABSENT
from icepick.resources.types import Chooser, Location, Reference, Resource, Role

OUTLIVING = "outliving"
_LAW = "what names something that is deleted has nothing to do with the next of that name"


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two instances, of which one names the other, and the calls that made them."""

    naming: Instance
    named: Instance
    reference: Reference
    creation: Exchange
    other_creation: Exchange


class Outliving:
    """Deletes what something names, gives the name to another, and makes the same for that."""

    def __init__(self, errands: Errands) -> None:
        self._errands = errands
        self._kit = errands.kit
        self._resources = errands.kit.resources.resources

    async def run(self, stage: Stage) -> None:
        """Look at every reference to what has a name that can be given twice."""
        stage.tell(PhaseStarted(OUTLIVING))
        for resource in self._resources.values():
            for reference in self._references(resource):
                if stage.is_over():
                    return
                wrong = partial(self._wrong, reference)
                law = ItemLaw(OUTLIVING, bool, wrong, Verdict.WARN)
                await look_at(law, resource, self._errands, stage)

    def _references(self, resource: Resource) -> Iterator[Reference]:
        # Under an identifier of the client's, it would be refused as it is taken.
        own = resource.identifier
        numbered = own is not None and own.chooser is Chooser.SERVER
        for one in resource.references if numbered and resource.having(Role.DELETE) else ():
            target = self._resources[one.target]
            beside = target.name not in {resource.name, resource.parent}
            plain = one.field.location is Location.BODY and "[]" not in one.field.path
            if beside and plain and one.writable and self._can_be_named_twice(target):
                yield one

    def _can_be_named_twice(self, target: Resource) -> bool:
        """Whether clients name it, and no person wrote what its deletion requires and ensures."""
        named = target.identifier is not None and target.identifier.chooser is Chooser.CLIENT
        deletions = [self._kit.operations[use.operation] for use in target.having(Role.DELETE)]
        written = any(self._kit.promises.of(one).is_written for one in deletions)
        return named and bool(deletions) and not written

    async def _wrong(
        self, reference: Reference, arrived: Arrived, resource: Resource, _: Instance
    ) -> AsyncIterator[Wrong]:
        pair = _pair(arrived, resource, reference)
        if pair is None or not await self._names(arrived, pair):
            return
        deletion = await self._deleted(arrived, pair.named)
        if deletion is None or not await self._still_names(arrived, pair):
            return
        again = await self._made(pair.other_creation)
        if not is_good(again) or not await self._names(arrived, pair):
            return
        refused = await self._made(pair.creation)
        twin(arrived, pair.naming, resource, refused)
        if is_refused(refused) and await self._was_in_the_way(arrived, resource, pair):
            field, target = ".".join(reference.field.path), reference.target
            text = f"{resource.name} {pair.naming.value} stays when {target} {pair.named.value} is "
            text += f"deleted, which it names by {field}, and stands in the way of the same for "
            text += f"the next {target} of that name"
            about = f"{resource.name}.{field} outlives {target}"
            yield _LAW, text, about, (pair.creation, again, refused, deletion)

    async def _names(self, arrived: Arrived, pair: _Pair) -> bool:
        """Whether both are there, and one names the other."""
        named = await sight(arrived, self._kit, pair.named)
        there = named is not None and named.shown is not ABSENT
        return there and await self._shows_name(arrived, pair)

    async def _shows_name(self, arrived: Arrived, pair: _Pair) -> bool:
        seen = await sight(arrived, self._kit, pair.naming)
        shown = at(seen.shown, pair.reference.field.path) if seen is not None else ABSENT
        return shown is not ABSENT and same(shown, pair.named.identifier)

    async def _still_names(self, arrived: Arrived, pair: _Pair) -> bool:
        """The same when there was time to take the name away."""
        if not await self._shows_name(arrived, pair):
            return False
        await asyncio.sleep(self._kit.scene.client.settle)
        return await self._shows_name(arrived, pair)

    async def _deleted(self, arrived: Arrived, instance: Instance) -> Exchange | None:
        """The deletion of an instance; None where it is not gone."""
        use = self._resources[instance.resource].having(Role.DELETE)[0]
        operation = self._kit.operations[use.operation]
        case = Case(operation, path=instance.parameters(operation.path))
        call = await send(self._kit, self._kit.scene.client.request(case), operation)
        seen = await sight(arrived, self._kit, instance) if is_good(call) else None
        return call if seen is not None and seen.shown is ABSENT else None

    async def _made(self, creation: Exchange) -> Exchange:
        """The same creation again."""
        operation = self._kit.operations[creation.operation or ""]
        return await send(self._kit, creation.request, operation)

    async def _was_in_the_way(self, arrived: Arrived, resource: Resource, pair: _Pair) -> bool:
        """Whether the service takes such a thing once it is gone, but only where what it names is
        there."""
        for one in (pair.naming, pair.named):
            if await self._deleted(arrived, one) is None:
                return False
        without = await self._made(pair.creation)
        twin(arrived, pair.naming, resource, without)
        if not is_refused(without) or not is_good(await self._made(pair.other_creation)):
            return False
        beside = await self._made(pair.creation)
        twin(arrived, pair.naming, resource, beside)
        return is_good(beside)


def _pair(arrived: Arrived, resource: Resource, reference: Reference) -> _Pair | None:
    field = "_".join(reference.field.path)
    for naming in arrived.of(resource.name):
        named = arrived.walk.emulator.find(naming.fields.get(field, ""))
        creation = creation_of(arrived, naming)
        other = creation_of(arrived, named) if named is not None else None
        if named is not None and creation is not None and other is not None:
            return _Pair(naming, named, reference, creation, other)
    return None
