"""Correct the property graph by what a service really answers.

A pure function: the graph and observed calls in, a new graph and the list of changes out. What is
undecided travels inside the graph, so observations may come in one batch or in many.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from icepick.openapi.types import Json
from icepick.resources.graph import (
    Candidates,
    Consumes,
    Edge,
    Equal,
    Produces,
    Property,
    PropertyGraph,
)
from icepick.resources.types import Evidence, Path, Provenance
from icepick.resources.words import is_generic, words

TRIES = 3
"""How often an edge may fail before it is dropped: the paper's threshold."""

_LIKENESS = 0.8
"""The share of a schema's top-level properties that an object must have to count as one of it."""


@dataclass(frozen=True, slots=True)
class Origin:
    """An input of a call that was taken from an object along an edge."""

    edge: Consumes
    source: Json = field(hash=False)


@dataclass(frozen=True, slots=True)
class Observation:
    """One call and its answer; nothing is learned from a negative test.

    `inputs` are the values sent, by the path of the input headed by its location.
    """

    operation: str
    status: int
    body: Json = field(hash=False, default=None)
    origins: tuple[Origin, ...] = ()
    negative: bool = False
    inputs: Mapping[Path, Json] = field(hash=False, default_factory=dict)

    @property
    def succeeded(self) -> bool:
        """Whether the answer was a 2xx."""
        return 200 <= self.status < 300


class ChangeKind(StrEnum):
    """What happened to an edge."""

    ADDED = "added"
    DROPPED = "dropped"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class Change:
    """One correction and the evidence for it."""

    kind: ChangeKind
    edge: Edge
    reason: str


@dataclass(frozen=True, slots=True)
class Correction:
    """The corrected graph and what changed, in order."""

    graph: PropertyGraph
    changes: tuple[Change, ...]


def correct(
    graph: PropertyGraph, observations: Iterable[Observation], *, tries: int = TRIES
) -> Correction:
    """The graph after these observations."""
    changes: list[Change] = []
    for observation in observations:
        if observation.negative:
            continue
        for step in (_judge_edges, _learn_products, _learn_equalities):
            graph, found = step(graph, observation, tries)
            changes += found
    return Correction(graph, tuple(changes))


Step = tuple[PropertyGraph, list[Change]]


def _judge_edges(graph: PropertyGraph, observation: Observation, tries: int) -> Step:
    """Edges that fed a call which worked are good; those that keep failing are dropped."""
    changes: list[Change] = []
    failures = dict(graph.failures)
    for origin in observation.origins:
        edge = origin.edge
        if observation.succeeded:
            failures.pop(edge, None)
            if edge in graph.dropped:
                graph = replace(graph.plus(edge), dropped=_less(graph.dropped, edge))
                reason = f"{edge.operation} answered {observation.status} with it"
                changes.append(Change(ChangeKind.RETURNED, edge, reason))
            continue
        failures[edge] = failures.get(edge, 0) + 1
        if failures[edge] >= tries and edge in graph:
            graph = replace(graph.without(edge), dropped=(*graph.dropped, edge))
            reason = f"{edge.operation} failed {failures[edge]} times with it"
            changes.append(Change(ChangeKind.DROPPED, edge, reason))
    return replace(graph, failures=failures), changes


def _less(edges: tuple[Edge, ...], edge: Edge) -> tuple[Edge, ...]:
    return tuple(other for other in edges if other != edge)


def _learn_products(graph: PropertyGraph, observation: Observation, _tries: int) -> Step:
    """An answer that looks like a schema the document does not mention for it."""
    if not observation.succeeded:
        return graph, []
    known = {edge.schema for edge in graph.produces if edge.operation == observation.operation}
    for path, value in _objects(observation.body):
        schema = _likeness(value, graph)
        if schema is None or schema in known:
            continue
        reason = f"an answer of {observation.operation} has the properties of {schema}"
        why = Evidence(Provenance.LEARNED, 0.9, reason)
        edge = Produces(observation.operation, schema, path, why)
        return graph.plus(edge), [Change(ChangeKind.ADDED, edge, reason)]
    return graph, []


def _objects(body: Json, path: Path = ()) -> Iterator[tuple[Path, dict[str, Json]]]:
    """The objects of a body: itself, what an envelope holds, the elements of a list."""
    if isinstance(body, list) and body and isinstance(body[0], dict):
        yield (*path, "[]"), body[0]
    elif isinstance(body, dict):
        yield path, body
        if len(path) < 2:
            for name, value in body.items():
                if isinstance(value, (dict, list)):
                    yield from _objects(value, (*path, name))


def _likeness(value: Mapping[str, Json], graph: PropertyGraph) -> str | None:
    """The one schema that an object looks like; None where there is none or more than one."""
    scores: dict[str, float] = {}
    keys = set(value)
    for name, fields in graph.schemas.items():
        own = {part.path[0] for part in fields}
        shared = len(own & keys)
        if len(own) > 1 and shared / len(own) >= _LIKENESS and shared / len(keys) >= _LIKENESS:
            scores[name] = shared / len(own | keys)
    best = sorted(scores.values(), reverse=True)
    if not best or (len(best) > 1 and best[0] == best[1]):
        return None
    return max(scores, key=lambda name: scores[name])


def _learn_equalities(graph: PropertyGraph, observation: Observation, _tries: int) -> Step:
    """Two objects met in one call: which of their properties always have the same value?"""
    changes: list[Change] = []
    if not observation.succeeded:
        return graph, changes
    for origin in observation.origins:
        for schema, value in _answered(graph, observation):
            if schema == origin.edge.schema or not isinstance(origin.source, dict):
                continue
            graph, found = _compare(graph, (origin.edge.schema, origin.source), (schema, value))
            changes += found
    return graph, changes


def _answered(graph: PropertyGraph, observation: Observation) -> Iterator[tuple[str, Json]]:
    schemas = [e.schema for e in graph.produces if e.operation == observation.operation]
    for _, value in _objects(observation.body):
        schema = _likeness(value, graph)
        if schema in schemas:
            yield schema, value
            return


Typed = tuple[str, Json]


def _compare(graph: PropertyGraph, one: Typed, other: Typed) -> Step:
    """Narrow down the pairs of equal properties; a property with one partner left is decided."""
    (left, a), (right, b) = sorted((one, other), key=lambda typed: typed[0])
    key = (left, right)
    candidates = _narrowed(graph.undecided.get(key), _scalars(a), _scalars(b))
    graph = replace(graph, undecided={**graph.undecided, key: candidates})
    changes: list[Change] = []
    for pair in sorted(candidates.pairs):
        edge = _decided(key, pair, candidates)
        if edge is not None and edge not in graph.equal:
            graph, found = _with_equality(graph, edge)
            changes += found
    return graph, changes


def _narrowed(known: Candidates | None, a: Mapping[Path, str], b: Mapping[Path, str]) -> Candidates:
    pairs = frozenset((p, q) for p, value in a.items() for q, same in b.items() if value == same)
    if known is not None:
        pairs &= known.pairs
    seen = known.values if known is not None else {}
    values = {pair: seen.get(pair, frozenset()) | {a[pair[0]]} for pair in pairs}
    return Candidates(pairs, values)


def _scalars(value: Json) -> dict[Path, str]:
    """The values of an object that can identify something; true, null and "" cannot."""
    if not isinstance(value, dict):
        return {}
    return {
        (name,): json.dumps(inner)
        for name, inner in value.items()
        if isinstance(inner, (str, int, float)) and not isinstance(inner, bool) and inner != ""
    }


def _decided(key: tuple[str, str], pair: tuple[Path, Path], candidates: Candidates) -> Equal | None:
    """An equality, once one side has no other partner and two different values agreed."""
    left, right = pair
    if left[-1:] == right[-1:] and is_generic(words(left[-1])):
        # Two things that are counted alike: each `id` names objects of its own schema.
        return None
    rivals_left = sum(1 for p, _ in candidates.pairs if p == left)
    rivals_right = sum(1 for _, q in candidates.pairs if q == right)
    if min(rivals_left, rivals_right) > 1 or len(candidates.values[pair]) < 2:
        return None
    reason = f"the same value in {len(candidates.values[pair])} observations, and no other match"
    why = Evidence(Provenance.LEARNED, 0.9, reason)
    return Equal.between(Property(key[0], left), Property(key[1], right), why)


def _with_equality(graph: PropertyGraph, edge: Equal) -> Step:
    """The graph with an equality and what follows: who takes the one takes the other."""
    changes = [Change(ChangeKind.ADDED, edge, edge.evidence.reason)]
    graph = graph.plus(edge)
    for one, other in ((edge.left, edge.right), (edge.right, edge.left)):
        for taken in graph.consumes:
            if taken.schema != one.schema or taken.path != one.path:
                continue
            why = Evidence(Provenance.LEARNED, 0.85, f"{edge}, and {taken}")
            more = Consumes(other.schema, other.path, taken.operation, taken.input, why)
            if more not in graph and more not in graph.dropped:
                graph = graph.plus(more)
                changes.append(Change(ChangeKind.ADDED, more, why.reason))
    return graph, changes
