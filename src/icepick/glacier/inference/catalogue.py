"""Reusable clauses as templates over resources, made concrete for an API where they apply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from icepick.errors import Place
from icepick.glacier.contracts import Clause, Contracts, OperationContract, Provenance
from icepick.glacier.inference.keys import Key, Keys, access, filled, key_of
from icepick.glacier.inference.views import Views, own_keys
from icepick.glacier.parser import parse_formula
from icepick.glacier.printer import print_formula
from icepick.openapi.places import last_segment
from icepick.openapi.shape import Schemas, properties, types
from icepick.openapi.types import ApiSpec
from icepick.resources.fields import leaves
from icepick.resources.types import Payload, Resource, ResourceMap, Role, Use
from icepick.resources.words import words

_BOUNDING = frozenset({"capacity", "limit", "max", "maximum", "quota", "seats", "slots", "size"})
_COUNTING = frozenset({"version", "revision", "sequence", "counter", "etag"})


@dataclass(frozen=True, slots=True)
class Instance:
    """A template made concrete; `operation` is the label it belongs to, None for an invariant."""

    text: str
    operation: str | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of clause that many APIs share."""

    name: str
    summary: str
    instances: Callable[[_Api], Iterator[Instance]]


@dataclass(frozen=True, slots=True)
class _Walk:
    """A variable that stands for every instance of a resource in turn.

    `opening` quantifies it, and before it everything above it in the path.
    """

    opening: str
    variable: str
    keys: Keys
    is_object: bool

    def each(self, body: str) -> str:
        """A statement on every instance."""
        return f"{self.opening} :- {body}"


@dataclass(frozen=True, slots=True)
class _Api:
    """What templates look at."""

    spec: ApiSpec
    resources: Mapping[str, Resource]
    views: Views

    @property
    def schemas(self) -> Schemas:
        return self.spec.schemas

    def derives(self, resource: Resource, sent: Payload) -> bool:
        """Whether a representation shows more than what a client sends: clocks, sums, prices."""
        own = set(resource.identifier.property or ()) if resource.identifier else set()
        given = set(properties(sent.schema, self.schemas))
        return not set(properties(resource.schema, self.schemas)) <= given | own

    def walk(self, resource: Resource, taken: str = "") -> _Walk | None:
        """Every instance of a resource, through lists alone; None where they cannot be listed."""
        identifier = resource.identifier
        above = self.resources.get(resource.parent or "")
        outer = self.walk(above, taken) if above else None
        if identifier is None or (above and outer is None):
            return None
        keys = dict(outer.keys) if outer else {}
        found = self.views.listing(resource, keys, whole=False)
        if found is None:
            return None
        listed, shown = found
        variable = _letter(resource, taken + (outer.variable if outer else ""))
        is_object = bool(properties(shown.schema, self.schemas))
        if is_object and identifier.property is None:
            return None
        path = identifier.property if is_object and identifier.property else ()
        keys[identifier.parameter] = Key.of_variable(variable, path)
        opening = f"{outer.opening} : " if outer else ""
        return _Walk(f"{opening}for {variable} in {listed}", variable, keys, is_object)

    def is_object(self, shown: Payload) -> bool:
        """Whether a body is one object."""
        return not shown.many and bool(properties(shown.schema, self.schemas))

    def always_shown(self, resource: Resource) -> bool:
        """Whether the schema itself says that every instance has its identifier."""
        path = resource.identifier.property if resource.identifier else None
        known = properties(resource.schema, self.schemas).get(path[0]) if path else None
        return known is not None and known.required and len(path or ()) == 1

    def walks(self) -> Iterator[tuple[Resource, _Walk]]:
        """Every resource whose instances can be listed."""
        for resource in self.resources.values():
            walk = self.walk(resource)
            if walk is not None:
                yield resource, walk

    def key(self, resource: Resource, walk: _Walk) -> str:
        """The identifier of the instance that a walk stands at."""
        return walk.keys[resource.identifier.parameter].alone if resource.identifier else ""

    def members(self) -> Iterator[_Members]:
        """Sub-collections: an owner, and the instances of another resource that belong to it."""
        for resource in self.resources.values():
            for use in resource.having(Role.MEMBERS):
                owner = self.resources.get(use.owner or "")
                walk = self.walk(owner, _letter(resource)) if owner else None
                found = self._members(owner, walk, resource, use) if owner and walk else None
                if found is not None:
                    yield found

    def _members(self, owner: Resource, walk: _Walk, member: Resource, use: Use) -> _Members | None:
        path = filled(self.views.operation(use).path, walk.keys)
        shown, identifier = use.response, member.identifier
        if path is None or shown is None or not shown.many or identifier is None:
            return None
        whole = bool(properties(shown.schema, self.schemas))
        if whole and identifier.property is None:
            return None
        inner = identifier.property if whole and identifier.property else ()
        key = Key.of_variable(_letter(member), inner)
        return _Members(owner, walk, member, access(f"res_body(GET {path})", shown.path), key)


@dataclass(frozen=True, slots=True)
class _Members:
    """The members of the owner that a walk stands at: their list, and the key of one of them."""

    owner: Resource
    walk: _Walk
    member: Resource
    listed: str
    key: Key

    def each(self, body: str) -> str:
        """A statement on every member of every owner."""
        return f"{self.walk.opening} : for {_letter(self.member)} in {self.listed} :- {body}"


def _letter(resource: Resource, taken: str = "") -> str:
    """A variable for a resource: its first letter, unless that is taken."""
    first = resource.name[0].lower()
    return first if first not in taken else next(c for c in "xyzuvw" if c not in taken)


def _referential_integrity(api: _Api) -> Iterator[Instance]:
    for resource, walk in api.walks():
        shown = {field.path for field in leaves(resource.schema, api.schemas)}
        for reference in resource.references if walk.is_object else ():
            target = api.resources[reference.target]
            if not reference.writable or reference.field.is_many or target.identifier is None:
                continue
            if reference.field.path not in shown:
                continue
            key = Key.of_variable(walk.variable, reference.field.path)
            keys = {**walk.keys, target.identifier.parameter: key}
            there = api.views.existence(target, keys)
            if there is not None and not there.by_list:
                optional = "" if reference.field.required else f"{key.alone} != null => "
                yield Instance(walk.each(optional + there.present))
    for found in api.members():
        identifier = found.member.identifier
        keys = {identifier.parameter: found.key} if identifier else {}
        there = api.views.existence(found.member, keys)
        if there is not None and not there.by_list:
            yield Instance(found.each(there.present))


def _key_uniqueness(api: _Api) -> Iterator[Instance]:
    for resource, walk in api.walks():
        if walk.is_object and resource.identifier and resource.identifier.property:
            other = walk.variable + "2"
            second = Key.of_variable(other, resource.identifier.property).alone
            one, both = f"for {walk.variable} in", f"for {walk.variable}, {other} in"
            opening = both.join(walk.opening.rsplit(one, 1))
            yield Instance(f"{opening} :- {api.key(resource, walk)} != {second}")


def _entity_integrity(api: _Api) -> Iterator[Instance]:
    for resource, walk in api.walks():
        if walk.is_object and not api.always_shown(resource):
            yield Instance(walk.each(f"{api.key(resource, walk)} != null"))


def _capacity(api: _Api) -> Iterator[Instance]:
    for found in api.members():
        bound = _bound(api, found.owner, found.walk)
        if bound is not None:
            yield Instance(found.walk.each(f"{found.listed}.len <= {bound}"))


def _bound(api: _Api, owner: Resource, walk: _Walk) -> str | None:
    """The number that bounds the members of an owner: a field of its own path, or a property."""
    for use in owner.having(Role.FIELD):
        operation = api.views.operation(use)
        path = filled(operation.path, walk.keys) if operation.method == "GET" else None
        if path is not None and set(words(last_segment(operation.path))) & _BOUNDING:
            return f"res_body(GET {path})"
    for name, part in properties(owner.schema, api.schemas).items():
        if set(words(name)) & _BOUNDING and types(part.schema, api.schemas) & {"integer", "number"}:
            return Key.of_variable(walk.variable, (name,)).alone
    return None


def _symmetric_relations(api: _Api) -> Iterator[Instance]:
    """Where both sides list the other by identifier alone."""
    for found in api.members():
        owner, member = found.owner, found.member
        for back in owner.having(Role.MEMBERS) if member.identifier else ():
            shown = back.response
            if back.owner != member.name or shown is None or properties(shown.schema, api.schemas):
                continue
            keys = {member.identifier.parameter: found.key} if member.identifier else {}
            path = filled(api.views.operation(back).path, keys)
            if path is not None:
                listed = access(f"res_body(GET {path})", shown.path)
                yield Instance(found.each(f"contains({listed}, {api.key(owner, found.walk)})"))


def _idempotent_put(api: _Api) -> Iterator[Instance]:
    for resource in api.resources.values():
        for use in resource.having(Role.REPLACE):
            operation = api.views.operation(use)
            body = api.views.body(resource, own_keys(operation))
            if body is not None and use.request is not None and api.is_object(use.request):
                same = f"{access('req_body(@)', use.request.path)} = prev({body})"
                there = api.views.existence(resource, own_keys(operation))
                if use.creates and there is not None:
                    same = f"prev({there.present}) && {same}"
                derived = api.derives(resource, use.request)
                kept = access("req_body(@)", use.request.path) if derived else None
                yield Instance(f"{same} => {kept or f'prev({body})'} = {body}", operation.label)


def _no_resurrection(api: _Api) -> Iterator[Instance]:
    for resource in api.resources.values():
        identifier = resource.identifier
        for use in resource.having(Role.CREATE):
            operation = api.views.operation(use)
            found = api.views.listing(resource, own_keys(operation))
            known_by = identifier.property if identifier else None
            if found is None or identifier is None or not identifier.input or not known_by:
                continue
            new = key_of(identifier.input.location, identifier.input.path)
            if new is None:
                continue
            whole = bool(properties(found[1].schema, api.schemas))
            one, two = (Key.of_variable(v, known_by if whole else ()).alone for v in ("x", "y"))
            known = f"exists y in prev({found[0]}) :- {two} = {one}"
            body = f"{one} = {new.alone} || ({known})"
            yield Instance(f"for x in {found[0]} :- {body}", operation.label)


def _monotonic_counters(api: _Api) -> Iterator[Instance]:
    for resource in api.resources.values():
        counters = [
            name
            for name, part in properties(resource.schema, api.schemas).items()
            if set(words(name)) & _COUNTING and "integer" in types(part.schema, api.schemas)
        ]
        for use in resource.having(Role.REPLACE, Role.UPDATE):
            operation = api.views.operation(use)
            body = api.views.body(resource, own_keys(operation))
            for name in counters if body else ():
                value = access(body or "", (name,))
                yield Instance(f"{value} >= prev({value})", operation.label)


def _list_item_agreement(api: _Api) -> Iterator[Instance]:
    for resource, walk in api.walks():
        body = api.views.body(resource, walk.keys) if walk.is_object else None
        if body is not None:
            yield Instance(walk.each(f"{walk.variable} = {body}"))


CATALOGUE: tuple[Template, ...] = (
    Template(
        "referential-integrity",
        "what a reference names exists",
        _referential_integrity,
    ),
    Template("key-uniqueness", "no two instances have the same identifier", _key_uniqueness),
    Template("entity-integrity", "every instance has an identifier", _entity_integrity),
    Template("capacity", "a collection is no longer than the field that bounds it", _capacity),
    Template("symmetric-relations", "two lists of one relation say the same", _symmetric_relations),
    Template("idempotent-put", "the same PUT twice changes nothing", _idempotent_put),
    Template("no-resurrection", "creating one thing brings back no other", _no_resurrection),
    Template("monotonic-counters", "versions and counters never go back", _monotonic_counters),
    Template(
        "list-item-agreement", "a list shows what reading the item shows", _list_item_agreement
    ),
)


def instances(template: Template, spec: ApiSpec, resources: ResourceMap) -> tuple[Instance, ...]:
    """The template made concrete for an API; nothing where it does not apply."""
    api = _Api(spec, resources.resources, Views(spec, resources.resources))
    return tuple(
        replace(found, text=print_formula(parse_formula(found.text)))
        for found in template.instances(api)
    )


def as_contracts(chosen: Iterable[Instance], spec: ApiSpec) -> Contracts:
    """Instances as the clauses of a person, who chose them."""
    found = Contracts()
    for instance in chosen:
        clause = Clause(
            parse_formula(instance.text), instance.text, Provenance.WRITTEN, Place(spec.source)
        )
        if instance.operation is None:
            found = found.merged(Contracts(invariants=(clause,)))
        else:
            contract = OperationContract(instance.operation, ensures=(clause,))
            found = found.merged(Contracts({instance.operation: contract}))
    return found
