"""Members: what belongs to something, as lists of members and single checks show it."""

from __future__ import annotations

from collections.abc import Mapping

from icepick.execute.binding.emulator import Emulator, Instance
from icepick.execute.laws.agreement import Agreement, View
from icepick.execute.reads import Reads
from icepick.execute.types import Complaint
from icepick.glacier import Answer
from icepick.resources.types import Resource, ResourceMap


class Members:
    """Compares what operations say of membership with what ties the instances of a sequence."""

    def __init__(self, resources: ResourceMap, agreement: Agreement) -> None:
        self._resources = resources.resources
        self._agreement = agreement

    async def listed(
        self, reads: Reads, view: View, owner: Instance, emulator: Emulator
    ) -> list[Complaint]:
        """The members of an owner are those that belong to it."""
        if self._joining(owner.resource, view.resource) is None:
            return []
        path, elements = await view.elements(reads, owner)
        if elements is None:
            return []
        expected = self._expected(view, owner, emulator)
        known = {str(one.identifier) for one in emulator.live() if one.resource == view.resource}
        listed = {str(view.identifier_of(one)) for one in elements}
        about = f"{view.operation.id} members"
        if listed & known == expected:
            if expected:
                self._agreement.note(about)
            return []
        lacking, wrong = sorted(expected - listed), sorted(listed & known - expected)
        text = f"{view.operation.label} for {owner.value}"
        text += f" lacks {', '.join(lacking)}" if lacking else ""
        text += f" has {', '.join(wrong)} without belonging together" if wrong else ""
        law = "members are those that belong to it"
        return [self._agreement.complaint(reads, about, law, text, path)]

    async def checked(
        self, reads: Reads, view: View, owner: Instance, emulator: Emulator
    ) -> list[Complaint]:
        """Whether one belongs to the other, asked of each pair."""
        if self._joining(owner.resource, view.resource) is None:
            return []
        expected = self._expected(view, owner, emulator)
        found, law = [], "views of one thing agree"
        for member in emulator.live():
            path = view.path(member, owner) if member.resource == view.resource else None
            answer = await reads.look(path) if path is not None else None
            said = _belongs(answer) if answer is not None else None
            belongs = str(member.identifier) in expected
            about = f"{view.operation.id} member"
            if said is belongs and belongs:
                self._agreement.note(about)
            elif said is not None and said is not belongs:
                text = f"{view.operation.label} says {said} for {member.value} and {owner.value}"
                found.append(self._agreement.complaint(reads, about, law, text, path))
        return found

    def _joining(self, owner: str, member: str) -> str | None:
        """The one resource that ties members to owners; None where there is none, or several."""
        ties = [
            resource.name
            for resource in self._resources.values()
            if resource.name != owner and {owner, member} - {resource.name} <= _targets(resource)
        ]
        return ties[0] if len(ties) == 1 else None

    def _expected(self, view: View, owner: Instance, emulator: Emulator) -> set[str]:
        tie = self._joining(owner.resource, view.resource)
        found = set()
        for one in emulator.live():
            if one.resource != tie or owner.value not in one.fields.values():
                continue
            if tie == view.resource:
                found.add(str(one.identifier))
                continue
            for value in one.fields.values():
                member = emulator.find(value)
                if member is not None and member.resource == view.resource:
                    found.add(str(member.identifier))
        return found


def _targets(resource: Resource) -> set[str | None]:
    """What an instance says it belongs to; lists of others are derived from what those say."""
    said = {one.target for one in resource.references if one.writable and not one.field.is_many}
    return said | {resource.parent}


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
