"""All choices of a run come from its seed."""

from __future__ import annotations

from random import Random

from icepick.execute.subject import Chance
from icepick.inputs import Fresh, Generator, Options

ATTEMPTS = 64
"""How often a sequence may be begun again."""


def dice(*parts: object) -> Random:
    """A source of chance that depends on these parts and nothing else."""
    return Random(" ".join(map(str, parts)))  # noqa: S311 (nothing here is a secret)


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

    def of_replay(self, number: int) -> Chance:
        """The chance of a sequence that is run again."""
        return self._chance(2 * number + 1, "replay", number)

    def _chance(self, block: int, *parts: object) -> Chance:
        fresh = Fresh(self._generator, dice(self._seed), block)
        return Chance(dice(self._seed, *parts), fresh, self._options)
