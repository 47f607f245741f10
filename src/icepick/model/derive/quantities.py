"""Numbers of the model: lengths of collections, and the fields that bound them."""

from __future__ import annotations

from icepick.glacier import tree
from icepick.glacier.tree import Function, Part
from icepick.model.derive.instances import Instances
from icepick.model.derive.listings import Listings
from icepick.model.derive.requests import sent, unwound, variable
from icepick.model.derive.scope import Fresh, Scope, UnmodelledError
from icepick.model.expressions import Constant, FieldOf, Term, Var
from icepick.openapi.places import last_segment
from icepick.openapi.shape import properties, types
from icepick.resources.types import Resource, Role
from icepick.resources.words import words


class Quantities:
    """Finds numbers in expressions, and notes which fields the model needs for them."""

    def __init__(self, instances: Instances, listings: Listings, fresh: Fresh) -> None:
        self._instances = instances
        self._layout = instances.layout
        self._schemas = instances.spec.schemas
        self._resources = instances.map.resources
        self._map = instances.map
        self._listings = listings
        self._fresh = fresh

    def pair(
        self, left: tree.Expression, right: tree.Expression, scope: Scope
    ) -> tuple[Term, Term]:
        """Two numbers that are compared."""
        terms = self._number(left, scope), self._number(right, scope)
        self._note_bound(left, right, scope)
        self._note_bound(right, left, scope)
        for term in terms:
            self._check_domain(term)
        return terms

    def _note_bound(
        self, field: tree.Expression, collection: tree.Expression, scope: Scope
    ) -> None:
        """A number that is compared with the length of a collection of X ranges over 1..|X|."""
        owner = self._number_field(field, scope)
        if owner is None or not _is_length(collection):
            return
        view, _ = self._listings.view(_measured(collection), scope)
        self._layout.numbers.setdefault(owner[:2], view.resource)

    def _check_domain(self, term: Term) -> None:
        if isinstance(term, FieldOf) and (term.resource, term.field) not in self._layout.numbers:
            links = {link.field for link in self._layout.links[term.resource]}
            if term.field not in links:
                raise UnmodelledError(
                    f"`{term.field}` of {term.resource} has no small range of values"
                )

    def _number(self, expression: tree.Expression, scope: Scope) -> Term:
        if isinstance(expression, tree.Number) and isinstance(expression.value, int):
            return Constant(expression.value)
        if _is_length(expression):
            view, _ = self._listings.view(_measured(expression), scope)
            return view.count(self._fresh("n"))
        found = self._number_field(expression, scope)
        if found is None:
            raise UnmodelledError("it compares values that are not part of the model")
        return found[2]

    def _number_field(
        self, expression: tree.Expression, scope: Scope
    ) -> tuple[str, str, Term] | None:
        """A number that a resource has: the resource, the field, and its value as a term."""
        part, called = sent(expression), variable(expression)
        if part is not None and part[0] is Part.REQ_BODY and scope.created:
            name = ".".join(part[1])
            if self._is_number(scope.created, name):
                return scope.created, name, Var(name)
        if called is not None and called[0] in scope.variables and len(called[1]) == 1:
            holder = scope.variables[called[0]].instance
            if self._is_number(holder.resource, called[1][0]):
                term = FieldOf(holder.resource, holder.term, called[1][0])
                return holder.resource, called[1][0], term
        return self._read_number(expression, scope)

    def _read_number(
        self, expression: tree.Expression, scope: Scope
    ) -> tuple[str, str, Term] | None:
        base, path = unwound(expression)
        found = self._instances.matched(base)
        if found is None:
            return None
        for resource, use in self._map.uses_of(found.operation.id):
            name = path[-1] if path else last_segment(found.operation.path)
            wanted = use.role is Role.READ if path else use.role is Role.FIELD
            holder = self._instances.addressed(resource, found, scope) if wanted else None
            known = self._property(resource, name)
            if holder is not None and known is not None:
                return resource.name, known, FieldOf(resource.name, holder.term, known)
        return None

    def _property(self, resource: Resource, name: str) -> str | None:
        for known in properties(resource.schema, self._schemas):
            if words(known) == words(name) and self._is_number(resource.name, known):
                return known
        return None

    def _is_number(self, resource: str, name: str) -> bool:
        known = properties(self._resources[resource].schema, self._schemas).get(name)
        return known is not None and "integer" in types(known.schema, self._schemas)


def _is_length(expression: tree.Expression) -> bool:
    return isinstance(expression, tree.Call) and expression.function is Function.LEN


def _measured(expression: tree.Expression) -> tree.Expression:
    if isinstance(expression, tree.Call):
        return expression.arguments[0]
    return expression
