"""Errands: going to a state with several instances of a resource, to look at something there."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from enum import StrEnum

from icepick.execute.binding.chance import Luck
from icepick.execute.binding.emulator import Instance
from icepick.execute.binding.subject import Chance
from icepick.execute.cleaning import Cleaner
from icepick.execute.findings.suspicion import fingerprint
from icepick.execute.kit import Course, Kit
from icepick.execute.laws.frame import Frame
from icepick.execute.phases import Stage
from icepick.execute.reads import NoAnswerError
from icepick.execute.types import Complaint, Exchange, Finding, Judged
from icepick.execute.walk import Walk
from icepick.sequences.types import Kind, Step

_FIRST = 1_000_000
"""The first number of an errand, beyond those of all replays."""


class Spread(StrEnum):
    """Whether several instances belong to different things, or all to one."""

    APART = "apart"
    TOGETHER = "together"


@dataclass(frozen=True, slots=True)
class Errand:
    """The way to a state of a model that has several instances of a resource."""

    course: Course
    steps: tuple[Step, ...]


Find = Callable[[str, Spread], Errand | None]
"""Finds the way to several instances of a resource; None where there is none."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """What an errand led to: the calls on the way, and the walk with its instances."""

    course: Course
    walk: Walk
    chance: Chance
    calls: tuple[Judged, ...]
    number: int

    def of(self, resource: str) -> list[Instance]:
        """The instances of a resource that exist now, oldest first."""
        return [one for one in self.walk.emulator.live() if one.resource == resource]


class Errands:
    """Goes to states with several instances of a resource, alone, and cleans up behind itself."""

    def __init__(self, kit: Kit, luck: Luck, cleaner: Cleaner, find: Find) -> None:
        self.kit = replace(kit, frame=Frame.OFF)
        self._luck = luck
        self._cleaner = cleaner
        self._find = find
        self._number = _FIRST

    @asynccontextmanager
    async def arrive(
        self, resource: str, stage: Stage, spread: Spread = Spread.APART
    ) -> AsyncIterator[Arrived | None]:
        """Such a state for as long as it is wanted; None where there is no way, or no answer.

        What cannot be removed afterwards is told."""
        errand = self._find(resource, spread)
        if errand is None:
            yield None
            return
        self._number += 1
        chance = self._luck.of_replay(self._number)
        walk = Walk(self.kit, errand.course, -self._number, chance)
        try:
            calls = await _walked(walk.run(errand.steps))
            arrived = Arrived(errand.course, walk, chance, calls or (), -self._number)
            yield arrived if calls is not None else None
        finally:
            kept = await self._cleaner.clean(walk.remains(), -self._number)
            self.kit.scene.client.shared.staying.keep(
                walk.spare(), len(kept), spoiled=walk.is_spoiled
            )
            for left in (*kept, *walk.untraced()):
                stage.tell(left)


async def _walked(calls: AsyncGenerator[Judged, None]) -> tuple[Judged, ...] | None:
    found: list[Judged] = []
    try:
        async with aclosing(calls):
            async for one in calls:
                found.append(one)  # noqa: PERF401 (an error in between is caught below)
    except NoAnswerError:
        return None
    return tuple(found)


def finding_of(arrived: Arrived, complaint: Complaint, shown: tuple[Exchange, ...]) -> Finding:
    """A finding about an operation: the calls of the errand, and what shows it."""
    last, operation = shown[-1], shown[-1].operation or ""
    label = f"{operation} ({complaint.check})"
    step = Judged(
        label, operation, operation, Kind.READ.value, complaint.level, "", (complaint,), last,
        shown[:-1],
    )  # fmt: skip
    key = (complaint.check, complaint.about, f"{complaint.check} {operation}", "")
    return Finding(
        fingerprint(key), 0, complaint.level, f"{operation}: {complaint.happened}", operation,
        label, operation, last.status, complaint, (*arrived.calls, step), len(arrived.calls) + 1,
    )  # fmt: skip
