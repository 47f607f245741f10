"""Covering arrays: few rows that together hold every combination of any one or two values.

Written here because no library fitted. For 21 factors of 8 values, with excluded combinations:
covertable took a minute, allpairspy half a second but left out pairs that are possible, and pypict
has no wheels. This takes a tenth of a second, gives the rows one at a time and heeds a seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

Row = tuple[int, ...]
Combination = Mapping[int, int]
"""Values by the number of their factor."""

_STEPS = 400
_TRIES = 12


def cover(
    sizes: Sequence[int], strength: int, rng: Random, excluded: Sequence[Combination] = ()
) -> Iterator[Row]:
    """Rows that hold every allowed combination of `strength` factors, and no excluded one.

    Factor i has the values 0 to sizes[i] - 1; the strength is 1 or 2. What no row can hold is
    left out.
    """
    if not sizes:
        yield ()
        return
    made = _Builder(sizes, rng, excluded)
    missing = made.singles() if strength == 1 else made.pairs()
    while missing:
        start = _start(missing, rng)
        row = made.row(start, missing)
        if row is None:
            missing.pop(start)
            continue
        made.strike(row, missing, strength)
        yield row


_Missing = dict[tuple[tuple[int, int], ...], None]


def _start(missing: _Missing, rng: Random) -> tuple[tuple[int, int], ...]:
    """One of the combinations that are still to be held."""
    index = rng.randrange(min(len(missing), 64))
    return next(key for position, key in enumerate(missing) if position == index)


class _Builder:
    def __init__(self, sizes: Sequence[int], rng: Random, excluded: Sequence[Combination]) -> None:
        self._sizes = sizes
        self._rng = rng
        self._excluded: dict[tuple[int, int], list[Combination]] = {}
        self._open = [[(1 << size) - 1 for size in sizes] for _ in range(sum(sizes))]
        self._first = [sum(sizes[:index]) for index in range(len(sizes))]
        for combination in excluded:
            for part in combination.items():
                self._excluded.setdefault(part, []).append(combination)

    def singles(self) -> _Missing:
        parts = [((f, v),) for f, size in enumerate(self._sizes) for v in range(size)]
        return dict.fromkeys(self._rng.sample(parts, len(parts)))

    def pairs(self) -> _Missing:
        if len(self._sizes) == 1:
            return self.singles()
        parts = [
            ((f, v), (g, w))
            for f, size in enumerate(self._sizes)
            for g in range(f + 1, len(self._sizes))
            for v in range(size)
            for w in range(self._sizes[g])
        ]
        return dict.fromkeys(self._rng.sample(parts, len(parts)))

    def row(self, start: tuple[tuple[int, int], ...], missing: _Missing) -> Row | None:
        """A row with the start in it that holds as much as possible of what is missing."""
        if not all(self._allowed(dict(start), f, v) for f, v in start):
            return None
        for _ in range(_TRIES):
            chosen = dict(start)
            rest = [f for f in range(len(self._sizes)) if f not in chosen]
            self._rng.shuffle(rest)
            self._steps = 0
            if self._fill(chosen, rest, missing):
                return tuple(chosen[f] for f in range(len(self._sizes)))
        return None

    def _fill(self, chosen: dict[int, int], rest: list[int], missing: _Missing) -> bool:
        if not rest:
            return True
        factor = rest[0]
        for value in self._ranked(chosen, factor, missing):
            self._steps += 1
            if self._steps > _STEPS:
                return False
            if self._allowed(chosen, factor, value):
                chosen[factor] = value
                if self._fill(chosen, rest[1:], missing):
                    return True
                del chosen[factor]
        return False

    def _ranked(self, chosen: dict[int, int], factor: int, missing: _Missing) -> list[int]:
        """The values of a factor, those first that complete most missing combinations."""
        counts = [0] * self._sizes[factor]
        for other, value in chosen.items():
            left = self._open[self._first[other] + value][factor]
            for mine in range(self._sizes[factor]):
                counts[mine] += left >> mine & 1
        alone = [((factor, value),) in missing for value in range(self._sizes[factor])]
        order = self._rng.sample(range(self._sizes[factor]), self._sizes[factor])
        return sorted(order, key=lambda value: (-alone[value], -counts[value]))

    def _allowed(self, chosen: Mapping[int, int], factor: int, value: int) -> bool:
        for combination in self._excluded.get((factor, value), ()):
            if all(chosen.get(f) == v for f, v in combination.items() if f != factor):
                return False
        return True

    def strike(self, row: Row, missing: _Missing, strength: int) -> None:
        """Note what a row holds."""
        for f, v in enumerate(row):
            if strength == 1 or len(row) == 1:
                missing.pop(((f, v),), None)
                continue
            for g in range(f + 1, len(row)):
                missing.pop(((f, v), (g, row[g])), None)
                self._open[self._first[f] + v][g] &= ~(1 << row[g])
                self._open[self._first[g] + row[g]][f] &= ~(1 << v)
