"""Numbers within their bounds, steps and formats."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

_FORMATS = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "uint8": (0, 2**8 - 1),
    "uint16": (0, 2**16 - 1),
    "uint32": (0, 2**32 - 1),
    "uint64": (0, 2**64 - 1),
    "float": (-3.4e38, 3.4e38),
}
_KEYWORDS = (
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format",
)  # fmt: skip
"""All that a schema can say of its numbers."""

_MANY = 1_000
_USUAL = 1_000
"""Numbers stay below this where nothing asks for larger ones."""


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers between two bounds, both included, that are multiples of a step.

    A bound is None where there is none; the step is None where every number will do.
    """

    low: Fraction | None
    high: Fraction | None
    step: Fraction | None
    above: Fraction | None = None
    below: Fraction | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no number is in it."""
        first, last = self.first, self.last
        if first is None or last is None:
            return False
        if self.step is None and first == last:
            return first in {self.above, self.below}
        return first > last

    @property
    def first(self) -> Fraction | None:
        """The least number, or where steps are none the bound itself."""
        low = _highest(self.low, self.above)
        if low is None or self.step is None:
            return low
        number = math.ceil(low / self.step) * self.step
        return number + self.step if number == self.above else number

    @property
    def last(self) -> Fraction | None:
        """The greatest number, or where steps are none the bound itself."""
        high = _lowest(self.high, self.below)
        if high is None or self.step is None:
            return high
        number = math.floor(high / self.step) * self.step
        return number - self.step if number == self.below else number

    def narrowed(self, low: float, high: float) -> Range:
        """The part between two more bounds."""
        return Range(
            _highest(self.low, Fraction(low)),
            _lowest(self.high, Fraction(high)),
            self.step,
            self.above,
            self.below,
        )

    def __contains__(self, number: float) -> bool:
        exact = Fraction(str(number))
        if self.step is not None and exact % self.step:
            return False
        inside = (self.low is None or exact >= self.low) and (
            self.high is None or exact <= self.high
        )
        outer = (self.above is None or exact > self.above) and (
            self.below is None or exact < self.below
        )
        return inside and outer


def number_range(flat: Mapping[str, Any], *, whole: bool) -> Range:
    """The numbers that a schema allows."""
    return _range(tuple([flat.get(name) for name in _KEYWORDS]), whole=whole)


@lru_cache(maxsize=500)
def _range(values: tuple[Any, ...], *, whole: bool) -> Range:
    stated = zip(_KEYWORDS, values, strict=True)
    flat = {name: value for name, value in stated if value is not None}
    step = Fraction(str(flat["multipleOf"])) if "multipleOf" in flat else None
    if whole:
        step = Fraction(1) if step is None else Fraction(step.numerator)
    found = Range(
        _bound(flat, "minimum"),
        _bound(flat, "maximum"),
        step,
        _bound(flat, "exclusiveMinimum"),
        _bound(flat, "exclusiveMaximum"),
    )
    bounds = _FORMATS.get(flat.get("format", ""))
    return found.narrowed(*bounds) if bounds else found


def series(flat: Mapping[str, Any]) -> tuple[int, int, int]:
    """How many whole numbers a schema allows, the first of them and the step to the next: of the
    usual ones where there are many, none where nothing bounds the others."""
    return _series(tuple([flat.get(name) for name in _KEYWORDS]))


@lru_cache(maxsize=500)
def _series(values: tuple[Any, ...]) -> tuple[int, int, int]:
    numbers = _range(values, whole=True)
    usual = numbers.narrowed(1, 2**31 - 1)
    chosen = usual if _size(usual) >= _MANY else numbers
    if chosen.first is None or chosen.step is None:
        return 0, 0, 1
    return max(0, _size(chosen)), int(chosen.first), int(chosen.step)


def _size(numbers: Range) -> int:
    first, last, step = numbers.first, numbers.last, numbers.step
    if first is None or last is None or step is None:
        return 0
    return int((last - first) / step) + 1


def draw(numbers: Range, rng: Random, usual: tuple[float, float] | None) -> int | float | None:
    """A number of the range, of the usual ones where some of them are in it."""
    for low, high in [usual] if usual else []:
        part = numbers.narrowed(low, high)
        if not part.is_empty:
            return _draw(part, rng)
    return None if numbers.is_empty else _draw(_finite(numbers), rng)


def _draw(numbers: Range, rng: Random) -> int | float:
    first, last = numbers.first, numbers.last
    if first is None or last is None:
        raise ValueError("the range has no end")
    if numbers.step is not None:
        steps = int((last - first) / numbers.step)
        return plain(first + rng.randint(0, steps) * numbers.step)
    cents = rng.randint(math.ceil(first * 100), max(math.ceil(first * 100), math.floor(last * 100)))
    if cents / 100 in numbers:
        return cents / 100
    return plain(first + (last - first) * Fraction(rng.randint(1, 999), 1000))


def _finite(numbers: Range) -> Range:
    """The range, or the part of it that people use where it is unbounded or very wide."""
    first, last = numbers.first, numbers.last
    size = Fraction(_USUAL) * max(numbers.step or Fraction(1), Fraction(1))
    if first is not None and last is not None and last - first <= size:
        return numbers
    if first is None and last is None:
        return numbers.narrowed(0, float(size))
    if first is not None and last is not None and first < 0 < last:
        part = numbers.narrowed(0, float(size))
        return numbers if part.is_empty else part
    if first is not None and (first >= 0 or last is None):
        return _between(numbers, first, first + size)
    return _between(numbers, (last or Fraction(0)) - size, last or Fraction(0))


def _between(numbers: Range, low: Fraction, high: Fraction) -> Range:
    return Range(
        _highest(numbers.low, low),
        _lowest(numbers.high, high),
        numbers.step,
        numbers.above,
        numbers.below,
    )


def plain(number: Fraction) -> int | float:
    """A fraction as JSON writes it."""
    return int(number) if number.denominator == 1 else float(number)


def _bound(flat: Mapping[str, Any], keyword: str) -> Fraction | None:
    return Fraction(str(flat[keyword])) if keyword in flat else None


def _highest(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    given = [bound for bound in (one, other) if bound is not None]
    return max(given) if given else None


def _lowest(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    given = [bound for bound in (one, other) if bound is not None]
    return min(given) if given else None
