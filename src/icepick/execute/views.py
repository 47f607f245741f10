"""Different ways to look at one thing show the same: lists, items, members, single fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from icepick.execute.addresses import holes
from icepick.execute.answers import at
from icepick.execute.echo import same
from icepick.execute.emulator import Emulator, Instance
from icepick.execute.frame import Looking
from icepick.execute.reads import Reads
from icepick.execute.types import Complaint, Provenance, Verdict
from icepick.glacier import Answer
from icepick.inputs import path_text, query_text
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.types import Path, Resource, ResourceMap, Role, Use
from icepick.resources.words import words

VIEW = "view"
_MOVING = frozenset({"updated", "modified", "changed", "accessed", "seen", "timestamp", "etag"})


@dataclass(frozen=True, slots=True)
class _Way:
    """An operation that shows a resource, or the members of one."""

    operation: Operation
    use: Use
    resource: str
    identifier: Path


class Agreement:
    """Which views were seen to agree: one that never did may only be misunderstood."""

    def __init__(self) -> None:
        self._agreed: set[str] = set()

    def note(self, about: str) -> None:
        """This view agreed, and not for lack of anything to show."""
        self._agreed.add(about)

    def level(self, about: str) -> Verdict:
        """How grave it is if this view disagrees."""
        return Verdict.ERR if about in self._agreed else Verdict.WARN


class Views:
    """Compares the views of the instances of a sequence."""

    def __init__(
        self, resources: ResourceMap, operations: Mapping[str, Operation], looking: Looking
    ) -> None:
        self._resources = resources.resources
        self._looking = looking
        self._agreement = Agreement()
        self._lists: dict[str, list[_Way]] = {}
        self._fields: dict[str, list[_Way]] = {}
        self._members: dict[str, list[_Way]] = {}
        self._member_checks: dict[str, list[_Way]] = {}
        self._searches: dict[str, list[_Way]] = {}
        for resource in self._resources.values():
            for use in resource.uses:
                operation = operations[use.operation]
                if operation.method == "GET":
                    self._sort(resource, use, operation)

    def _sort(self, resource: Resource, use: Use, operation: Operation) -> None:
        inside = resource.identifier.property if resource.identifier else None
        way = _Way(operation, use, resource.name, inside or ())
        many = use.response is not None and use.response.many
        if use.role is Role.LIST and use.owner is None and many:
            self._lists.setdefault(resource.name, []).append(way)
        elif use.role in {Role.LIST, Role.SEARCH} and use.owner is None and many:
            self._searches.setdefault(resource.name, []).append(way)
        elif use.role is Role.MEMBERS and use.owner is not None and many:
            self._members.setdefault(use.owner, []).append(way)
        elif use.role is Role.MEMBER and use.owner is not None:
            self._member_checks.setdefault(use.owner, []).append(way)
        elif use.role is Role.FIELD:
            self._fields.setdefault(resource.name, []).append(way)

    async def check(
        self, reads: Reads, emulator: Emulator, only: frozenset[str] | None = None
    ) -> list[Complaint]:
        """Everything that two views do not agree on; `only` bounds it to some values."""
        found: list[Complaint] = []
        for instance in emulator.live():
            if only is not None and instance.value not in only:
                continue
            shown = await self._item(reads, instance)
            for way in self._lists.get(instance.resource, ()):
                found += await self._listed(reads, way, instance, shown)
            for way in self._searches.get(instance.resource, ()):
                found += await self._searched(reads, way, instance, shown)
            for way in self._fields.get(instance.resource, ()):
                found += await self._field(reads, way, instance, shown)
            for way in self._members.get(instance.resource, ()):
                found += await self._member(reads, way, instance, emulator)
            for way in self._member_checks.get(instance.resource, ()):
                found += await self._checked(reads, way, instance, emulator)
        for instance in emulator.gone() if only is None else ():
            for way in self._lists.get(instance.resource, ()):
                found += await self._still_listed(reads, way, instance)
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
        self, reads: Reads, way: _Way, instance: Instance, shown: Json
    ) -> list[Complaint]:
        path, elements = await _elements(reads, way, instance)
        if elements is None or shown is ABSENT:
            return []
        about = f"{way.operation.id} lists {instance.resource}"
        for element in elements:
            if same(_identifier(way, element), instance.identifier):
                self._agreement.note(about)
                return self._compared(reads, way, instance, element, shown)
        text = f"{way.operation.label} lacks {instance.resource} {instance.value}, which exists"
        return [self._complaint(reads, about, "lists agree with items", text, path)]

    def _compared(
        self, reads: Reads, way: _Way, instance: Instance, element: Json, shown: Json
    ) -> list[Complaint]:
        found = []
        for name, value in _shared(element, shown):
            about = f"{way.operation.id} {name}"
            if same(element[name], value):
                self._agreement.note(about)
                continue
            text = (
                f"{name} of {instance.resource} {instance.value} is {element[name]!r} in "
                f"{way.operation.label} and {value!r} where it is read alone"
            )
            path = _path(way, instance)
            found.append(self._complaint(reads, about, "lists agree with items", text, path))
        return found

    async def _still_listed(self, reads: Reads, way: _Way, instance: Instance) -> list[Complaint]:
        item = self._looking.path(instance)
        gone = await reads.look(item) if item is not None else None
        path, elements = await _elements(reads, way, instance)
        if gone is None or gone.status not in {404, 410} or elements is None:
            return []
        if not _has(way, elements, instance):
            return []
        about = f"{way.operation.id} lists {instance.resource}"
        text = f"{way.operation.label} has {instance.resource} {instance.value}, which is gone"
        return [self._complaint(reads, about, "lists agree with items", text, path)]

    async def appeared(self, reads: Reads, unborn: Instance) -> list[Complaint]:
        """Lists that have what was refused, and did not have it before the call."""
        found: list[Complaint] = []
        for way in self._lists.get(unborn.resource, ()):
            path, elements = await _elements(reads, way, unborn)
            before = _listed_in(way, reads.get_before(path)) if path is not None else None
            if before is None or elements is None or _has(way, before, unborn):
                continue
            if _has(way, elements, unborn):
                text = f"{way.operation.label} has {unborn.resource} {unborn.value} now"
                about = f"{way.operation.id} refused and listed"
                complaint = self._complaint(
                    reads, about, "what is refused changes nothing", text, path
                )
                found.append(replace(complaint, level=Verdict.ERR))
        return found

    # Searches

    async def _searched(
        self, reads: Reads, way: _Way, instance: Instance, shown: Json
    ) -> list[Complaint]:
        """A search by a field finds what has this value there, and nothing else."""
        found: list[Complaint] = []
        for parameter, path, value in _filters(way, instance, shown):
            answer = await reads.look(path)
            elements = at(answer.body, way.use.response.path) if answer and way.use.response else 0
            if answer is None or answer.status != 200 or not isinstance(elements, list):
                continue
            about = f"{way.operation.id} by {parameter}"
            hit = any(same(_identifier(way, one), instance.identifier) for one in elements)
            stray = [one for one in elements if not same(at(one, (parameter,)), value)]
            if hit and not stray:
                self._agreement.note(about)
            elif self._agreement.level(about) is Verdict.ERR:
                text = f"{way.operation.label} by {parameter} {value!r} "
                text += f"has {stray[0]!r}" if stray else f"lacks {instance.value}"
                law = "a search finds what it is asked for"
                found.append(self._complaint(reads, about, law, text, path))
        return found

    # A field under a path of its own

    async def _field(
        self, reads: Reads, way: _Way, instance: Instance, shown: Json
    ) -> list[Complaint]:
        name = way.operation.path.rstrip("/").rpartition("/")[2]
        expected = at(shown, (name,))
        path = _path(way, instance)
        answer = await reads.look(path) if path is not None else None
        if expected is ABSENT or answer is None or answer.status != 200:
            return []
        body = answer.body
        seen = at(body, (name,)) if isinstance(body, Mapping) else body
        if seen is ABSENT or isinstance(seen, Mapping):
            return []
        about = f"{way.operation.id} {name}"
        if same(seen, expected):
            self._agreement.note(about)
            return []
        text = f"{way.operation.label} says {seen!r}, and {instance.resource} says {expected!r}"
        return [self._complaint(reads, about, "views of one thing agree", text, path)]

    # Members

    async def _member(
        self, reads: Reads, way: _Way, owner: Instance, emulator: Emulator
    ) -> list[Complaint]:
        if self._joining(owner.resource, way.resource) is None:
            return []
        path, elements = await _elements(reads, way, owner)
        if elements is None:
            return []
        expected = self._expected(way, owner, emulator)
        known = {str(one.identifier) for one in emulator.live() if one.resource == way.resource}
        listed = {str(_identifier(way, one)) for one in elements}
        about = f"{way.operation.id} members"
        if listed & known == expected:
            if expected:
                self._agreement.note(about)
            return []
        lacking, wrong = sorted(expected - listed), sorted(listed & known - expected)
        text = f"{way.operation.label} for {owner.value}"
        text += f" lacks {', '.join(lacking)}" if lacking else ""
        text += f" has {', '.join(wrong)} without belonging together" if wrong else ""
        return [self._complaint(reads, about, "members are those that belong to it", text, path)]

    async def _checked(
        self, reads: Reads, way: _Way, owner: Instance, emulator: Emulator
    ) -> list[Complaint]:
        """Whether one belongs to the other, asked of each pair."""
        if self._joining(owner.resource, way.resource) is None:
            return []
        expected = self._expected(way, owner, emulator)
        found = []
        for member in emulator.live():
            path = _path(way, member, owner) if member.resource == way.resource else None
            answer = await reads.look(path) if path is not None else None
            said = _belongs(answer) if answer is not None else None
            belongs = str(member.identifier) in expected
            about = f"{way.operation.id} member"
            if said is belongs and belongs:
                self._agreement.note(about)
            elif said is not None and said is not belongs:
                text = f"{way.operation.label} says {said} for {member.value} and {owner.value}"
                found.append(self._complaint(reads, about, "views of one thing agree", text, path))
        return found

    def _joining(self, owner: str, member: str) -> str | None:
        """The one resource that ties members to owners; None where there is none, or several."""
        ties = [
            resource.name
            for resource in self._resources.values()
            if resource.name != owner and {owner, member} - {resource.name} <= _targets(resource)
        ]
        return ties[0] if len(ties) == 1 else None

    def _expected(self, way: _Way, owner: Instance, emulator: Emulator) -> set[str]:
        tie = self._joining(owner.resource, way.resource)
        found = set()
        for one in emulator.live():
            if one.resource != tie or owner.value not in one.fields.values():
                continue
            if tie == way.resource:
                found.add(str(one.identifier))
                continue
            for value in one.fields.values():
                member = emulator.find(value)
                if member is not None and member.resource == way.resource:
                    found.add(str(member.identifier))
        return found

    def _complaint(
        self, reads: Reads, about: str, law: str, text: str, path: str | None
    ) -> Complaint:
        exchange = reads.exchanges.get(path or "")
        numbers = (exchange.number,) if exchange is not None else ()
        level = self._agreement.level(about)
        return Complaint(VIEW, level, law, text, Provenance.LAW, about, exchanges=numbers)


def _targets(resource: Resource) -> set[str | None]:
    """What an instance says it belongs to; lists of others are derived from what those say."""
    said = {one.target for one in resource.references if one.writable and not one.field.is_many}
    return said | {resource.parent}


def _path(way: _Way, *instances: Instance, query: bool = False) -> str | None:
    operation = way.operation
    address: dict[str, Json] = {}
    for one in instances:
        address |= one.parameters(operation.path)
    if any(name not in address for name in holes(operation.path)):
        return None
    asked = any(one.required and one.location.value == "query" for one in operation.parameters)
    if asked and not query:
        return None
    return path_text(operation.path, operation.parameters, address)


def _filters(way: _Way, instance: Instance, shown: Json) -> Iterator[tuple[str, str, Json]]:
    """The searches by a field that an instance has: the parameter, the path, the value."""
    asked = [one for one in way.operation.parameters if one.location.value == "query"]
    bare = _path(way, instance, query=True)
    for one in asked if bare is not None else ():
        value = at(shown, (one.name,))
        others = any(other.required for other in asked if other is not one)
        if isinstance(value, str | int) and not isinstance(value, bool) and not others:
            sent = [value] if one.schema.get("type") == "array" else value
            yield one.name, f"{bare}?{query_text((one,), {one.name: sent})}", value


def _belongs(answer: Answer) -> bool | None:
    """What an answer says about membership; None where it cannot be told."""
    if answer.status in {404, 410}:
        return False
    if not 200 <= answer.status < 300:
        return None
    body = answer.body
    if isinstance(body, Mapping):
        flags = [value for value in body.values() if isinstance(value, bool)]
        body = flags[0] if len(flags) == 1 else body
    return body if isinstance(body, bool) else True


async def _elements(
    reads: Reads, way: _Way, instance: Instance
) -> tuple[str | None, list[Json] | None]:
    path = _path(way, instance)
    answer: Answer | None = await reads.look(path) if path is not None else None
    return path, _listed_in(way, answer)


def _listed_in(way: _Way, answer: Answer | None) -> list[Json] | None:
    if answer is None or answer.status != 200 or way.use.response is None:
        return None
    found = at(answer.body, way.use.response.path)
    return found if isinstance(found, list) else None


def _has(way: _Way, elements: list[Json], instance: Instance) -> bool:
    return any(same(_identifier(way, one), instance.identifier) for one in elements)


def _identifier(way: _Way, element: Json) -> Json:
    return at(element, way.identifier) if isinstance(element, Mapping) else element


def _shared(element: Json, shown: Json) -> Iterator[tuple[str, Json]]:
    """The fields that both have, but for clocks."""
    if isinstance(element, Mapping) and isinstance(shown, Mapping):
        for name, value in shown.items():
            if name in element and not _MOVING & set(words(name)):
                yield name, value
