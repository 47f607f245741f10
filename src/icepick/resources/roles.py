"""What each operation does: its role, from its method, its place among the paths and its bodies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from icepick.openapi.places import last_segment
from icepick.openapi.shape import Schemas, items, properties, single, types
from icepick.openapi.types import Operation, ParameterLocation, Schema
from icepick.resources.fields import inputs, request_schema, response_schema
from icepick.resources.paths import PathNode
from icepick.resources.payloads import payload, schema_name
from icepick.resources.types import Evidence, Location, Payload, Provenance, Resource, Role, Use
from icepick.resources.words import Words, is_plural, noun, words

_SEARCH = frozenset({"search", "query", "filter", "find", "lookup", "list", "paginate", "count"})
_REMOVES = frozenset({"remove", "delete", "purge", "clear", "reset", "cancel", "stop", "close"})
_BULK = frozenset({"bulk", "batch", "many", "multiple", "list", "array", "all"})
_CREATING = frozenset({"create", "creates", "add", "adds", "register", "registers"})
_SCALARS = frozenset({"string", "integer", "number", "boolean"})


@dataclass(frozen=True, slots=True)
class Kind:
    """What is known of a resource while roles are given out."""

    name: str
    noun: Words
    schema: Schema
    has_collection_create: bool
    schemas: Schemas


def _use(operation: Operation, role: Role, kind: Kind, reason: str, sure: float = 0.95) -> Use:
    return Use(
        operation.id,
        role,
        Evidence(Provenance.INFERRED, sure, reason),
        payload(request_schema(operation), kind.noun, kind.schemas),
        payload(response_schema(operation), kind.noun, kind.schemas),
        creates=role in {Role.CREATE, Role.CREATE_MANY},
    )


def item_uses(node: PathNode, kind: Kind) -> Iterator[Use]:
    """The operations on the item path itself."""
    fixed = {
        "GET": (Role.READ, "GET on the item"),
        "PUT": (Role.REPLACE, "PUT on the item"),
        "PATCH": (Role.UPDATE, "PATCH on the item"),
        "DELETE": (Role.DELETE, "DELETE on the item"),
    }
    for operation in node.operations:
        if operation.method in fixed:
            role, reason = fixed[operation.method]
            yield _use(operation, role, kind, reason)
        elif operation.method == "POST" and "POST" not in node.changing:
            yield _use(operation, Role.VIEW, kind, "POST that asks what GET asks", 0.8)
        elif operation.method == "POST" and not kind.has_collection_create:
            reason = "POST on the item path, and the collection takes none"
            yield _use(operation, Role.CREATE, kind, reason, 0.85)
        elif operation.method == "POST" and _says_created(operation):
            yield _use(operation, Role.CREATE, kind, "POST on the item path that creates", 0.85)
        elif operation.method == "POST":
            given = [f for f in inputs(operation, kind.schemas) if f.location is not Location.PATH]
            role = Role.UPDATE if given else Role.ACTION
            yield _use(operation, role, kind, "POST on an item that exists", 0.7)


def _says_created(operation: Operation) -> bool:
    """Whether an operation is said to create, and answers in no other way than with 201."""
    good = [status for status in operation.responses if status.startswith("2")]
    first = words(operation.summary)[:1] or words(operation.id)[:1]
    return good == ["201"] and bool(_CREATING.intersection(first))


def collection_uses(node: PathNode, kind: Kind) -> Iterator[Use]:
    """The operations on the collection path itself."""
    for operation in node.operations:
        if operation.method == "POST" and "POST" not in node.changing:
            yield _use(operation, Role.SEARCH, kind, "POST that asks what GET asks", 0.8)
            continue
        sent = payload(request_schema(operation), kind.noun, kind.schemas)
        many = sent is not None and sent.many and _is_same(sent, kind)
        match operation.method:
            case "GET":
                shown = payload(response_schema(operation), kind.noun, kind.schemas)
                listing = shown is None or shown.many or not _is_same(shown, kind)
                role = Role.LIST if listing else Role.VIEW
                yield _use(operation, role, kind, "GET on the collection")
            case "POST":
                role = Role.CREATE_MANY if many else Role.CREATE
                yield _use(operation, role, kind, "POST on the collection")
            case "PUT" | "PATCH" if _changes_many(operation, sent, kind):
                reason = f"{operation.method} on the collection that answers with a list"
                yield _listing_keys(_use(operation, Role.UPDATE_MANY, kind, reason, 0.85), kind)
            case "PUT" | "PATCH" if _names_several(operation, kind.schemas):
                reason = f"{operation.method} on the collection, several items named in the body"
                yield _listing_keys(_use(operation, Role.UPDATE_MANY, kind, reason, 0.85), kind)
            case "PUT" | "PATCH":
                role = Role.REPLACE if operation.method == "PUT" else Role.UPDATE
                reason = f"{operation.method} on the collection, the item named in the body"
                yield _use(operation, role, kind, reason, 0.8)
            case "DELETE":
                reason = "DELETE on the collection"
                yield _use(operation, Role.DELETE_MANY, kind, reason, 0.8)


def _changes_many(operation: Operation, sent: Payload | None, kind: Kind) -> bool:
    """Whether one set of new values goes to whatever a filter lets through: the answer is the
    list of them."""
    shown = payload(response_schema(operation), kind.noun, kind.schemas)
    one = sent is not None and not sent.many
    filtered = bool(operation.parameters_in(ParameterLocation.QUERY))
    return one and filtered and shown is not None and shown.many and _is_same(shown, kind)


def _names_several(operation: Operation, schemas: Schemas) -> bool:
    """Whether a body is a list of items, or has one of their keys beside what is to be changed."""
    schema = request_schema(operation)
    if schema is None:
        return False
    if single(schema) is not schema or items(schema, schemas) is not None:
        return True
    return _keys_in(schema, schemas) is not None


def _keys_in(schema: Schema, schemas: Schemas) -> str | None:
    """The list of identifiers in a body."""
    for name, part in properties(schema, schemas).items():
        if set(words(name)) <= {"ids", "keys"} and items(part.schema, schemas) is not None:
            return name
    return None


def _listing_keys(use: Use, kind: Kind) -> Use:
    """The use of a body that has keys beside the new values, as one of those values."""
    sent = use.request
    keys = _keys_in(sent.schema, kind.schemas) if sent is not None else None
    if sent is None or keys is None:
        return use
    beside = {
        name: part.schema
        for name, part in properties(sent.schema, kind.schemas).items()
        if properties(part.schema, kind.schemas)
    }
    if len(beside) != 1:
        return use
    [(name, schema)] = beside.items()
    return replace(
        use, request=Payload((*sent.path, name), schema, many=False), keys=(*sent.path, keys)
    )


def below_collection(node: PathNode, kind: Kind) -> Iterator[Use]:
    """The operations on a fixed path below the collection: `/pets/search`, `/users/bulk`."""
    last = set(words(node.last.text))
    for operation in node.operations:
        shown = payload(response_schema(operation), kind.noun, kind.schemas)
        sent = payload(request_schema(operation), kind.noun, kind.schemas)
        if operation.method == "GET":
            listing = shown is not None and shown.many and _is_same(shown, kind)
            role = Role.SEARCH if listing or last & _SEARCH else Role.VIEW
            yield _use(operation, role, kind, "GET below the collection", 0.7)
        elif operation.method == "POST" and sent and sent.many and _is_same(sent, kind):
            reason = "POST below the collection that takes a list of items"
            yield _use(operation, Role.CREATE_MANY, kind, reason, 0.85)
        elif operation.method == "POST" and last & _SEARCH and not last & {"create", "add"}:
            reason = "POST on a path that says search"
            yield _use(operation, Role.SEARCH, kind, reason, 0.85)
        elif operation.method == "POST" and not (kind.has_collection_create or last & _REMOVES):
            reason = "POST below a collection that takes none itself"
            yield _use(operation, Role.CREATE, kind, reason, 0.65)
        elif operation.method == "DELETE" and last & _BULK:
            reason = "DELETE below the collection"
            yield _use(operation, Role.DELETE_MANY, kind, reason, 0.6)
        else:
            reason = f"{operation.method} below the collection"
            yield _use(operation, Role.ACTION, kind, reason, 0.6)


def below_item(node: PathNode, kind: Kind) -> Iterator[Use]:
    """The operations on a fixed path below the item: fields, actions and views."""
    field = _field_named(node, kind)
    for operation in node.operations:
        shown = response_schema(operation)
        scalar = shown is not None and bool(types(shown, kind.schemas) & _SCALARS)
        if field and (operation.method != "GET" or scalar or field == node.last.text):
            reason = f"the path names the property {field}"
            yield _use(operation, Role.FIELD, kind, reason, 0.8)
        elif operation.method == "GET":
            yield _use(operation, Role.VIEW, kind, "GET below the item", 0.7)
        else:
            reason = f"{operation.method} below the item"
            yield _use(operation, Role.ACTION, kind, reason, 0.75)


def _field_named(node: PathNode, kind: Kind) -> str | None:
    wanted = words(node.last.text)
    return next(
        (name for name in properties(kind.schema, kind.schemas) if words(name) == wanted), None
    )


def _is_same(shown: Payload, kind: Kind) -> bool:
    """Whether a payload is a representation of the resource, by the name of its schema."""
    name = schema_name(shown.schema, kind.schemas)
    own = schema_name(kind.schema, kind.schemas)
    if name is None or own is None:
        return name is not None and noun(name)[-1:] == kind.noun[-1:]
    return name == own


def looks_like_collection(node: PathNode, schemas: Schemas) -> bool:
    """Whether a path without an item path lists or takes instances, rather than being one."""
    get = node.by_method("GET")
    shown = payload(response_schema(get), node.noun, schemas) if get else None
    if shown is not None:
        return shown.many
    return is_plural(node.last.text)


def shows_one(node: PathNode, kind: Kind) -> bool:
    """Whether a path below an item only shows the one instance of another resource that the item
    refers to: `/books/{id}/publisher`."""
    get = node.by_method("GET")
    shown = payload(response_schema(get), node.noun, kind.schemas) if get else None
    if shown is None or shown.many or is_plural(node.last.text):
        return False
    return node.methods == {"GET"} and _is_same(shown, kind)


def member_use(operation: Operation, role: Role, kind: Kind, owner: Kind | None) -> Use:
    """A use of one resource under the path of another, its owner."""
    named = owner.name if owner else None
    use = _use(operation, role, kind, f"a path below one {named} that names {kind.name}", 0.85)
    return replace(use, owner=named)


def with_creating_puts(
    uses: tuple[Use, ...], operations: Mapping[str, Operation], *, named: bool
) -> Iterator[Use]:
    """PUT also creates where the document says 201, or where nothing else creates.

    On a collection it does where nothing else creates and it does not name (`named`) what it is
    about: then it must be new.
    """
    alone = not any(use.creates for use in uses)
    for use in uses:
        operation = operations[use.operation]
        is_put = use.role is Role.REPLACE
        if is_put and "{" in last_segment(operation.path):
            creates = alone or "201" in operation.responses
            yield replace(use, creates=True) if creates else use
        elif is_put and alone and not named:
            yield replace(use, role=Role.CREATE, creates=True)
        else:
            yield use


def lacks_creation(resource: Resource, schema: str | None) -> bool:
    """Whether nothing creates a resource that is shown with the schema of that name."""
    same = schema is not None and resource.schema_name == schema
    return same and not any(use.creates for use in resource.uses)


def extended(resource: Resource, uses: Iterable[Use]) -> Resource:
    """The resource with more uses."""
    return replace(resource, uses=(*resource.uses, *uses))
