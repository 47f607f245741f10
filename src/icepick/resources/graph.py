"""The RESTful-service property graph: which operation makes what another one needs.

Schemas and operations are nodes. An operation *produces* a schema when it answers with one; a
schema is *consumed* by an operation, as a whole or through one property; two properties are *equal*
when they hold the same values; two operations of one path share an *endpoint*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TypeVar

from icepick.resources.types import Evidence, Field, Path


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a schema."""

    schema: str
    path: Path

    def __str__(self) -> str:
        return f"{self.schema}.{'.'.join(self.path)}".replace(".[]", "[]")


@dataclass(frozen=True, slots=True)
class Produces:
    """An operation answers with objects of a schema, at `path` in the body."""

    operation: str
    schema: str
    path: Path
    evidence: Evidence = field(compare=False)

    def __str__(self) -> str:
        return f"{self.operation} -> {self.schema}"


@dataclass(frozen=True, slots=True)
class Consumes:
    """An input of an operation takes a property of a schema; the whole of it where both are bare.

    `input` is the path of the input inside the operation, headed by its location.
    """

    schema: str
    path: Path
    operation: str
    input: Path
    evidence: Evidence = field(compare=False)

    @property
    def is_whole(self) -> bool:
        """Whether the operation takes objects of the schema as they are."""
        return not self.path

    def __str__(self) -> str:
        label = f" <{'.'.join(self.path)}>" if self.path else ""
        return f"{self.schema} ->{label} {self.operation}"


@dataclass(frozen=True, slots=True)
class Equal:
    """Two properties of different schemas hold the same values; `left` sorts first."""

    left: Property
    right: Property
    evidence: Evidence = field(compare=False)

    @classmethod
    def between(cls, one: Property, other: Property, evidence: Evidence) -> Equal:
        """The edge between two properties, whichever comes first."""
        left, right = sorted((one, other), key=lambda p: (p.schema, p.path))
        return cls(left, right, evidence)

    def __str__(self) -> str:
        return f"{self.left} = {self.right}"


Edge = Produces | Consumes | Equal


@dataclass(frozen=True, slots=True)
class PropertyGraph:
    """The graph, and what observation has taught so far: see `correct`.

    `schemas` gives the leaf properties of each schema node; `dropped` are edges that failed too
    often and may return; `failures` counts the failures of each edge since it last worked;
    `undecided` holds, for two schemas, the pairs of properties that were equal every time so far.
    """

    operations: tuple[str, ...]
    schemas: Mapping[str, tuple[Field, ...]]
    produces: tuple[Produces, ...] = ()
    consumes: tuple[Consumes, ...] = ()
    equal: tuple[Equal, ...] = ()
    endpoints: tuple[tuple[str, str], ...] = ()
    dropped: tuple[Edge, ...] = ()
    failures: Mapping[Edge, int] = field(default_factory=dict)
    undecided: Mapping[tuple[str, str], Candidates] = field(default_factory=dict)

    def producers(self, schema: str) -> tuple[str, ...]:
        """The operations that answer with a schema."""
        return tuple(dict.fromkeys(e.operation for e in self.produces if e.schema == schema))

    def consumers(self, schema: str) -> tuple[str, ...]:
        """The operations that take a schema or a property of it."""
        return tuple(dict.fromkeys(e.operation for e in self.consumes if e.schema == schema))

    def neighbours(self, schema: str) -> tuple[str, ...]:
        """The schemas that share a property with this one."""
        found = [
            e.right.schema if e.left.schema == schema else e.left.schema
            for e in self.equal
            if schema in (e.left.schema, e.right.schema)
        ]
        return tuple(dict.fromkeys(name for name in found if name != schema))

    def plus(self, *edges: Edge) -> PropertyGraph:
        """The graph with more edges; one that is there already keeps the stronger evidence."""
        return replace(
            self,
            produces=_merged(self.produces, [e for e in edges if isinstance(e, Produces)]),
            consumes=_merged(self.consumes, [e for e in edges if isinstance(e, Consumes)]),
            equal=_merged(self.equal, [e for e in edges if isinstance(e, Equal)]),
        )

    def without(self, edge: Edge) -> PropertyGraph:
        """The graph less one edge."""
        return replace(
            self,
            produces=tuple(e for e in self.produces if e != edge),
            consumes=tuple(e for e in self.consumes if e != edge),
            equal=tuple(e for e in self.equal if e != edge),
        )

    def __contains__(self, edge: Edge) -> bool:
        return edge in self.produces or edge in self.consumes or edge in self.equal


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pairs of properties that had equal values in every observation, and the values seen."""

    pairs: frozenset[tuple[Path, Path]]
    values: Mapping[tuple[Path, Path], frozenset[str]]


_E = TypeVar("_E", Produces, Consumes, Equal)


def _merged(old: tuple[_E, ...], new: Iterable[_E]) -> tuple[_E, ...]:
    best = {edge: edge for edge in old}
    for edge in new:
        known = best.get(edge)
        if known is None or known.evidence.confidence < edge.evidence.confidence:
            best[edge] = edge
    return tuple(best.values())


def endpoint_pairs(paths: Mapping[str, Iterable[str]]) -> tuple[tuple[str, str], ...]:
    """Every two operations of one path."""
    return tuple(pair for found in paths.values() for pair in combinations(found, 2))
