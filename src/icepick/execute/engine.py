"""The run: sequences side by side, then whatever looks wrong alone, as a stream of events."""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial

from icepick.execute.answers import answer_of
from icepick.execute.binding.chance import ATTEMPTS, Luck
from icepick.execute.budget import Budget, Shares
from icepick.execute.calibration.upserts import Upserts
from icepick.execute.cleaning import Cleaner
from icepick.execute.events import (
    DEVIATION,
    CallJudged,
    Ending,
    Event,
    FindingFound,
    Noted,
    PhaseStarted,
    RunEnded,
    SequenceEnded,
)
from icepick.execute.findings.confirm import Confirmation
from icepick.execute.findings.findings import Findings
from icepick.execute.findings.retrial import Desk, Retrial
from icepick.execute.judging.inspect import leaves_in_doubt
from icepick.execute.judging.verdicts import not_tested
from icepick.execute.kit import Kit
from icepick.execute.legs import Leg
from icepick.execute.paging import is_paged
from icepick.execute.phases import Phase, Stage
from icepick.execute.reads import NoAnswerError
from icepick.execute.route import Route
from icepick.execute.staying import IN_CONFIRMING, IN_LAWS, IN_LESSONS, IN_WALK, STAYING
from icepick.execute.streaming import Events, streamed
from icepick.execute.transport.outage import Outage, unanswered
from icepick.execute.types import Failure, Finding, Judged, Purpose, Response
from icepick.execute.untraced import Untraced
from icepick.execute.walk import Walk
from icepick.sequences.types import Sequence, Step

_CUT_OFF = frozenset({Ending.OUTAGE, Ending.INTERRUPTED})
"""Ends after which nothing is looked into any more: a run that is resumed does it."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run goes about it. None is no bound; seconds where a time is meant."""

    workers: int = 8
    max_calls: int | None = None
    max_requests: int | None = None
    max_time: float | None = None
    max_failures: int | None = None
    outage: float = 30.0
    done: frozenset[tuple[int, int]] = frozenset()
    """Sequences, by model and number, that an earlier part of this run went through."""


Timed = tuple[Phase, float]
"""A phase, and by which part of the whole time it has to be over."""


@dataclass(frozen=True, slots=True)
class Phases:
    """What a run does before and after its walk, each with its share of the budget; without
    one that is what the options say, from the start of the engine."""

    before: tuple[Timed, ...] = ()
    after: tuple[Timed, ...] = ()
    budget: Budget | None = None
    shares: Shares = field(default_factory=Shares)


class Engine:
    """Carries out the routes of a run."""

    def __init__(
        self, kit: Kit, luck: Luck, routes: tuple[Route, ...], options: RunOptions,
        cleaner: Cleaner, phases: Phases | None = None,
    ) -> None:  # fmt: skip
        self._kit = kit
        self._events = Events()
        kit.scene.client.listen(self._events.tell)
        self._luck = luck
        self._routes = routes
        self._options = options
        self._cleaner = cleaner
        self._phases = phases or Phases()
        self._upserts = Upserts()
        self._staying = kit.scene.client.shared.staying
        self._outage = Outage(kit.scene.client, options.outage)
        kit.scene.client.patience = self._is_back
        self._ending: Ending | None = None
        self._text = ""
        self._calls = 0
        self._saved = 0
        self._findings = Findings()
        self._budget = self._phases.budget or Budget(options.max_time, options.max_requests)
        kit.scene.client.listen(self._budget.count)
        self._shares = self._phases.shares
        self._is_late = False
        self._untraced = Untraced(kit.scene)
        self._retrial = Retrial(self._desk(), kit, luck, routes)
        self._suspicions = self._retrial.suspicions

    def tell(self, event: Event) -> None:
        """Pass an event on to whoever listens."""
        self._events.tell(event)

    def stop(self, ending: Ending, text: str = "") -> None:
        """End soon: calls under way are finished, what was created is removed."""
        if self._ending is None:
            self._ending, self._text = ending, text

    def events(self) -> AsyncGenerator[Event, None]:
        """Everything that happens, up to the end of the run."""
        return streamed(self._events, self._run())

    async def _run(self) -> None:
        await self._survey()
        self._staying.most = IN_LESSONS
        for phase, share in self._phases.before:
            await phase.run(self._stage(share))
        if self._phases.before:
            # What these could not remove again is no part of the walk.
            await self._look_around()
        await self._look_at_invariants()
        self._staying.most = IN_WALK
        await self._walk()
        self._staying.most = IN_CONFIRMING
        await self._retrial.alone()
        await self._retrial.afterwards()
        await self._retrial.confirm()
        self._staying.most = IN_LAWS
        for phase, share in self._phases.after:
            if not self._is_over(share):
                await phase.run(self._stage(share))
        for left in await self._untraced.told(ask=self._ending not in _CUT_OFF):
            self.tell(left)
        self._end()

    def _stage(self, share: float) -> Stage:
        is_over = partial(self._is_over, share)
        return Stage(self.tell, self._finding, is_over, self._findings.all)

    def _desk(self) -> Desk:
        share = self._shares.confirm
        return Desk(
            self._stage(share), partial(self._budget.is_spent, share), self._is_cut_off,
            self._is_back, self._clean,
        )  # fmt: skip

    def _is_cut_off(self) -> bool:
        return self._ending in _CUT_OFF

    async def _walk(self) -> None:
        known = [route.calls for route in self._routes]
        total = sum(one for one in known if one is not None) if None not in known else None
        self.tell(PhaseStarted("walk", total))
        jobs = self._jobs()
        async with asyncio.TaskGroup() as group:
            for _ in range(self._options.workers):
                group.create_task(self._worker(jobs))

    async def _survey(self) -> None:
        """See what is there before the run, so that it is left out of account."""
        self.tell(PhaseStarted("survey"))
        await self._look_around()

    async def _look_around(self) -> None:
        scene = self._kit.scene
        for name, listing in scene.listings.items():
            operation = self._kit.operations[name]
            if operation.method != "GET" or "{" in operation.path:
                continue
            exchange = await scene.client.patiently(
                scene.client.reading(operation.path), Purpose.READ, name
            )
            if isinstance(exchange.reply, Response) and exchange.reply.status == 200:
                body, whole = answer_of(exchange.reply).body, not is_paged(operation, "")
                scene.ownership.found_before(listing, body, whole=whole)

    async def _look_at_invariants(self) -> None:
        """Invariants that are broken before the walk are not its doing."""
        if self._routes:
            kit = replace(self._kit, promises=self._kit.promises.alone)
            walk = Walk(kit, self._routes[0].course, 0, self._luck.of_replay(0))
            try:
                broken = await walk.broken()
            except NoAnswerError as error:
                await self._is_back(error.failure)
                return
            self._kit.care.broken_before = self._retrial.care.broken_before = broken

    # Walking

    def _jobs(self) -> Iterator[tuple[Route, int, Sequence]]:
        """The sequences of all models, in turn, so that each has had its share at any time."""
        turns = [
            (0, order, route, enumerate(route.sequences))
            for order, route in enumerate(self._routes)
        ]
        while turns:
            calls, order, route, sequences = turns[0]
            following = next(sequences, None)
            if following is None:
                heapq.heappop(turns)
                continue
            number, sequence = following
            heapq.heapreplace(turns, (calls + len(sequence.steps), order, route, sequences))
            if (route.course.number, number) not in self._options.done:
                yield route, number, sequence

    async def _worker(self, jobs: Iterator[tuple[Route, int, Sequence]]) -> None:
        while not self._is_over(self._shares.walk):
            job = next(jobs, None)
            if job is None:
                return
            route, number, sequence = job
            judged = await self._sequence(route, number, sequence)
            self.tell(SequenceEnded(route.course.number, number, judged))

    def _is_over(self, share: float = 1.0) -> bool:
        """Whether the run is to end, or this part of its time is over."""
        options = self._options
        if self._budget.is_spent():
            self.stop(self._budget.ending)
        if options.max_calls is not None and self._calls >= options.max_calls:
            self.stop(Ending.MAX_CALLS)
        if options.max_failures is not None and len(self._findings) >= options.max_failures:
            self.stop(Ending.MAX_FAILURES)
        late = self._budget.is_spent(share)
        self._is_late = self._is_late or late
        return late or self._ending is not None

    async def _sequence(self, route: Route, number: int, sequence: Sequence) -> int:
        """Go through one sequence; how many calls were made.

        Where a call goes wrong, nobody knows what the service holds: the rest is done from a
        fresh start, by the shortest way to where it went on.
        """
        leg, course = Leg(sequence.steps), route.course.number
        for attempt in range(ATTEMPTS):
            leg.attempt = attempt
            chance = self._luck.of(course, number, attempt)
            walk = Walk(self._kit, route.course, number * len(self._routes) + course, chance)
            try:
                await self._walked(walk, route, number, leg)
            except NoAnswerError as error:
                await self._no_answer(route, number, leg, error)
            finally:
                self._saved += walk.saved
                await self._clean(walk, number)
            if leg.is_done or self._is_over(self._shares.walk):
                break
            for step in leg.again(route.replay.way):
                self._tell(route, number, leg, not_tested(step.call, leg.reason))
        return leg.position

    async def _is_back(self, failure: Failure) -> bool:
        """Wait for a service that does not answer; the run is over where it stays away."""
        if self._ending is Ending.OUTAGE:
            return False
        back = await self._outage.over(self._is_over)
        if not back:
            self.stop(Ending.OUTAGE, f"the service does not answer: {failure.message}")
        return back

    async def _no_answer(self, route: Route, number: int, leg: Leg, error: NoAnswerError) -> None:
        if await self._is_back(error.failure) and leg.failed():
            self._judged(route, number, leg, unanswered(leg.taken[-1].call, error))
            leg.passed()
            leg.reason = f"no answer to {leg.taken[-1].call.name}"

    async def _walked(self, walk: Walk, route: Route, number: int, leg: Leg) -> None:
        async with aclosing(walk.run(leg.steps)) as calls:
            async for judged in calls:
                self._judged(route, number, leg, judged)
                wrong = any(map(leaves_in_doubt, judged.complaints))
                leg.passed()
                if wrong or walk.is_lost:
                    leg.reason = f"{judged.label} went wrong before it"
                    return
                if self._is_over(self._shares.walk):
                    return

    def _judged(self, route: Route, number: int, leg: Leg, judged: Judged) -> None:
        self._calls += judged.exchange is not None
        self._tell(route, number, leg, judged)
        self._upserts.see(judged)
        if judged.complaints:
            origin = (route.course.number, number, leg.attempt)
            self._suspicions.add(route.course.number, leg.taken, judged, origin)
            limit = self._options.max_failures
            if limit is not None and len(self._suspicions) >= limit:
                self.stop(Ending.MAX_FAILURES)

    def _tell(self, route: Route, number: int, leg: Leg, judged: Judged) -> None:
        index = len(leg.taken) - 1
        self.tell(CallJudged(route.course.number, number, index, judged))

    async def _clean(self, walk: Walk, number: int) -> None:
        left = await self._cleaner.clean(walk.remains(), number)
        for one_left in left:
            self.tell(one_left)
        self._staying.keep(walk.spare(), len(left), spoiled=walk.is_spoiled)
        for one in walk.created:
            # What stays is no part of the rest of the sequence, which starts afresh.
            self._kit.scene.ownership.release(one.resource, one.identifier)
        self._untraced.add(walk.untraced())

    def _finding(self, finding: Finding) -> None:
        """Tell a finding, and again where it shows elsewhere too."""
        told = self._findings.add(self._kit.scene.client.shared.stopped.told(finding))
        if told is not None:
            self.tell(FindingFound(told))

    async def replay(self, model: int, steps: tuple[Step, ...]) -> Confirmation:
        """Calls of a model once more, alone and with fresh values."""
        return await self._retrial.replay(model, steps)

    def _end(self) -> None:
        for resource, path, habit in self._kit.echo.habits():
            self.tell(Noted("fields", f"{resource}.{'.'.join(path)}", f"{habit} by the service"))
        client = self._kit.scene.client
        learned = (*self._kit.conventions.learned(), *self._upserts.learned(), *client.learned())
        for operation, text in learned:
            self.tell(Noted(DEVIATION, operation, text))
        for resource, text in self._staying.told():
            self.tell(Noted(STAYING, resource, text))
        for counted in self._kit.promises.counted():
            self.tell(counted)
        sent = self._kit.scene.client.sent
        ending = self._ending or (self._budget.ending if self._is_late else Ending.FINISHED)
        self.tell(RunEnded(time.time(), ending, sent, self._saved, self._text))
