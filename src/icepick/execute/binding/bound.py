"""A planned call on its way: with its inputs, and once it is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from icepick.execute.types import Exchange
from icepick.glacier import Answer, Outcome
from icepick.inputs import Case
from icepick.openapi.types import ABSENT, Json
from icepick.resources.types import Use


@dataclass(frozen=True, slots=True)
class Newborn:
    """An instance that exists if the call succeeds; the service may still have to name it."""

    value: str
    resource: str
    identifier: Json
    fields: Mapping[str, str]
    sent: Json


@dataclass(frozen=True, slots=True)
class Bound:
    """A call with its inputs, and what it does to the emulator if it succeeds.

    `reborn` where it creates something under the identifier of something that is gone. `unasked`
    is what comes to be if an update of what is absent makes it.
    """

    case: Case
    use: Use | None = None
    created: tuple[Newborn, ...] = ()
    deleted: tuple[str, ...] = ()
    updated: str | None = None
    reborn: bool = False
    unasked: Newborn | None = None

    @property
    def drawn(self) -> bool:
        """Whether chance had a part in the inputs: what is refused may be accepted with others."""
        return self.case.body is not ABSENT or bool(self.case.query)


@dataclass(frozen=True, slots=True)
class NotBound:
    """Why a call cannot be made."""

    reason: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A call that was made: what was sent, what came back, what held before."""

    bound: Bound
    exchange: Exchange
    answer: Answer
    requires: list[Outcome]
    reads: tuple[Exchange, ...]
    was_there: bool
    known: bool = False
    """Whether it gave nothing new, but what was there already."""
    renamed: bool = False
    """Whether it gave what it created another identifier than it was sent."""

    @property
    def is_good(self) -> bool:
        """Whether the service did it."""
        return 200 <= self.answer.status < 300
