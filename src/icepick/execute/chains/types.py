"""What chains are: how far they go, what they work with, and one of them under way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from icepick.execute.answers import answer_of
from icepick.execute.chains.pool import Pool, Thing
from icepick.execute.events import Event
from icepick.execute.said import refusal_text
from icepick.execute.transport.client import Client
from icepick.execute.types import (
    Complaint,
    Exchange,
    Failure,
    Judged,
    Reply,
    Response,
)
from icepick.glacier import Answer
from icepick.inputs import Case, Responses
from icepick.inputs.learn import (
    Learned,
    Setting,
)
from icepick.sequences.types import Step

NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class ChainOptions:
    """How far chains go: `calls` and `seconds` bound them all together, `tries` one call of a
    chain; `successes` is how often every operation is to succeed."""

    calls: int = 300
    seconds: float = 120.0
    tries: int = 15
    successes: int = 1
    graph: bool = True
    """Whether values are taken from other calls; without it they are only made up."""
    patient: bool = True
    """Whether a call is tried again though its refusal said nothing new."""


@dataclass(frozen=True, slots=True)
class Outfit:
    """What chains work with; `tell` hears of what could not be removed, and of calls."""

    client: Client
    setting: Setting
    rng: Random
    tell: Callable[[Event], None]
    learned: dict[str, Learned] = field(default_factory=dict)
    """What is known of inputs from before; what chains learn is added."""
    lost: list[tuple[Case, Answer]] = field(default_factory=list)
    """Creations of which nobody knows yet what they created."""
    timed: bool = True
    """Whether seconds bound what chains do: not in a run of so many requests, which is to make the
    same ones each time."""

    def keep(self, things: Iterable[Thing]) -> None:
        """Keep in mind what stays for good, for when no more of it are to be made; below something
        else it would not be where it is wanted."""
        shared = self.client.shared
        for one in things:
            stays = one.resource is not None and shared.staying.stays(one.resource)
            if stays and one.own and one.resource is not None and len(one.address) == 1:
                shared.kept[one.resource] = one


@dataclass(slots=True)
class Tried:
    """What became of one call of a chain, however often it was sent."""

    last: Reply | None = None
    shown: Exchange | None = None
    complaints: tuple[Complaint, ...] = ()
    barred: str = ""
    """Why nothing more was sent."""

    def add(self, exchange: Exchange, complaints: tuple[Complaint, ...]) -> None:
        """Another answer; the first that is complained of is the one that is shown."""
        if not self.complaints:
            self.shown, self.complaints = exchange, complaints

    @property
    def worked(self) -> bool:
        """Whether it was taken in the end."""
        return isinstance(self.last, Response) and 200 <= self.last.status < 300

    @property
    def reason(self) -> str:
        """What stood in its way."""
        if self.worked:
            return ""
        if isinstance(self.last, Failure):
            return f"{NO_ANSWER} ({self.last.kind}): {self.last.message}"
        if self.last is None:
            return self.barred or "no input could be made"
        return f"answered {self.last.status}{refusal_text(answer_of(self.last))}"


@dataclass(slots=True)
class Chain:
    """One chain under way."""

    number: int
    pool: Pool = field(default_factory=Pool)
    responses: Responses = field(default_factory=Responses)
    steps: list[Step] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    worked: set[str] = field(default_factory=set)
    apart: bool = False
    """Whether a call that looks wrong is made again without those before it."""
    fuller: str = ""
    """The resource whose instances are created with `more` properties than need be."""
    more: frozenset[str] = frozenset()
