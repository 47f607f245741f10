"""A sequence in parts: after something went wrong, the rest is walked from a fresh start."""

from __future__ import annotations

from collections.abc import Callable

from icepick.sequences.types import Step

_TRIES = 3
"""How often a call without an answer is made before it is given up."""


class Leg:
    """A part of a sequence that is walked in one go: a way to where it begins, and the rest."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self._all = steps
        self._start = 0
        self._way: tuple[Step, ...] = ()
        self._passed = 0
        self._failures = 0
        self.attempt = 0
        self.reason = ""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The calls of this part."""
        return (*self._way, *self._all[self._start :])

    @property
    def taken(self) -> tuple[Step, ...]:
        """The calls so far, with the one under way."""
        return self.steps[: self._passed + 1]

    @property
    def position(self) -> int:
        """How many calls of the whole sequence are behind."""
        return self._start + max(0, self._passed - len(self._way))

    @property
    def is_done(self) -> bool:
        """Whether nothing of the sequence is left."""
        return self.position >= len(self._all)

    def passed(self) -> None:
        """The call under way was made."""
        self._passed += 1
        self._failures = 0

    def failed(self) -> bool:
        """There was no answer; whether that happened too often in this place."""
        self._failures += 1
        return self._failures >= _TRIES

    def again(self, way: Callable[[int], tuple[Step, ...] | None]) -> tuple[Step, ...]:
        """Start afresh where it went on; the calls that cannot be reached are left out.

        A way that went wrong itself would do so again, so the call it leads to is left out.
        """
        start = self.position
        left = start
        if self._way and start == self._start and not self._failures:
            start += 1
        found = way(self._all[start - 1].state) if 0 < start < len(self._all) else ()
        if found is None:
            start, found = len(self._all), ()
        self._start, self._way, self._passed = start, found, 0
        return self._all[left:start]
