"""Parts of a run beside the walk; inputs are learned before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from icepick.execute.cleaning import Cleaner
from icepick.execute.events import Event, Noted, PhaseStarted
from icepick.execute.lessons import Lessons
from icepick.execute.types import Finding
from icepick.inputs import CaseMaker
from icepick.inputs.learn import Learned, slot_hints
from icepick.openapi.types import ApiSpec, Operation

LESSON_CALLS = 60
"""The most calls to learn one operation."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What a phase may do: tell events and findings, ask what was found before it, and whether
    the run is over."""

    tell: Callable[[Event], None]
    found: Callable[[Finding], None]
    is_over: Callable[[], bool]
    findings: Callable[[], tuple[Finding, ...]] = tuple


class Phase(Protocol):
    """A part of a run."""

    async def run(self, stage: Stage) -> None:
        """Do it."""


class Learning:
    """Makes the operations that create and change succeed, and keeps what that took."""

    def __init__(
        self, lessons: Lessons, maker: CaseMaker, cleaner: Cleaner, spec: ApiSpec, most: int
    ) -> None:
        self.lessons = lessons
        self._maker = maker
        self.cleaner = cleaner
        self._spec = spec
        self._most = most

    async def run(self, stage: Stage) -> None:
        """Learn; what is known from an earlier run is only tried once."""
        stage.tell(PhaseStarted("learn"))

        def is_over() -> bool:
            return stage.is_over() or self.lessons.calls >= self._most

        done = await self.lessons.learn_all(LESSON_CALLS, takes_input, is_over)
        await clean(self.lessons, self.cleaner, stage)
        for operation in self._spec.operations:
            learned = self.lessons.learned.get(operation.id)
            if learned is not None:
                self._maker.learn(operation, slot_hints(learned))
            if learned is not None and done.get(operation.id) is False:
                stage.tell(Noted("operation", operation.id, in_the_way(learned)))


async def clean(lessons: Lessons, cleaner: Cleaner, stage: Stage) -> None:
    """Remove what was created while learning."""
    for left in await cleaner.clean(lessons.creations.all, -1):
        stage.tell(left)
    lessons.creations.clear()


def takes_input(operation: Operation) -> bool:
    """Deletes take nothing to learn, and reads little."""
    return operation.method != "DELETE" and not operation.is_safe


def in_the_way(learned: Learned) -> str:
    """What stood in the way of an operation that took no input."""
    blocked = learned.blocked
    if blocked is None:
        return "no input was taken, and nothing said why"
    names = ", ".join(".".join(path) for _, path in blocked.slots)
    said = blocked.message or f"it answered {blocked.status}"
    return f"blocked by {names}: {said}" if names else f"blocked: {said}"
