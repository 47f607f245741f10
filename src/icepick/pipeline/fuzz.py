"""Learning inputs and trying wrong ones, alone: a run without models."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from enum import StrEnum

from icepick.execute.cleaning import Cleaner
from icepick.execute.events import (
    CallJudged,
    Ending,
    Event,
    FindingFound,
    Noted,
    PhaseStarted,
    RunEnded,
)
from icepick.execute.findings.findings import Findings
from icepick.execute.lessons import Lessons
from icepick.execute.phases import Stage, clean, in_the_way
from icepick.execute.streaming import Events, streamed
from icepick.execute.transport.client import Client
from icepick.execute.transport.secrets import Secrets
from icepick.execute.types import (
    Failure,
    FailureKind,
    Finding,
    Judged,
    Reply,
    Request,
    Transport,
    Verdict,
)
from icepick.execute.wrong.inputs import Count, WrongInputs
from icepick.inputs import Fresh, Generator, Responses
from icepick.inputs.dice import dice
from icepick.inputs.learn import Learned, Setting
from icepick.openapi.names import declared_names
from icepick.openapi.types import ApiSpec, Json
from icepick.pipeline.models import Described
from icepick.pipeline.opening import opening
from icepick.pipeline.reach import Reach, base_url, connected

LEARN = "learn"
_NO_MODEL = -1
_CALLS_EACH = 300
"""The most calls to learn one operation."""

_WRONG_EACH = 120
_MOST_WRONG = 6_000
_UNBOUNDED = 10_000_000
_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0


class FuzzPhase(StrEnum):
    """What is done."""

    LEARN = "learn"
    WRONG = "wrong"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class FuzzSettings:
    """What decides a run; None is no bound, seconds where a time is meant.

    Without a bound on calls or time, some wrong inputs are tried for each operation.
    """

    seed: int = 0
    phase: FuzzPhase = FuzzPhase.BOTH
    max_calls: int | None = None
    max_time: float | None = None
    outage: float = 30.0


class Patient:
    """A transport that waits for a service that went away, and says so where it stays away."""

    def __init__(
        self, inner: Transport, longest: float, gone: Callable[[str], None],
        is_over: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._inner = inner
        self._longest = longest
        self._gone = gone
        self._is_over = is_over
        self._is_gone = False

    async def send(self, request: Request) -> Reply:
        """Send a request, once more after the service was away."""
        reply = await self._inner.send(request)
        end, pause = time.monotonic() + self._longest, _FIRST_PAUSE
        while isinstance(reply, Failure) and reply.kind is FailureKind.CONNECT:
            if self._is_gone or self._is_over() or time.monotonic() + pause > end:
                self._is_gone = True
                self._gone(reply.message)
                return reply
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
            reply = await self._inner.send(request)
        return reply


class LearnEvery:
    """Makes every operation succeed, reads and deletes too; says what stood in the way."""

    def __init__(self, lessons: Lessons, cleaner: Cleaner, spec: ApiSpec) -> None:
        self._lessons = lessons
        self._cleaner = cleaner
        self._spec = spec

    async def run(self, stage: Stage) -> None:
        """Learn, and judge each operation by whether it took an input."""
        stage.tell(PhaseStarted(LEARN))
        done = await self._lessons.learn_all(_CALLS_EACH, lambda _: True, stage.is_over)
        await clean(self._lessons, self._cleaner, stage)
        for index, operation in enumerate(self._spec.operations):
            reason = "" if done.get(operation.id) else self._reason(operation.id, done)
            verdict = Verdict.NOT_TESTED if reason else Verdict.OK
            name = operation.id
            judged = Judged(name, name, name, LEARN, verdict, reason)
            stage.tell(CallJudged(_NO_MODEL, 0, index, judged))
            if reason:
                stage.tell(Noted("operation", name, reason))

    def _reason(self, name: str, done: Mapping[str, bool]) -> str:
        if name not in done:
            return "there were no calls left to try it"
        learned = self._lessons.learned.get(name)
        obstacle = self._lessons.obstacles.get(name)
        if obstacle is not None and (learned is None or learned.blocked is None):
            return obstacle
        return in_the_way(learned or Learned(name))


class FuzzSession:
    """One run. Whoever consumes its events may stop it; `learned` grows meanwhile."""

    def __init__(
        self,
        api: Described,
        reach: Reach,
        settings: FuzzSettings,
        run_id: str = "fuzz",
        learned: Mapping[str, Learned] | None = None,
    ) -> None:
        self._api = api
        self._reach = reach
        self._settings = settings
        self._id = run_id
        self._events = Events()
        self._ending: Ending | None = None
        self._text = ""
        self._findings = Findings()
        self._client: Client | None = None
        self._deadline: float | None = None
        self.learned = dict(learned or {})
        self.secrets = Secrets(names=declared_names(api.spec))
        self.url = base_url(api.spec, reach.url)

    def stop(self, ending: Ending = Ending.INTERRUPTED, text: str = "") -> None:
        """End soon and in good order."""
        if self._ending is None:
            self._ending, self._text = ending, text

    async def events(self, about: Mapping[str, Json] | None = None) -> AsyncGenerator[Event, None]:
        """Everything that happens; `about` are the options as the person gave them."""
        async with connected(self._api.spec, self._reach, self.secrets) as (transport, _):
            for event in opening(self._id, self._api, self.url, self._settings.seed, about):
                yield event
            async with aclosing(streamed(self._events, self._run(transport))) as events:
                async for event in events:
                    yield event

    async def _run(self, transport: Transport) -> None:
        spec, phase = self._api.spec, self._settings.phase
        if self._settings.max_time is not None:
            self._deadline = time.monotonic() + self._settings.max_time
        patient = Patient(transport, self._settings.outage, self._gone, self._is_over)
        client = self._client = Client(patient, self.url, spec.schemas)
        client.listen(self._tell)
        operations = {operation.id: operation for operation in spec.operations}
        cleaner = Cleaner(client, self._api.resources, operations)
        lessons = self._lessons(client)
        stage = Stage(self._tell, self._finding, self._is_over, self._findings.all)
        if phase is not FuzzPhase.WRONG:
            await LearnEvery(lessons, cleaner, spec).run(stage)
        if phase is not FuzzPhase.LEARN and not self._is_over():
            rng = dice(self._settings.seed, "wrong")
            await WrongInputs(lessons, client, cleaner, spec, rng, Count(self._wrong())).run(stage)
        ending = self._ending or Ending.FINISHED
        self._tell(RunEnded(time.time(), ending, client.sent, 0, self._text))

    def _lessons(self, client: Client) -> Lessons:
        spec, seed = self._api.spec, self._settings.seed
        generator = Generator(spec.schemas)
        setting = Setting(spec.schemas, generator, Fresh(generator, dice(seed)), Responses())
        lessons = Lessons(spec, self._api.resources, client, setting, dice(seed, "lessons"))
        lessons.recall(self.learned)
        return lessons

    def _wrong(self) -> int:
        if self._settings.max_calls is not None or self._settings.max_time is not None:
            return _UNBOUNDED
        return min(_MOST_WRONG, _WRONG_EACH * len(self._api.spec.operations))

    def _is_over(self) -> bool:
        limit = self._settings.max_calls
        if self._deadline is not None and time.monotonic() > self._deadline:
            self.stop(Ending.MAX_TIME)
        if limit is not None and self._client is not None and self._client.sent >= limit:
            self.stop(Ending.MAX_CALLS)
        return self._ending is not None

    def _gone(self, message: str) -> None:
        self.stop(Ending.OUTAGE, f"the service does not answer: {message}")

    def _tell(self, event: Event) -> None:
        self._events.tell(event)

    def _finding(self, finding: Finding) -> None:
        told = self._findings.add(finding)
        if told is not None:
            self._tell(FindingFound(told))
