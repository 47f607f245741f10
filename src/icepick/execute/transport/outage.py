"""A service that goes away: wait for it, within bounds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from icepick.execute.reads import NO_ANSWER, NoAnswerError, silence
from icepick.execute.transport.client import Client
from icepick.execute.types import Failure, FailureKind, Judged, Purpose
from icepick.sequences.types import Call

__all__ = ["NO_ANSWER", "Outage", "unanswered"]

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0
_THERE = frozenset({FailureKind.PROTOCOL, FailureKind.REDIRECTS})
"""Failures that show that somebody is there."""


class Outage:
    """Finds out whether a service is there; all who ask at the same time wait together."""

    def __init__(self, client: Client, longest: float) -> None:
        self._client = client
        self._longest = longest
        self._lock = asyncio.Lock()

    async def over(self, is_stopped: Callable[[], bool] = bool) -> bool:
        """Wait until the service answers anything at all; False where it stays away too long, or
        nobody wants to wait any more."""
        async with self._lock:
            end, pause = time.monotonic() + self._longest, _FIRST_PAUSE
            while (failure := await self._failure()) is not None:
                hopeless = failure.kind is FailureKind.TLS
                if hopeless or time.monotonic() + pause > end or is_stopped():
                    return False
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            return True

    async def _failure(self) -> Failure | None:
        """Why nobody is there; None where somebody is."""
        exchange = await self._client.exchange(self._client.reading("/"), Purpose.READ)
        reply = exchange.reply
        return reply if isinstance(reply, Failure) and reply.kind not in _THERE else None


def unanswered(call: Call, error: NoAnswerError) -> Judged:
    """A call to which no answer came, time and again, though the service is there."""
    complaint = silence(error.exchange, error.failure)
    return Judged(
        call.name, call.action or call.operation, call.operation, call.kind.value,
        complaint.level, complaints=(complaint,), exchange=error.exchange,
    )  # fmt: skip
