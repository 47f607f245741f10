"""The verdict on a call of a sequence: by its contract, by invariants, and by its answer alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from icepick.execute.binding.bound import Answered
from icepick.execute.judging.blame import Blame, broken_invariants
from icepick.execute.judging.judge import together
from icepick.execute.judging.promises import Promise
from icepick.execute.kit import Kit
from icepick.execute.reads import Reads
from icepick.execute.types import Complaint, Exchange, Judged, Verdict, worst
from icepick.glacier import Check, Outcome, Truth
from icepick.sequences.types import Call, Kind


class Verdicts:
    """Judges the calls of one sequence; an invariant is the fault of the call that broke it."""

    def __init__(self, kit: Kit, reads: Reads) -> None:
        self._kit = kit
        self._reads = reads
        self._broken_before = set(kit.care.broken_before)

    async def outcomes(self, checks: tuple[Check, ...]) -> list[Outcome]:
        """What clauses come to now, by the conventions of this service."""
        found = await self._reads.outcomes(checks)
        return await self._kit.conventions.settled(self._reads, found)

    async def invariants(self) -> list[Outcome]:
        """What the invariants come to now."""
        return await self._reads.outcomes(self._kit.promises.invariants)

    async def by_contract(
        self, call: Call, answered: Answered, invariants: list[Outcome]
    ) -> Judged:
        """The verdict that everything promised leads to."""
        operation = self._kit.operations[call.operation]
        promise = self._kit.promises.of(operation)
        status = answered.answer.status
        ensures: list[Outcome] = []
        if status < 500 and not (call.kind is Kind.REFUSAL and status >= 400):
            ensures = await self._settled(promise)
        self._kit.promises.count([*answered.requires, *ensures, *invariants])
        blame = Blame(
            call, operation, promise, answered.bound, answered.answer, answered.requires, ensures,
            self._new(invariants), together(invariants), self._numbers(answered),
            answered.was_there, answered.known, answered.renamed,
            await self._fulfilled(answered, promise),
        )  # fmt: skip
        verdict, reason, complaints = blame.verdict()
        judged = _judged(call, verdict, reason, answered.exchange)
        return with_complaints(judged, [*complaints, *self._about_answer(answered)])

    async def _fulfilled(self, answered: Answered, promise: Promise) -> frozenset[str]:
        """What a call requires and what holds now, where it was accepted though that did not hold
        before."""
        accepted = 200 <= answered.answer.status < 300
        if not accepted or together(answered.requires) is not Truth.FALSE:
            return frozenset()
        now = await self.outcomes(promise.requires)
        return frozenset(one.clause.text for one in now if one.value is Truth.TRUE)

    async def in_passing(self, call: Call, answered: Answered, *, last: bool) -> Judged:
        """The verdict on a call that was judged before: its answer is good, and that is enough."""
        judged = _judged(call, Verdict.OK, "", answered.exchange)
        complaints = self._about_answer(answered)
        if last:
            invariants = await self.invariants()
            self._kit.promises.count(invariants)
            numbers = self._numbers(answered)
            complaints += broken_invariants(self._new(invariants), numbers)
        return with_complaints(judged, complaints)

    def _about_answer(self, answered: Answered) -> list[Complaint]:
        """What is wrong with the answer itself, and with those of the GETs around it."""
        inspector = self._kit.scene.inspector
        found = inspector.inspect(answered.exchange, answered.bound.case.operation)
        return [*found, *self._reads.complaints]

    async def _settled(self, promise: Promise) -> list[Outcome]:
        """The postconditions; a list may hold what another sequence is just creating."""
        outcomes = await self.outcomes(promise.ensures)
        if all(one.value is not Truth.FALSE for one in outcomes):
            return outcomes
        if await self._reads.sort_out():
            outcomes = await self.outcomes(promise.ensures)
        return outcomes

    def _new(self, invariants: list[Outcome]) -> list[Outcome]:
        """The invariants that this call broke."""
        broken = [one for one in invariants if one.value is Truth.FALSE]
        new = [one for one in broken if one.clause.text not in self._broken_before]
        self._broken_before |= {one.clause.text for one in broken}
        return new

    def _numbers(self, answered: Answered) -> dict[str, int]:
        found = {path: one.number for path, one in self._reads.exchanges.items()}
        return {"": answered.exchange.number, **found}


def not_tested(call: Call, reason: str) -> Judged:
    """A call that was not made."""
    return _judged(call, Verdict.NOT_TESTED, reason, None)


def with_complaints(judged: Judged, complaints: Iterable[Complaint]) -> Judged:
    """The same with more complaints; the verdict is at least as grave as each of them."""
    more = tuple(complaints)
    if not more:
        return judged
    verdict = worst(judged.verdict, *(one.level for one in more))
    return replace(judged, complaints=(*judged.complaints, *more), verdict=verdict)


def _judged(call: Call, verdict: Verdict, reason: str, exchange: Exchange | None) -> Judged:
    return Judged(
        call.name, call.action or call.operation, call.operation, call.kind.value, verdict,
        reason, exchange=exchange,
    )  # fmt: skip
