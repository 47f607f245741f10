"""Different ways to look at one thing show the same: lists, items, members, single fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from icepick.execute.answers import at
from icepick.execute.binding.emulator import Emulator, Instance
from icepick.execute.laws.agreement import Agreement, View, key_beside
from icepick.execute.laws.echo import same
from icepick.execute.laws.frame import Looking
from icepick.execute.laws.members import Members
from icepick.execute.laws.strangers import Strangers
from icepick.execute.reads import Reads
from icepick.execute.types import Complaint, Verdict
from icepick.inputs import query_text
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.types import Resource, ResourceMap, Role, Use
from icepick.resources.words import words

_MOVING = frozenset({"updated", "modified", "changed", "accessed", "seen", "timestamp", "etag"})


class Views:
    """Compares the views of the instances of a sequence."""

    def __init__(
        self, resources: ResourceMap, operations: Mapping[str, Operation], looking: Looking
    ) -> None:
        self._resources = resources.resources
        self._looking = looking
        self._agreement = Agreement()
        self._belonging = Members(resources, self._agreement)
        self._strangers = Strangers(resources, operations, self._agreement)
        self._lists: dict[str, list[View]] = {}
        self._fields: dict[str, list[View]] = {}
        self._members: dict[str, list[View]] = {}
        self._member_checks: dict[str, list[View]] = {}
        self._searches: dict[str, list[View]] = {}
        for resource in self._resources.values():
            for use in resource.uses:
                operation = operations[use.operation]
                if operation.method == "GET":
                    self._sort(resource, use, operation)

    def _sort(self, resource: Resource, use: Use, operation: Operation) -> None:
        inside = resource.identifier.property if resource.identifier else None
        view = View(operation, use, resource.name, inside or (), key_beside(resource))
        many = use.response is not None and use.response.many
        if use.role is Role.LIST and use.owner is None and many:
            self._lists.setdefault(resource.name, []).append(view)
        elif use.role in {Role.LIST, Role.SEARCH} and use.owner is None and many:
            self._searches.setdefault(resource.name, []).append(view)
        elif use.role is Role.MEMBERS and use.owner is not None and many:
            self._members.setdefault(use.owner, []).append(view)
        elif use.role is Role.MEMBER and use.owner is not None:
            self._member_checks.setdefault(use.owner, []).append(view)
        elif use.role is Role.FIELD:
            self._fields.setdefault(resource.name, []).append(view)

    async def check(
        self, reads: Reads, emulator: Emulator, only: frozenset[str] | None = None
    ) -> list[Complaint]:
        """Everything that two views do not agree on; `only` bounds it to some values."""
        found: list[Complaint] = []
        for instance in emulator.live():
            if only is not None and instance.value not in only:
                continue
            shown = await self._item(reads, instance)
            for view in self._lists.get(instance.resource, ()):
                found += await self._listed(reads, view, instance, shown)
            for view in self._searches.get(instance.resource, ()):
                found += await self._searched(reads, view, instance, shown)
            for view in self._fields.get(instance.resource, ()):
                found += await self._field(reads, view, instance, shown)
            for view in self._members.get(instance.resource, ()):
                found += await self._belonging.listed(reads, view, instance, emulator)
            for view in self._member_checks.get(instance.resource, ()):
                found += await self._belonging.checked(reads, view, instance, emulator)
        for instance in emulator.gone() if only is None else ():
            for view in self._lists.get(instance.resource, ()):
                found += await self._still_listed(reads, view, instance)
        if only is None:
            found += await self._strangers.check(reads, emulator)
        # A view that never agreed may only be misunderstood.
        return [one for one in found if one.level is Verdict.ERR]

    async def _item(self, reads: Reads, instance: Instance) -> Json:
        path = self._looking.path(instance)
        answer = await reads.look(path) if path is not None else None
        if answer is None or not 200 <= answer.status < 300:
            return ABSENT
        return self._looking.representation(instance, answer)

    # Lists and items

    async def _listed(
        self, reads: Reads, view: View, instance: Instance, shown: Json
    ) -> list[Complaint]:
        path, elements = await view.elements(reads, instance)
        if elements is None or shown is ABSENT:
            return []
        about = f"{view.operation.id} lists {instance.resource}"
        for element in elements:
            if view.shows(element, instance):
                self._agreement.note(about)
                return await self._compared(reads, view, instance, element, shown)
        text = f"{view.operation.label} lacks {instance.resource} {instance.value}, which exists"
        return [self._agreement.complaint(reads, about, "lists agree with items", text, path)]

    async def _compared(
        self, reads: Reads, view: View, instance: Instance, element: Json, shown: Json
    ) -> list[Complaint]:
        different = []
        for name, value in _shared(element, shown):
            about = f"{view.operation.id} {name}"
            if same(element[name], value):
                self._agreement.note(about)
            elif self._agreement.level(about) is Verdict.ERR:
                different.append(name)
        found, law = list[Complaint](), "lists agree with items"
        if not different:
            return found
        for name, listed, alone in await self._lasting(reads, view, instance, different):
            text = (
                f"{name} of {instance.resource} {instance.value} is {listed!r} in "
                f"{view.operation.label} and {alone!r} where it is read alone"
            )
            about, path = f"{view.operation.id} {name}", view.path(instance)
            found.append(self._agreement.complaint(reads, about, law, text, path))
        return found

    async def _lasting(
        self, reads: Reads, view: View, instance: Instance, names: list[str]
    ) -> list[tuple[str, Json, Json]]:
        """The fields that differ still when both are read anew, and do not move meanwhile; as they
        are in the list, and alone."""
        item, path = self._looking.path(instance), view.path(instance)
        if item is None or path is None:
            return []
        before = await self._again(reads, item, instance)
        elements = view.listed_in(await reads.anew(path)) or []
        after = await self._again(reads, item, instance)
        listed = next((one for one in elements if view.shows(one, instance)), ABSENT)
        seen = [(one, at(listed, (one,)), at(before, (one,))) for one in names]
        return [
            (one, there, alone)
            for one, there, alone in seen
            if there is not ABSENT and alone is not ABSENT
            if same(alone, at(after, (one,))) and not same(there, alone)
        ]

    async def _again(self, reads: Reads, path: str, instance: Instance) -> Json:
        answer = await reads.anew(path)
        good = answer is not None and 200 <= answer.status < 300
        return self._looking.representation(instance, answer) if answer and good else ABSENT

    async def _still_listed(self, reads: Reads, view: View, instance: Instance) -> list[Complaint]:
        item = self._looking.path(instance)
        gone = await reads.look(item) if item is not None else None
        path, elements = await view.elements(reads, instance)
        if gone is None or gone.status not in {404, 410} or elements is None:
            return []
        if not view.has(elements, instance):
            return []
        about = f"{view.operation.id} lists {instance.resource}"
        text = f"{view.operation.label} has {instance.resource} {instance.value}, which is gone"
        return [self._agreement.complaint(reads, about, "lists agree with items", text, path)]

    async def appeared(self, reads: Reads, unborn: Instance) -> list[Complaint]:
        """Lists that have what was refused, and did not have it before the call."""
        found: list[Complaint] = []
        for view in self._lists.get(unborn.resource, ()):
            path, elements = await view.elements(reads, unborn)
            before = view.listed_in(reads.get_before(path)) if path is not None else None
            if before is None or elements is None or view.has(before, unborn):
                continue
            if view.has(elements, unborn):
                text = f"{view.operation.label} has {unborn.resource} {unborn.value} now"
                about = f"{view.operation.id} refused and listed"
                complaint = self._agreement.complaint(
                    reads, about, "what is refused changes nothing", text, path
                )
                found.append(replace(complaint, level=Verdict.ERR))
        return found

    # Searches

    async def _searched(
        self, reads: Reads, view: View, instance: Instance, shown: Json
    ) -> list[Complaint]:
        """A search by a field finds what has this value there, and nothing else."""
        found: list[Complaint] = []
        for parameter, path, value in _filters(view, instance, shown):
            elements = view.listed_in(await reads.look(path))
            if elements is None:
                continue
            about = f"{view.operation.id} by {parameter}"
            hit = view.has(elements, instance)
            stray = [one for one in elements if not same(at(one, (parameter,)), value)]
            if hit and not stray:
                self._agreement.note(about)
            elif self._agreement.level(about) is Verdict.ERR:
                text = f"{view.operation.label} by {parameter} {value!r} "
                text += f"has {stray[0]!r}" if stray else f"lacks {instance.value}"
                law = "a search finds what it is asked for"
                found.append(self._agreement.complaint(reads, about, law, text, path))
        return found

    # A field under a path of its own

    async def _field(
        self, reads: Reads, view: View, instance: Instance, shown: Json
    ) -> list[Complaint]:
        name = view.operation.path.rstrip("/").rpartition("/")[2]
        expected = at(shown, (name,))
        path = view.path(instance)
        answer = await reads.look(path) if path is not None else None
        if expected is ABSENT or answer is None or answer.status != 200:
            return []
        body = answer.body
        seen = at(body, (name,)) if isinstance(body, Mapping) else body
        if seen is ABSENT or isinstance(seen, Mapping):
            return []
        about = f"{view.operation.id} {name}"
        if same(seen, expected):
            self._agreement.note(about)
            return []
        text = f"{view.operation.label} says {seen!r}, and {instance.resource} says {expected!r}"
        return [self._agreement.complaint(reads, about, "views of one thing agree", text, path)]


def _filters(view: View, instance: Instance, shown: Json) -> Iterator[tuple[str, str, Json]]:
    """The searches by a field that an instance has: the parameter, the path, the value."""
    asked = [one for one in view.operation.parameters if one.location.value == "query"]
    bare = view.path(instance, query=True)
    for one in asked if bare is not None else ():
        value = at(shown, (one.name,))
        others = any(other.required for other in asked if other is not one)
        if isinstance(value, str | int) and not isinstance(value, bool) and not others:
            sent = [value] if one.schema.get("type") == "array" else value
            yield one.name, f"{bare}?{query_text((one,), {one.name: sent})}", value


def _shared(element: Json, shown: Json) -> Iterator[tuple[str, Json]]:
    """The fields that both have, but for clocks."""
    if isinstance(element, Mapping) and isinstance(shown, Mapping):
        for name, value in shown.items():
            if name in element and not _MOVING & set(words(name)):
                yield name, value
