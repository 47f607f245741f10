"""Which paths address instances of a resource, and where its collection is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from icepick.openapi.shape import Schemas, keyword, properties
from icepick.openapi.types import Operation, Parameter, ParameterLocation, Schema
from icepick.resources.fields import leaves, request_schema, response_schema
from icepick.resources.identifiers import best_match
from icepick.resources.paths import PathNode, PathTree
from icepick.resources.payloads import payload, schema_name
from icepick.resources.words import Words, is_generic, is_plural, noun, words

_SUFFIXES = frozenset({"response", "dto", "resource", "model", "view", "representation", "entity"})
"""Words that authors add to the names of schemas."""

_OWN = frozenset({"current", "me", "mine", "self", "own"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A path that may address an item, and the path of its collection."""

    item: PathNode
    collection: PathNode | None
    noun: Words

    @property
    def parameter(self) -> str:
        """The last name in braces: the identifier."""
        return self.item.last.parameter or ""

    @property
    def is_changed(self) -> bool:
        """Whether any operation on item or collection changes something."""
        return bool(self.item.changing or (self.collection and self.collection.changing))


def candidates(tree: PathTree, schemas: Schemas) -> list[Candidate]:
    """Every path that addresses an item of a resource, shallow ones first."""
    found = [candidate for node in tree if (candidate := _candidate(node, tree, schemas))]
    kept = [candidate for candidate in found if _is_resource(candidate, tree, schemas)]
    return sorted(kept, key=lambda candidate: len(candidate.item.segments))


def _candidate(node: PathNode, tree: PathTree, schemas: Schemas) -> Candidate | None:
    if node.last.parameter is None or not node.noun or is_scoped_collection(node, tree, schemas):
        return None
    collection = tree.parent(node)
    while collection and collection.last.parameter and not collection.operations:
        collection = tree.parent(collection)
    if collection and collection.last.parameter:
        scoped = is_scoped_collection(collection, tree, schemas)
        collection = collection if scoped else None
    keyed = _keyed_collection(node, tree, schemas)
    if keyed is not None:
        return Candidate(node, keyed, keyed.noun)
    if collection is not None and not collection.operations:
        collection = _plural_beside(collection, tree) or collection
    return Candidate(node, collection, node.noun)


def _plural_beside(singular: PathNode, tree: PathTree) -> PathNode | None:
    """The collection of what is addressed in the singular: `/parcels` beside `/parcel/{id}`."""
    for node in tree.beside(singular):
        told = node.last.parameter is None and is_plural(node.last.name)
        has_items = any(child.last.parameter and child.operations for child in tree.children(node))
        if told and node.operations and node.noun == singular.noun and not has_items:
            return node
    return None


def _keyed_collection(node: PathNode, tree: PathTree, schemas: Schemas) -> PathNode | None:
    """The collection of what is addressed by several values, each after its name.

    `/authorships/author/{author}/book/{book}` is one of `/authorships`, which lists the same.
    """
    above, number = tree.parent(node), 1
    while above is not None and not above.operations:
        number += above.last.parameter is not None
        above = tree.parent(above)
    if above is None or above.last.parameter or number < 2:
        return None
    has_items = any(child.last.parameter and child.operations for child in tree.children(above))
    return above if not has_items and _lists_the_same(above, node, schemas) else None


def _lists_the_same(collection: PathNode, item: PathNode, schemas: Schemas) -> bool:
    one, every = item.by_method("GET"), collection.by_method("GET")
    shown = payload(response_schema(one), item.noun, schemas) if one else None
    listed = payload(response_schema(every), collection.noun, schemas) if every else None
    if shown is None or listed is None or not listed.many or shown.many:
        return False
    name = schema_name(shown.schema, schemas)
    return name is not None and name == schema_name(listed.schema, schemas)


def is_scoped_collection(node: PathNode, tree: PathTree, schemas: Schemas) -> bool:
    """Whether a path that ends in a parameter is a collection all the same.

    So it is in `/sessions/{source}/{type}` beside `/sessions/{source}/{type}/{id}`.
    """
    if node.last.parameter is None or not node.operations or node.methods - {"GET", "POST"}:
        return False
    items = [child for child in tree.children(node) if child.last.parameter and child.operations]
    if not items:
        return False
    get = node.by_method("GET")
    listed = payload(response_schema(get), node.noun, schemas) if get else None
    return "POST" in node.changing or listed is None or listed.many


def _is_resource(candidate: Candidate, tree: PathTree, schemas: Schemas) -> bool:
    if candidate.item.changing:
        return not _is_choice(candidate, tree, schemas)
    collection = candidate.collection
    if collection and "POST" in collection.changing:
        return True
    if not candidate.item.operations:
        return bool(collection and collection.operations and _has_deeper(candidate.item, tree))
    return _reads_like_an_item(candidate, schemas)


def _is_choice(candidate: Candidate, tree: PathTree, schemas: Schemas) -> bool:
    """Whether a path that only takes POST chooses from a list: `/events/count-by/{unit}`."""
    only = candidate.item.methods == {"POST"}
    return only and bool(keyword(parameter_schema(candidate, tree), "enum", schemas))


def _has_deeper(node: PathNode, tree: PathTree) -> bool:
    return any(child.operations or _has_deeper(child, tree) for child in tree.children(node))


def _reads_like_an_item(candidate: Candidate, schemas: Schemas) -> bool:
    """A path that can only be read is a resource if it or what it gives says so.

    Either the path reads `files/{file}`, or what it gives has the identifier in it, is
    listed too, or is called like the path.
    """
    get = candidate.item.by_method("GET")
    if get is not None and _is_one_of_many(candidate):
        return True
    shown = payload(response_schema(get), candidate.noun, schemas) if get else None
    if shown is None or (shown.many and not shown.path):
        return False
    return (
        identifier_fit(candidate, schemas) >= 0.7
        or _listed_alike(candidate, shown.schema, schemas)
        or _called_alike(candidate, shown.schema, schemas)
    )


def _is_one_of_many(candidate: Candidate) -> bool:
    if len(candidate.item.segments) < 2:
        return False
    before, parameter = candidate.item.segments[-2], words(candidate.parameter)
    if before.parameter or not is_plural(before.text):
        return False
    one = noun(before.text)
    return parameter[: len(one)] == one and is_generic(parameter[len(one) :])


def _called_alike(candidate: Candidate, schema: Schema, schemas: Schemas) -> bool:
    """Whether the schema has the name of the path: `/policy/{number}` gives a CarPolicy."""
    name = words(schema_name(schema, schemas) or "")
    while name and name[-1] in _SUFFIXES:
        name = name[:-1]
    called = candidate.noun
    return bool(called) and name[-len(called) :] == called and bool(properties(schema, schemas))


def identifier_fit(candidate: Candidate, schemas: Schemas) -> float:
    """How surely what is read at the item path contains the identifier: 0 where it does not."""
    get = candidate.item.by_method("GET")
    shown = payload(response_schema(get), candidate.noun, schemas) if get else None
    if get is None or shown is None:
        return 0.0
    like = get.parameters[-1].schema if get.parameters else {}
    found = leaves(shown.schema, schemas)
    match = best_match(candidate.parameter, candidate.noun, found, schemas, like)
    return match[0] if match else 0.0


def _listed_alike(candidate: Candidate, schema: Schema, schemas: Schemas) -> bool:
    get = candidate.collection.by_method("GET") if candidate.collection else None
    listed = payload(response_schema(get), candidate.noun, schemas) if get else None
    if listed is None or not listed.many:
        return False
    name = schema_name(schema, schemas)
    return name is not None and name == schema_name(listed.schema, schemas)


def is_view(candidate: Candidate, found: Iterable[Candidate], schemas: Schemas) -> bool:
    """Whether an item path only looks at a resource that has a better path elsewhere, or leads to
    the same things by another key."""
    found = list(found)
    if any(is_other_key(candidate, other, schemas) for other in found):
        return True
    if candidate.is_changed:
        return False
    alike = [other for other in found if _is_alike(candidate, other, schemas)]

    def rank(one: Candidate) -> tuple[bool, int, float, int]:
        fit = identifier_fit(one, schemas)
        return not one.is_changed, len(one.item.segments), -fit, alike.index(one)

    return min(alike, key=rank) is not candidate


def is_other_key(candidate: Candidate, other: Candidate, schemas: Schemas) -> bool:
    """Whether one path gives by a property what another gives by its identifier: beside
    `/books/{id}`, so does `/books/isbn/{isbn}`."""
    ours, theirs = candidate.item, other.item
    if ours.key[:-2] != theirs.key[:-1] or ours.segments[-2].parameter is not None:
        return False
    get = ours.by_method("GET")
    name = answered(get, candidate.noun, schemas)
    if name is None or name != answered(theirs.by_method("GET"), other.noun, schemas):
        return False
    shown = payload(response_schema(get), candidate.noun, schemas) if get else None
    known = properties(shown.schema, schemas) if shown else {}
    return words(candidate.parameter) in map(words, known)


def _is_alike(candidate: Candidate, other: Candidate, schemas: Schemas) -> bool:
    """Whether two paths give the same things: by name, or one of them a part of the other's."""
    if other.noun == candidate.noun:
        return True
    around = [noun(part.text) for part in candidate.item.segments if part.parameter is None]
    names = {answered(one.item.by_method("GET"), one.noun, schemas) for one in (candidate, other)}
    return other.noun in around and len(names) == 1 and None not in names


def prefixes(node: PathNode, tree: PathTree) -> Iterator[PathNode]:
    """The path and its beginnings, longest first."""
    current: PathNode | None = node
    while current is not None:
        yield current
        current = tree.parent(current)


def representation(
    candidate: Candidate, tree: PathTree, schemas: Schemas, above: Schema | None
) -> Schema:
    """The schema of one instance: as read, listed, answered on creation, or sent.

    An answer that shows the resource `above` instead says nothing about this one.
    """
    owner = schema_name(above, schemas) if above is not None else None
    is_read = candidate.item.by_method("GET") is not None
    shown = [
        part
        for schema in _seen(candidate, tree)
        if (part := payload(schema, candidate.noun, schemas)) is not None
        and (is_read or owner is None or schema_name(part.schema, schemas) != owner)
    ]
    described = [part.schema for part in shown if properties(part.schema, schemas)]
    return next(iter([*described, *(part.schema for part in shown)]), {})


def _seen(candidate: Candidate, tree: PathTree) -> list[Schema | None]:
    item, collection = candidate.item, candidate.collection
    below = tree.children(collection) if collection else []
    reads = [node.by_method("GET") for node in (item, collection) if node]
    writing = [
        operation
        for node in (collection, item, *(n for n in below if n.last.parameter is None))
        if node is not None
        for operation in node.operations
        if operation.method in {"POST", "PUT", "PATCH"}
    ]
    answers = [response_schema(operation) for operation in (*reads, *writing) if operation]
    return [*answers, *(request_schema(operation) for operation in writing)]


def parameter_schema(candidate: Candidate, tree: PathTree) -> Schema:
    """The schema of the identifier in the path, from any operation that has it."""
    return next((one.schema for one in parameters(candidate, tree)), {})


def parameters(candidate: Candidate, tree: PathTree) -> Iterator[Parameter]:
    """The identifier in the path as operations declare it, those at the item path first."""
    waiting = [candidate.item]
    while waiting:
        node = waiting.pop(0)
        for operation in node.operations:
            for parameter in operation.parameters_in(ParameterLocation.PATH):
                if parameter.name == candidate.parameter:
                    yield parameter
        waiting += tree.children(node)


def is_kept(node: PathNode, own: Collection[Operation], schemas: Schemas) -> bool:
    """Whether a path without an item path is a resource: one that is read and changed.

    GET and POST alone are often a query with two spellings; a resource takes what it shows, so
    the body of POST must be of the kind that GET gives.
    """
    reading = any(operation.method == "GET" for operation in own)
    if not node.changing or not reading or node.last.parameter or not node.noun:
        return False
    if len(own) > 4 and len({str(response_schema(operation)) for operation in own}) == 1:
        return False  # every method the same: a handler that catches all, not a resource
    if not node.methods <= {"GET", "POST"}:
        return True
    shapes = [_shape(operation, node.noun, schemas) for operation in own]
    return len(shapes) == 2 and bool(shapes[0] & shapes[1])


def _shape(operation: Operation, named: Words, schemas: Schemas) -> set[str]:
    schema = response_schema(operation) if operation.method == "GET" else request_schema(operation)
    found = payload(schema, named, schemas)
    return set(properties(found.schema, schemas)) if found else set()


def makes(operation: Operation) -> bool:
    """Whether the document says outright that an operation makes something: 201 and no other."""
    good = [status for status in operation.responses if status.startswith("2")]
    return operation.method == "POST" and good == ["201"]


def answered(operation: Operation | None, named: Words, schemas: Schemas) -> str | None:
    """The name of the schema of the one thing that an operation answers with."""
    shown = payload(response_schema(operation), named, schemas) if operation else None
    return schema_name(shown.schema, schemas) if shown and not shown.many else None


def is_own(node: PathNode) -> bool:
    """Whether a path ends in a name for whatever belongs to who is asking."""
    return node.last.text.lower() in _OWN


def met_at(
    made: PathNode, schema: str | None, free: Iterable[PathNode], schemas: Schemas
) -> PathNode | None:
    """The fixed path under which whoever created something meets it: `/sessions/current`.

    Below the path of the creation, or else wherever the same schema is shown.
    """
    fixed = [node for node in free if not any(segment.parameter for segment in node.segments)]
    for node in fixed:
        if node.operations and is_own(node) and node.key[:-1] == made.key:
            return node
    for node in fixed:
        if schema is not None and answered(node.by_method("GET"), node.noun, schemas) == schema:
            return node
    return None
