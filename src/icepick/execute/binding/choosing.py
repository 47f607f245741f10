"""Changes of many that are changes of one: the query lets through, or the body names, no other."""

from __future__ import annotations

from collections.abc import Mapping

from icepick.execute.binding.leaves import AllLeaves
from icepick.inputs import Slot
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.filters import key_list, only_this
from icepick.resources.types import Location, Resource


def chosen(
    operation: Operation, resource: Resource, address: Mapping[str, Json], leaves: AllLeaves
) -> dict[Slot, Json] | None:
    """What says in a call that the instance at an address is to be changed and no other; None
    where nothing does. Whatever else its query could say is left out: it might let more through."""
    own = _listed(operation, resource, address) or _let_through(operation, resource, address)
    if own is None:
        return None
    found: dict[Slot, Json] = {
        slot: ABSENT
        for slot, leaf in leaves.of(operation).by_slot.items()
        if leaf.location is Location.QUERY and not leaf.required
    }
    return found | own


def _listed(
    operation: Operation, resource: Resource, address: Mapping[str, Json]
) -> dict[Slot, Json] | None:
    path, identifier = key_list(operation, resource), resource.identifier
    if path is None or identifier is None or identifier.parameter not in address:
        return None
    return {(Location.BODY, path): [address[identifier.parameter]]}


def _let_through(
    operation: Operation, resource: Resource, address: Mapping[str, Json]
) -> dict[Slot, Json] | None:
    own = only_this(operation, resource, address)
    if own is None:
        return None
    return {(Location.QUERY, (name,)): value for name, value in own.items()}
