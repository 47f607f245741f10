"""A service that goes away: wait for it, within bounds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from icepick.execute.client import Client
from icepick.execute.types import (
    Complaint,
    Failure,
    FailureKind,
    Judged,
    Provenance,
    Purpose,
    Verdict,
)
from icepick.execute.walk import NoAnswerError
from icepick.sequences.types import Call

NO_ANSWER = "no-answer"
_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0


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
            while not await self._answers():
                if time.monotonic() + pause > end or is_stopped():
                    return False
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            return True

    async def _answers(self) -> bool:
        exchange = await self._client.exchange(self._client.reading("/"), Purpose.READ)
        return not isinstance(exchange.reply, Failure)


def unanswered(call: Call, error: NoAnswerError) -> Judged:
    """A call to which no answer came, time and again, though the service is there."""
    slow = error.failure.kind is FailureKind.TIMEOUT
    complaint = Complaint(
        NO_ANSWER, Verdict.WARN if slow else Verdict.ERR, "every call is answered",
        error.failure.message, Provenance.LAW, error.failure.kind.value,
        exchanges=(error.exchange.number,),
    )  # fmt: skip
    return Judged(
        call.name, call.action or call.operation, call.operation, call.kind.value,
        complaint.level, complaints=(complaint,), exchange=error.exchange,
    )  # fmt: skip
