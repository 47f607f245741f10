"""Instances that have no address of their own are looked at where they are listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from icepick.execute.answers import at
from icepick.execute.binding.emulator import Instance
from icepick.execute.laws.agreement import key_beside
from icepick.execute.laws.echo import same
from icepick.execute.reads import Reads
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.types import Path, Resource, ResourceMap, Role

_EACH = "[]"


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen of an instance, and where: ABSENT where it is gone, and how that shows."""

    path: str
    shown: Json
    said: str = ""


@dataclass(frozen=True, slots=True)
class _Shelf:
    """A list in an answer, and where an element of it has its identifier."""

    operation: Operation
    inside: Path
    identifier: Path
    key: tuple[str, ...] = ()

    def find(self, body: Json, instance: Instance) -> Json:
        """The element that is this instance; ABSENT where there is none, None without a list."""
        elements = at(body, self.inside)
        if not isinstance(elements, list):
            return None
        return next((one for one in elements if self._is(one, instance)), ABSENT)

    def _is(self, element: Json, instance: Instance) -> bool:
        known = at(element, self.identifier) if isinstance(element, Mapping) else element
        rest = all(same(at(element, (name,)), instance.address.get(name)) for name in self.key)
        return same(known, instance.identifier) and rest


class Shelves:
    """The lists in which instances without a GET of their own are found.

    Only what was seen in a list can be missed there: a list may leave out what it pleases.
    """

    def __init__(self, resources: ResourceMap, operations: Mapping[str, Operation]) -> None:
        self._shelves: dict[str, _Shelf] = {}
        self._seen: set[tuple[str, str]] = set()
        for resource in resources.resources.values():
            if resource.identifier is None or resource.having(Role.READ):
                continue
            for shelf in (*_lists(resource, operations), *_inside(resource, resources, operations)):
                self._shelves.setdefault(resource.name, shelf)

    async def sight(self, reads: Reads, instance: Instance, *, written: bool) -> Sight | None:
        """What a list shows of an instance; None where it says nothing.

        An instance that was just `written` may be left out from now on.
        """
        shelf = self._shelves.get(instance.resource)
        path = instance.path_to(shelf.operation) if shelf is not None else None
        answer = await reads.look(path) if path is not None else None
        if shelf is None or path is None or answer is None or answer.status != 200:
            return None
        shown = shelf.find(answer.body, instance)
        place = (path, str(instance.identifier))
        if isinstance(shown, Mapping):
            self._seen.add(place)
            return Sight(path, shown)
        if shown is not ABSENT:
            # An identifier alone says that it is there, and nothing else.
            self._seen |= set() if shown is None else {place}
            return None
        if written:
            self._seen.discard(place)
        return Sight(path, ABSENT, "is listed no more") if place in self._seen else None


def _lists(resource: Resource, operations: Mapping[str, Operation]) -> Iterator[_Shelf]:
    inside = resource.identifier.property if resource.identifier is not None else None
    for use in resource.having(Role.LIST):
        operation, shown = operations[use.operation], use.response
        asked = any(one.required and one.location.value == "query" for one in operation.parameters)
        if shown is not None and shown.many and use.owner is None and not asked:
            yield _Shelf(operation, shown.path, inside or (), key_beside(resource))


def _inside(
    resource: Resource, resources: ResourceMap, operations: Mapping[str, Operation]
) -> Iterator[_Shelf]:
    """The lists that what it belongs to has of it."""
    parent = resources.resources.get(resource.parent or "")
    for use in parent.having(Role.READ) if parent is not None else ():
        start = use.response.path if use.response is not None else ()
        for reference in parent.references if parent is not None else ():
            path = reference.field.path
            if reference.target == resource.name and path.count(_EACH) == 1:
                place = path.index(_EACH)
                operation = operations[use.operation]
                yield _Shelf(operation, (*start, *path[:place]), path[place + 1 :])
