"""The abstract context of an instance: what can be told of it without naming any value.

It is absent, or it is told by its fields (a reference by whether there is one) and by how many
refer to it: none, one, or several.
"""

from __future__ import annotations

import numpy as np

from icepick.explore.layout import DANGLING, NULL, Array, Layout
from icepick.model.references import referring_fields
from icepick.model.types import Reference

_SEVERAL = 2


class Contexts:
    """The contexts of all instances in a block of states, each computed when it is asked for."""

    def __init__(self, layout: Layout, states: Array) -> None:
        self._layout = layout
        self._states = states
        self._referring = [*referring_fields(layout.model)]
        self._digits: dict[int, Array] = {}
        self._codes: dict[tuple[str, int], Array] = {}

    @property
    def number(self) -> int:
        """How many states there are."""
        return int(self._states.shape[1])

    def present(self, resource: str, value: int) -> Array:
        """In which states the value exists."""
        there: Array = self._digit(self._layout.positions(resource)[value]) != 0
        return there

    def others(self, resource: str, value: int) -> Array:
        """In which states another value of the resource exists too."""
        found = np.zeros(self.number, dtype=bool)
        for other in range(self._layout.model.resource(resource).size):
            if other != value:
                found |= self.present(resource, other)
        return found

    def of(self, resource: str, value: int) -> Array:
        """A number per state, the same where the context is; 0 where the value is absent."""
        found = self._codes.get((resource, value))
        if found is None:
            found = self._codes[resource, value] = self._code(resource, value)
        return found

    def radix(self, resource: str) -> int:
        """Contexts are less than this."""
        referring = sum(target == resource for _, _, target in self._referring)
        shapes = int(_shapes(self._layout, resource).max()) + 1
        return shapes * int((_SEVERAL + 1) ** referring)

    def joined(self, resources: tuple[str, ...], values: tuple[int, ...]) -> Array | None:
        """In which states some instance refers to both values; nothing if none ever can."""
        left, right = (
            [(owner, field) for owner, field, target in self._referring if target == resource]
            for resource in resources
        )
        pairs = [(owner, a, b) for owner, a in left for other, b in right if other == owner]
        if not pairs:
            return None
        found = np.zeros(self.number, dtype=bool)
        for owner, *fields in pairs:
            for position in self._layout.positions(owner):
                found |= self._holds(position, owner, fields[0], values[0]) & self._holds(
                    position, owner, fields[1], values[1]
                )
        return found

    def _holds(self, position: int, owner: str, field: str, value: int) -> Array:
        held = _field_values(self._layout, owner, field).take(self._digit(position))
        found: Array = held == value
        return found

    def _code(self, resource: str, value: int) -> Array:
        digit = self._digit(self._layout.positions(resource)[value])
        code = _shapes(self._layout, resource).take(digit)
        for owner, field, target in self._referring:
            if target == resource:
                hits = self._hits(owner, field, value)
                code = code * (_SEVERAL + 1) + np.minimum(hits, _SEVERAL)
        return np.where(digit == 0, 0, code)

    def _hits(self, owner: str, field: str, value: int) -> Array:
        """How many instances refer to the value by that field."""
        hits = np.zeros(self.number, dtype=np.int64)
        for position in self._layout.positions(owner):
            hits += self._holds(position, owner, field, value)
        return hits

    def _digit(self, position: int) -> Array:
        found = self._digits.get(position)
        if found is None:
            found = self._digits[position] = self._layout.digit(self._states, position)
        return found


def _field_values(layout: Layout, resource: str, field: str) -> Array:
    """What the field holds, by the digit of the record; nothing where there is no record."""
    place = layout.field(resource, field)
    radix = layout.places[layout.positions(resource)[0]].radix
    codes = np.arange(radix - 1) // place.weight % len(place.values)
    return np.concatenate(([NULL], np.array(place.values)[codes]))


def _shapes(layout: Layout, resource: str) -> Array:
    """The part of the context that the record itself tells, by its digit; 0 for no record."""
    radix = layout.places[layout.positions(resource)[0]].radix
    shapes = np.zeros(radix, dtype=np.int64)
    for field in layout.model.resource(resource).fields:
        held = _field_values(layout, resource, field.name)
        if isinstance(field.domain, Reference):
            held = np.where(np.isin(held, (NULL, DANGLING)), held, 0)
        _, ranks = np.unique(held, return_inverse=True)
        shapes = shapes * (int(ranks.max()) + 1) + ranks
    shapes += 1
    shapes[0] = 0
    return shapes
