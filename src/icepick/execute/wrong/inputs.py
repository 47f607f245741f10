"""Wrong inputs, tried after the walk: a service refuses them, and does not fall over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from http import HTTPStatus
from random import Random

from icepick.execute.answers import body_of
from icepick.execute.cleaning import Cleaner
from icepick.execute.events import PhaseStarted
from icepick.execute.findings.findings import sighting_of
from icepick.execute.findings.suspicion import ANYWHERE
from icepick.execute.judging.inspect import RESPONSE_SCHEMA, SERVER_ERROR, Inspector
from icepick.execute.lessons import Lessons
from icepick.execute.phases import LESSON_CALLS, Stage, clean, takes_input
from icepick.execute.staying import IN_ALL
from icepick.execute.transport.client import Client
from icepick.execute.types import (
    Exchange,
    Failure,
    FailureKind,
    Finding,
    Purpose,
    Response,
    Sighting,
)
from icepick.execute.wrong.findings import WRONG, accepted, crashed, unanswered, undeclared
from icepick.execute.wrong.mutations import case_of, crash_said, general_key, parts_of
from icepick.inputs import Case
from icepick.inputs.learn import (
    Effort,
    Exceptional,
    Mutation,
    Oddity,
    OddityKind,
    OperationLearner,
)
from icepick.openapi.types import ABSENT, ApiSpec
from icepick.sequences.types import Kind

_SILENT = "silent at "
_AGAIN = 2
"""So often a call must be without an answer again, right ones being answered in between."""

_MOMENT = 1.0
_ABOUT_STATE = frozenset({404, 409, 410})
_NO_ANSWER = frozenset({FailureKind.RESET, FailureKind.TIMEOUT})


@dataclass(frozen=True, slots=True)
class Count:
    """How many wrong inputs are made: so many first, and then up to what is said of those that were
    made and the seconds they took."""

    first: int
    further: Callable[[int, float], int] = lambda made, _: made


class WrongInputs:
    """Sends wrong inputs (Algorithm 3 of EmRest) and tells what should not have been answered."""

    def __init__(
        self, lessons: Lessons, client: Client, cleaner: Cleaner, spec: ApiSpec, rng: Random,
        count: Count,
    ) -> None:  # fmt: skip
        self._lessons = lessons
        self._client = client
        self._cleaner = cleaner
        self._spec = spec
        self._rng = rng
        self._count = count
        self._inspector = Inspector(spec.schemas)
        self._told: set[tuple[str, str]] = set()
        """What was found, by operation: it is looked into once."""
        self._is_spoilt = False
        """Whether what the service holds may be what it should have refused."""

    async def run(self, stage: Stage) -> None:
        """Try wrong inputs until there are no calls left."""
        stage.tell(PhaseStarted(WRONG, self._count.first))
        self._client.shared.staying.most = IN_ALL
        await self._crashes_before(stage)
        learners = await self._learners(stage)
        phase = Exceptional(learners, self._lessons.setting, self._rng, self._may)
        right = {one.operation.id: one for one in learners}
        for _ in self._turns():
            mutation = None if stage.is_over() else phase.next()
            if mutation is None:
                break
            learner = right[mutation.operation.id]
            exchange = await self._sent(mutation)
            if exchange is None or _is_about_others(mutation, exchange):
                phase.blocked(mutation)
            if exchange is None:
                continue
            if isinstance(exchange.reply, Failure):
                await self._unanswered(mutation, exchange, learner, stage)
                continue
            for oddity in _odd(phase, mutation, exchange.reply):
                await self._oddity(*await self._least(oddity, exchange, learner), learner, stage)
            await self._inspect(mutation, exchange, stage)
        self._lessons.keep(learners)
        await clean(self._lessons, self._cleaner, stage)

    def _turns(self) -> Iterator[int]:
        began, made, most = time.monotonic(), 0, self._count.first
        while made < most:
            yield made
            made += 1
            if made == most:
                most = self._count.further(made, time.monotonic() - began)

    async def _crashes_before(self, stage: Stage) -> None:
        """Make the calls again that the service fell over while their inputs were learned: what is
        known to be taken is all that was sent since."""
        operations = {operation.id: operation for operation in self._spec.operations}
        crashed_since = {
            one.complaint.operation or one.operation
            for one in stage.findings()
            if one.complaint.check == SERVER_ERROR
        }
        for name, case in self._lessons.crashes.items():
            if name in crashed_since or name not in operations or stage.is_over():
                continue
            mutation = Mutation(operations[name], case)
            exchange = await self._sent(mutation)
            if exchange is not None and (exchange.status or 0) >= 500:
                stage.found(crashed(mutation, exchange, ""))

    async def _learners(self, stage: Stage) -> list[OperationLearner]:
        """Learners of all operations, after right calls of those that create something."""
        await self._lessons.learn_all(LESSON_CALLS, takes_input, stage.is_over)
        return [
            self._lessons.learner(operation, Effort(self._count.first))
            for operation in self._spec.operations
            if operation.method != "DELETE" and self._lessons.oversees(operation)
        ]

    async def _sent(self, mutation: Mutation) -> Exchange | None:
        case = case_of(mutation)
        if not self._may(mutation):
            return None
        wired = mutation.wire(self._spec.schemas)
        exchange = await self._client.patiently(
            self._client.wired(wired), Purpose.CALL, mutation.operation.id
        )
        if isinstance(exchange.reply, Response):
            self._client.shared.attempts.note(_named(mutation), exchange.reply.status)
            self._lessons.notice(case, await self._lessons.outcome(exchange))
        return exchange

    def _may(self, mutation: Mutation) -> bool:
        """Whether a call does no harm to what is not the run's."""
        harmless = self._lessons.may(case_of(mutation))
        return harmless and self._client.shared.attempts.may(_named(mutation))

    async def _right(self, learner: OperationLearner) -> Exchange | None:
        """A right call, to compare with."""
        trial = learner.full() or learner.valid()
        return await self._sent(Mutation(learner.operation, trial.case)) if trial else None

    # Fewer mistakes

    async def _least(
        self, oddity: Oddity, exchange: Exchange, learner: OperationLearner
    ) -> tuple[Oddity, Exchange]:
        """The same with one mistake alone, where one is enough."""
        mutation = oddity.mutation
        right = learner.full() if len(mutation.mistakes) > 1 else None
        for one in parts_of(oddity, right.case) if right is not None else ():
            alone = await self._sent(one)
            if alone is not None and self._is_same(oddity, exchange, one, alone):
                place = f"{_SILENT}{one.mistakes[0].place}"
                key = place if oddity.key.startswith(_SILENT) else oddity.key
                return replace(oddity, mutation=one, key=key), alone
        return oddity, exchange

    def _is_same(
        self, oddity: Oddity, exchange: Exchange, mutation: Mutation, alone: Exchange
    ) -> bool:
        """Whether another answer is found wanting in the same."""
        if isinstance(exchange.reply, Failure) or isinstance(alone.reply, Failure):
            return False
        if oddity.kind is OddityKind.CRASH:
            return exchange.status == alone.status and crash_said(exchange) == crash_said(alone)
        judge = Exceptional((), self._lessons.setting, self._rng)
        found = _odd(judge, mutation, alone.reply)
        return (oddity.kind, oddity.key) in {(one.kind, one.key) for one in found}

    # What becomes of it

    async def _oddity(
        self, oddity: Oddity, exchange: Exchange, learner: OperationLearner, stage: Stage
    ) -> None:
        if oddity.kind is OddityKind.ACCEPTED:
            if not self._carries_credentials(oddity):
                stage.found(accepted(oddity, exchange))
            return
        if oddity.status == HTTPStatus.SERVICE_UNAVAILABLE:
            # It says that it will pass.
            await asyncio.sleep(_MOMENT)
        again = await self._again(exchange)
        if again.status == oddity.status:
            await self._crash(oddity, again, learner, stage)

    def _carries_credentials(self, oddity: Oddity) -> bool:
        """Whether what is wrong was put right on the way: credentials are added there."""
        places = [
            f"{one.location.value} {one.parameter}"
            for one in self._spec.security_schemes.values()
            if one.location is not None
        ]
        return any(oddity.key.startswith(f"{place}: ") for place in places)

    async def _again(self, exchange: Exchange) -> Exchange:
        return await self._client.patiently(exchange.request, Purpose.CALL, exchange.operation)

    async def _crash(
        self, oddity: Oddity, exchange: Exchange, learner: OperationLearner, stage: Stage
    ) -> None:
        mutation = oddity.mutation
        if mutation.mistakes:
            mutation, exchange = await self._without_mistakes(mutation, exchange, learner)
        known = _known_crash(stage.findings(), mutation, exchange)
        if known is not None:
            sighting = Sighting(mutation.operation.id, mutation.description, exchange)
            stage.found(replace(known, sightings=(sighting,)))
        else:
            about = general_key(oddity) if mutation.mistakes else ""
            stage.found(crashed(mutation, exchange, about))

    async def _without_mistakes(
        self, mutation: Mutation, exchange: Exchange, learner: OperationLearner
    ) -> tuple[Mutation, Exchange]:
        """A right call that is answered by the same server error, where there is one: then no
        mistake is to blame."""
        other = learner.full() or learner.valid()
        cases = (mutation.right, other.case if other is not None else None)
        for right in (Mutation(mutation.operation, case) for case in cases if case is not None):
            sent = await self._sent(right)
            alike = sent is not None and sent.status == exchange.status
            if sent is not None and alike and crash_said(sent) == crash_said(exchange):
                return right, sent
        return mutation, exchange

    async def _inspect(self, mutation: Mutation, exchange: Exchange, stage: Stage) -> None:
        """Whether the answer keeps to the document, whatever was sent; one that shows what should
        have been refused before is no other fault."""
        taken = mutation.forbidden and 200 <= (exchange.status or 0) < 300
        self._is_spoilt |= taken and not mutation.operation.is_safe
        checks = ANYWHERE - {RESPONSE_SCHEMA} if self._is_spoilt or taken else ANYWHERE
        for complaint in self._inspector.inspect(exchange, mutation.operation):
            key = (mutation.operation.id, complaint.about)
            if complaint.check not in checks or key in self._told:
                continue
            self._told.add(key)
            repeatable = mutation.operation.is_safe or (exchange.status or 0) >= 400
            again = await self._again(exchange) if repeatable else exchange
            if again.status == exchange.status:
                stage.found(undeclared(mutation, exchange, complaint))

    async def _unanswered(
        self, mutation: Mutation, exchange: Exchange, learner: OperationLearner, stage: Stage
    ) -> None:
        """No answer, time and again, while right calls are answered, is a finding."""
        places = ", ".join(one.place for one in mutation.mistakes)
        key = (mutation.operation.id, f"{_SILENT}{places}")
        if not mutation.mistakes or key in self._told or not _is_lost(exchange):
            return
        self._told.add(key)
        for _ in range(_AGAIN):
            right = None if stage.is_over() else await self._right(learner)
            if right is None or isinstance(right.reply, Failure):
                return
            again = await self._sent(mutation)
            if again is None or not _is_lost(again):
                return
        stage.found(unanswered(mutation, exchange))


def _named(mutation: Mutation) -> Case:
    """The call that says who is meant: of one that is bytes, the call that it was made of."""
    known = mutation.request if isinstance(mutation.request, Case) else mutation.right
    return known or case_of(mutation)


def _is_lost(exchange: Exchange) -> bool:
    return isinstance(exchange.reply, Failure) and exchange.reply.kind in _NO_ANSWER


def _is_about_others(mutation: Mutation, exchange: Exchange) -> bool:
    """Whether a call was refused for what is there or not, though that is not what is wrong."""
    in_path = any(one.place.startswith("path ") for one in mutation.mistakes)
    return exchange.status in _ABOUT_STATE and not in_path


def _odd(phase: Exceptional, mutation: Mutation, reply: Response) -> tuple[Oddity, ...]:
    body = body_of(reply)
    kind = reply.header("Content-Type") or ""
    return phase.observe(mutation, reply.status, "" if body is ABSENT else body, kind)


def _known_crash(
    findings: tuple[Finding, ...], mutation: Mutation, exchange: Exchange
) -> Finding | None:
    """The finding of the walk that this is: it says the same, or names what is not there too."""
    said, last = crash_said(exchange), mutation.operation.id
    absent = all(one.place.startswith("path ") for one in mutation.mistakes)
    for one in findings if mutation.mistakes else ():
        crash = one.complaint.check == SERVER_ERROR and not one.complaint.about
        if not crash or not one.steps or (one.complaint.operation or one.operation) != last:
            continue
        shown = sighting_of(one.steps[-1], one.complaint).exchange
        refused = one.steps[-1].kind == Kind.REFUSAL
        if said == crash_said(shown) and (said or (absent and refused)):
            return one
    return None
