"""From an operation and its contract to an action: parameters, guard and effect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, count

from icepick.glacier import tree
from icepick.glacier.contracts import Clause, OperationContract
from icepick.model.derive.binding import Binding
from icepick.model.derive.layout import Layout, Link
from icepick.model.derive.requests import Path
from icepick.model.derive.scope import Instance, Scope, UnmodelledError
from icepick.model.derive.translate import Translator
from icepick.model.expressions import And, Exists, Expression, FieldOf, Not, Null, Term, Var
from icepick.model.types import (
    Action,
    Assign,
    Conjunct,
    Create,
    Delete,
    Each,
    Effect,
    Numbers,
    OnDelete,
    OneOf,
    Parameter,
    Reference,
    Rule,
    SetOf,
)
from icepick.openapi.types import Operation
from icepick.resources import types as api
from icepick.resources.types import Location, Resource, Role, Use

OnDeletes = Mapping[str, OnDelete]
"""What deleting a target does to the field that refers to it, by `Resource.field`."""

SET = "S"
_ORACLE = "the model does not need it; it is checked at run time"


@dataclass(frozen=True, slots=True)
class Unused:
    """A clause that the model does not use, and why."""

    operation: str | None
    clause: Clause
    reason: str


@dataclass(frozen=True, slots=True)
class Derived:
    """An action, how its arguments become inputs, and what of its contract it does not use."""

    action: Action
    binding: Binding
    unused: tuple[Unused, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """What the actions of a model share."""

    layout: Layout
    translator: Translator
    sizes: Mapping[str, int]
    names: Mapping[str, str]
    on_delete: OnDeletes
    inputs: Callable[[Operation], tuple[api.Field, ...]]

    def takes(self, operation: Operation, use: Use, link: Link) -> bool:
        """Whether a call says what a field refers to."""
        if link.parameter is not None:
            return True
        start = use.request.path if use.request else ()
        wanted = {(*start, *link.path), link.path}
        return any(given.path in wanted for given in self.inputs(operation))


class ActionWriter:
    """Writes the action of one operation in its role for one resource."""

    def __init__(
        self, setting: Setting, resource: Resource, use: Use, operation: Operation
    ) -> None:
        self._setting = setting
        self._layout = setting.layout
        self._resource = resource
        self._use = use
        self._operation = operation
        self._own = setting.names[resource.name]
        self._creates = use.role in {Role.CREATE, Role.REPLACE}
        self._bulk = use.role is Role.CREATE_MANY
        self._variables = self._link_variables()

    def derive(self, contract: OperationContract) -> Derived:
        """The action and the clauses left over."""
        scope = self._scope()
        guard, unused = self._guard(contract, scope)
        effect_clause, more = self._effect_clause(contract, scope)
        action = Action(
            re.sub(r"\W", "_", self._operation.id),
            tuple(self._parameters()),
            tuple(guard),
            (self._effect(effect_clause),),
            self._operation.id,
        )
        return Derived(action, self._binding(scope), (*unused, *more))

    def _binding(self, scope: Scope) -> Binding:
        sent = self._use.request
        start = sent.path if sent else ()
        inputs: dict[tuple[Location, Path], Term] = {}
        for name, instance in scope.path.items():
            inputs[Location.PATH, (name,)] = instance.term
        for name, instance in scope.query.items():
            inputs[Location.QUERY, (name,)] = instance.term
        for path, instance in scope.body.items():
            inputs[Location.BODY, path] = instance.term
        for field, _ in self._numbers() if self._creates else ():
            inputs[Location.BODY, (*start, field)] = Var(field)
        return Binding(
            self._operation.id,
            self._resource.name,
            self._use,
            inputs,
            start if self._bulk else None,
        )

    # Parameters

    def _link_variables(self) -> dict[str, str]:
        """A variable for each link of what is created: the letter of its target where free.

        A letter may be a whole word, and then the name of another link."""
        taken = {self._own, SET, *(field for field, _ in self._numbers())}
        found: dict[str, str] = {}
        for link in self._layout.links[self._resource.name] if self._creates or self._bulk else ():
            if not self._setting.takes(self._operation, self._use, link):
                continue
            letter = self._setting.names[link.target]
            more = (f"{link.field}{number}" for number in count(2))
            names = chain((letter, link.field), more)
            found[link.field] = next(name for name in names if name not in taken)
            taken.add(found[link.field])
        return found

    def _parameters(self) -> Iterator[Parameter]:
        own = self._resource.name
        if self._bulk:
            yield Parameter(SET, SetOf(own))
        else:
            yield Parameter(self._own, OneOf(Reference(own)))
        for link in self._layout.links[own]:
            if link.field in self._variables:
                yield Parameter(self._variables[link.field], OneOf(Reference(link.target)))
        for field, bounded in self._numbers() if self._creates else ():
            yield Parameter(field, OneOf(Numbers(1, self._setting.sizes[bounded])))

    def _numbers(self) -> list[tuple[str, str]]:
        return [
            (field, bounded)
            for (name, field), bounded in self._layout.numbers.items()
            if name == self._resource.name
        ]

    # What the parts of the call stand for

    def _scope(self) -> Scope:
        sent = self._use.request
        start = sent.path if sent else ()
        several = (start, self._resource.name, SET) if self._bulk else None
        return Scope(
            path=dict(self._path()),
            body=dict(self._body(start)),
            query=dict(self._query()),
            answer=dict(self._answer()),
            created=self._resource.name if self._creates else None,
            several=several,
            parameters=frozenset(
                {*self._setting.names.values(), *(p.name for p in self._parameters())}
            ),
        )

    def _link_term(self, link: Link) -> Term:
        if link.field in self._variables:
            return Var(self._variables[link.field])
        return FieldOf(self._resource.name, Var(self._own), link.field)

    def _path(self) -> Iterator[tuple[str, Instance]]:
        identifier = self._resource.identifier
        if identifier is not None and not self._bulk:
            yield identifier.parameter, Instance(self._resource.name, Var(self._own))
        for link in self._layout.links[self._resource.name]:
            if link.parameter is not None:
                yield link.parameter, Instance(link.target, self._link_term(link))
                yield from self._above(link.target, self._link_term(link))

    def _above(self, name: str, term: Term) -> Iterator[tuple[str, Instance]]:
        """What stands further up in the path: the parents of a parent."""
        for link in self._layout.links[name]:
            if link.parameter is not None and not link.path:
                above = FieldOf(name, term, link.field)
                yield link.parameter, Instance(link.target, above)
                yield from self._above(link.target, above)

    def _body(self, start: Path) -> Iterator[tuple[Path, Instance]]:
        identifier = self._resource.identifier
        own = Instance(self._resource.name, Var(self._own))
        given = identifier.input if identifier and not self._bulk else None
        if given is not None and given.location is Location.BODY:
            yield given.path, own
        for link in self._layout.links[self._resource.name] if self._creates else ():
            if link.path and link.field in self._variables:
                yield (*start, *link.path), Instance(link.target, self._link_term(link))

    def _query(self) -> Iterator[tuple[str, Instance]]:
        identifier = self._resource.identifier
        given = identifier.input if identifier else None
        if given is not None and given.location is Location.QUERY:
            yield given.path[0], Instance(self._resource.name, Var(self._own))

    def _answer(self) -> Iterator[tuple[Path, Instance]]:
        identifier, shown = self._resource.identifier, self._use.response
        if identifier is not None and identifier.property is not None and shown is not None:
            own = Instance(self._resource.name, Var(self._own))
            yield (*shown.path, *identifier.property), own
            # Some creations answer with nothing but the name that paths have for it.
            yield (*shown.path, identifier.parameter), own

    # Guard

    def _guard(
        self, contract: OperationContract, scope: Scope
    ) -> tuple[list[Conjunct], list[Unused]]:
        found: list[Conjunct] = []
        unused: list[Unused] = []
        for clause in contract.requires:
            for part in _conjuncts(clause.formula):
                try:
                    condition = self._setting.translator.condition(part, scope)
                    found.append(Conjunct(condition, clause.text))
                except UnmodelledError as error:
                    unused.append(Unused(contract.operation, clause, str(error)))
        said = [part for conjunct in found for part in _parts(conjunct.condition)]
        found += [Conjunct(implied) for implied in self._implied() if implied not in said]
        return found, unused

    def _implied(self) -> Iterator[Expression]:
        """What must hold for the effect to make sense, whether a clause says it or not."""
        own = Exists(self._resource.name, Var(self._own))
        if self._creates:
            yield Not(own)
        elif not self._bulk:
            yield own
        for link in self._layout.links[self._resource.name]:
            if link.field in self._variables:
                yield Exists(link.target, Var(self._variables[link.field]))

    # Effect

    def _effect(self, clause: str | None) -> Effect:
        name = self._resource.name
        target = Each(SET, "member") if self._bulk else Var(self._own)
        if not self._creates and not self._bulk:
            return Delete(name, Var(self._own), tuple(self._rules()), clause)
        fields = [Assign(link.field, self._assigned(link)) for link in self._layout.links[name]]
        fields += [Assign(field, Var(field)) for field, _ in self._numbers()]
        return Create(name, target, tuple(fields), clause)

    def _assigned(self, link: Link) -> Term:
        """The new value of a field: what the call gives, or null where it gives nothing."""
        variable = self._variables.get(link.field)
        return Var(variable) if variable else Null()

    def _rules(self) -> list[Rule]:
        """What becomes of everything that refers to what is deleted, or to what falls with it."""
        rules: list[Rule] = []
        falling = [self._resource.name]
        for fallen in falling:
            for name, link in self._layout.referring(fallen):
                kind = self._setting.on_delete.get(f"{name}.{link.field}", OnDelete.RESTRICT)
                rules.append(Rule(name, link.field, kind))
                if kind is OnDelete.CASCADE and name not in falling:
                    falling.append(name)
        return rules

    def _effect_clause(
        self, contract: OperationContract, scope: Scope
    ) -> tuple[str | None, list[Unused]]:
        own = Exists(self._resource.name, Var(self._own))
        wanted: Expression = own if self._creates or self._bulk else Not(own)
        used: str | None = None
        unused: list[Unused] = []
        for clause in contract.ensures:
            said = self._said(clause, scope)
            if used is None and (said == wanted or (self._bulk and said is not None)):
                used = clause.text
            else:
                unused.append(Unused(contract.operation, clause, _ORACLE))
        return used, unused

    def _said(self, clause: Clause, scope: Scope) -> Expression | None:
        try:
            return self._setting.translator.condition(clause.formula, scope)
        except UnmodelledError:
            return None


def _parts(condition: Expression) -> tuple[Expression, ...]:
    return condition.parts if isinstance(condition, And) else (condition,)


def _conjuncts(formula: tree.Formula) -> tuple[tree.Formula, ...]:
    return formula.operands if isinstance(formula, tree.And) else (formula,)
