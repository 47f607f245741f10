"""The driver: runs of models against a service, then whatever looks wrong alone, as events."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import count

from icepick.execute.events import (
    CallJudged,
    Ending,
    Event,
    Exchanged,
    FindingFound,
    LeftBehind,
    NotConfirmed,
    Noted,
    PhaseStarted,
    RunEnded,
    SequenceEnded,
)
from icepick.execute.streaming import Events, streamed
from icepick.execute.transport.outage import Outage
from icepick.execute.types import Failure, Finding
from icepick.inputs import Fresh
from icepick.inputs.dice import dice
from icepick.protocol.automaton import Key
from icepick.protocol.coverage import Coverage, Tally
from icepick.protocol.findings import Suspicions, confirmed, is_tainted
from icepick.protocol.passage import Kit, Move, Passage
from icepick.protocol.run import Model
from icepick.protocol.scripts import Script, ScriptPolicy
from icepick.protocol.telling import Assertions, Stations, covered, missing_notes, placed, planned
from icepick.protocol.walk import CoverPolicy, Policy, RandomPolicy

USUAL_RUNS = 20
"""How many runs by chance there are where nobody says."""

_CONFIRMED_AT_MOST = 100

Clean = Callable[[Sequence[Event], int], Awaitable[Sequence[LeftBehind]]]
"""Removes what exchanges created and did not delete; what stays behind."""


class Strategy(StrEnum):
    """How calls are chosen."""

    RANDOM = "random"
    COVER = "cover"


@dataclass(frozen=True, slots=True)
class DriverOptions:
    """How a run goes about it. None is no bound; seconds where a time is meant.

    The runs of a model have the seeds `seed`, `seed + 1` and so on. Without a number of runs,
    `cover` goes on until nothing new can be reached.
    """

    strategy: Strategy = Strategy.COVER
    runs: int | None = None
    seed: int = 0
    max_length: int = 50
    max_calls: int | None = None
    max_time: float | None = None
    max_failures: int | None = None
    outage: float = 30.0


class _Course:
    """A model with what became of it."""

    def __init__(self, model: Model, options: DriverOptions) -> None:
        self.model = model
        self.stations = Stations(model.automaton)
        self.tally = Tally(model.automaton)
        self.seen: dict[Key, None] = {}
        self.policy: Policy = CoverPolicy(model.automaton)
        self.runs = options.runs
        if options.strategy is Strategy.RANDOM and options.runs is None:
            self.runs = USUAL_RUNS

    def took(self, move: Move) -> None:
        """Count what a call covered."""
        if move.judged.exchange is not None:
            self.tally.took(move.send)
        if move.receive is not None:
            self.tally.took(move.receive)
            self.seen[move.receive.key] = None


class Driver:
    """Carries out the runs of some models, one after another."""

    def __init__(
        self, kit: Kit, models: Sequence[Model], options: DriverOptions, clean: Clean
    ) -> None:
        self._kit = kit
        kit.client.listen(self._exchanged)
        self._options = options
        self._clean = clean
        self._courses = [_Course(model, options) for model in models]
        self._suspicions = Suspicions()
        self._assertions = Assertions()
        self._events = Events()
        self._outage = Outage(kit.client, options.outage)
        self._exchanges: list[Event] = []
        self._ending: Ending | None = None
        self._text = ""
        self._calls = self._saved = self._replays = 0
        self._end_at = None if options.max_time is None else time.monotonic() + options.max_time

    @property
    def coverage(self) -> dict[str, Coverage]:
        """What was covered of each model so far."""
        return {one.model.automaton.name: one.tally.coverage() for one in self._courses}

    def stop(self, ending: Ending, text: str = "") -> None:
        """End soon: the call under way is finished, what was created is removed."""
        if self._ending is None:
            self._ending, self._text = ending, text

    def events(self) -> AsyncGenerator[Event, None]:
        """Everything that happens, up to the end."""
        return streamed(self._events, self._run())

    def _tell(self, event: Event) -> None:
        self._events.tell(event)

    def _exchanged(self, event: Exchanged) -> None:
        self._exchanges.append(event)
        self._tell(event)

    async def _run(self) -> None:
        for number, course in enumerate(self._courses):
            self._tell(planned(number, course.model, course.stations))
        self._tell(PhaseStarted("walk"))
        for number, course in enumerate(self._courses):
            await self._walk(number, course)
        await self._confirm()
        self._end()

    # Walking

    async def _walk(self, model: int, course: _Course) -> None:
        for number in count():
            seed = self._options.seed + number
            if self._options.strategy is Strategy.RANDOM:
                rng = dice(seed, course.model.automaton.name, "choices")
                most = self._options.max_length
                course.policy = RandomPolicy(course.model.automaton, rng, most)
            over = course.runs is not None and number >= course.runs
            if over or self._is_over() or course.policy.is_done:
                return
            await self._one(model, course, number, seed)

    def _is_over(self) -> bool:
        if self._end_at is not None and time.monotonic() > self._end_at:
            self.stop(Ending.MAX_TIME)
        most = self._options.max_calls
        if most is not None and self._calls >= most:
            self.stop(Ending.MAX_CALLS)
        return self._ending is not None

    async def _one(self, model: int, course: _Course, number: int, seed: int) -> None:
        """One run; the exchanges in it tell what there is to clean up."""
        rng = dice(seed, course.model.automaton.name)
        fresh = Fresh(self._kit.generator, dice(seed), model)
        passage = Passage(self._kit, course.model, rng, fresh, number)
        self._exchanges.clear()
        course.tally.begin()
        moves: list[Move] = []
        async for move in passage.moves(course.policy):
            moves.append(move)
            course.took(move)
            self._judged(model, course, number, tuple(moves))
            if self._is_over():
                break
        self._saved += passage.saved
        await self._cleaned(number)
        self._tell(SequenceEnded(model, number, len(moves)))
        if moves and _failed(moves[-1]):
            await self._look_for_the_service(moves[-1])

    def _judged(self, model: int, course: _Course, number: int, moves: tuple[Move, ...]) -> None:
        move = moves[-1]
        self._calls += move.judged.exchange is not None
        self._assertions.add(move)
        self._tell(CallJudged(model, number, len(moves) - 1, placed(move, course.stations)))
        if not move.judged.complaints:
            return
        self._suspicions.add(model, moves, tainted=is_tainted(moves[:-1]))
        most = self._options.max_failures
        if most is not None and len(self._suspicions) >= most:
            self.stop(Ending.MAX_FAILURES)

    async def _cleaned(self, number: int) -> None:
        made = list(self._exchanges)
        for left in await self._clean(made, number):
            self._tell(left)

    async def _look_for_the_service(self, move: Move) -> None:
        if not await self._outage.over(self._is_over):
            said = move.judged.complaints[0].happened
            self.stop(Ending.OUTAGE, f"the service does not answer: {said}")

    # Confirming

    async def _confirm(self) -> None:
        suspicions = self._suspicions.all()
        if not suspicions or self._ending is Ending.OUTAGE:
            return
        self._tell(PhaseStarted("confirm", len(suspicions)))
        found = 0
        for suspicion in suspicions[:_CONFIRMED_AT_MOST]:
            course = self._courses[suspicion.model]
            again = partial(self.again, course.model)
            automaton = course.model.automaton
            result = await confirmed(suspicion, automaton, list(course.seen), again)
            if isinstance(result, Finding):
                found += 1
                self._tell(FindingFound(replace(result, number=found)))
            elif result is not None:
                self._tell(NotConfirmed(result))

    async def again(self, model: Model, script: Script) -> tuple[Move, ...]:
        """Some choices once more, alone and with fresh values."""
        self._replays += 1
        rng = dice(self._options.seed, "replay", self._replays)
        fresh = Fresh(self._kit.generator, rng)
        passage = Passage(self._kit, model, rng, fresh, -self._replays)
        self._exchanges.clear()
        policy = ScriptPolicy(model.automaton, script)
        moves = [move async for move in passage.moves(policy)]
        await self._cleaned(-self._replays)
        if moves and _failed(moves[-1]):
            await self._look_for_the_service(moves[-1])
        return tuple(moves)

    def _end(self) -> None:
        for number, (name, coverage) in enumerate(self.coverage.items()):
            self._tell(covered(number, coverage))
            for note in missing_notes(name, coverage):
                self._tell(note)
        seed = self._options.seed
        self._tell(Noted("seeds", "runs", f"run N of a model has the seed {seed} + N"))
        spec = self._courses[0].model.types.spec if self._courses else None
        labels = {one.id: one.label for one in spec.operations} if spec is not None else {}
        for counted in self._assertions.counted(labels):
            self._tell(counted)
        ending = self._ending or Ending.FINISHED
        sent = self._kit.client.sent
        self._tell(RunEnded(time.time(), ending, sent, self._saved, self._text))


def _failed(move: Move) -> bool:
    exchange = move.judged.exchange
    return exchange is not None and isinstance(exchange.reply, Failure)
