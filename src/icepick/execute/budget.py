"""The time of a run, and by when each part of it makes room for the next."""

from __future__ import annotations

import time
from dataclasses import dataclass


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


class Budget:
    """So many seconds from now on, or as many as it takes."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._began = time.monotonic()
        self._shared = 0.0

    def share_out(self) -> None:
        """Let shares be those of the time that is left from now on."""
        self._shared = min(self._elapsed(), self.seconds or 0.0)

    def is_spent(self, share: float = 1.0) -> bool:
        """Whether this part of the time is over."""
        if self.seconds is None:
            return False
        return self._elapsed() > self._shared + share * (self.seconds - self._shared)

    def _elapsed(self) -> float:
        return time.monotonic() - self._began
