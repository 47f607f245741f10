"""In which order every operation is called once."""

from __future__ import annotations

from collections.abc import Iterable

from icepick.execute.chains.pool import Pool, Thing
from icepick.inputs.learn import order
from icepick.openapi.places import HOLE
from icepick.openapi.types import ApiSpec
from icepick.resources.types import ResourceMap, Role


def once_each(spec: ApiSpec, resources: ResourceMap) -> tuple[str, ...]:
    """What needs nothing first, then parents before what lies below them, then changes, deletions
    last: what a change renames or spoils is not there any more for what lies below it."""
    others, removing = order(spec, resources)
    free = [one for one in others if one.is_safe and not HOLE.search(one.path)]
    rest = [one for one in others if one not in free]
    late = [one for one in rest if _only_changes(one.id, resources)]
    rest = [one for one in rest if one not in late]
    return tuple(one.id for one in (*free, *rest, *late, *removing))


def _only_changes(operation: str, resources: ResourceMap) -> bool:
    uses = [use for _, use in resources.uses_of(operation)]
    changes = any(use.role in {Role.UPDATE, Role.REPLACE} for use in uses)
    return changes and not any(use.creates for use in uses)


def removed(before: Iterable[Thing], pool: Pool, resource: str) -> Thing | None:
    """The newest instance of a resource that a chain had created and has no more."""
    left = {str(one.address) for one in pool.things if one.resource == resource}
    mine = [one for one in before if one.resource == resource and one.own and one.address]
    return next((one for one in reversed(mine) if str(one.address) not in left), None)
