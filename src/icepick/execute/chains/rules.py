"""What chains may not do, and how their calls are told apart."""

from __future__ import annotations

import re
from collections.abc import Mapping

from icepick.execute.chains.inputs import Inputs
from icepick.execute.chains.needs import Need, Wants
from icepick.execute.chains.pool import Thing
from icepick.execute.transport.credentials import signed
from icepick.execute.transport.placements import placement
from icepick.execute.types import Request
from icepick.inputs import Fresh, Made, Slot
from icepick.openapi.places import HOLE
from icepick.openapi.types import Json, Operation, SecurityScheme
from icepick.resources.filters import can_choose, takes_items
from icepick.resources.types import Location, ResourceMap, Role
from icepick.resources.words import words
from icepick.sequences.types import Kind

NOT_OWN_DELETED = "would delete what is not the run's own"
NOT_OWN_CHANGED = "would change what is not the run's own"

LISTING = (Role.LIST, Role.SEARCH)
_TOKEN = re.compile(r"(access|session|auth|id)?_?(token|jwt)", re.IGNORECASE)
_IDENTIFYING = frozenset({"id", "ids", "uuid", "guid", "uid", "key", "ref", "token", "secret"})
_UPDATES = frozenset({Role.REPLACE, Role.UPDATE, Role.UPDATE_MANY, Role.FIELD})


def forbidden(operation: Operation, resources: ResourceMap) -> str:
    """Why an operation must not be called at all; empty where it may."""
    if operation.is_safe:
        return ""
    uses = resources.uses_of(operation.id)
    # Below something that a chain created there is nothing but its own.
    whole = not HOLE.search(operation.path)
    if whole and any(use.role is Role.DELETE_MANY for _, use in uses):
        return NOT_OWN_DELETED
    many = [resource for resource, use in uses if use.role is Role.UPDATE_MANY]
    if not all(can_choose(operation, one) or takes_items(operation, one) for one in many):
        return NOT_OWN_CHANGED
    single = any(resource.is_singleton for resource, _ in uses)
    if operation.method == "DELETE" and whole and not single:
        return NOT_OWN_DELETED
    return ""


def kind_of(operation: Operation, resources: ResourceMap) -> Kind:
    """What a call is for, in the words of plans: one fault has one name wherever it is found."""
    if operation.is_safe:
        return Kind.READ
    for _, use in resources.uses_of(operation.id):
        if use.creates or use.role is Role.DELETE:
            return Kind.TRANSITION
        if use.role in _UPDATES:
            return Kind.UPDATE
    return Kind.ACTION


def made_up_path(operation: Operation, fresh: Fresh) -> Inputs:
    """No values but in the path of what changes something: there they must not hit anything."""
    if operation.is_safe:
        return Inputs()
    found: dict[Slot, Json] = {}
    for one in operation.parameters:
        if one.location.value == Location.PATH.value:
            made = fresh.value(one.schema, one.name, f"made up {one.name}", in_path=True)
            if isinstance(made, Made):
                found[Location.PATH, (one.name,)] = made.value
    return Inputs(found)


def with_own_token(
    request: Request, schemes: Mapping[str, SecurityScheme], thing: Thing | None
) -> Request:
    """A request with the token of a session that the chain began, so that it ends no other."""
    value = thing.value if thing is not None and isinstance(thing.value, dict) else {}
    for name, token in value.items():
        if _TOKEN.fullmatch(name) and isinstance(token, str) and token:
            return signed(request, placement(schemes, None).credential(token))
    return request


def creations(
    resource: str, operations: Mapping[str, Operation], resources: ResourceMap
) -> list[str]:
    """The operations that create an instance and may be called, those of one at a time first."""
    uses = [use for use in resources.resources[resource].uses if use.creates]
    order = sorted(uses, key=lambda use: use.role is Role.CREATE_MANY)
    found = (operations[use.operation] for use in order)
    return [one.id for one in found if not forbidden(one, resources)]


def lacks(
    operation: Operation,
    need: Need,
    operations: Mapping[str, Operation],
    resources: ResourceMap,
    reasons: Mapping[str, str],
) -> str:
    """Why there is nothing that a call could be about."""
    names = creations(need.resource, operations, resources)
    if names:
        refused = reasons.get(names[0], "gave none")
        return f"needs a {need.resource}, and {operations[names[0]].label} {refused}"
    listed = resources.resources[need.resource].having(*LISTING)
    if listed and need.slot[0] is Location.PATH:
        return NOT_OWN_DELETED if operation.method == "DELETE" else NOT_OWN_CHANGED
    return f"needs a {need.resource} that nothing creates"


def surroundings(operation: Operation, wants: Wants, resources: ResourceMap) -> list[str]:
    """The resources that an operation may need beside those it names: a user to sign in, the
    lines of an order that is submitted."""
    known = resources.resources.values()
    needs = [one.resource for one in wants.needs(operation)]
    sources = {edge.schema for edge in wants.edges(operation) if not edge.is_whole}
    beside = [one.name for one in known if (one.schema_name or one.name) in sources]
    about = {*needs, *beside}
    below = [
        one.name
        for one in known
        if one.parent in about or any(r.target in about for r in one.references)
    ]
    shown = _referred_to(needs, resources) if operation.is_safe else []
    wanted = dict.fromkeys([*beside, *shown, *below])
    return [name for name in wanted if name not in needs or name in below]


def _referred_to(names: list[str], resources: ResourceMap) -> list[str]:
    """What these may refer to without having to: a view may show it, or find nothing."""
    found = [resources.resources[name] for name in names]
    return [
        reference.target
        for resource in found
        for reference in resource.references
        if reference.writable and not reference.field.is_many and not reference.field.required
    ]


def impersonal(body: Json) -> Json:
    """What an answer shows but for what identifies anything: values may be used, things may not."""
    if isinstance(body, dict):
        return {
            name: impersonal(value)
            for name, value in body.items()
            if not _IDENTIFYING & set(words(str(name))[-1:])
        }
    return [impersonal(one) for one in body] if isinstance(body, list) else body


def of_own_kind(resources: ResourceMap) -> set[str]:
    """The creations of what can refer to another one of its kind."""
    return {
        use.operation
        for resource in resources.resources.values()
        for use in resource.uses
        if use.creates and any(one.target == resource.name for one in resource.references)
    }
