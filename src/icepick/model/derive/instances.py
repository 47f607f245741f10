"""Which instance an expression names: by its identifier, or through a field that refers to it."""

from __future__ import annotations

from collections.abc import Iterator

from icepick.glacier import tree
from icepick.model.derive.layout import Layout
from icepick.model.derive.requests import Matched, gets_of, match, variable
from icepick.model.derive.scope import Instance, Scope
from icepick.model.derive.views import equal
from icepick.model.expressions import Expression, FieldOf, Term
from icepick.openapi.types import ApiSpec
from icepick.resources.types import Resource, ResourceMap


class Instances:
    """Finds instances in expressions and in the paths of GETs."""

    def __init__(self, spec: ApiSpec, resources: ResourceMap, layout: Layout) -> None:
        self.spec = spec
        self.gets = gets_of(spec)
        self.map = resources
        self.layout = layout

    def matched(self, base: tree.Expression) -> Matched | None:
        """The GET whose body an expression is."""
        if (
            isinstance(base, tree.Read)
            and base.part is tree.Part.RES_BODY
            and base.request is not None
        ):
            return match(base.request, self.gets)
        return None

    def key(self, expression: tree.Expression | None, scope: Scope) -> Instance | None:
        """The instance whose identifier an expression is."""
        if expression is None:
            return None
        known = scope.instance(expression)
        called = variable(expression)
        if known is not None or called is None or called[0] not in scope.variables:
            return known
        element, path = scope.variables[called[0]], called[1]
        holder = element.instance
        identifier = self.map.resources[holder.resource].identifier
        if identifier is not None and identifier.property == path:
            return holder
        link = self.layout.link_at(holder.resource, path)
        if link is None:
            return None
        return Instance(link.target, FieldOf(holder.resource, holder.term, link.field))

    def addressed(self, resource: Resource | None, found: Matched, scope: Scope) -> Instance | None:
        """The instance of a resource that the path of a GET names."""
        if resource is None or resource.identifier is None:
            return None
        expression = found.keys.get(resource.identifier.parameter)
        named = self.key(expression, scope) if expression is not None else None
        return named if named and named.resource == resource.name else None

    def keyed(self, resource: Resource, found: Matched, scope: Scope) -> dict[str, Term] | None:
        """What the fields that make up a key must hold for the path of a GET to name one; None
        where the key has other parts, or they are not known."""
        if not resource.is_keyed:
            return None
        links = {link.parameter: link for link in self.layout.links[resource.name]}
        key: dict[str, Term] = {}
        for parameter, expression in found.keys.items():
            link, named = links.get(parameter), self.key(expression, scope)
            if link is None or named is None or named.resource != link.target:
                return None
            key[link.field] = named.term
        return key or None

    def placed(self, holder: Instance, found: Matched, scope: Scope) -> Iterator[Expression]:
        """A nested instance must be under the parent that the path names."""
        for link in self.layout.links[holder.resource]:
            expression = found.keys.get(link.parameter or "")
            above = self.key(expression, scope) if expression is not None else None
            own = FieldOf(holder.resource, holder.term, link.field)
            if above is not None and above.resource == link.target and above.term != own:
                yield equal(own, above.term)
