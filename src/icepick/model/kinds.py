"""What kind of value a term has, so that only like is compared with like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from icepick.errors import Code, ModelError
from icepick.model.expressions import (
    Constant,
    Count,
    CountDistinct,
    FieldOf,
    Null,
    Term,
    Var,
)
from icepick.model.types import (
    Action,
    Choice,
    Domain,
    Field,
    Flag,
    Model,
    OneOf,
    Reference,
    Resource,
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A resource's values, or one of the kinds below; a set of them for a set parameter."""

    name: str
    is_set: bool = False

    def __str__(self) -> str:
        return f"a set of values of {self.name}" if self.is_set else f"a value of {self.name}"


NUMBER = Kind("(numbers)")
BOOLEAN = Kind("(booleans)")
TEXT = Kind("(constants)")
NOTHING = Kind("(null)")

Scope = Mapping[str, Kind]


def same_kind(left: Kind, right: Kind) -> bool:
    """Whether the two can be compared; null fits everything."""
    return left == right or NOTHING in (left, right)


def scope_of(action: Action) -> dict[str, Kind]:
    """The kinds of the action's parameters."""
    return {
        parameter.name: kind_of_domain(parameter.kind.domain)
        if isinstance(parameter.kind, OneOf)
        else Kind(parameter.kind.resource, is_set=True)
        for parameter in action.parameters
    }


def kind_of_domain(domain: Domain) -> Kind:
    """The kind of the domain's values."""
    if isinstance(domain, Reference):
        return Kind(domain.resource)
    if isinstance(domain, Choice):
        return TEXT
    return BOOLEAN if isinstance(domain, Flag) else NUMBER


def term_kind(model: Model, term: Term, scope: Scope, where: str) -> Kind:
    """The kind of a term; `where` is for the error that an unknown name raises."""
    match term:
        case Var(name):
            if name not in scope:
                raise _unknown(where, f"nothing is called {name} here")
            return scope[name]
        case Constant(value):
            return _kind_of_constant(value)
        case Null():
            return NOTHING
        case FieldOf(resource, _, field):
            return kind_of_domain(field_of(model, resource, field, where).domain)
        case Count():
            return NUMBER
        case CountDistinct(resource, _, field, _):
            field_of(model, resource, field, where)
            return NUMBER


def _kind_of_constant(value: bool | int | str) -> Kind:
    if isinstance(value, bool):
        return BOOLEAN
    return NUMBER if isinstance(value, int) else TEXT


def resource_of(model: Model, name: str, where: str) -> Resource:
    """The resource of that name, or a `ModelError`."""
    try:
        return model.resource(name)
    except KeyError:
        raise _unknown(where, f"there is no resource {name}") from None


def field_of(model: Model, resource: str, name: str, where: str) -> Field:
    """The field of that name, or a `ModelError`."""
    try:
        return resource_of(model, resource, where).field(name)
    except KeyError:
        raise _unknown(where, f"resource {resource} has no field {name}") from None


def _unknown(where: str, message: str) -> ModelError:
    return ModelError(
        Code.UNKNOWN_NAME,
        f"{where}: {message}",
        hint="Names are those of the model's resources, fields, parameters and variables.",
    )
