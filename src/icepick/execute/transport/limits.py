"""How fast and how long: the rate limit, and the pauses that a service asks for."""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime

from icepick.errors import Code, UsageError
from icepick.execute.types import Response

_RATE = re.compile(r"(\d{1,6})/(\d{0,6}(?:\.\d{1,6})?)(ms|s|m|h)", re.ASCII)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most `count` requests in any stretch of `seconds`."""

    count: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.count}/{self.seconds:g}s"


def parse_rate(text: str) -> RateLimit:
    """A limit such as `5/s`, `300/m` or `10/5s`; UsageError where it is none."""
    found = _RATE.fullmatch(text.strip().lower().replace(" ", ""))
    if found is not None:
        count, seconds = int(found[1]), float(found[2] or 1) * _UNITS[found[3]]
        if count and seconds:
            return RateLimit(count, seconds)
    raise UsageError(
        Code.BAD_RATE,
        f"{text!r} is not a rate limit",
        hint="write a number of requests and a time: 5/s, 300/m, 10/5s",
    )


class Slots:
    """So many may be busy at once; whoever need not wait for a slot loses no time."""

    def __init__(self, free: int) -> None:
        self._free = free
        self._waiting: deque[asyncio.Future[None]] = deque()

    def taken(self) -> bool:
        """Take a slot if one is free; whether there was one."""
        if not self._free:
            return False
        self._free -= 1
        return True

    async def take(self) -> None:
        """Wait for a slot, in the order of asking."""
        if self.taken():
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self.give()
            raise

    def give(self) -> None:
        """Hand a slot on to whoever has waited longest."""
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return
        self._free += 1


class Limiter:
    """Gives senders their turns, in the order in which they ask.

    A turn is fixed when it is asked for, before anything is awaited: that is what makes it fair,
    and the same for the same clock.
    """

    def __init__(
        self, limit: RateLimit, clock: Clock = time.monotonic, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._seconds = limit.seconds
        self._turns: deque[float] = deque(maxlen=limit.count)
        self._clock = clock
        self._sleep = sleep

    async def turn(self) -> None:
        """Return when the next request may be sent."""
        now = self._clock()
        at = now
        if len(self._turns) == self._turns.maxlen:
            at = max(now, self._turns[0] + self._seconds)
        self._turns.append(at)
        if at > now:
            await self._sleep(at - now)


def retry_after(response: Response, now: float) -> float | None:
    """The seconds that an answer asks to wait, by number or by date; None where it does not.

    `now` is the time of day, for an answer that does not say when it was made.
    """
    text = (response.header("Retry-After") or "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text, re.ASCII):
        return float(text)
    until = _timestamp(text)
    if until is None:
        return None
    # Measured by the clock of the service: ours may differ from it.
    made = _timestamp(response.header("Date") or "")
    return max(0.0, until - (now if made is None else made))


def _timestamp(text: str) -> float | None:
    try:
        date = parsedate_to_datetime(text)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
