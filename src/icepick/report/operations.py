"""What became of each operation, and what stood in its way."""

from __future__ import annotations

from collections import Counter

from icepick.execute.types import Exchange, Failure, Purpose
from icepick.report.text import line, message_of
from icepick.report.types import OperationRecord

_MOST_REASONS = 20


class OperationTally:
    """Counts the answers of an operation, and remembers the last refusal."""

    def __init__(self) -> None:
        self._statuses: Counter[int] = Counter()
        self._calls = 0
        self._refusal = ""
        self._failure = ""
        self._reasons: Counter[str] = Counter()
        self._noted = ""

    def add(self, exchange: Exchange) -> None:
        """A request of the operation; those that clean up tell nothing of it."""
        if exchange.purpose is Purpose.CLEAN_UP:
            return
        self._calls += 1
        if isinstance(exchange.reply, Failure):
            self._failure = (
                f"no answer ({exchange.reply.kind}): {line(exchange.reply.message, 200)}"
            )
            return
        status = exchange.reply.status
        self._statuses[status] += 1
        if 400 <= status < 500:
            message = message_of(exchange.reply.body)
            self._refusal = f"answered {status}" + (f": {message}" if message else "")

    def not_tested(self, reason: str) -> None:
        """A call that was planned and not made."""
        if reason in self._reasons or len(self._reasons) < _MOST_REASONS:
            self._reasons[reason] += 1

    def noted(self, reason: str) -> None:
        """What stood in the way of a call before anything was planned."""
        self._noted = reason

    def record(self, name: str, label: str) -> OperationRecord:
        """What became of it so far."""
        found = OperationRecord(name, label, self._calls, dict(sorted(self._statuses.items())))
        if found.succeeded:
            return found
        return OperationRecord(name, label, self._calls, found.statuses, self._reason())

    def _reason(self) -> str:
        waiting = [f"not tested: {reason}" for reason, _ in self._reasons.most_common(1)]
        others = [f"answered only {', '.join(map(str, self._statuses))}"] if self._statuses else []
        seen = [self._refusal] if self._refusal else others
        unanswered = [self._failure] if self._failure else []
        if waiting and seen and waiting[0].endswith(seen[0]):
            seen = []
        found = [*waiting, *seen, *unanswered]
        return "; ".join(found) or self._noted or "no call was planned"
