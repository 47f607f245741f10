"""From GLACIER formulas to conditions of the model, by the view rule."""

from __future__ import annotations

from itertools import combinations

from icepick.glacier import tree
from icepick.glacier.tree import CompareOp, Function, Part, QuantifierKind
from icepick.model.derive.instances import Instances
from icepick.model.derive.layout import Layout
from icepick.model.derive.listings import Listings
from icepick.model.derive.quantities import Quantities
from icepick.model.derive.requests import Matched, match, sent
from icepick.model.derive.scope import Element, Fresh, Instance, Scope, UnmodelledError
from icepick.model.derive.simplify import simplified
from icepick.model.derive.views import equal
from icepick.model.expressions import (
    And,
    Comparator,
    Compare,
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
    ValuesOf,
    Var,
)
from icepick.openapi.types import ApiSpec
from icepick.resources.types import Resource, ResourceMap, Role

TRUE, FALSE = And(()), Or(())


class Translator:
    """Translates the formulas of one API for one layout of the model."""

    def __init__(self, spec: ApiSpec, resources: ResourceMap, layout: Layout) -> None:
        self._fresh = Fresh()
        self._instances = Instances(spec, resources, layout)
        self._layout = layout
        self._resources = resources.resources
        self._map = resources
        self._listings = Listings(self._instances)
        self._quantities = Quantities(self._instances, self._listings, self._fresh)

    def condition(self, formula: tree.Formula, scope: Scope) -> Expression:
        """The condition that a formula is, simplified; UnmodelledError where it is none."""
        self._fresh.avoid(scope.parameters)
        return simplified(self.formula(formula, scope))

    def formula(self, formula: tree.Formula, scope: Scope) -> Expression:
        """The condition that a part of a formula is."""
        match formula:
            case tree.Boolean(value=value):
                return TRUE if value else FALSE
            case tree.And(operands=operands):
                return And(tuple(self.formula(part, scope) for part in operands))
            case tree.Or(operands=operands):
                return Or(tuple(self.formula(part, scope) for part in operands))
            case tree.Not(operand=operand):
                return Not(self.formula(operand, scope))
            case tree.Implies(left=left, right=right):
                return Implies(self.formula(left, scope), self.formula(right, scope))
            case tree.Quantifier():
                return self._quantified(formula, scope)
            case tree.Compare():
                return self._compared(formula, scope)
            case tree.Call(function=Function.CONTAINS, arguments=(collection, key)):
                return self._member(collection, key, scope)
        raise UnmodelledError("it says more than which instances exist and how they are joined")

    # Quantifiers

    def _quantified(self, formula: tree.Quantifier, scope: Scope) -> Expression:
        return self._ranges(formula, 0, scope)

    def _ranges(self, formula: tree.Quantifier, index: int, scope: Scope) -> Expression:
        if index == len(formula.ranges):
            return self.formula(formula.body, scope)
        over = formula.ranges[index]
        every = formula.kind is QuantifierKind.FOR
        if self._is_bulk(over.collection, scope):
            return self._over_members(formula, index, scope)
        view, is_whole = self._listings.view(over.collection, scope)
        fresh = [self._fresh(name) for name in over.names]
        for name, called in zip(over.names, fresh, strict=True):
            scope = scope.plus(name, Element(Instance(view.resource, Var(called)), is_whole))
        inside = [view.has(Var(called), self._fresh("j")) for called in fresh]
        inside += [Not(equal(Var(a), Var(b))) for a, b in combinations(fresh, 2)]
        body = self._ranges(formula, index + 1, scope)
        condition: Expression = Implies(And(tuple(inside)), body) if every else And((*inside, body))
        for called in reversed(fresh):
            over_values = ValuesOf(view.resource)
            condition = (Every if every else Some)(called, over_values, condition)
        return condition

    def _is_bulk(self, collection: tree.Expression, scope: Scope) -> bool:
        part = sent(collection)
        return scope.several is not None and part == (Part.REQ_BODY, scope.several[0])

    def _over_members(self, formula: tree.Quantifier, index: int, scope: Scope) -> Expression:
        """A statement on every element of the list that a bulk creation sends."""
        over = formula.ranges[index]
        if scope.several is None or len(over.names) != 1:
            raise UnmodelledError("it compares elements of the request with one another")
        _, resource, parameter = scope.several
        called = self._fresh(over.names[0])
        inner = scope.plus(over.names[0], Element(Instance(resource, Var(called)), True))
        body = self._ranges(formula, index + 1, inner)
        every = formula.kind is QuantifierKind.FOR
        return (Every if every else Some)(called, MembersOf(parameter), body)

    # Comparisons

    def _compared(self, formula: tree.Compare, scope: Scope) -> Expression:
        left, right = formula.left, formula.right
        if isinstance(left, tree.Read) and left.part is Part.RES_CODE:
            return self._status(left, formula.op, right, scope)
        if isinstance(right, tree.StatusClass):
            raise UnmodelledError("it compares something else with a class of status codes")
        if isinstance(right, tree.Null):
            return self._null(left, formula.op, scope)
        if formula.op in {CompareOp.EQ, CompareOp.NE}:
            one, other = self._instances.key(left, scope), self._instances.key(right, scope)
            if one and other and one.resource == other.resource:
                same = equal(one.term, other.term)
                return same if formula.op is CompareOp.EQ else Not(same)
        if formula.op is CompareOp.IN:
            return self._member(right, left, scope)
        one_number, other_number = self._quantities.pair(left, right, scope)
        return Compare(Comparator(formula.op.value), one_number, other_number)

    def _null(self, left: tree.Expression, op: CompareOp, scope: Scope) -> Expression:
        """References are always given in the model, so they are never null."""
        if self._instances.key(left, scope) is None:
            raise UnmodelledError("whether it is null is not part of the model")
        return FALSE if op is CompareOp.EQ else TRUE

    # Existence

    def _status(
        self,
        read: tree.Read,
        op: CompareOp,
        right: tree.Expression | tree.StatusClass,
        scope: Scope,
    ) -> Expression:
        if read.request is None:
            raise UnmodelledError("the status of the call itself is not part of the state")
        present = _presence(op, right)
        found = match(read.request, self._instances.gets)
        if present is None or found is None:
            raise UnmodelledError("that status says nothing about what exists")
        there = self._there(found, scope)
        return there if present else Not(there)

    def _there(self, found: Matched, scope: Scope) -> Expression:
        """The condition under which a GET finds something."""
        for resource, use in self._map.uses_of(found.operation.id):
            if resource.name not in self._layout.resources:
                break
            if use.role in {Role.READ, Role.FIELD}:
                holder = self._instances.addressed(resource, found, scope)
                if holder is not None:
                    return And(
                        (
                            Exists(resource.name, holder.term),
                            *self._instances.placed(holder, found, scope),
                        )
                    )
            if use.role is Role.READ and (keyed := self._instances.keyed(resource, found, scope)):
                return _having(resource.name, keyed, self._fresh("k"))
            if use.role in {Role.MEMBER, Role.MEMBERS} and use.owner in self._layout.resources:
                return self._member_there(resource, use.owner or "", use.role, found, scope)
            if use.role is Role.LIST:
                above = self._layout.resources.get(resource.parent or "")
                holder = self._instances.addressed(above, found, scope) if above else None
                return Exists(holder.resource, holder.term) if holder else TRUE
        raise UnmodelledError(f"{found.operation.label} is no view on the model")

    def _member_there(
        self, member: Resource, owner: str, role: Role, found: Matched, scope: Scope
    ) -> Expression:
        holder = self._instances.addressed(self._resources[owner], found, scope)
        if holder is None:
            raise UnmodelledError(f"which {owner} it means is not known")
        if role is Role.MEMBERS:
            return Exists(owner, holder.term)
        one = self._instances.addressed(member, found, scope)
        view = self._listings.members(member.name, holder)
        if one is None or view is None:
            raise UnmodelledError(f"nothing joins {owner} and {member.name}")
        return view.has(one.term, self._fresh("j"))

    def _member(
        self, collection: tree.Expression, key: tree.Expression, scope: Scope
    ) -> Expression:
        view, _ = self._listings.view(collection, scope)
        named = self._instances.key(key, scope)
        if named is None or named.resource != view.resource:
            raise UnmodelledError("what it looks for is not an instance of the model")
        return view.has(named.term, self._fresh("j"))


def _having(resource: str, key: dict[str, Term], fresh: str) -> Expression:
    """Whether there is one with this key: the instance that the key is taken from, or any."""
    first = next(iter(key.values()))
    if isinstance(first, FieldOf) and all(
        term == FieldOf(resource, first.instance, field) for field, term in key.items()
    ):
        return Exists(resource, first.instance)
    same = tuple(equal(FieldOf(resource, Var(fresh), field), term) for field, term in key.items())
    return Some(fresh, ValuesOf(resource), And((Exists(resource, Var(fresh)), *same)))


def _presence(op: CompareOp, right: tree.Expression | tree.StatusClass) -> bool | None:
    """Whether a comparison of a status says that something is there; None where it says neither."""
    if isinstance(right, tree.StatusClass):
        return {2: True, 4: False}.get(right.hundred)
    if not isinstance(right, tree.Number) or op not in {CompareOp.EQ, CompareOp.NE}:
        return None
    said = {200: True, 404: False, 410: False}.get(int(right.value))
    if said is None:
        return None
    return said if op is CompareOp.EQ else not said
