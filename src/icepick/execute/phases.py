"""Parts of a run beside the walk: inputs are learned before it, wrong ones are tried after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol

from icepick.execute.answers import answer_of, body_of
from icepick.execute.cleaning import Cleaner
from icepick.execute.client import Client
from icepick.execute.events import Event, Noted, PhaseStarted
from icepick.execute.lessons import Lessons
from icepick.execute.suspicion import fingerprint
from icepick.execute.types import (
    Complaint,
    Exchange,
    Failure,
    Finding,
    Judged,
    Provenance,
    Purpose,
    Response,
    Verdict,
)
from icepick.inputs import Case, CaseMaker
from icepick.inputs.learn import (
    Effort,
    Exceptional,
    Learned,
    Mutation,
    Oddity,
    OddityKind,
    OperationLearner,
    slot_hints,
)
from icepick.openapi.types import ABSENT, ApiSpec, Operation

WRONG = "wrong input"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_CALLS = 60
"""The most calls to learn one operation."""

_CHECKS = {
    OddityKind.CRASH: ("server-error", "a service answers no call with a server error"),
    OddityKind.ACCEPTED: ("accepted-wrong", "what the schema forbids is refused"),
    OddityKind.UNDOCUMENTED: ("undocumented-status", "every answer is documented"),
    OddityKind.BROKEN_RESPONSE: ("response-schema", "every answer fits its schema"),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """What a phase may do: tell events and findings, and ask whether the run is over."""

    tell: Callable[[Event], None]
    found: Callable[[Finding], None]
    is_over: Callable[[], bool]


class Phase(Protocol):
    """A part of a run."""

    async def run(self, stage: Stage) -> None:
        """Do it."""


class Learning:
    """Makes the operations that create and change succeed, and keeps what that took."""

    def __init__(
        self, lessons: Lessons, maker: CaseMaker, cleaner: Cleaner, spec: ApiSpec, most: int
    ) -> None:
        self._lessons = lessons
        self._maker = maker
        self._cleaner = cleaner
        self._spec = spec
        self._most = most

    async def run(self, stage: Stage) -> None:
        """Learn; what is known from an earlier run is only tried once."""
        stage.tell(PhaseStarted("learn"))

        def is_over() -> bool:
            return stage.is_over() or self._lessons.calls >= self._most

        done = await self._lessons.learn_all(_CALLS, takes_input, is_over)
        await clean(self._lessons, self._cleaner, stage)
        for operation in self._spec.operations:
            learned = self._lessons.learned.get(operation.id)
            if learned is not None:
                self._maker.learn(operation, slot_hints(learned))
            if learned is not None and done.get(operation.id) is False:
                stage.tell(Noted("operation", operation.id, in_the_way(learned)))


async def clean(lessons: Lessons, cleaner: Cleaner, stage: Stage) -> None:
    """Remove what was created while learning."""
    for left in await cleaner.clean(lessons.created, -1):
        stage.tell(left)
    lessons.created.clear()


def takes_input(operation: Operation) -> bool:
    """Deletes take nothing to learn, and reads little."""
    return operation.method not in {"DELETE", *_SAFE}


def in_the_way(learned: Learned) -> str:
    """What stood in the way of an operation that took no input."""
    blocked = learned.blocked
    if blocked is None:
        return "no input was taken, and nothing said why"
    names = ", ".join(".".join(path) for _, path in blocked.slots)
    said = blocked.message or f"it answered {blocked.status}"
    return f"blocked by {names}: {said}" if names else f"blocked: {said}"


class WrongInputs:
    """Sends wrong inputs: a service refuses them, and does not fall over (Algorithm 3)."""

    def __init__(
        self, lessons: Lessons, client: Client, cleaner: Cleaner, spec: ApiSpec, rng: Random,
        most: int,
    ) -> None:  # fmt: skip
        self._lessons = lessons
        self._client = client
        self._cleaner = cleaner
        self._spec = spec
        self._rng = rng
        self._most = most

    async def run(self, stage: Stage) -> None:
        """Try wrong inputs until there are no calls left."""
        stage.tell(PhaseStarted(WRONG, self._most))
        phase = Exceptional(await self._learners(stage), self._lessons.setting, self._rng)
        for _ in range(self._most):
            mutation = None if stage.is_over() else phase.next()
            if mutation is None:
                break
            exchange = await self._sent(mutation)
            if exchange is None or isinstance(exchange.reply, Failure):
                continue
            self._remember(mutation, exchange.reply)
            for oddity in _odd(phase, mutation, exchange.reply):
                await self._found(oddity, exchange, stage)
        await clean(self._lessons, self._cleaner, stage)

    async def _learners(self, stage: Stage) -> list[OperationLearner]:
        """Learners of all operations, after right calls of those that create something."""
        await self._lessons.learn_all(_CALLS, takes_input, stage.is_over)
        return [
            self._lessons.learner(operation, Effort(self._most))
            for operation in self._spec.operations
            if operation.method != "DELETE"
        ]

    async def _sent(self, mutation: Mutation) -> Exchange | None:
        request = mutation.request
        if isinstance(request, Case) and not self._lessons.may(request):
            return None
        wired = mutation.wire(self._spec.schemas)
        return await self._client.exchange(
            self._client.wired(wired), Purpose.CALL, mutation.operation.id
        )

    def _remember(self, mutation: Mutation, reply: Response) -> None:
        """What was accepted may have created something."""
        request = mutation.request
        case = request if isinstance(request, Case) else Case(mutation.operation)
        if 200 <= reply.status < 300:
            self._lessons.remember(case, answer_of(reply))

    async def _found(self, oddity: Oddity, exchange: Exchange, stage: Stage) -> None:
        if oddity.kind is not OddityKind.ACCEPTED:
            exchange = await self._client.exchange(
                exchange.request, Purpose.CALL, exchange.operation
            )
            if exchange.status != oddity.status:
                return
        stage.found(_finding(oddity, exchange))


def _odd(phase: Exceptional, mutation: Mutation, reply: Response) -> tuple[Oddity, ...]:
    body = body_of(reply)
    kind = reply.header("Content-Type") or ""
    return phase.observe(mutation, reply.status, "" if body is ABSENT else body, kind)


def _finding(oddity: Oddity, exchange: Exchange) -> Finding:
    check, promised = _CHECKS[oddity.kind]
    mutation, status = oddity.mutation, exchange.status or oddity.status
    grave = oddity.kind is OddityKind.CRASH or (
        oddity.kind is OddityKind.BROKEN_RESPONSE and status < 300
    )
    level = Verdict.ERR if grave else Verdict.WARN
    label = f"{mutation.operation.id} with {mutation.description}"
    happened = f"{mutation.operation.label} answered {status}: {oddity.message}"
    complaint = Complaint(
        check, level, promised, happened, Provenance.DECLARED if not grave else Provenance.LAW,
        oddity.key, exchanges=(exchange.number,),
    )  # fmt: skip
    step = Judged(
        label, mutation.operation.id, mutation.operation.id, WRONG, level, "", (complaint,),
        exchange,
    )  # fmt: skip
    key = (check, oddity.key, f"{WRONG} {mutation.operation.id}", f"{status // 100}xx")
    title = f"{mutation.operation.label} answered {status} with {mutation.description}"
    return Finding(
        fingerprint(key), 0, level, title, mutation.operation.id, label, mutation.operation.id,
        status, complaint, (step,), 1,
    )  # fmt: skip
