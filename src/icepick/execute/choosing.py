"""Changes of many that are changes of one: the query lets nothing else through."""

from __future__ import annotations

from collections.abc import Mapping

from icepick.execute.leaves import AllLeaves
from icepick.inputs import Slot
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.filters import only_this
from icepick.resources.types import Location, Resource


def chosen(
    operation: Operation, resource: Resource, address: Mapping[str, Json], leaves: AllLeaves
) -> dict[Slot, Json] | None:
    """The query of a call that is to change the instance at an address and no other; None where
    there is none. Whatever else it could say is left out: it might let more through."""
    own = only_this(operation, resource, address)
    if own is None:
        return None
    found: dict[Slot, Json] = {
        slot: ABSENT
        for slot, leaf in leaves.of(operation).by_slot.items()
        if leaf.location is Location.QUERY and not leaf.required
    }
    return found | {(Location.QUERY, (name,)): value for name, value in own.items()}
