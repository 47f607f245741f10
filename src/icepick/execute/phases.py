"""Parts of a run beside the walk: inputs are learned before it, wrong ones are tried after it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import repeat, takewhile
from random import Random
from typing import Any, Protocol
from urllib.parse import unquote

from icepick.execute.addresses import HOLE
from icepick.execute.answers import answer_of, at, body_of
from icepick.execute.cleaning import Cleaner
from icepick.execute.client import Client
from icepick.execute.events import Event, Noted, PhaseStarted
from icepick.execute.lessons import Lessons, texts_in
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
from icepick.inputs.learn.bugs import crash_texts
from icepick.inputs.learn.mutate import put
from icepick.openapi.types import ABSENT, ApiSpec, Operation, ParameterLocation
from icepick.resources.types import Path

WRONG = "wrong input"
_SILENT = "silent at "
_PARTS = {ParameterLocation.HEADER: "headers", ParameterLocation.COOKIE: "cookies"}
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
    lessons.cleaned()


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
        learners = await self._learners(stage)
        phase = Exceptional(learners, self._lessons.setting, self._rng)
        right = {one.operation.id: one for one in learners}
        for _ in range(self._most):
            mutation = None if stage.is_over() else phase.next()
            if mutation is None:
                break
            exchange = await self._sent(mutation)
            if exchange is None or isinstance(exchange.reply, Failure):
                continue
            for oddity in _odd(phase, mutation, exchange.reply):
                least = await self._least(oddity, exchange, right[oddity.operation])
                await self._found(*least, stage)
        self._lessons.keep(learners)
        await clean(self._lessons, self._cleaner, stage)

    async def _learners(self, stage: Stage) -> list[OperationLearner]:
        """Learners of all operations, after right calls of those that create something."""
        await self._lessons.learn_all(_CALLS, takes_input, stage.is_over)
        return [
            self._lessons.learner(operation, Effort(self._most))
            for operation in self._spec.operations
            if operation.method != "DELETE" and self._lessons.oversees(operation)
        ]

    async def _sent(self, mutation: Mutation) -> Exchange | None:
        case = _case(mutation)
        if not self._lessons.may(case):
            return None
        wired = mutation.wire(self._spec.schemas)
        exchange = await self._client.patiently(
            self._client.wired(wired), Purpose.CALL, mutation.operation.id
        )
        if isinstance(exchange.reply, Response):
            self._lessons.notice(case, answer_of(exchange.reply))
        return exchange

    async def _least(
        self, oddity: Oddity, exchange: Exchange, learner: OperationLearner
    ) -> tuple[Oddity, Exchange]:
        """The same with one mistake alone, where one is enough."""
        mutation = oddity.mutation
        right = learner.full() if len(mutation.mistakes) > 1 else None
        for one in _parts(oddity, right.case) if right is not None else ():
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
        first, second = exchange.reply, alone.reply
        if isinstance(first, Failure) or isinstance(second, Failure):
            return False
        if oddity.kind is OddityKind.CRASH:
            return first.status == second.status and _said(first) == _said(second)
        judge = Exceptional((), self._lessons.setting, self._rng)
        found = _odd(judge, mutation, second)
        return (oddity.kind, oddity.key) in {(one.kind, one.key) for one in found}

    async def _found(self, oddity: Oddity, exchange: Exchange, stage: Stage) -> None:
        if oddity.kind is not OddityKind.ACCEPTED:
            exchange = await self._client.patiently(
                exchange.request, Purpose.CALL, exchange.operation
            )
            if exchange.status != oddity.status:
                return
        stage.found(_finding(replace(oddity, key=_general(oddity)), exchange))


def _odd(phase: Exceptional, mutation: Mutation, reply: Response) -> tuple[Oddity, ...]:
    body = body_of(reply)
    kind = reply.header("Content-Type") or ""
    return phase.observe(mutation, reply.status, "" if body is ABSENT else body, kind)


def _said(reply: Response) -> tuple[str, ...]:
    body = body_of(reply)
    return crash_texts("" if body is ABSENT else body, reply.header("Content-Type") or "")


def _case(mutation: Mutation) -> Case:
    """The call by its values; of one that is text and bytes, those of its path."""
    if isinstance(mutation.request, Case):
        return mutation.request
    texts = HOLE.split(mutation.operation.path)
    pattern = "".join("([^/]+)" if at % 2 else re.escape(text) for at, text in enumerate(texts))
    match = re.match(f"{pattern}$", mutation.request.target.partition("?")[0])
    values = map(unquote, match.groups()) if match else repeat("")
    return Case(mutation.operation, path=dict(zip(texts[1::2], values, strict=False)))


def _parts(oddity: Oddity, right: Case) -> Iterator[Mutation]:
    """The call with each of its mistakes alone, the others put right."""
    mutation = oddity.mutation
    for mistake in mutation.mistakes:
        case = mutation.request
        others = [one.place for one in mutation.mistakes if one is not mistake]
        accepted = oddity.kind is not OddityKind.ACCEPTED or oddity.key == str(mistake)
        if not accepted or any(_inside(mistake.place, place) for place in others):
            continue
        for place in others:
            case = _put_right(case, place, right) if isinstance(case, Case) else case
        if isinstance(case, Case):
            yield Mutation(mutation.operation, case, (mistake,))


def _field(place: str) -> Path:
    """A place in a body, down to the first array."""
    return tuple(takewhile(lambda part: not part.isdigit(), place.split(".")))


def _inside(place: str, other: str) -> bool:
    """Whether putting the other place right would change this one too."""
    path, outer = _field(place), _field(other)
    return path[: len(outer)] == outer


def _put_right(case: Case, place: str, right: Case) -> Case:
    """A call with the value that another has at a place."""
    for one in case.operation.parameters:
        if place == f"{one.location.value} {one.name}":
            value = right.values(one.location).get(one.name, ABSENT)
            changed: Any = {**case.values(one.location), one.name: value}
            part = _PARTS.get(one.location, one.location.value)
            return replace(case, **{part: changed})
    path = () if place == "body" else _field(place)
    value, kind = at(right.body, path), case.content_type or right.content_type
    return replace(case, body=put(case.body, path, value), content_type=kind)


def _general(oddity: Oddity) -> str:
    """What tells a fault from another: a crash may quote what was sent, whatever that was."""
    key, case = oddity.key, oddity.mutation.request
    if oddity.kind is not OddityKind.CRASH or not isinstance(case, Case):
        return key
    values = [dict(case.path), dict(case.query), dict(case.headers), case.body]
    for text in sorted({"", *texts_in(values)}, key=len, reverse=True):
        for quote in "'\"":
            key = key.replace(f"{quote}{text}{quote}", f"{quote}?{quote}")
    return key


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
