"""The time of a run, and by when each part of it makes room for the next."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

_FEWER = 4
_SPARE = 1.5
"""A wrong input that is answered oddly is looked into, with some more calls."""

_FEWEST = 48
_LARGEST = 0.2
"""The largest part of the time that wrong inputs get, where everything is too much."""


@dataclass(frozen=True, slots=True)
class Shares:
    """By which part of the whole time each part of a run has to be over.

    What a part leaves, the later ones have; so each of them comes to its turn on a service that
    is too wide to be walked to the end.
    """

    correct: float = 0.2
    calibrate: float = 0.3
    learn: float = 0.4
    operations: float = 0.55
    walk: float = 0.8
    confirm: float = 0.9
    laws: float = 0.94
    wrong: float = 0.98
    sessions: float = 1.0

    def with_wrong(self, part: float) -> Shares:
        """The same with so large a part for wrong inputs; the walk, and what follows it up to
        them, ends earlier for it."""
        earlier = max(0.0, min(part, _LARGEST) - (self.wrong - self.laws))
        walk = self.walk - earlier
        return replace(self, walk=walk, confirm=self.confirm - earlier, laws=self.laws - earlier)


class Budget:
    """So many seconds from now on, or as many as it takes."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._began = time.monotonic()
        self._shared = 0.0

    def share_out(self) -> None:
        """Let shares be those of the time that is left from now on."""
        self._shared = min(self._elapsed(), self.seconds or 0.0)

    def pace(self, calls: int) -> float:
        """How many seconds each of so many calls has taken so far."""
        return self._elapsed() / calls if calls else 0.0

    def afford(self, calls: int, pace: float) -> tuple[int, float]:
        """How many wrong inputs there is time for at most, and which part of the time they take.

        All, or a quarter of them, or a quarter of those: coarse, so that a service that is a
        little slower today is asked the same.
        """
        if self.seconds is None:
            return calls, 0.0
        left = max(self.seconds - self._shared, pace)
        while calls * pace * _SPARE > left * _LARGEST and calls > _FEWEST:
            calls = max(_FEWEST, calls // _FEWER)
        return calls, calls * pace * _SPARE / left if left else 0.0

    def is_spent(self, share: float = 1.0) -> bool:
        """Whether this part of the time is over."""
        if self.seconds is None:
            return False
        return self._elapsed() > self._shared + share * (self.seconds - self._shared)

    def _elapsed(self) -> float:
        return time.monotonic() - self._began
