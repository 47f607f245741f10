"""What a call requires: that things exist, or do not exist yet."""

from __future__ import annotations

from collections.abc import Iterator

from icepick.glacier.inference.drafts import Draft, Gap, Line, unseen
from icepick.glacier.inference.keys import Key, key_of
from icepick.glacier.inference.naming import Naming
from icepick.glacier.inference.views import Existence
from icepick.resources.types import Chooser, Reference, Resource, Role


class Requires:
    """Writes the requires clauses of one operation in one role."""

    def __init__(self, named: Naming) -> None:
        self._named = named
        self._resource = named.resource
        self._use = named.use
        self._views = named.views

    def lines(self) -> Iterator[Line]:
        """The clauses, and what cannot be said."""
        role = self._use.role
        if role is Role.CREATE:
            yield from self._create()
        elif role in {Role.REPLACE, Role.UPDATE, Role.DELETE, Role.ACTION}:
            yield from self._change()

    def _create(self) -> Iterator[Line]:
        yield from self._parents_present()
        yield from self._owner_present()
        keys = self._named.keys_sent()
        there = self._views.existence(self._resource, keys) if keys is not None else None
        if there is not None:
            reason = f"a new {self._resource.name} must not exist yet"
            yield Draft(self._if_chosen(there.absent), reason)
        elif keys is not None:
            yield unseen(self._resource)
        yield from self._references_present()

    def _change(self) -> Iterator[Line]:
        keys = self._named.keys_addressed()
        there = self._views.existence(self._resource, keys) if keys is not None else None
        if there is None:
            yield unseen(self._resource)
            yield from self._parents_present()
        else:
            if there.by_list or self._use.creates:
                yield from self._parents_present()
            if not self._use.creates:
                yield Draft(there.present, f"the {self._resource.name} must exist")
        if self._use.role in {Role.REPLACE, Role.UPDATE}:
            yield from self._references_present()

    def _if_chosen(self, text: str) -> str:
        """A statement on an identifier that the client may leave to the server."""
        identifier = self._resource.identifier
        given = identifier.input if identifier else None
        if identifier is None or given is None or identifier.chooser is not Chooser.EITHER:
            return text
        key = key_of(given.location, given.path)
        return f"{key.alone} != null => {text}" if key else text

    def _owner_present(self) -> Iterator[Line]:
        """`POST /posts/{id}/comments` makes a comment that has a path of its own elsewhere."""
        owner = self._named.resources.get(self._use.owner or "")
        keys = self._named.keys_of(owner) if owner else None
        there = self._views.existence(owner, keys) if owner and keys else None
        if owner is not None and there is not None:
            yield Draft(there.present, f"the {owner.name} that the path names must exist")

    def _parents_present(self) -> Iterator[Line]:
        """Everything above the resource in its path, the outermost first."""
        chain: list[Resource] = []
        parent = self._resource.parent
        while parent is not None and parent in self._named.resources:
            chain.insert(0, self._named.resources[parent])
            parent = chain[0].parent
        for resource in chain:
            keys = self._named.keys_of(resource)
            there = self._views.existence(resource, keys) if keys else None
            if there is None:
                yield unseen(resource)
            else:
                reason = f"the {resource.name} that the path names must exist"
                yield Draft(there.present, reason)

    def _references_present(self) -> Iterator[Line]:
        for reference in self._resource.references:
            key = self._named.key_sent(reference) if reference.writable else None
            if key is None:
                continue
            target = self._named.resources[reference.target]
            keys = self._named.keys_of(target, key)
            there = self._views.existence(target, keys) if keys else None
            if there is None:
                yield Gap(
                    f"`{reference.field}` refers to a {target.name}, but no GET can be made to "
                    f"see whether it exists"
                )
                continue
            yield self._reference_draft(reference, target, key, there)

    def _reference_draft(
        self, reference: Reference, target: Resource, key: Key, there: Existence
    ) -> Draft:
        required = reference.field.required and self._use.role is not Role.UPDATE
        text = there.present if required else f"{key.alone} != null => {there.present}"
        reason = f"`{reference.field}` refers to a {target.name}: {reference.evidence.reason}"
        return Draft(text, reason, reference.evidence.confidence)
