"""Sequences through representatives, made real; and which of their transitions are alike.

An exploration with symmetry keeps one state of each orbit. A transition of a representative leads
to some state whose own representative is kept, so that a walk over representatives has to
exchange values at every step. An exchange gives every value of a resource another one; two
transitions of one representative are alike if an exchange that keeps it maps one to the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import pairwise, permutations, product

import numpy as np

from icepick.explore import Exploration
from icepick.explore.graph import edges_of
from icepick.explore.ground import Bound
from icepick.explore.layout import Array
from icepick.model.references import referring_fields
from icepick.model.types import OneOf, Parameter, Reference

Exchange = dict[str, tuple[int, ...]]
"""For each resource the new value of every value."""


class Orbits:
    """The exchanges of an exploration's values.

    Values of a resource that nothing refers to are exchanged so that their records ascend; only
    for the others every exchange is tried.
    """

    def __init__(self, exploration: Exploration) -> None:
        self._exploration = exploration
        self._layout = exploration.machine.layout
        model = exploration.model
        targets = {target for _, _, target in referring_fields(model)}
        self._referred = [r for r in model.resources if r.name in targets]
        self._free = [r.name for r in model.resources if r.name not in targets]
        self._positions = {r.name: self._layout.positions(r.name) for r in model.resources}
        self._sizes = {r.name: r.size for r in model.resources}
        self._images = list(self._exchanges())
        self._settle()

    @property
    def identity(self) -> Exchange:
        """Every value stays what it is."""
        return {name: tuple(range(size)) for name, size in self._sizes.items()}

    def after(self, exchange: Exchange, edge: int) -> Exchange:
        """The exchange that leads from the representative behind an edge to the real state.

        The edge was taken in the state that comes from its source by the given exchange.
        """
        settled = self._settling(edge)
        found: Exchange = {}
        for name, values in exchange.items():
            image = [0] * len(values)
            for value, representative in enumerate(settled[name]):
                image[representative] = values[value]
            found[name] = tuple(image)
        return found

    def classes(self) -> Array:
        """For each edge the first one that is alike."""
        edges = edges_of(self._exploration)
        least: list[Hashable] = [None] * len(edges.targets)
        for number, state in self._fixing():
            self._offer_keys(self._images[number], state, least)
        first: dict[Hashable, int] = {}
        offsets = edges.offsets.tolist()
        found = np.empty(len(edges.targets), dtype=np.int64)
        for state, (start, stop) in enumerate(pairwise(offsets)):
            for edge in range(start, stop):
                found[edge] = first.setdefault((state, least[edge]), edge)
        return found

    def _exchanges(self) -> Iterator[Exchange]:
        names = [resource.name for resource in self._referred]
        unchanged = {name: tuple(range(self._sizes[name])) for name in self._free}
        for chosen in product(*(permutations(range(r.size)) for r in self._referred)):
            yield {**unchanged, **dict(zip(names, chosen, strict=True))}

    # Where an edge really leads, and how its representative comes from that

    def _settle(self) -> None:
        raw = self._digits(self._real_targets())
        wanted = self._digits(self._exploration.states[:, edges_of(self._exploration).targets])
        self._image = np.full(raw.shape[1], -1, dtype=np.int64)
        self._orders = {
            name: np.zeros((raw.shape[1], self._sizes[name]), dtype=np.int64) for name in self._free
        }
        for number, exchange in enumerate(self._images):
            digits = self._applied(exchange, raw)
            orders = {name: self._order(digits, name) for name in self._free}
            hits = (self._image < 0) & (self._sorted(digits) == wanted).all(axis=0)
            self._image[hits] = number
            for name, order in orders.items():
                self._orders[name][hits] = order[:, hits].T

    def _settling(self, edge: int) -> Exchange:
        """The exchange from the real target of an edge to the representative of it."""
        found = dict(self._images[int(self._image[edge])])
        for name in self._free:
            image = [0] * self._sizes[name]
            for place, value in enumerate(self._orders[name][edge].tolist()):
                image[value] = place
            found[name] = tuple(image)
        return found

    def _real_targets(self) -> Array:
        exploration, edges = self._exploration, edges_of(self._exploration)
        states = exploration.states[:, : exploration.expanded]
        found = np.empty((states.shape[0], len(edges.targets)), dtype=states.dtype)
        places = edges.offsets[:-1].astype(np.int64)
        asked = exploration.machine.evaluation(states)
        for action in range(len(exploration.actions)):
            rows, targets = exploration.machine.successors(action, states, asked)
            found[:, places[rows]] = targets
            places[rows] += 1
        return found

    # Digits of whole blocks, one row per value

    def _digits(self, states: Array) -> Array:
        places = range(len(self._layout.places))
        return np.stack([self._layout.digit(states, i).astype(np.int64) for i in places])

    def _applied(self, exchange: Exchange, digits: Array) -> Array:
        moved = np.empty_like(digits)
        for name, positions in self._positions.items():
            records = self._records(name, exchange)
            for value, image in enumerate(exchange[name]):
                moved[positions[image]] = records[digits[positions[value]]]
        return moved

    def _records(self, name: str, exchange: Exchange) -> Array:
        """The digit of a record after the exchange of what it refers to."""
        return self._layout.exchanged(name, exchange)

    def _order(self, digits: Array, name: str) -> Array:
        return np.argsort(digits[self._positions[name]], axis=0, kind="stable")

    def _sorted(self, digits: Array) -> Array:
        ordered = digits.copy()
        for name in self._free:
            ordered[self._positions[name]] = np.sort(digits[self._positions[name]], axis=0)
        return ordered

    # Which transitions of one representative are alike

    def _fixing(self) -> Iterator[tuple[int, int]]:
        """The exchanges, by number, that keep a state, and that state."""
        own = self._digits(self._exploration.states[:, : self._exploration.expanded])
        for number, exchange in enumerate(self._images):
            kept = (self._sorted(self._applied(exchange, own)) == own).all(axis=0)
            for state in np.flatnonzero(kept).tolist():
                yield number, state

    def _offer_keys(self, exchange: Exchange, state: int, least: list[Hashable]) -> None:
        edges = edges_of(self._exploration)
        digits = self._digits(self._exploration.states[:, state : state + 1])[:, 0]
        for edge in range(int(edges.offsets[state]), int(edges.offsets[state + 1])):
            key = self._key(int(edges.actions[edge]), exchange, digits)
            known = least[edge]
            if known is None or repr(key) < repr(known):
                least[edge] = key

    def _key(self, number: int, exchange: Exchange, digits: Array) -> Hashable:
        """A ground action after the exchange; a free value is told by its record alone."""
        ground = self._exploration.actions[number]
        action = next(a for a in self._exploration.model.actions if a.name == ground.action)
        pairs = list(zip(action.parameters, ground.bounds, strict=True))
        # The same value given twice is not two values with the same record.
        named: dict[tuple[str, Bound], int] = {}
        for place, (parameter, bound) in enumerate(pairs):
            if isinstance(parameter.kind, OneOf) and isinstance(parameter.kind.domain, Reference):
                named.setdefault((parameter.kind.domain.resource, bound), place)

        def told(resource: str, value: int) -> tuple[int, int]:
            if resource not in self._free:
                return exchange[resource][value], -1
            record = int(digits[self._positions[resource][value]])
            renamed = int(self._records(resource, exchange)[record])
            return renamed, named.get((resource, value), -1)

        return (ground.action, *(_part(p, bound, told) for p, bound in pairs))


def _part(
    parameter: Parameter, bound: Bound, told: Callable[[str, int], tuple[int, int]]
) -> Hashable:
    kind = parameter.kind
    if isinstance(kind, OneOf):
        if isinstance(kind.domain, Reference) and isinstance(bound, int):
            return told(kind.domain.resource, bound)
        return bound
    members = bound if isinstance(bound, tuple) else (bound,)
    return tuple(sorted(told(kind.resource, value) for value in members))
