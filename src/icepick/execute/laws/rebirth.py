"""What is gone stays gone, also when what it was in is made again under the same name."""

from __future__ import annotations

from collections.abc import AsyncIterator

from icepick.execute.binding.emulator import Instance
from icepick.execute.laws.errands import Arrived, Errands
from icepick.execute.laws.items import (
    ItemLaw,
    Wrong,
    creation_of,
    is_good,
    look,
    look_at_items,
    send,
)
from icepick.execute.phases import Stage
from icepick.execute.types import Exchange
from icepick.inputs import Case
from icepick.openapi.types import Operation
from icepick.resources.types import Chooser, Resource, Role

REBIRTH = "rebirth"
_LAW = "what is gone stays gone"


class Rebirth:
    """Deletes what an item is in, makes it again under its name, and looks for the item."""

    def __init__(self, errands: Errands) -> None:
        self._errands = errands
        self._kit = errands.kit

    async def run(self, stage: Stage) -> None:
        """Look at an item of every resource that lies in something with a name."""
        await look_at_items(ItemLaw(REBIRTH, self._concerns, self._wrong), self._errands, stage)

    def _concerns(self, resource: Resource) -> bool:
        return self._parent(resource) is not None

    def _parent(self, resource: Resource) -> Resource | None:
        """What a resource lies in, where its name can be given twice."""
        parent = self._kit.resources.resources.get(resource.parent or "")
        if parent is None or parent.identifier is None or parent.item_path is None:
            return None
        named = parent.identifier.chooser is Chooser.CLIENT and parent.having(Role.DELETE)
        inside = (resource.item_path or "").startswith(f"{parent.item_path.rstrip('/')}/")
        return parent if named and inside else None

    async def _wrong(
        self, arrived: Arrived, resource: Resource, instance: Instance
    ) -> AsyncIterator[Wrong]:
        parent = self._parent(resource)
        owner = parent and self._owner(arrived, parent, instance)
        made = owner and creation_of(arrived, owner)
        if parent is None or not owner or not made or await look(self._kit, instance) is None:
            return
        deletion = self._kit.operations[parent.having(Role.DELETE)[0].operation]
        path = owner.parameters(deletion.path)
        deleted = await self._sent(Case(deletion, path=path), deletion)
        if not is_good(deleted) or await look(self._kit, instance) is not None:
            return
        creation = self._kit.operations[made.operation or ""]
        again = await send(self._kit, made.request, creation)
        seen = await look(self._kit, instance) if is_good(again) else None
        if seen is not None:
            text = f"{resource.name} {instance.value} went with {parent.name} {owner.value}, and "
            text += f"came back when {creation.label} made it again"
            yield _LAW, text, f"{resource.name} comes back", (deleted, seen.exchange, again)

    def _owner(self, arrived: Arrived, parent: Resource, instance: Instance) -> Instance | None:
        values = instance.fields.values()
        return next((one for one in arrived.of(parent.name) if one.value in values), None)

    async def _sent(self, case: Case, operation: Operation) -> Exchange:
        return await send(self._kit, self._kit.scene.client.request(case), operation)
