"""The instances that a first model works with: how each is created, and what it is called."""

from __future__ import annotations

import re
from dataclasses import dataclass

from icepick.glacier.spelling import RESERVED
from icepick.openapi.shape import properties, types
from icepick.openapi.types import ABSENT, ApiSpec, Operation, ParameterLocation, Schema
from icepick.protocol.likeness import same
from icepick.protocol.places import sources
from icepick.protocol.tree import Argument, Declared, Literal, Named, Type
from icepick.resources.fields import request_schema
from icepick.resources.types import (
    Chooser,
    Field,
    Location,
    Path,
    Reference,
    Resource,
    ResourceMap,
    Role,
    Use,
)

_TYPES = {
    "integer": "Int",
    "number": "Number",
    "string": "String",
    "boolean": "Bool",
    "object": "Object",
    "array": "List",
}
_Around = tuple[tuple[str, str], ...]
_WORDS = RESERVED | {"rec", "end", "include", "absent"}


def type_of(schema: Schema, spec: ApiSpec) -> Type:
    """The basic type of a schema."""
    kinds = sorted(types(schema, spec.schemas) - {"null"})
    return Type(_TYPES[kinds[0]] if len(kinds) == 1 else "Any")


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of a resource.

    `variable` holds its identifier; `inside` are the variables of those whose paths lead to it, by
    parameter, and `references` those that its fields hold, None for fields that stay empty.
    """

    resource: Resource
    use: Use
    creation: Operation
    variable: str
    inside: _Around
    references: tuple[tuple[Field, str | None], ...]
    spec: ApiSpec

    @property
    def is_chosen(self) -> bool:
        """Whether the call that creates it says its identifier."""
        identifier = self.resource.identifier
        return identifier is not None and identifier.chooser is not Chooser.SERVER

    def creating(self, *, again: bool = False) -> tuple[Argument, ...]:
        """The arguments of its creation; `again` with the identifier that it has."""
        known = [_argument(variable, (name,), Location.PATH) for name, variable in self.inside]
        refers = [_refers(field, variable) for field, variable in self.references]
        return (*known, *self._identified(again=again), *refers)

    def _identified(self, *, again: bool) -> tuple[Argument, ...]:
        identifier = self.resource.identifier
        if identifier is None or not self.is_chosen or identifier.input is None:
            return ()
        field = identifier.input
        if any(same_place(field, other) for other, _ in self.references):
            return ()
        plain = _argument(self.variable, field.path, field.location)
        if again:
            return (plain,)
        of = type_of(identifier.schema, self.spec)
        return (Argument(self.variable, of, Named("fresh"), plain.place),)

    def bound_by_answer(self, status: str) -> tuple[Declared, ...]:
        """The identifier that the service chose, where the answer shows it."""
        identifier = self.resource.identifier
        if identifier is None or self.is_chosen:
            return ()
        inside = self.use.response.path if self.use.response is not None else ()
        shown = ".".join(("body", *inside, *(identifier.property or ("?",))))
        known = {str(one): one.schema for one in sources(self.creation, status, self.spec)}
        place = next((one for one in (shown, "location") if one in known), None)
        if place is None:
            return ()
        return (Declared(self.variable, self._type_of(identifier.schema, known[place]), place),)

    def _type_of(self, wanted: Schema, shown: Schema) -> Type:
        """The type of an identifier as an answer shows it; any, where calls want another one."""
        of, own = type_of(shown, self.spec), type_of(wanted, self.spec)
        if of == own or own == Type("String"):
            return of if of != Type("Any") else own
        return own if of == Type("Any") else Type("Any")

    def repeated(self, operation: Operation, said: tuple[Argument, ...]) -> tuple[Argument, ...]:
        """What the body of an update must say again: who it is, and whom it refers to."""
        schema = request_schema(operation)
        if schema is None:
            return ()
        fields = properties(schema, self.spec.schemas)
        found: list[Argument] = []
        identifier = self.resource.identifier
        if identifier is not None and identifier.property is not None:
            name = identifier.property[-1]
            if len(identifier.property) == 1 and name in fields and not fields[name].read_only:
                taken = any(one.variable == self.variable for one in said)
                place = f"body.{name}" if taken or not same(self.variable, (name,)) else None
                found.append(Argument(self.variable, place=place))
        for field, variable in self.references:
            inner = fields.get(field.path[-1]) if field.location is Location.BODY else None
            if inner is not None and not inner.read_only:
                found.append(_refers(field, variable))
        return tuple(found)


def same_place(one: Field, other: Field) -> bool:
    """Whether two fields are one input."""
    return (one.location, one.path) == (other.location, other.path)


def _argument(variable: str, path: Path, location: Location) -> Argument:
    plain = len(path) == 1 and same(variable, path)
    place = None if plain else ".".join((location.value, *path))
    return Argument(variable, place=place)


def _refers(field: Field, variable: str | None) -> Argument:
    if variable is None:
        return Argument(None, None, Literal(ABSENT), ".".join((field.location.value, *field.path)))
    return _argument(variable, field.path, field.location)


class Instances:
    """The instances of one model, in the order of their creation."""

    def __init__(self, spec: ApiSpec, resources: ResourceMap) -> None:
        self._spec = spec
        self._resources = resources
        self._open: list[str] = []
        self.all: list[Instance] = []
        self.names: set[str] = set()

    def need(self, resource: Resource, name: str | None = None) -> Instance | None:
        """A new instance with all that it needs; None where it cannot be created."""
        use = next(iter([*resource.having(Role.CREATE), *_creating(resource)]), None)
        if use is None or resource.name in self._open or resource.identifier is None:
            return None
        self._open.append(resource.name)
        operation = self._spec.operation(use.operation)
        around = self._around(resource, operation)
        references = self._references(resource, operation) if around is not None else None
        self._open.pop()
        if around is None or references is None:
            return None
        variable = self._named(name or resource.identifier.parameter)
        held = [held for field, held in references if _is_own(resource, field)]
        if held and held[0] is not None:
            variable = held[0]
        new = Instance(resource, use, operation, variable, around, references, self._spec)
        if not new.is_chosen and not new.bound_by_answer(_status(operation)):
            return None
        self.all.append(new)
        return new

    def _around(self, resource: Resource, operation: Operation) -> _Around | None:
        """The instances that the path of a creation leads through."""
        found: list[tuple[str, str]] = []
        parent = self._resources.resources.get(resource.parent or "")
        if parent is not None and not self._existing(parent) and self.need(parent) is None:
            return None
        own = resource.identifier.parameter if resource.identifier is not None else ""
        for parameter in operation.parameters_in(ParameterLocation.PATH):
            if parameter.name == own:
                continue
            instance = self._with_parameter(parameter.name)
            if instance is None:
                return None
            found.append((parameter.name, instance.variable))
        return tuple(found)

    def _parameter(self, resource: Resource | None) -> str | None:
        if resource is None or resource.identifier is None:
            return None
        return resource.identifier.parameter

    def _with_parameter(self, name: str) -> Instance | None:
        return next((one for one in self.all if self._parameter(one.resource) == name), None)

    def _existing(self, resource: Resource) -> Instance | None:
        return next((one for one in self.all if one.resource is resource), None)

    def _references(
        self, resource: Resource, operation: Operation
    ) -> tuple[tuple[Field, str | None], ...] | None:
        found: list[tuple[Field, str | None]] = []
        used: list[str] = []
        for reference in resource.references:
            if not _concerns(reference, operation, self._spec):
                continue
            target = self._resources.resources.get(reference.target)
            instance = self._referred(target, reference.field, used) if target else None
            if instance is None and reference.field.required:
                return None
            found.append((reference.field, instance.variable if instance else None))
            used += [instance.variable] if instance else []
        return tuple(found)

    def _referred(self, target: Resource, field: Field, used: list[str]) -> Instance | None:
        existing = [one for one in self.all if one.resource is target]
        free = next((one for one in existing if one.variable not in used), None)
        return free or self.need(target, field.name)

    def _named(self, name: str) -> str:
        plain = re.sub(r"\W", "_", name)
        plain = f"_{plain}" if plain[:1].isdigit() or plain in _WORDS else plain
        found, number = plain, 1
        while found in self.names:
            number += 1
            found = f"{plain}{number}"
        self.names.add(found)
        return found

    def addressed(self, operation: Operation, own: Instance) -> tuple[Argument, ...] | None:
        """The arguments that name instances in a path; None where one is not known."""
        inside = dict(own.inside)
        found: list[Argument] = []
        for parameter in operation.parameters_in(ParameterLocation.PATH):
            name = parameter.name
            other = self._with_parameter(name)
            variable = inside.get(name) or (other.variable if other is not None else None)
            if name == self._parameter(own.resource):
                variable = own.variable
            if variable is None:
                return None
            found.append(_argument(variable, (name,), Location.PATH))
        return tuple(found)


def _creating(resource: Resource) -> tuple[Use, ...]:
    return tuple(use for use in resource.having(Role.REPLACE) if use.creates)


def _status(operation: Operation) -> str:
    return "201" if "201" in operation.responses else "2XX"


def _is_own(resource: Resource, field: Field) -> bool:
    """Whether a reference is the identifier too, as that of a feature in a configuration."""
    identifier = resource.identifier
    return (
        identifier is not None
        and identifier.input is not None
        and same_place(identifier.input, field)
    )


def _concerns(reference: Reference, operation: Operation, spec: ApiSpec) -> bool:
    """Whether a creation takes a reference: of several creations each may take others."""
    field = reference.field
    if not reference.writable or field.is_many or reference.target == reference.resource:
        return False
    if field.location is not Location.BODY:
        return any(one.name == field.path[0] for one in operation.parameters)
    schema = request_schema(operation)
    return schema is not None and field.path[0] in properties(schema, spec.schemas)
