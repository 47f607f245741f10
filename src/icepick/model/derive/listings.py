"""Which view on the resource maps a collection is."""

from __future__ import annotations

from icepick.glacier import tree
from icepick.model.derive.instances import Instances
from icepick.model.derive.requests import Matched, unwound
from icepick.model.derive.scope import Instance, Scope, UnmodelledError
from icepick.model.derive.views import Joined, Listed, View
from icepick.openapi.places import last_segment
from icepick.openapi.shape import properties
from icepick.resources.types import Resource, Role
from icepick.resources.words import noun


class Listings:
    """Finds the views behind lists, sub-collections and lists inside other answers."""

    def __init__(self, instances: Instances) -> None:
        self._instances = instances
        self._layout = instances.layout
        self._schemas = instances.spec.schemas
        self._resources = instances.map.resources
        self._map = instances.map

    def view(self, expression: tree.Expression, scope: Scope) -> tuple[View, bool]:
        """The view that a collection is, and whether its elements are whole instances."""
        base, path = unwound(expression)
        found = self._instances.matched(base)
        for resource, use in self._map.uses_of(found.operation.id) if found else ():
            if found is None or resource.name not in self._layout.resources:
                continue
            shown = use.response
            whole = shown is not None and bool(properties(shown.schema, self._schemas))
            if use.role is Role.MEMBERS:
                owner = self._resources.get(use.owner or "")
                holder = self._instances.addressed(owner, found, scope)
                view = self.members(resource.name, holder) if holder else None
                if view is not None:
                    return view, whole
            if use.role is Role.LIST:
                return self._listed(resource, found, scope), whole
            if use.role is Role.READ and path:
                return self._embedded(resource, path, found, scope)
        raise UnmodelledError("the collection is no view on the model")

    def _listed(self, resource: Resource, found: Matched, scope: Scope) -> View:
        """A list: of what an association joins where its identifiers are borrowed."""
        borrowed = self._borrowed(resource)
        above = self._layout.resources.get(resource.parent or "")
        holder = self._instances.addressed(above, found, scope) if above else None
        if borrowed is not None and holder is not None:
            link = self._layout.link_to(resource.name, holder.resource)
            if link is not None:
                lender, field = borrowed
                return Joined(lender, resource.name, link.field, holder.term, field)
        if above is not None and holder is None:
            raise UnmodelledError(f"which {above.name} it lists is not known")
        fields = ((holder.resource, holder.term),) if holder else ()
        return Listed(resource.name, fields)

    def _borrowed(self, resource: Resource) -> tuple[str, str] | None:
        """The resource whose identifier this one uses as its own, and the field that holds it."""
        identifier = resource.identifier
        for link in self._layout.links[resource.name]:
            if identifier is not None and link.parameter == identifier.parameter:
                return link.target, link.field
        return None

    def members(self, member: str, owner: Instance) -> View | None:
        """The instances of `member` that belong to an owner, through an association or a field."""
        joining = self._layout.joining(owner.resource, member)
        if joining is not None:
            association, first, second = joining
            return Joined(member, association, first.field, owner.term, second.field)
        link = self._layout.link_to(member, owner.resource)
        return Listed(member, ((link.field, owner.term),)) if link else None

    def _embedded(
        self, resource: Resource, path: tuple[str, ...], found: Matched, scope: Scope
    ) -> tuple[View, bool]:
        """A list inside what reading an instance shows."""
        holder = self._instances.addressed(resource, found, scope)
        if holder is None:
            raise UnmodelledError(f"which {resource.name} it means is not known")
        for reference in resource.references:
            if reference.field.path == (*path, "[]"):
                view = self.members(reference.target, holder)
                if view is not None:
                    return view, False
        for name, other in self._layout.resources.items():
            called = noun(last_segment(other.collection_path or ""))
            if other.parent == resource.name and called == noun(path[-1]):
                return Listed(name, ((resource.name, holder.term),)), True
        raise UnmodelledError(f"`{path[-1]}` of {resource.name} is no view on the model")
