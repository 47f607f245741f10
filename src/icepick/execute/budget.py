"""The time and the requests of a run, and by when each part of it makes room for the next."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

from icepick.execute.events import Ending, Event, Exchanged

_FEWER = 4
_SPARE = 1.5
"""A wrong input that is answered oddly is looked into, with some more calls."""

_ROOM = 2.5
"""So many requests are set aside for each, where they are counted: a part before them that takes
some more today must not cost what comes last, or two runs would not end alike."""

_FEWEST = 48
_LARGEST = 0.2
"""The largest part of the time that wrong inputs get, where everything is too much."""


@dataclass(frozen=True, slots=True)
class Shares:
    """By which part of the whole time each part of a run has to be over.

    What a part leaves, the later ones have; so each of them comes to its turn on a service that
    is too wide to be walked to the end.
    """

    correct: float = 0.17
    calibrate: float = 0.26
    plan: float = 0.31
    learn: float = 0.35
    operations: float = 0.48
    walk: float = 0.72
    confirm: float = 0.82
    laws: float = 0.92
    wrong: float = 0.98
    sessions: float = 1.0

    def with_wrong(self, part: float) -> Shares:
        """The same with so large a part for wrong inputs: all before them are smaller for it."""
        laws = min(self.laws, self.wrong - min(part, _LARGEST))
        names = ("correct", "calibrate", "plan", "learn", "operations", "walk", "confirm", "laws")
        return replace(self, **{name: getattr(self, name) * laws / self.laws for name in names})


class Budget:
    """So many seconds and requests from now on, or as many as it takes.

    Requests are counted by whoever hears of them. `ending` is what a part of the run was cut by.
    """

    def __init__(self, seconds: float | None, requests: int | None = None) -> None:
        self.seconds = seconds
        self.requests = requests
        self.ending = Ending.FINISHED
        self._began = time.monotonic()
        self._sent = 0
        self._shared = 0.0
        self._shared_requests = 0

    def count(self, event: Event) -> None:
        """Take in an event: where it is a request, there is one less."""
        self._sent += isinstance(event, Exchanged)

    def share_out(self) -> None:
        """Let shares be those of the time and the requests that are left from now on."""
        self._shared = min(self._elapsed(), self.seconds or 0.0)
        self._shared_requests = min(self._sent, self.requests or 0)

    def afford(self, calls: int) -> tuple[int, float]:
        """How many wrong inputs there is room for, and which part of all they take.

        Where time is short, by what a request has taken so far: all of them, or a quarter, or a
        quarter of that. So coarse, that a service which is a little slower today is asked the same.
        """
        left = math.inf if self.requests is None else self.requests - self._shared_requests
        calls = min(calls, max(_FEWEST, int(min(calls, left * _LARGEST / _ROOM))))
        each = max(_ROOM / max(left, 1), self._part())
        while calls * each > _LARGEST and calls > _FEWEST:
            calls = max(_FEWEST, calls // _FEWER)
        return calls, calls * each

    def further(self, done: int, wanted: int, seconds: float, share: float) -> int:
        """How far to go with wrong inputs, where so many have taken so long: four times as far, if
        there is room for all of that; otherwise no further."""
        ahead = min(done * _FEWER, wanted) - done
        if self.requests is not None:
            whole = self._shared_requests + share * (self.requests - self._shared_requests)
            ahead = 0 if ahead * _ROOM > whole - self._sent else ahead
        if self.seconds is not None:
            until = self._shared + share * (self.seconds - self._shared)
            ahead = 0 if ahead * seconds / done * _SPARE > until - self._elapsed() else ahead
        return done + ahead

    def _part(self) -> float:
        """The part of the time that a wrong input takes."""
        left = (self.seconds or 0.0) - self._shared
        return _SPARE * self._elapsed() / self._sent / left if self._sent and left > 0 else 0.0

    def is_spent(self, share: float = 1.0) -> bool:
        """Whether this part of the whole is over."""
        if _is_past(self._sent, self.requests, self._shared_requests, share):
            self.ending = Ending.MAX_REQUESTS
            return True
        return self.is_late(share)

    def is_late(self, share: float = 1.0) -> bool:
        """Whether this part of the time is over, for what sends nothing."""
        if _is_past(self._elapsed(), self.seconds, self._shared, share):
            self.ending = Ending.MAX_TIME
            return True
        return False

    def _elapsed(self) -> float:
        return time.monotonic() - self._began


def _is_past(used: float, whole: float | None, since: float, share: float) -> bool:
    return whole is not None and used > since + share * (whole - since)
