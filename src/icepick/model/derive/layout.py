"""Which fields the model keeps of each resource: references always, numbers where a clause bounds
a collection by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from icepick.resources import types as api

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A field that refers to another resource: a property, or the place in the path."""

    field: str
    target: str
    path: Path
    """The way to it in the representation; empty where only the path tells it."""
    parameter: str | None = None
    """The path parameter that holds it, for parents and borrowed identifiers."""
    required: bool = True


@dataclass(slots=True)
class Layout:
    """The fields of every resource of a model; numbers are added as clauses ask for them."""

    resources: Mapping[str, api.Resource]
    links: dict[str, tuple[Link, ...]] = field(default_factory=dict)
    numbers: dict[tuple[str, str], str] = field(default_factory=dict)
    """(resource, field) of a number, and the resource whose collection it bounds."""
    left_out: list[tuple[str, Link]] = field(default_factory=list)
    """Optional fields that would make resources wait for one another."""

    @classmethod
    def of(cls, resources: Mapping[str, api.Resource]) -> Layout:
        """The layout of these resources, with their links among one another."""
        links = {name: tuple(_links(one, resources)) for name, one in resources.items()}
        layout = cls(resources, links)
        for name in resources:
            layout._cut_circles(name)
        return layout

    def _cut_circles(self, name: str) -> None:
        """Leave out an optional field whose target needs this resource to exist first."""
        kept = []
        for link in self.links[name]:
            if link.required or name not in self.needs(link.target):
                kept.append(link)
            else:
                self.left_out.append((name, link))
        self.links[name] = tuple(kept)

    def needs(self, name: str) -> frozenset[str]:
        """A resource and everything that must exist before it can."""
        found = [name]
        for one in found:
            found += [link.target for link in self.links[one] if link.target not in found]
        return frozenset(found)

    def fewest(self, name: str, members: Iterable[str]) -> int:
        """One value, or as many as one instance of a member refers to at once."""
        counts = (sum(link.target == name for link in self.links[one]) for one in members)
        return max(1, *counts)

    def link_to(self, resource: str, target: str) -> Link | None:
        """The first field of a resource that refers to another."""
        return next((link for link in self.links[resource] if link.target == target), None)

    def link_at(self, resource: str, path: Path) -> Link | None:
        """The field of a resource at a place in its representation."""
        return next((link for link in self.links[resource] if link.path == path != ()), None)

    def referring(self, target: str) -> Iterator[tuple[str, Link]]:
        """Every field that refers to a resource, with its owner."""
        for name, links in self.links.items():
            for link in links:
                if link.target == target:
                    yield name, link

    def joining(self, one: str, other: str) -> tuple[str, Link, Link] | None:
        """A resource that refers to both, and how: the association between two resources."""
        for name in self.resources:
            first, second = self.link_to(name, one), self.link_to(name, other)
            if first is not None and second is not None and name not in (one, other):
                return name, first, second
        return None


def _links(resource: api.Resource, resources: Mapping[str, api.Resource]) -> list[Link]:
    found: list[Link] = []
    parent = resources.get(resource.parent or "")
    if parent is not None and parent.identifier is not None:
        found.append(Link(parent.name, parent.name, (), _hole(resource, parent)))
    for reference in resource.references:
        known = reference.target in resources and reference.target != resource.name
        if not known or reference.field.is_many or not reference.writable:
            continue
        if any(link.target == reference.target and link.path == () for link in found):
            continue  # the parent, shown once more in the body
        in_path = reference.field.location is api.Location.PATH
        in_key = resource.is_keyed and f"{{{reference.field.name}}}" in (resource.item_path or "")
        found.append(
            Link(
                "_".join(reference.field.path),
                reference.target,
                () if in_path else reference.field.path,
                reference.field.name if in_path or in_key else None,
                in_path or reference.field.required,
            )
        )
    return found


def _hole(resource: api.Resource, parent: api.Resource) -> str | None:
    """The name that the identifier of a parent has in the path of what it holds."""
    name = parent.identifier.parameter if parent.identifier else None
    own = (resource.item_path or resource.collection_path or "").strip("/").split("/")
    above = (parent.item_path or "").strip("/").split("/")
    place = own[len(above) - 1] if len(own) >= len(above) else ""
    return place[1:-1] if place.startswith("{") and place.endswith("}") else name
