"""The life-cycle model: resources, actions and invariants as plain frozen values.

A **state** says for every value of every resource whether it exists and, if so, what its fields
hold. The initial state is empty. An action takes place in a state if its guard holds and all its
effects can be carried out; it then leads to exactly one next state.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from icepick.model.expressions import Expression, Term, Var


@dataclass(frozen=True, slots=True)
class Reference:
    """One value of a resource."""

    resource: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """The integers from `low` to `high`, both included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few constants."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""


Domain = Reference | Numbers | Choice | Flag


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a record; an optional field may hold null."""

    name: str
    domain: Domain
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Resource:
    """A kind of thing with `size` model values, called by `prefix` and a number from 1."""

    name: str
    size: int
    fields: tuple[Field, ...] = ()
    prefix: str = ""

    def value_name(self, value: int) -> str:
        """What the value with this index (from 0) is called."""
        return f"{self.prefix or self.name.lower()}{value + 1}"

    def field(self, name: str) -> Field:
        """The field of that name; a `KeyError` where there is none."""
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class OneOf:
    """A parameter that is one value of a domain; for a resource, `OneOf(Reference(...))`."""

    domain: Domain


@dataclass(frozen=True, slots=True)
class SetOf:
    """A parameter that is a non-empty set of values of a resource."""

    resource: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named and typed argument of an action."""

    name: str
    kind: OneOf | SetOf


class OnDelete(StrEnum):
    """What the deletion of an instance does to a reference to it.

    RESTRICT forbids the deletion; CASCADE deletes the referring instance too, and so on from
    there; ORPHAN leaves a reference to nothing, which a later instance of the same value does not
    repair; NULLIFY makes it null.
    """

    RESTRICT = "restrict"
    CASCADE = "cascade"
    ORPHAN = "orphan"
    NULLIFY = "nullify"


@dataclass(frozen=True, slots=True)
class Rule:
    """What happens to the references that `field` of `resource` holds."""

    resource: str
    field: str
    on_delete: OnDelete


@dataclass(frozen=True, slots=True)
class Each:
    """Every member of a set parameter, called `variable` inside the effect."""

    parameter: str
    variable: str


Target = Var | Each


@dataclass(frozen=True, slots=True)
class Assign:
    """A field and its new value.

    An action one of whose terms is undefined or outside the domain of the field is not enabled.
    """

    field: str
    term: Term


@dataclass(frozen=True, slots=True)
class Create:
    """The target exists from now on; if it did already, it stays as it is."""

    resource: str
    target: Target
    fields: tuple[Assign, ...] = ()
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """The target gets new field values; nothing happens to one that does not exist."""

    resource: str
    target: Target
    fields: tuple[Assign, ...] = ()
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """The target exists no more; nothing happens to one that does not exist.

    `rules` say what becomes of references to it and to whatever falls with it. A reference
    without a rule restricts.
    """

    resource: str
    target: Target
    rules: tuple[Rule, ...] = ()
    clause: str | None = None


Effect = Create | Update | Delete


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A part of a guard, and the text of the contract clause that it comes from."""

    condition: Expression
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """A state-changing operation.

    Effects take place one after another. Their terms are read in the state before the action;
    whether an instance exists, and what refers to it, is seen at the moment of the effect.
    """

    name: str
    parameters: tuple[Parameter, ...] = ()
    guard: tuple[Conjunct, ...] = ()
    effects: tuple[Effect, ...] = ()
    operation: str | None = None


@dataclass(frozen=True, slots=True)
class Invariant:
    """What holds in every reachable state, if the model is right."""

    name: str
    condition: Expression
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that exploration needs; `final` is by default "every value exists"."""

    name: str
    resources: tuple[Resource, ...]
    actions: tuple[Action, ...]
    invariants: tuple[Invariant, ...] = ()
    final: Expression | None = None

    def resource(self, name: str) -> Resource:
        """The resource of that name; a `KeyError` where there is none."""
        for resource in self.resources:
            if resource.name == name:
                return resource
        raise KeyError(name)
