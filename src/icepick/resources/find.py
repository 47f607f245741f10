"""From operations to resources: who they are, and what each operation does to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from icepick.openapi.shape import items, properties
from icepick.openapi.types import ApiSpec, Operation, Schema
from icepick.resources.candidates import (
    Candidate,
    answered,
    candidates,
    is_kept,
    is_own,
    is_view,
    makes,
    met_at,
    parameter_schema,
    parameters,
    prefixes,
    representation,
)
from icepick.resources.identifiers import (
    Address,
    identifier,
)
from icepick.resources.paths import PathNode, PathTree
from icepick.resources.payloads import schema_name
from icepick.resources.references import with_parents, with_references
from icepick.resources.roles import (
    Kind,
    below_collection,
    below_item,
    collection_uses,
    extended,
    item_uses,
    lacks_creation,
    looks_like_collection,
    member_use,
    shows_one,
    with_creating_puts,
)
from icepick.resources.types import (
    Identifier,
    Resource,
    ResourceMap,
    Role,
    Use,
)
from icepick.resources.words import Words, noun, title, words

_SIGNING = frozenset({"login", "logout", "signin", "signout", "authenticate", "token"})
"""Paths about who is asking, whatever resource they stand below."""


def find_resources(spec: ApiSpec) -> ResourceMap:
    """The resources of an API, from its document alone."""
    resources = with_references(with_parents(_Finder(spec).resources()), spec)
    used = {use.operation for resource in resources.values() for use in resource.uses}
    standalone = tuple(o.id for o in spec.operations if o.id not in used)
    return ResourceMap(resources, standalone)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A resource on its way: its candidate, its kind and the uses found so far."""

    candidate: Candidate
    kind: Kind
    uses: tuple[Use, ...]


class _Finder:
    def __init__(self, spec: ApiSpec) -> None:
        self._spec = spec
        self._schemas = spec.schemas
        self._operations = {operation.id: operation for operation in spec.operations}
        self._tree = PathTree(spec.operations)
        found = candidates(self._tree, spec.schemas)
        self._views = {c.item.key: c for c in found if is_view(c, found, spec.schemas)}
        self._drafts: dict[tuple[str, ...], _Draft] = {}
        for candidate in found:
            if candidate.item.key not in self._views:
                self._add(candidate)

    def resources(self) -> dict[str, Resource]:
        """All of them by name, in the order of their paths."""
        for node in self._tree:
            self._assign(node)
        found = {d.kind.name: self._finished(d) for d in self._drafts.values()}
        self._add_alone(found)
        self._add_below_singletons(found)
        self._add_made(found)
        return found

    def _add(self, candidate: Candidate) -> None:
        collection = candidate.collection
        creates = bool(collection and "POST" in collection.changing)
        schema = self._representation(candidate)
        kind = Kind(self._name(candidate), candidate.noun, schema, creates, self._schemas)
        self._drafts[candidate.item.key] = _Draft(candidate, kind, ())

    def _representation(self, candidate: Candidate) -> Schema:
        owner = self._owner(candidate.item)
        above = owner.kind.schema if owner else None
        return representation(candidate, self._tree, self._schemas, above)

    def _name(self, candidate: Candidate) -> str:
        """What the path calls it, with the names around it where that is taken."""
        taken = {draft.kind.name for draft in self._drafts.values()}
        parts = candidate.noun
        for node in prefixes(candidate.item, self._tree):
            if title(parts) not in taken:
                break
            if node.last.parameter is None and node.noun and node.noun != candidate.noun:
                parts = (*node.noun, *parts)
        name, number = title(parts), 2
        while name in taken:
            name, number = f"{title(parts)}{number}", number + 1
        return name

    def _assign(self, node: PathNode) -> None:
        """Give the operations of one path to the resource they belong to."""
        if not node.operations:
            return None
        for near in prefixes(node, self._tree):
            depth = len(node.segments) - len(near.segments)
            if set(words(node.last.text)) & _SIGNING and node.last.parameter is None:
                return None
            if near.key in self._views:
                return self._assign_view(node, self._views[near.key])
            draft = self._drafts.get(near.key)
            if draft is not None:
                own = item_uses(node, draft.kind) if depth == 0 else self._below(node, draft)
                return self._extend(draft, own)
            if depth <= 1 and (draft := self._collected(near)):
                uses = (collection_uses if depth == 0 else below_collection)(node, draft.kind)
                return self._extend(draft, uses)
        return None

    def _collected(self, node: PathNode) -> _Draft | None:
        """The resource whose collection a path is."""
        for draft in self._drafts.values():
            collection = draft.candidate.collection
            if collection is not None and collection.key == node.key:
                return draft
        return None

    def _extend(self, draft: _Draft, uses: Iterable[Use]) -> None:
        key = draft.candidate.item.key
        self._drafts[key] = replace(draft, uses=(*self._drafts[key].uses, *uses))

    def _assign_view(self, node: PathNode, view: Candidate) -> None:
        """`/tournaments/{tid}/players/{pid}`: is this player one of that tournament's?"""
        target, owner = self._called(view.noun), self._owner(view.item)
        if target is None:
            return
        above = owner.kind if owner else None
        for operation in node.operations:
            if operation.method in {"GET", "HEAD"}:
                self._extend(target, [member_use(operation, Role.MEMBER, target.kind, above)])

    def _called(self, named: Words) -> _Draft | None:
        """The shallowest resource of that name."""
        found = [draft for draft in self._drafts.values() if draft.kind.noun == named]
        return min(found, key=lambda d: len(d.candidate.item.segments)) if found else None

    def _owner(self, node: PathNode) -> _Draft | None:
        """The resource whose item path is the longest proper beginning of this one."""
        for near in prefixes(node, self._tree):
            if near.key != node.key and near.key in self._drafts:
                return self._drafts[near.key]
        return None

    def _below(self, node: PathNode, draft: _Draft) -> Iterator[Use]:
        """The operations below an item: members of another resource, or parts of this one."""
        target = self._called(node.noun)
        deeper = len(node.segments) - len(draft.candidate.item.segments)
        is_member = node.last.parameter is not None
        elsewhere = target is not None and not _is_beside(node, target.candidate)
        if not target or not elsewhere or target is draft or deeper != (2 if is_member else 1):
            yield from below_item(node, draft.kind)
            return
        if not is_member and shows_one(node, target.kind):
            yield from below_item(node, draft.kind)
            return
        roles = {"GET": Role.MEMBER} if is_member else {"GET": Role.MEMBERS, "POST": Role.CREATE}
        for operation in node.operations:
            role = roles.get(operation.method)
            if role is None:
                yield from below_item(replace(node, operations=(operation,)), draft.kind)
            else:
                self._extend(target, [member_use(operation, role, target.kind, draft.kind)])

    def _finished(self, draft: _Draft) -> Resource:
        candidate, kind = draft.candidate, draft.kind
        owner = self._owner(candidate.item)
        identifier = self._identifier(draft)
        named = identifier.property is None or identifier.input is not None
        return Resource(
            name=kind.name,
            collection_path=candidate.collection.path if candidate.collection else None,
            item_path=candidate.item.path,
            identifier=identifier,
            parent=owner.kind.name if owner else None,
            schema=kind.schema,
            schema_name=schema_name(kind.schema, self._schemas),
            uses=tuple(with_creating_puts(draft.uses, self._operations, named=named)),
        )

    def _identifier(self, draft: _Draft) -> Identifier:
        candidate, kind = draft.candidate, draft.kind
        like = parameter_schema(candidate, self._tree)
        found = (one.description for one in parameters(candidate, self._tree))
        described = next(filter(None, found), "")
        made, put = ([u for u in draft.uses if u.role is r] for r in (Role.CREATE, Role.REPLACE))
        return identifier(
            Address(candidate.parameter, kind.noun, like, described),
            (kind.schema, *self._embedded(draft)),
            [(self._operations[use.operation], use) for use in made or put],
            self._schemas,
        )

    def _embedded(self, draft: _Draft) -> Iterator[Schema]:
        """The schema of one instance as its owner shows it, in a list called like the path."""
        owner = self._owner(draft.candidate.item)
        for name, part in properties(owner.kind.schema, self._schemas).items() if owner else ():
            element = items(part.schema, self._schemas)
            if element is not None and noun(name) == draft.kind.noun:
                yield element

    def _add_alone(self, found: dict[str, Resource]) -> None:
        """Singletons, and collections whose items have no address or one elsewhere."""
        for node in self._tree:
            own = [operation for operation in node.operations if not _is_used(operation, found)]
            if not is_kept(node, own, self._schemas):
                continue
            if not looks_like_collection(node, self._schemas):
                self._add_lone(node, None, found)
            elif not self._adopted(node, node.by_method("POST"), found):
                self._add_lone(None, node, found)

    def _adopted(self, node: PathNode, post: Operation | None, found: dict[str, Resource]) -> bool:
        """Whether a path creates what has an address elsewhere, and nothing else creates."""
        name = answered(post, node.noun, self._schemas)
        orphan = next((r for r in found.values() if lacks_creation(r, name)), None)
        if orphan is not None:
            own = tuple(o for o in node.operations if o == post or not _is_used(o, found))
            kind = Kind(orphan.name, node.noun, orphan.schema, True, self._schemas)
            uses = collection_uses(replace(node, operations=own), kind)
            found[orphan.name] = extended(orphan, uses)
        return orphan is not None

    def _add_below_singletons(self, found: dict[str, Resource]) -> None:
        """What stands below a singleton is its own: `/cart/pay`, `/profile/picture`."""
        alone = {r.item_path: r for r in found.values() if r.is_singleton}
        for node in self._tree:
            above = self._tree.parent(node)
            owner = alone.get(above.path) if above and not node.last.parameter else None
            own = tuple(o for o in node.operations if not _is_used(o, found))
            if owner is not None and above is not None and own:
                kind = Kind(owner.name, above.noun, owner.schema, False, self._schemas)
                uses = below_item(replace(node, operations=own), kind)
                found[owner.name] = extended(found[owner.name], uses)

    def _add_made(self, found: dict[str, Resource]) -> None:
        """What the document says is created, without an address of its own or under another."""
        for node in self._tree:
            post = node.by_method("POST")
            if post is None or not makes(post):
                continue
            fresh = not _is_used(post, found) and not node.last.parameter and bool(node.noun)
            if not self._adopted(node, post, found) and fresh:
                name = answered(post, node.noun, self._schemas)
                free = [n for n in self._tree if not any(_is_used(o, found) for o in n.operations)]
                self._add_lone(met_at(node, name, free, self._schemas), node, found)

    def _add_lone(
        self, item: PathNode | None, collection: PathNode | None, found: dict[str, Resource]
    ) -> None:
        """A resource without an identifier."""
        node = item if item and not is_own(item) else collection or item
        if node is None:
            return
        candidate = Candidate(item or node, collection, node.noun)
        schema = self._representation(candidate)
        name = title(node.noun if collection else words(node.last.text))
        while name in found:
            name += "2"
        kind = Kind(name, node.noun, schema, collection is not None, self._schemas)
        uses = [*(collection_uses(collection, kind) if collection else ())]
        uses += item_uses(item, kind) if item else ()
        owner = self._owner(node)
        found[name] = Resource(
            name,
            collection_path=collection.path if collection else None,
            item_path=item.path if item else None,
            identifier=None,
            parent=owner.kind.name if owner else None,
            schema=schema,
            schema_name=schema_name(schema, self._schemas),
            uses=tuple(uses),
        )


def _is_beside(node: PathNode, candidate: Candidate) -> bool:
    """Whether a path stands beside the collection that it is called like: beside `schedules`,
    `schedule` is something to do."""
    collection = candidate.collection
    return (
        collection is not None
        and node.last.parameter is None
        and collection.key[:-1] == node.key[:-1]
        and collection.key != node.key
    )


def _is_used(operation: Operation, found: Mapping[str, Resource]) -> bool:
    return any(use.operation == operation.id for r in found.values() for use in r.uses)
