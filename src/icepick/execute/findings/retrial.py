"""Calls made alone: those that looked wrong, to confirm it, and those that can only be judged
while nobody else is at work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial

from icepick.execute.binding.chance import Luck, Origin
from icepick.execute.events import NotConfirmed, PhaseStarted
from icepick.execute.findings.alone import (
    PROMISED,
    after_action,
    ways_alone,
    ways_to_what_stays,
)
from icepick.execute.findings.confirm import Confirmation, confirmed, in_rounds, unconfirmed
from icepick.execute.findings.suspicion import Suspicion, Suspicions
from icepick.execute.judging.care import Care, Judge
from icepick.execute.kit import Kit
from icepick.execute.laws.frame import Frame
from icepick.execute.phases import Stage
from icepick.execute.reads import AWAY, NoAnswerError
from icepick.execute.route import Route
from icepick.execute.transport.outage import unanswered
from icepick.execute.types import Failure, Finding, Judged, Unconfirmed
from icepick.execute.walk import Walk
from icepick.sequences.types import Step
from icepick.sequences.upkeep import AT_THRESHOLD

_CONFIRMED_AT_MOST = 100

Way = tuple[int, tuple[Step, ...]]
"""Calls of the model with that number."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What the run does for calls made alone: it hears of them, cleans up after them, and waits
    for a service that is away.

    `is_late` where their time is over, whatever else has ended the run; `is_cut_off` where nothing
    is looked into any more, since a run that is resumed does it.
    """

    stage: Stage
    is_late: Callable[[], bool]
    is_cut_off: Callable[[], bool]
    is_back: Callable[[Failure], Awaitable[bool]]
    clean: Callable[[Walk, int], Awaitable[None]]


class Retrial:
    """Makes calls alone, with fresh values, and looks at each of them closely."""

    def __init__(self, desk: Desk, kit: Kit, luck: Luck, routes: tuple[Route, ...]) -> None:
        self._desk = desk
        self._kit = kit
        self._luck = luck
        self._routes = routes
        self._made = 0
        self._replays = {route.course.number: route.replay for route in routes}
        self.suspicions = Suspicions()
        self.care = Care(Judge.EVERY)

    async def replay(
        self, model: int, steps: tuple[Step, ...], origin: Origin | None = None
    ) -> Confirmation:
        """Calls of a model once more, alone and with fresh values."""
        if self._desk.is_cut_off():
            return ()
        self._made += 1
        promises = self._kit.promises.alone
        kit = replace(self._kit, promises=promises, frame=Frame.EACH, care=self.care)
        chance = self._luck.of_replay(self._made, origin)
        walk = Walk(kit, self._routes[model].course, -self._made, chance)
        judged: list[Judged] = []
        try:
            async for one in walk.run(steps):
                judged.append(one)  # noqa: PERF401 (what was judged before a failure counts)
        except NoAnswerError as error:
            # A service that has gone away altogether shows nothing about this call.
            if await self._desk.is_back(error.failure) and error.failure.kind not in AWAY:
                judged.append(unanswered(steps[len(judged)].call, error))
        await self._desk.clean(walk, -self._made)
        return tuple(judged)

    async def alone(self) -> None:
        """Make calls about which something can only be judged while nobody else is at work, and
        those of which something is known that the walk may not have come to."""
        operations, stays = self._kit.operations.values(), self._kit.conventions.stays
        ways = [
            *ways_to_what_stays(stays, operations, self._replays),
            *ways_alone(self._kit.promises, operations, self._replays),
        ]
        for _, (course, steps) in self._in_time("alone", ways):
            for index, judged in enumerate(await self.replay(course, steps)):
                if judged.complaints:
                    self.suspicions.add(course, steps[: index + 1], judged)

    async def afterwards(self) -> None:
        """Go on after actions, where people say what the calls require that come then."""
        for number, (course, steps) in self._in_time("afterwards", self._after_actions()):
            origin = (course, -1 - number, 0)
            for index, judged in enumerate(await self.replay(course, steps, origin)):
                # What an action may change nobody knows, so that no law of what stays is heeded.
                found = tuple(one for one in judged.complaints if one.check in PROMISED)
                if found and steps[index].call.input == AT_THRESHOLD:
                    known = replace(judged, complaints=found)
                    self.suspicions.add(course, steps[: index + 1], known, origin)

    async def confirm(self) -> None:
        """Make again what looked wrong: what repeats is a finding."""
        suspicions = self.suspicions.all()[:_CONFIRMED_AT_MOST]
        if not suspicions or self._desk.is_cut_off():
            return
        self._desk.stage.tell(PhaseStarted("confirm", len(suspicions)))
        async with aclosing(in_rounds(suspicions, self._confirmed)) as results:
            async for result in results:
                if isinstance(result, Finding):
                    self._desk.stage.found(result)
                elif not self._desk.is_cut_off():
                    self._desk.stage.tell(NotConfirmed(result))

    async def _confirmed(self, suspicion: Suspicion, attempts: range) -> Finding | Unconfirmed:
        desk = self._desk
        if desk.is_late() or desk.is_cut_off():
            return unconfirmed(suspicion, attempts.start)
        return await confirmed(suspicion, self._replays, self.replay, desk.is_late, attempts)

    def _after_actions(self) -> list[Way]:
        promises = self._kit.promises
        written = {o.id for o in self._kit.operations.values() if promises.of(o).is_written}
        return [
            (route.course.number, steps)
            for route in self._routes
            for steps in map(partial(after_action, written), route.afterwards)
            if steps
        ]

    def _in_time(self, phase: str, ways: list[Way]) -> Iterator[tuple[int, Way]]:
        """The ways, as long as there is time."""
        if ways and not self._desk.stage.is_over():
            self._desk.stage.tell(PhaseStarted(phase, len(ways)))
        for number, way in enumerate(ways):
            if self._desk.stage.is_over():
                return
            yield number, way
