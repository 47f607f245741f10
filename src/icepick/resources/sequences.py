"""Call sequences from the property graph: chains in which each call feeds a later one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import nsmallest
from itertools import pairwise

from icepick.openapi.types import ApiSpec
from icepick.resources.graph import PropertyGraph

Sequence = tuple[str, ...]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Limits:
    """What keeps a document with hundreds of operations from exploding."""

    length: int = 8
    per_visit: int = 400
    pairs_per_schema: int = 2_000


_CREATES = {"POST"}
_DELETES = {"DELETE"}


def generated_sequences(
    graph: PropertyGraph, spec: ApiSpec, limits: Limits | None = None
) -> tuple[Sequence, ...]:
    """All that the paper's Algorithm 1 gives within the limits, the longest first."""
    return _walk(graph, spec, limits).generated()


def call_sequences(
    graph: PropertyGraph, spec: ApiSpec, limits: Limits | None = None
) -> tuple[Sequence, ...]:
    """Few sequences that cover every pair of a producer and a consumer, the longest first.

    Operations that belong to no pair come last, alone.
    """
    walk = _walk(graph, spec, limits)
    pairs = [pair for schema in graph.schemas for pair in walk.pairs(schema)]
    chosen = sorted(walk.covering(walk.generated(), pairs), key=_longest_first)
    covered = {operation for sequence in chosen for operation in sequence}
    alone = [(operation,) for operation in graph.operations if operation not in covered]
    return (*chosen, *alone)


def _walk(graph: PropertyGraph, spec: ApiSpec, limits: Limits | None) -> _Walk:
    return _Walk(graph, {o.id: o.method for o in spec.operations}, limits or Limits())


def _longest_first(sequence: Sequence) -> tuple[int, Sequence]:
    return -len(sequence), sequence


class _Walk:
    """The paper's Algorithm 1, filtered as it goes: what breaks the rules is never made longer."""

    def __init__(self, graph: PropertyGraph, methods: Mapping[str, str], limits: Limits) -> None:
        self._graph = graph
        self._methods = methods
        self._touched = _schemas_of(graph)
        self._limits = limits
        self._pairs: dict[str, list[Pair]] = {}

    def generated(self) -> tuple[Sequence, ...]:
        """The sequences of every schema."""
        found: frozenset[Sequence] = frozenset()
        for schema in self._graph.schemas:
            found |= self._visit(schema, set(), frozenset())
        return tuple(sorted(found, key=_longest_first))

    def _visit(
        self, schema: str, visited: set[str], known: frozenset[Sequence]
    ) -> frozenset[Sequence]:
        """The pairs of a schema joined with what is known, then those of the schemas around it.

        `visited` is shared by the whole iteration: each schema is visited once.
        """
        new = frozenset(self.pairs(schema))
        if not new:
            return known
        visited.add(schema)
        found = self._limited(known | new | frozenset(self._concatenated(known, new)))
        for neighbour in self._graph.neighbours(schema):
            if neighbour not in visited:
                found = self._limited(found | self._visit(neighbour, visited, found))
        return found

    def pairs(self, schema: str) -> list[Pair]:
        """A producer and a consumer of the schema, in every valid combination."""
        if schema not in self._pairs:
            found = [
                (producer, consumer)
                for producer in self._known(self._graph.producers(schema))
                for consumer in self._known(self._graph.consumers(schema))
                if producer != consumer and self._valid((producer, consumer))
            ]
            self._pairs[schema] = found[: self._limits.pairs_per_schema]
        return self._pairs[schema]

    def _known(self, operations: Iterable[str]) -> list[str]:
        """Those that may be called: a run may be told to leave some out."""
        return [one for one in operations if one in self._methods]

    def _valid(self, sequence: Sequence) -> bool:
        return crud_valid(sequence, self._methods, self._touched)

    def _concatenated(
        self, known: Iterable[Sequence], new: Iterable[Sequence]
    ) -> Iterator[Sequence]:
        """Sequences made longer at either end by a pair that meets them there."""
        after: dict[str, list[str]] = defaultdict(list)
        before: dict[str, list[str]] = defaultdict(list)
        for producer, consumer in new:
            after[producer].append(consumer)
            before[consumer].append(producer)
        for sequence in known:
            longer = [(*sequence, consumer) for consumer in after[sequence[-1]]]
            longer += [(producer, *sequence) for producer in before[sequence[0]]]
            for candidate in longer if len(sequence) < self._limits.length else ():
                if len(set(candidate)) == len(candidate) and self._valid(candidate):
                    yield candidate

    def covering(self, sequences: Iterable[Sequence], pairs: Iterable[Pair]) -> Iterator[Sequence]:
        """The sequences that cover two or more new pairs, then all other pairs, chained."""
        wanted: dict[str, dict[str, None]] = defaultdict(dict)
        for producer, consumer in pairs:
            wanted[producer][consumer] = None
        for sequence in sequences:
            if sum(second in wanted[first] for first, second in pairwise(sequence)) > 1:
                _remove(wanted, sequence)
                yield sequence
        for producer, consumers in wanted.items():
            while consumers:
                chain = self._chained((producer, next(iter(consumers))), wanted)
                _remove(wanted, chain)
                yield chain

    def _chained(self, chain: Sequence, wanted: Mapping[str, Iterable[str]]) -> Sequence:
        """A pair made longer by pairs that are still wanted, as far as that goes."""
        while len(chain) < self._limits.length:
            longer = (
                (*chain, consumer)
                for consumer in wanted.get(chain[-1], ())
                if consumer not in chain and self._valid((*chain, consumer))
            )
            found = next(longer, None)
            if found is None:
                break
            chain = found
        return chain

    def _limited(self, sequences: frozenset[Sequence]) -> frozenset[Sequence]:
        if len(sequences) <= self._limits.per_visit:
            return sequences
        return frozenset(nsmallest(self._limits.per_visit, sequences, key=_longest_first))


def _schemas_of(graph: PropertyGraph) -> dict[str, frozenset[str]]:
    """The schemas that an operation makes, changes or removes objects of.

    An operation that only borrows a property of a schema is not about that schema.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for produced in graph.produces:
        found[produced.operation].add(produced.schema)
    for consumed in graph.consumes:
        if consumed.is_whole or consumed.input[0] == "path":
            found[consumed.operation].add(consumed.schema)
    return {operation: frozenset(schemas) for operation, schemas in found.items()}


def crud_valid(
    sequence: Sequence, methods: Mapping[str, str], touched: Mapping[str, frozenset[str]]
) -> bool:
    """Whether, for each schema, nothing follows its deletion and nothing precedes its creation."""
    seen: set[str] = set()
    found: set[str] = set()  # there before any of the calls created one
    deleted: set[str] = set()
    for operation in sequence:
        schemas, method = touched.get(operation, frozenset()), methods[operation]
        creates = method in _CREATES
        if schemas & deleted or (creates and schemas & found):
            return False
        found |= frozenset() if creates else schemas - seen
        deleted |= schemas if method in _DELETES else frozenset()
        seen |= schemas
    return True


def _remove(wanted: Mapping[str, dict[str, None]], sequence: Sequence) -> None:
    for first, second in pairwise(sequence):
        if first in wanted:
            wanted[first].pop(second, None)
