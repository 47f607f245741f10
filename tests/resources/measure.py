"""How well the resources that are found agree with the lists written by hand in tests/golden."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from icepick.resources.types import Resource, ResourceMap

ROOT = Path(__file__).parents[2]
LISTS = ROOT / "tests" / "golden" / "resources"
KINDS = ("resources", "identifiers", "references", "parents")

Fact = tuple[str | None, ...]
Facts = Mapping[str, frozenset[Fact]]
"""What is claimed about a document, by kind; a resource is known by its address."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list written by hand, and the document it is about."""

    name: str
    document: Path
    resources: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many facts are listed, how many were found, and how many are both."""

    listed: int
    found: int
    right: int

    @property
    def precision(self) -> float:
        """The share of what was found that is listed."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """The share of what is listed that was found."""
        return self.right / self.listed if self.listed else 1.0

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(
            self.listed + other.listed, self.found + other.found, self.right + other.right
        )


def listings() -> list[Listing]:
    """Every list, by name."""
    return [_listing(path) for path in sorted(LISTS.glob("*.yaml"))]


def _listing(path: Path) -> Listing:
    content = yaml.safe_load(path.read_text(encoding="utf-8"))
    return Listing(path.stem, _document(content["document"]), tuple(content["resources"]))


def _document(name: str) -> Path:
    if name.startswith("demo/"):
        return ROOT / "src" / "icepick" / name / "openapi.yaml"
    return ROOT.parent / "shared" / "data" / "oas" / name


def listed_facts(listing: Listing) -> Facts:
    """What a list claims."""
    address = {r["name"]: r["item"] or r["collection"] for r in listing.resources}
    return _by_kind(
        fact for resource in listing.resources for fact in _listed_of(resource, address)
    )


def _listed_of(
    resource: Mapping[str, Any], address: Mapping[str, str]
) -> Iterator[tuple[str, Fact]]:
    own = address[resource["name"]]
    yield "resources", (own,)
    if identifier := resource["id"]:
        parts = (identifier["parameter"], identifier["property"], identifier["chooser"])
        yield "identifiers", (own, *parts)
    if parent := resource.get("parent"):
        yield "parents", (own, address[parent])
    for field, target in resource["references"].items():
        yield "references", (own, field, address[target])


def found_facts(found: ResourceMap) -> Facts:
    """What was found."""
    address = {name: _address(resource) for name, resource in found.resources.items()}
    return _by_kind(
        fact for resource in found.resources.values() for fact in _found_of(resource, address)
    )


def _found_of(resource: Resource, address: Mapping[str, str]) -> Iterator[tuple[str, Fact]]:
    own = address[resource.name]
    yield "resources", (own,)
    if identifier := resource.identifier:
        shown = ".".join(identifier.property) if identifier.property else None
        yield "identifiers", (own, identifier.parameter, shown, identifier.chooser.value)
    if resource.parent:
        yield "parents", (own, address[resource.parent])
    for reference in resource.references:
        yield "references", (own, str(reference.field), address[reference.target])


def _address(resource: Resource) -> str:
    return resource.item_path or resource.collection_path or ""


def _by_kind(facts: Iterable[tuple[str, Fact]]) -> Facts:
    collected: dict[str, set[Fact]] = {kind: set() for kind in KINDS}
    for kind, fact in facts:
        collected[kind].add(fact)
    return {kind: frozenset(found) for kind, found in collected.items()}


def agreement(listed: Facts, found: Facts, kind: str) -> Agreement:
    """How well two sets of claims agree on one kind of fact."""
    return Agreement(len(listed[kind]), len(found[kind]), len(listed[kind] & found[kind]))


def differences(listed: Facts, found: Facts) -> Iterator[str]:
    """What was missed and what was found wrongly, one line each."""
    for kind in KINDS:
        for fact in sorted(listed[kind] - found[kind], key=str):
            yield f"missed {kind}: {_text(fact)}"
        for fact in sorted(found[kind] - listed[kind], key=str):
            yield f"wrong {kind}: {_text(fact)}"


def _text(fact: Fact) -> str:
    return " ".join("-" if part is None else part for part in fact)


def row(name: str, agreements: Iterable[Agreement], *more: str) -> str:
    """A line of the table: found right / found / listed, precision and recall for each kind."""
    cells = [
        f"{a.right:>3}/{a.found:>3}/{a.listed:>3} {a.precision:5.2f} {a.recall:5.2f}"
        for a in agreements
    ]
    return "  ".join([f"{name:<18}", *cells, *more])


def heading(*more: str) -> str:
    """The two lines above the table."""
    names = "  ".join([f"{'':<18}", *(f"{kind:^23}" for kind in KINDS)])
    columns = "  ".join([f"{'document':<18}", *["  r/  f/  l  prec   rec"] * len(KINDS), *more])
    return f"{names}\n{columns}"
