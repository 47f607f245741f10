"""What became of each operation in all chains so far."""

from __future__ import annotations

from collections import Counter

from icepick.execute.chains.types import Chain, Tried
from icepick.execute.findings.suspicion import Suspicions
from icepick.execute.types import Judged, Verdict, worst
from icepick.sequences.types import Call, Step

CHAINS = -1
"""The number of the model that chains belong to: none."""

_FAILED_VISITS = 3


class Record:
    """Visits and successes by operation, why others had none, and what looked wrong."""

    def __init__(self) -> None:
        self.visits: Counter[str] = Counter()
        self.successes: Counter[str] = Counter()
        self.reasons: dict[str, str] = {}
        self.judged: dict[str, Judged] = {}
        """The best call of each operation, or the last one that is complained of."""
        self.suspicions = Suspicions()

    def is_open(self, operation: str, goal: int, more: int = 0) -> bool:
        """Whether an operation has not succeeded often enough and is worth another try."""
        failed = self.visits[operation] - self.successes[operation]
        return self.successes[operation] < goal and failed < _FAILED_VISITS + more

    def may_work(self, operation: str) -> bool:
        """Whether it did, or was not tried often enough to tell."""
        return bool(self.successes[operation]) or self.visits[operation] < _FAILED_VISITS

    def note(self, chain: Chain, call: Call, reason: str, tried: Tried) -> None:
        """Take in a call that was made, or why it was not."""
        name = call.operation
        levels = [one.level for one in tried.complaints]
        judged = Judged(
            call.name, name, name, call.kind.value,
            worst(Verdict.NOT_TESTED if reason else Verdict.OK, *levels), reason,
            tried.complaints, tried.shown,
        )  # fmt: skip
        chain.steps.append(Step(call, 0))
        chain.judged.append(judged)
        known = self.judged.get(name)
        if known is None or known.verdict is not Verdict.OK or tried.complaints:
            self.judged[name] = judged
        if tried.complaints:
            steps = chain.steps[-1:] if chain.apart else chain.steps
            self.suspicions.add(CHAINS, tuple(steps), judged)
