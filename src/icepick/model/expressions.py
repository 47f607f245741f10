"""Terms and conditions of the life-cycle model: a small tree of frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Comparator(StrEnum):
    """How two terms are compared; the last four are for numbers only."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    GREATER = ">"
    AT_LEAST = ">="


@dataclass(frozen=True, slots=True)
class Var:
    """A parameter of the action, or the variable of a quantifier, a count or a bulk effect."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, a boolean, or a constant of a choice."""

    value: bool | int | str


@dataclass(frozen=True, slots=True)
class Null:
    """What an optional field holds when it holds nothing."""


@dataclass(frozen=True, slots=True)
class FieldOf:
    """A field of an instance; undefined if the instance is absent, null or dangling."""

    resource: str
    instance: Term
    field: str


@dataclass(frozen=True, slots=True)
class Count:
    """How many instances (existing values) of a resource satisfy the condition."""

    resource: str
    variable: str
    condition: Expression


@dataclass(frozen=True, slots=True)
class CountDistinct:
    """How many different values a field has in such instances; null and dangling do not count."""

    resource: str
    variable: str
    field: str
    condition: Expression


Term = Var | Constant | Null | FieldOf | Count | CountDistinct


@dataclass(frozen=True, slots=True)
class Exists:
    """The value is an instance now; false for a term that is undefined, null or dangling."""

    resource: str
    instance: Term


@dataclass(frozen=True, slots=True)
class Compare:
    """Two terms compared; false, whatever the comparator, if either is undefined.

    Null equals null only, and dangling equals dangling only. Neither is less or greater than
    anything.
    """

    comparator: Comparator
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class And:
    """Every part holds; true without parts."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Some part holds; false without parts."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold; so the negation of an undefined comparison is true."""

    part: Expression


@dataclass(frozen=True, slots=True)
class Implies:
    """The right side holds whenever the left one does."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class ValuesOf:
    """Every model value of a resource, whether it exists or not."""

    resource: str


@dataclass(frozen=True, slots=True)
class MembersOf:
    """The members of a set parameter."""

    parameter: str


Range = ValuesOf | MembersOf


@dataclass(frozen=True, slots=True)
class Every:
    """The condition holds for each value in the range."""

    variable: str
    over: Range
    condition: Expression


@dataclass(frozen=True, slots=True)
class Some:
    """The condition holds for at least one value in the range."""

    variable: str
    over: Range
    condition: Expression


Expression = Exists | Compare | And | Or | Not | Implies | Every | Some
