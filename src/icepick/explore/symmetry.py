"""One representative for all states that differ by an exchange of values.

The language of models cannot tell the values of a resource apart, so every permutation of them
maps reachable states to reachable states and transitions to transitions. The representative of
a state is the least packed state among its images. The values of a resource that nothing refers
to are simply sorted; only the others have their permutations tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial, prod

import numpy as np

from icepick.errors import Code, ExploreError
from icepick.explore.layout import Array, Layout
from icepick.model.references import referring_fields

MOST_PERMUTATIONS = 200_000

_Mapping = dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class _Image:
    """A permutation: `sources[i]` is the digit that moves to position i, `records` rewrite it."""

    sources: tuple[int, ...]
    records: dict[str, Array]


class Symmetry:
    """The permutations of a model's values."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        model = layout.model
        targets = {target for _, _, target in referring_fields(model)}
        self._referred = [r for r in model.resources if r.name in targets]
        self._sorted = [r for r in model.resources if r.name not in targets]
        self._positions = {r.name: layout.positions(r.name) for r in model.resources}
        number = prod(factorial(r.size) for r in self._referred)
        if number > MOST_PERMUTATIONS:
            raise ExploreError(
                Code.TOO_MANY_SYMMETRIES,
                f"the values of {model.name} can be exchanged in {number} ways",
                hint="Explore without symmetry, or lower the bounds of resources that others "
                "refer to.",
            )

    def representatives(
        self, found: list[tuple[int, Array, Array]]
    ) -> list[tuple[int, Array, Array]]:
        """The same transitions, with the representatives of their targets."""
        if not found:
            return found
        least = self._least(np.concatenate([targets for _, _, targets in found], axis=1))
        parts = np.split(least, np.cumsum([len(rows) for _, rows, _ in found])[:-1], axis=1)
        return [(action, rows, part) for (action, rows, _), part in zip(found, parts, strict=True)]

    def representative(self, states: Array) -> Array:
        """The representatives of a block of states."""
        return self._least(states)

    def orbit_sizes(self, states: Array) -> Array:
        """How many states each representative stands for."""
        digits = self._digits(states)
        own = self._packed(digits)
        fixing = np.zeros(states.shape[1], dtype=np.int64)
        for image in self._images():
            fixing += (self._packed(self._apply(image, digits)) == own).all(axis=0)
        orbits = prod(factorial(r.size) for r in self._referred) // fixing
        for resource in self._sorted:
            orbits = orbits * self._arrangements(digits, resource.name)
        return orbits

    def _least(self, states: Array) -> Array:
        digits = self._digits(states)
        least: Array | None = None
        for image in self._images():
            packed = self._packed(self._apply(image, digits))
            least = packed if least is None else np.where(_less(packed, least), packed, least)
        assert least is not None  # noqa: S101 (the identity is always among the images)
        return least

    def _digits(self, states: Array) -> list[Array]:
        return [self._layout.digit(states, i) for i in range(len(self._layout.places))]

    def _packed(self, digits: list[Array]) -> Array:
        for resource in self._sorted:
            positions = self._positions[resource.name]
            ordered = np.sort(np.stack([digits[p] for p in positions]), axis=0)
            for position, row in zip(positions, ordered, strict=True):
                digits[position] = row
        return self._layout.pack(digits)

    def _apply(self, image: _Image, digits: list[Array]) -> list[Array]:
        places = self._layout.places
        return [
            image.records[places[source].resource].take(digits[source]) for source in image.sources
        ]

    def _images(self) -> Iterator[_Image]:
        names = [resource.name for resource in self._referred]
        for chosen in product(*(permutations(range(r.size)) for r in self._referred)):
            yield self._image(dict(zip(names, chosen, strict=True)))

    def _image(self, mapping: _Mapping) -> _Image:
        """`mapping[r][v]` is the value that takes the place of value v of resource r."""
        sources = list(range(len(self._layout.places)))
        for name, targets in mapping.items():
            positions = self._positions[name]
            for value, target in enumerate(targets):
                sources[positions[target]] = positions[value]
        records = {r.name: self._record(r.name, mapping) for r in self._layout.model.resources}
        return _Image(tuple(sources), records)

    def _record(self, name: str, mapping: _Mapping) -> Array:
        """The digit of a record after its references were exchanged."""
        table = self._layout.exchanged(name, mapping)
        return table.astype(np.uint8 if len(table) <= 256 else np.uint32)

    def _arrangements(self, digits: list[Array], name: str) -> Array:
        """In how many ways the digits of a resource can stand: repeated ones look the same."""
        rows = np.sort(np.stack([digits[p] for p in self._positions[name]]), axis=0)
        ways = np.ones(rows.shape[1], dtype=np.int64)
        repeated = np.ones(rows.shape[1], dtype=np.int64)
        for i in range(1, len(rows)):
            repeated = np.where(rows[i] == rows[i - 1], repeated + 1, 1)
            ways = ways * (i + 1) // repeated
        return ways


def _less(left: Array, right: Array) -> Array:
    """Which states are less, the first word deciding first."""
    less = np.zeros(left.shape[1], dtype=bool)
    same = np.ones(left.shape[1], dtype=bool)
    for a, b in zip(left, right, strict=True):
        less |= same & (a < b)
        same &= a == b
    return less
