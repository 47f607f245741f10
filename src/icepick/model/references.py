"""Who refers to whom, and what a deletion does about it."""

from __future__ import annotations

from collections.abc import Iterator

from icepick.model.expressions import (
    Comparator,
    Compare,
    Exists,
    Expression,
    FieldOf,
    Not,
    Some,
    ValuesOf,
    Var,
)
from icepick.model.types import (
    Delete,
    Model,
    OnDelete,
    Reference,
    Rule,
    Target,
)


def referring_fields(model: Model) -> Iterator[tuple[str, str, str]]:
    """Each reference field as (resource, field, the resource that it refers to)."""
    for resource in model.resources:
        for field in resource.fields:
            if isinstance(field.domain, Reference):
                yield resource.name, field.name, field.domain.resource


def rules_of(model: Model, effect: Delete) -> tuple[tuple[Rule, str], ...]:
    """The rule for each reference field that the deletion can touch, with what it refers to.

    The ones given come first in the order of the model's fields; the others restrict.
    """
    given = {(rule.resource, rule.field): rule for rule in effect.rules}
    fields = tuple(referring_fields(model))
    touched = {effect.resource}
    while True:
        hit = [
            (given.get((owner, name), Rule(owner, name, OnDelete.RESTRICT)), target)
            for owner, name, target in fields
            if target in touched
        ]
        reached = touched | {r.resource for r, _ in hit if r.on_delete is OnDelete.CASCADE}
        if reached == touched:
            return tuple(hit)
        touched = reached


def can_dangle(model: Model) -> frozenset[tuple[str, str]]:
    """The reference fields, as (resource, field), that some deletion leaves dangling."""
    return frozenset(
        (rule.resource, rule.field)
        for action in model.actions
        for effect in action.effects
        if isinstance(effect, Delete)
        for rule, _ in rules_of(model, effect)
        if rule.on_delete is OnDelete.ORPHAN
    )


def unreferenced(resource: str, field: str, target: Var, variable: str = "x") -> Expression:
    """No instance of the resource refers to the target by that field.

    A guard with this conjunct says what the rule RESTRICT would otherwise add.
    """
    refers = Compare(Comparator.EQUAL, FieldOf(resource, Var(variable), field), target)
    return Not(Some(variable, ValuesOf(resource), refers))


def says_unreferenced(condition: Expression, rule: Rule, target: Target) -> bool:
    """Whether the condition is `unreferenced(...)` for this rule and target."""
    if not isinstance(target, Var) or not isinstance(condition, Not):
        return False
    some = condition.part
    if not isinstance(some, Some):
        return False
    return condition == unreferenced(rule.resource, rule.field, target, some.variable)


def exists(resource: str, name: str) -> Expression:
    """The value called `name` exists."""
    return Exists(resource, Var(name))


def absent(resource: str, name: str) -> Expression:
    """The value called `name` does not exist."""
    return Not(Exists(resource, Var(name)))
