"""A model that makes no sense is refused before anything is explored."""

from __future__ import annotations

from collections.abc import Iterable

from icepick.errors import Code, ModelError
from icepick.model.expressions import (
    And,
    Comparator,
    Compare,
    Count,
    CountDistinct,
    Every,
    Exists,
    Expression,
    FieldOf,
    Implies,
    MembersOf,
    Not,
    Or,
    Some,
    Term,
    Var,
)
from icepick.model.kinds import (
    NUMBER,
    Kind,
    Scope,
    field_of,
    kind_of_domain,
    resource_of,
    same_kind,
    scope_of,
    term_kind,
)
from icepick.model.references import rules_of
from icepick.model.types import (
    Action,
    Assign,
    Choice,
    Create,
    Delete,
    Domain,
    Each,
    Effect,
    Model,
    Numbers,
    OnDelete,
    Reference,
    Resource,
    SetOf,
    Target,
)

LARGEST = 2**20
"""Numbers of a model stay below this, so that no field outgrows its place in a state."""

_EQUALITY = (Comparator.EQUAL, Comparator.UNEQUAL)


def check(model: Model) -> None:
    """Raise a `ModelError` if a name is unknown, a type does not fit or a domain is empty."""
    _distinct((r.name for r in model.resources), "resource")
    _distinct((a.name for a in model.actions), "action")
    _distinct((i.name for i in model.invariants), "invariant")
    for resource in model.resources:
        _check_resource(model, resource)
    names = [r.value_name(v) for r in model.resources for v in range(r.size)]
    _distinct(names, "value")
    for action in model.actions:
        _check_action(model, action)
    for invariant in model.invariants:
        _Checker(model, f"invariant {invariant.name}").condition(invariant.condition, {})
    if model.final is not None:
        _Checker(model, "final").condition(model.final, {})


def _distinct(names: Iterable[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ModelError(
                Code.DUPLICATE_NAME,
                f"two {what}s are called {name}",
                hint="Rename one; values are called by the prefix of their resource.",
            )
        seen.add(name)


def _check_resource(model: Model, resource: Resource) -> None:
    if resource.size < 1:
        raise ModelError(
            Code.EMPTY_DOMAIN,
            f"resource {resource.name} has no model values",
            hint="Give every resource a bound of at least one.",
        )
    _distinct((f.name for f in resource.fields), f"field of {resource.name}")
    for field in resource.fields:
        _check_domain(model, field.domain, f"{resource.name}.{field.name}")


def _check_domain(model: Model, domain: Domain, where: str) -> None:
    if isinstance(domain, Reference):
        resource_of(model, domain.resource, where)
    elif isinstance(domain, Numbers) and not -LARGEST < domain.low <= domain.high < LARGEST:
        raise ModelError(
            Code.EMPTY_DOMAIN,
            f"{where} ranges from {domain.low} to {domain.high}",
            hint=f"Give a range that is not empty and stays below {LARGEST}.",
        )
    elif isinstance(domain, Choice):
        if not domain.values:
            raise ModelError(Code.EMPTY_DOMAIN, f"{where} has nothing to choose from")
        _distinct(domain.values, f"constant of {where}")


def _check_action(model: Model, action: Action) -> None:
    where = f"action {action.name}"
    _distinct((p.name for p in action.parameters), f"parameter of {action.name}")
    for parameter in action.parameters:
        if isinstance(parameter.kind, SetOf):
            resource_of(model, parameter.kind.resource, where)
        else:
            _check_domain(model, parameter.kind.domain, f"{where}, parameter {parameter.name}")
    scope = scope_of(action)
    checker = _Checker(model, where)
    for conjunct in action.guard:
        checker.condition(conjunct.condition, scope)
    for effect in action.effects:
        checker.effect(effect, scope)


class _Checker:
    """Walks the expressions of one action or invariant, which `where` names in errors."""

    def __init__(self, model: Model, where: str) -> None:
        self._model = model
        self._where = where

    def condition(self, expression: Expression, scope: Scope) -> None:
        match expression:
            case Exists(resource, instance):
                self._instance(resource, instance, scope)
            case Compare():
                self._compare(expression, scope)
            case And(parts) | Or(parts):
                for part in parts:
                    self.condition(part, scope)
            case Not(part):
                self.condition(part, scope)
            case Implies(left, right):
                self.condition(left, scope)
                self.condition(right, scope)
            case Every(variable, over, inner) | Some(variable, over, inner):
                name = self._members(over, scope) if isinstance(over, MembersOf) else over.resource
                self._inside(variable, name, inner, scope)

    def _inside(self, variable: str, resource: str, inner: Expression, scope: Scope) -> None:
        resource_of(self._model, resource, self._where)
        self._new(variable, scope)
        self.condition(inner, {**scope, variable: Kind(resource)})

    def _new(self, variable: str, scope: Scope) -> None:
        if variable in scope:
            raise ModelError(
                Code.DUPLICATE_NAME,
                f"{self._where}: {variable} already means something here",
                hint="Give every quantifier a variable of its own.",
            )

    def _members(self, over: MembersOf, scope: Scope) -> str:
        kind = scope.get(over.parameter)
        if kind is None or not kind.is_set:
            raise self._wrong(f"{over.parameter} is not a set parameter")
        return kind.name

    def _compare(self, comparison: Compare, scope: Scope) -> None:
        left = self.term(comparison.left, scope)
        right = self.term(comparison.right, scope)
        if not same_kind(left, right):
            raise self._wrong(f"{left} and {right} cannot be compared")
        if comparison.comparator not in _EQUALITY and NUMBER not in (left, right):
            raise self._wrong(f"{left} has no order, so {comparison.comparator} means nothing")

    def _instance(self, resource: str, instance: Term, scope: Scope) -> None:
        resource_of(self._model, resource, self._where)
        kind = self.term(instance, scope)
        if kind != Kind(resource):
            raise self._wrong(f"a value of {resource} is needed, not {kind}")

    def term(self, term: Term, scope: Scope) -> Kind:
        match term:
            case FieldOf(resource, instance, _):
                self._instance(resource, instance, scope)
            case Count(resource, variable, inner) | CountDistinct(resource, variable, _, inner):
                self._inside(variable, resource, inner, scope)
        kind = term_kind(self._model, term, scope, self._where)
        if kind.is_set:
            raise self._wrong("a set is not a single value")
        return kind

    def effect(self, effect: Effect, scope: Scope) -> None:
        scope = self._target(effect.resource, effect.target, scope)
        if isinstance(effect, Delete):
            self._rules(effect)
            return
        _distinct((a.field for a in effect.fields), f"assignment in {self._where}: field")
        for assign in effect.fields:
            self._assign(effect.resource, assign, scope)
        if isinstance(effect, Create):
            self._complete(effect)

    def _target(self, resource: str, target: Target, scope: Scope) -> Scope:
        if isinstance(target, Each):
            member = Kind(self._members(MembersOf(target.parameter), scope))
            self._new(target.variable, scope)
            scope = {**scope, target.variable: member}
            target = Var(target.variable)
        self._instance(resource, target, scope)
        return scope

    def _assign(self, resource: str, assign: Assign, scope: Scope) -> None:
        field = field_of(self._model, resource, assign.field, self._where)
        given, needed = self.term(assign.term, scope), kind_of_domain(field.domain)
        if not same_kind(given, needed):
            raise self._wrong(f"{resource}.{field.name} takes {needed}, not {given}")

    def _complete(self, effect: Create) -> None:
        given = {assign.field for assign in effect.fields}
        for field in resource_of(self._model, effect.resource, self._where).fields:
            if field.name not in given and not field.optional:
                raise self._wrong(
                    f"{effect.resource}.{field.name} gets no value when it is created"
                )

    def _rules(self, effect: Delete) -> None:
        known = {(rule.resource, rule.field) for rule, _ in rules_of(self._model, effect)}
        for rule in effect.rules:
            field = field_of(self._model, rule.resource, rule.field, self._where)
            if (rule.resource, rule.field) not in known:
                raise self._wrong(
                    f"{rule.resource}.{rule.field} never refers to what this action deletes"
                )
            if rule.on_delete is OnDelete.NULLIFY and not field.optional:
                raise self._wrong(f"{rule.resource}.{rule.field} is not optional, so never null")

    def _wrong(self, message: str) -> ModelError:
        return ModelError(
            Code.MISFIT,
            f"{self._where}: {message}",
            hint="Compare and assign only values of one kind.",
        )
