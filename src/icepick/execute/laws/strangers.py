"""What belongs to a thing is what was put there: nothing of ours appears where nobody put it."""

from __future__ import annotations

from collections.abc import Mapping

from icepick.execute.binding.emulator import Emulator, Instance
from icepick.execute.laws.agreement import Agreement, View, key_beside
from icepick.execute.reads import Reads
from icepick.execute.types import Complaint
from icepick.openapi.types import Operation
from icepick.resources.types import Chooser, Resource, ResourceMap, Role

_LAW = "what belongs to a thing is what was put there"


class Strangers:
    """Looks through lists below the instances of a sequence.

    A service may put something of its own there. What has a name that a sequence chose, and
    that it gave to something elsewhere, is not the service's own.
    """

    def __init__(
        self, resources: ResourceMap, operations: Mapping[str, Operation], agreement: Agreement
    ) -> None:
        self._agreement = agreement
        self._lists: dict[str, list[View]] = {}
        self._related: dict[str, frozenset[str]] = {}
        for resource in resources.resources.values():
            chosen = resource.identifier and resource.identifier.chooser is Chooser.CLIENT
            if resource.parent is not None and chosen:
                self._sort(resource, resource.parent, operations)

    def _sort(self, resource: Resource, parent: str, operations: Mapping[str, Operation]) -> None:
        inside = resource.identifier.property if resource.identifier is not None else None
        targets = {one.target for one in resource.references if not one.field.is_many}
        self._related[resource.name] = frozenset(filter(None, {resource.name, *targets}))
        for use in resource.having(Role.LIST):
            operation = operations[use.operation]
            many = use.response is not None and use.response.many
            if operation.method == "GET" and many and use.owner is None:
                view = View(operation, use, resource.name, inside or (), key_beside(resource))
                self._lists.setdefault(parent, []).append(view)

    async def check(self, reads: Reads, emulator: Emulator) -> list[Complaint]:
        """Everything that is listed below something it was not put into."""
        found: list[Complaint] = []
        for container in emulator.live():
            for view in self._lists.get(container.resource, ()):
                found += await self._looked(reads, view, container, emulator.live())
        return found

    async def _looked(
        self, reads: Reads, view: View, container: Instance, live: list[Instance]
    ) -> list[Complaint]:
        path, elements = await view.elements(reads, container)
        if path is None or elements is None:
            return []
        own, others = set(), {}
        for one in live:
            if one.resource == view.resource and one.path_to(view.operation) == path:
                own.add(str(one.identifier))
            elif one.resource in self._related[view.resource]:
                others[str(one.identifier)] = one.value
        listed = {str(view.identifier_of(one)) for one in elements}
        strangers = sorted(others[name] for name in listed - own if name in others)
        about = f"{view.operation.id} strangers"
        if not strangers:
            if own and own <= listed:
                self._agreement.note(about)
            return []
        text = f"{view.operation.label} for {container.value} has {', '.join(strangers)}, "
        text += "which nobody put there"
        return [self._agreement.complaint(reads, about, _LAW, text, path)]
