"""Which fields of a resource hold identifiers of another, and which resources join others."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from icepick.openapi.shape import Schemas, properties
from icepick.openapi.types import ApiSpec, ParameterLocation, Schema
from icepick.resources.fields import inputs, leaves, objects
from icepick.resources.payloads import schema_name
from icepick.resources.reference_fit import can_hold, described_words, fit, noun_of
from icepick.resources.types import (
    Evidence,
    Field,
    Location,
    Path,
    Provenance,
    Reference,
    Resource,
    Role,
)
from icepick.resources.words import Words, is_generic, noun, singular, words

Resources = Mapping[str, Resource]
Guess = tuple[float, str, str]
"""How surely, which resource, and why."""

_LEAST = 0.55
_SURELY = 0.75
_WRITING = (Role.CREATE, Role.CREATE_MANY, Role.REPLACE, Role.UPDATE)


def with_references(resources: Resources, spec: ApiSpec) -> dict[str, Resource]:
    """The same resources with their references and the resources they join."""
    borrowed = {
        name: target
        for name, resource in resources.items()
        if (target := _lender(resource, resources)) is not None
    }
    targets = _Targets(one for one in resources.values() if one.name not in borrowed)
    found = {}
    for name, resource in resources.items():
        references = tuple(_references(resource, targets, spec))
        if (lender := borrowed.get(name)) is not None:
            same = resource.schema_name and resource.schema_name == resources[lender].schema_name
            # What it shows is the lender, whose references are its own affair.
            references = (_borrowing(resource, lender), *(() if same else references))
        references = (
            *_in_path(resource, targets, spec),
            *(_in_key(one, resource) for one in references),
        )
        joins = _joins(resource, references, borrowed.get(name))
        found[name] = replace(resource, references=references, joins=joins)
    return found


def with_parents(resources: Resources) -> dict[str, Resource]:
    """The same resources; what stands below a singleton belongs to it, if to nothing else."""
    alone = {f"{one.item_path}/": one.name for one in resources.values() if one.is_singleton}

    def parent(resource: Resource) -> str | None:
        path = resource.item_path or resource.collection_path or ""
        above = [start for start in alone if path.startswith(start)]
        return resource.parent or (alone[max(above, key=len)] if above else None)

    return {name: replace(one, parent=parent(one)) for name, one in resources.items()}


class _Targets:
    """The resources that may be referred to, by the words that would name them.

    Looking at all of them for every field takes minutes where there are hundreds.
    """

    def __init__(self, resources: Iterable[Resource]) -> None:
        self._by_word: dict[str, list[Resource]] = defaultdict(list)
        self._by_schema: dict[str | None, list[Resource]] = defaultdict(list)
        for resource in resources:
            for word in _telling_words(resource):
                self._by_word[word].append(resource)
            self._by_schema[resource.schema_name].append(resource)

    def meant(self, field: Field, resource: Resource, schemas: Schemas) -> list[Resource]:
        """Those that a field could mean: by its name, its description, or as its own kind."""
        said = [*map(singular, words(field.name)), *described_words(field, schemas)]
        found = [one for name in field.shows for one in self._by_schema.get(name, ())]
        found += [one for word in said for one in self._by_word.get(word, ())]
        return _each_once([*found, resource])

    def called(self, schema: Schema, schemas: Schemas) -> Resource | None:
        """The one resource that is shown with this schema."""
        named = schema_name(schema, schemas)
        alike = self._by_schema.get(named, []) if named else []
        return alike[0] if len(alike) == 1 else None

    def copied(self, path: Path, schema: Schema, schemas: Schemas) -> list[Resource]:
        """Those that an object could be a copy of: by its schema, or its name."""
        named = schema_name(schema, schemas)
        alike = self._by_schema.get(named, []) if named else []
        called = [noun(part)[-1:] for part in path if part not in {"[]", "data"}]
        named_so = [one for word in called if word for one in self._by_word.get(word[0], ())]
        return _each_once([*alike, *named_so])


def _telling_words(resource: Resource) -> set[str]:
    identifier = resource.identifier
    names = [noun_of(resource)]
    if identifier is not None:
        names.append(words(identifier.parameter))
        names.append(words(identifier.property[-1]) if identifier.property else ())
    return {singular(name[-1]) for name in names if name and not is_generic(name)}


def _each_once(resources: Iterable[Resource]) -> list[Resource]:
    return list({one.name: one for one in resources}.values())


def _references(resource: Resource, targets: _Targets, spec: ApiSpec) -> Iterator[Reference]:
    copies = _copies(resource, targets, spec.schemas)
    shown = dict(_shown(resource, targets, spec))
    for field, writable in _fields(resource, spec):
        copied = next((path for path in copies if _is_below(field.path, path)), None)
        beside = [one for path, one in copies.items() if _is_key_of(field.path, path)]
        best = (
            _by_view(field, shown, spec.schemas)
            or _best(
                field,
                resource,
                beside or targets.meant(field, resource, spec.schemas),
                spec.schemas,
            )
            if copied is None
            else _inside(field, copied, copies[copied])
        )
        if best is not None:
            evidence = Evidence(Provenance.INFERRED, round(best[0], 2), best[2])
            yield Reference(resource.name, field, best[1], writable, evidence)


def _shown(
    resource: Resource, targets: _Targets, spec: ApiSpec
) -> Iterator[tuple[Words, tuple[Resource, str]]]:
    """The one instance of another kind that a path below the item shows, by the name it has there:
    what `GET /readers/{id}/favourite` gives is what `favouriteId` refers to."""
    operations = {operation.id: operation for operation in spec.operations}
    for use in resource.having(Role.VIEW, Role.FIELD):
        operation, shown = operations[use.operation], use.response
        above, _, last = operation.path.strip("/").rpartition("/")
        if operation.method != "GET" or f"/{above}" != resource.item_path or shown is None:
            continue
        target = targets.called(shown.schema, spec.schemas) if not shown.many else None
        if target is not None and "{" not in last:
            yield words(last), (target, operation.label)


def _by_view(
    field: Field, shown: Mapping[Words, tuple[Resource, str]], schemas: Schemas
) -> Guess | None:
    called = words(field.name)
    target, label = shown.get(called[:-1], (None, ""))
    identifier = target.identifier if target is not None else None
    if target is None or identifier is None or len(field.path) != 1:
        return None
    known_as = {"id", *words((identifier.property or (identifier.parameter,))[-1])[-1:]}
    if called[-1] not in known_as or not can_hold(field, identifier, schemas):
        return None
    return 0.93, target.name, f"{label} shows the {target.name} that it means"


def _is_below(path: Path, start: Path) -> bool:
    return len(path) > len(start) and path[: len(start)] == start


def _is_key_of(path: Path, copy: Path) -> bool:
    """Whether a field names what stands as a whole beside it: `owner_id` beside `owner`."""
    called = words(path[-1])
    return path[:-1] == copy[:-1] and len(called) > 1 and called[:-1] == words(copy[-1])


def _best(
    field: Field, resource: Resource, targets: Iterable[Resource], schemas: Schemas
) -> Guess | None:
    best: Guess | None = None
    for target in targets:
        score, reason = fit(field, resource, target, schemas)
        if score >= _LEAST and (best is None or score > best[0]):
            best = (score, target.name, reason)
    return best


def _inside(field: Field, start: Path, target: Resource) -> Guess | None:
    """Of a copy, only the identifier counts: whatever else it refers to is its own affair."""
    own = target.identifier.property if target.identifier else None
    if own is None or field.path != (*start, *own):
        return None
    return 0.9, target.name, f"the identifier in a copy of {target.name}"


def _copies(resource: Resource, targets: _Targets, schemas: Schemas) -> dict[Path, Resource]:
    """Where a resource shows or takes whole instances of others, outermost first."""
    requests = [use.request.schema for use in resource.having(*_WRITING) if use.request]
    found: dict[Path, Resource] = {}
    for root in (*requests, resource.schema):
        for path, schema in objects(root, schemas):
            if any(path == outer or _is_below(path, outer) for outer in found):
                continue
            likely = targets.copied(path, schema, schemas)
            fits = [(_copy_fit(path, schema, one, schemas), one) for one in likely]
            best = max(fits, key=lambda fit: fit[0], default=(0, resource))
            if best[0] > 0:
                found[path] = best[1]
    return found


def _copy_fit(path: Path, schema: Schema, target: Resource, schemas: Schemas) -> int:
    own = target.identifier.property if target.identifier else None
    if own is None or own[0] not in properties(schema, schemas):
        return 0
    alike = target.schema_name is not None and schema_name(schema, schemas) == target.schema_name
    name = next((part for part in reversed(path) if part not in {"[]", "data"}), "")
    return 2 * alike + (noun(name) == noun_of(target))


def _borrowing(resource: Resource, lender: str) -> Reference:
    """The reference that an association makes by its very identifier."""
    own = resource.identifier
    field = own.input if own else None
    if field is None:
        name, schema = (own.parameter, own.schema) if own else ("", {})
        field = Field((name,), Location.PATH, schema, required=True)
    evidence = Evidence(Provenance.INFERRED, 0.85, f"its identifier is that of {lender}")
    return Reference(resource.name, field, lender, True, evidence)


def _in_path(resource: Resource, targets: _Targets, spec: ApiSpec) -> Iterator[Reference]:
    """What the path above an instance names, though it does not lie below it: the collection of
    `/fields/{collection}/{id}`, where collections are at `/collections/{id}`."""
    if resource.parent is not None or resource.is_keyed or resource.identifier is None:
        return
    operations = {operation.id: operation for operation in spec.operations}
    asked = [
        one
        for use in resource.having(Role.CREATE)
        for one in operations[use.operation].parameters_in(ParameterLocation.PATH)
        if one.name != resource.identifier.parameter
    ]
    for one in asked[:1]:
        field = Field((one.name,), Location.PATH, one.schema, required=True)
        likely = targets.meant(field, resource, spec.schemas)
        best = _best(field, resource, [t for t in likely if t is not resource], spec.schemas)
        if best is not None and best[0] >= _SURELY:
            evidence = Evidence(Provenance.INFERRED, round(best[0], 2), best[2])
            yield Reference(resource.name, field, best[1], True, evidence)


def _in_key(reference: Reference, resource: Resource) -> Reference:
    """A part of what addresses an instance is never left out, whatever the document says."""
    holes = set(re.findall(r"\{([^{}]*)\}", resource.item_path or ""))
    if not resource.is_keyed or reference.field.name not in holes:
        return reference
    return replace(reference, field=replace(reference.field, required=True))


def _fields(resource: Resource, spec: ApiSpec) -> Iterator[tuple[Field, bool]]:
    """The fields of a resource, each once: what can be written first, then what is only shown."""
    operations = {operation.id: operation for operation in spec.operations}
    seen: set[tuple[str, ...]] = set()
    identifier = resource.identifier
    own = {identifier.property} if identifier and identifier.property else set()
    for use in resource.having(*_WRITING):
        for field in inputs(operations[use.operation], spec.schemas):
            path = use.request.inner(field.path) if use.request else field.path
            is_own = path in own or (identifier and field == identifier.input)
            if field.location is Location.PATH or is_own or not path or path in seen:
                continue
            seen.add(path)
            yield replace(field, path=path), not field.read_only
    for field in leaves(resource.schema, spec.schemas):
        if field.path not in own and field.path not in seen:
            seen.add(field.path)
            yield field, False


def _joins(
    resource: Resource, references: tuple[Reference, ...], lender: str | None
) -> tuple[str, ...]:
    """The two or more resources that this one stands between, if it does."""
    if lender is not None and resource.parent is not None:
        return (resource.parent, lender)
    ends = [
        reference.target
        for reference in references
        if reference.writable and not reference.field.is_many and reference.target != resource.name
    ]
    distinct = tuple(dict.fromkeys(ends))
    return distinct if len(distinct) >= 2 else ()


def _lender(resource: Resource, resources: Resources) -> str | None:
    """The resource whose identifier this one uses as its own.

    `/films/{id}/actors/{actorName}` links a film to an actor, and `/users/{id}/follows/{user_id}`
    a user to a user.
    """
    if resource.identifier is None:
        return None
    lends = _lends
    if resource.parent is None or resource.having(Role.READ):
        if not resource.is_keyed:
            return None
        lends = _named_after
    others = [other for other in resources.values() if other.name != resource.name]
    return next((other.name for other in others if lends(other, resource)), None)


def _named_after(other: Resource, resource: Resource) -> bool:
    """Whether the identifier of a resource is called like another one: `{bookId}` is a Book's."""
    mine, what = resource.identifier, noun_of(other)
    called = words(mine.parameter) if mine else ()
    has_own = other.identifier is not None and not other.is_keyed
    return has_own and called == (*what, "id") and what != noun_of(resource)


def _lends(other: Resource, resource: Resource) -> bool:
    mine, theirs = resource.identifier, other.identifier
    deeper = _depth(other) > _depth(resource) and not other.having(Role.READ)
    if mine is None or theirs is None or deeper:
        return False
    called, what = words(mine.parameter), noun_of(other)
    if called == (*what, "id") and what != noun_of(resource):
        return True
    if called != words(theirs.parameter):
        return False
    return not is_generic(called) or (what == noun_of(resource) and _is_around(other, resource))


def _is_around(other: Resource, resource: Resource) -> bool:
    """Whether a resource can be read under a path that begins the other's: `/a/b/{x}`, `/a/c/b`."""
    start = (other.collection_path or "").rstrip("/").rpartition("/")[0]
    nearer = _depth(other) < _depth(resource) and bool(other.having(Role.READ))
    return nearer and (resource.item_path or "").startswith(f"{start}/")


def _depth(resource: Resource) -> int:
    return (resource.item_path or "").count("/")
