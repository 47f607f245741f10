"""All choices of a run come from its seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from icepick.execute.binding.subject import Chance
from icepick.inputs import Fresh, Generator, Options
from icepick.inputs.dice import dice

Origin = tuple[int, int, int]
"""What the chance of a sequence depends on: its model, its number, and which attempt it is."""

ATTEMPTS = 64
"""How often a sequence may be begun again."""


class Dealer:
    """Hands out dice by name, other ones each time: what one call needs of chance changes nothing
    for the others."""

    def __init__(self, rng: Random) -> None:
        self._seed = rng.getrandbits(64)
        self._times: Counter[str] = Counter()

    def dice(self, name: str) -> Random:
        """The next dice of this name."""
        self._times[name] += 1
        return dice(self._seed, name, self._times[name])


def for_call(chance: Chance, name: str, time: int) -> Chance:
    """The chance of a call that is made for the nth time in its sequence.

    Each call has dice of its own, so that it is made with the same inputs when others before it
    are left out.
    """
    return replace(chance, rng=dice(chance.seed, name, time))


class Luck:
    """Gives every sequence its own chance, whatever the order in which they run."""

    def __init__(self, generator: Generator, seed: int, options: Options, courses: int) -> None:
        self._generator = generator
        self._seed = seed
        self._options = options
        self._courses = courses

    def of(self, course: int, number: int, attempt: int) -> Chance:
        """The chance of a planned sequence."""
        block = ((number * self._courses + course) * ATTEMPTS + attempt) * 2
        return self._chance(block, course, number, attempt)

    def of_replay(self, number: int, origin: Origin | None = None) -> Chance:
        """The chance of a sequence that is run again: the same as in its origin, but for values
        that must be new."""
        parts = ("replay", number) if origin is None else origin
        return self._chance(2 * number + 1, *parts)

    def _chance(self, block: int, *parts: object) -> Chance:
        fresh = Fresh(self._generator, dice(self._seed), block)
        seed = " ".join(map(str, (self._seed, *parts)))
        return Chance(seed, dice(seed), fresh, self._options)
