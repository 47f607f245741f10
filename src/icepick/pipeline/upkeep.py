"""Which operations of an API are updates and reads that a plan should make a place for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from icepick.glacier.static.routes import Routes
from icepick.glacier.tree import Request, walk
from icepick.model.derive.derive import modelled
from icepick.model.types import Model
from icepick.openapi.types import Operation
from icepick.pipeline.models import Described
from icepick.resources.fields import inputs, leaves
from icepick.resources.filters import can_choose
from icepick.resources.types import Resource, Role, Use
from icepick.resources.words import words
from icepick.sequences.types import Kind
from icepick.sequences.upkeep import Upkeep

_UPDATES = (Role.REPLACE, Role.UPDATE)
_READS = (
    Role.READ,
    Role.LIST,
    Role.SEARCH,
    Role.VIEW,
    Role.FIELD,
    Role.MEMBERS,
    Role.MEMBER,
)


def upkeep(api: Described, model: Model) -> tuple[Upkeep, ...]:
    """The updates and actions of what the model has, and reads that no contract asks for."""
    operations = {operation.id: operation for operation in api.spec.operations}
    found = [*_of_resources(api, model, operations), *_others(api, model, operations)]
    asked = _asked_for(api)
    first: dict[str, Upkeep] = {}
    for one in found:
        if one.kind is not Kind.READ or one.operation not in asked:
            first.setdefault(one.operation, one)
    return tuple(first.values())


def left_out(api: Described, models: Iterable[Model]) -> tuple[str, ...]:
    """The operations that no plan for any of the models has a place for."""
    placed: set[str | None] = {*_asked_for(api)}
    for model in models:
        placed |= {action.operation for action in model.actions}
        placed |= {one.operation for one in upkeep(api, model)}
    return tuple(o.id for o in api.spec.operations if o.id not in placed)


def _of_resources(
    api: Described, model: Model, operations: dict[str, Operation]
) -> Iterator[Upkeep]:
    known = {resource.name for resource in model.resources}
    for resource in api.resources.resources.values():
        for use in resource.uses if resource.name in known else ():
            operation = operations[use.operation]
            about = _about(api, resource, use, operation, known)
            changes = operation.method != "GET"
            if use.role is Role.UPDATE_MANY:
                yield from _one_of_many(resource, operation)
            elif use.role in _UPDATES or (use.role is Role.FIELD and changes):
                named = (resource.name, *(name for name in about if name != resource.name))
                yield Upkeep(operation.id, Kind.UPDATE, named)
            elif use.role in _READS:
                yield Upkeep(operation.id, Kind.READ, about)
            elif use.role is Role.ACTION:
                yield Upkeep(operation.id, Kind.ACTION, about)


def _one_of_many(resource: Resource, operation: Operation) -> Iterator[Upkeep]:
    """A change of many has a place where a filter makes it a change of one: others would see
    theirs change."""
    if can_choose(operation, resource):
        # A filter that lets nothing through is no mistake.
        yield Upkeep(operation.id, Kind.UPDATE, (resource.name,), is_sure=False)


def _about(
    api: Described, resource: Resource, use: Use, operation: Operation, known: set[str]
) -> tuple[str, ...]:
    """The resources that the path names; what holds another one is known from that."""
    names = dict.fromkeys((resource.name, use.owner, resource.parent))
    found = []
    for name in names:
        one = api.resources.resources.get(name) if name in known and name else None
        identifier = one.identifier if one is not None else None
        if identifier is not None and f"{{{identifier.parameter}}}" in operation.path:
            found.append(name or "")
    if resource.name in found and resource.parent in found:
        found.remove(resource.parent)
    return tuple(found)


def _others(api: Described, model: Model, operations: dict[str, Operation]) -> Iterator[Upkeep]:
    """Calls to what has no life cycle; they fit every model, and every state of it unless they
    take what an instance has, as a sign-in takes the name and the password of a user."""
    known = modelled(api.resources)
    for name in api.resources.standalone:
        reads = operations[name].is_safe
        about = _consumed(api, model, operations[name])
        # What changes a thing that is not known to be the run's own gets no place.
        if reads or about or "{" not in operations[name].path:
            yield Upkeep(name, Kind.READ if reads else Kind.ACTION, about)
    for resource in api.resources.resources.values():
        for use in resource.uses if resource.name not in known else ():
            reads = operations[use.operation].is_safe
            # What deletes a thing that is not the run's own gets no place.
            if use.role not in {Role.DELETE, Role.DELETE_MANY, Role.UPDATE_MANY}:
                yield Upkeep(use.operation, Kind.READ if reads else Kind.ACTION)


def _consumed(api: Described, model: Model, operation: Operation) -> tuple[str, ...]:
    """The resource whose instances have what the call takes."""
    wanted = {tuple(words(leaf.name)) for leaf in inputs(operation, api.spec.schemas)}
    best: tuple[int, str] | None = None
    for one in model.resources:
        resource = api.resources.resources[one.name]
        has = {tuple(words(leaf.name)) for leaf in leaves(resource.schema, api.spec.schemas)}
        shared = len(wanted & has)
        known_by = resource.identifier.property if resource.identifier else None
        named = known_by is not None and tuple(words(known_by[-1])) in wanted
        enough = shared >= 2 or (shared == 1 and named)
        if enough and (best is None or shared > best[0]):
            best = (shared, one.name)
    return (best[1],) if best is not None else ()


def _asked_for(api: Described) -> set[str]:
    """The GETs that contracts send."""
    routes = Routes(api.spec)
    found: set[str] = set()
    for clause in api.contracts.clauses():
        for node in walk(clause.formula):
            operation = routes.find(node).operation if isinstance(node, Request) else None
            if operation is not None:
                found.add(operation.id)
    return found
