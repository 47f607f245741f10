"""What a run tells while it goes on. Terminal, journal and reports only consume these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from icepick.execute.calibration.manners import Manners
from icepick.execute.types import Exchange, Finding, Judged, Unconfirmed
from icepick.openapi.types import Json

DEVIATION = "deviation"
FIRST_LOOK = "first look"
OPERATION = "operation"
"""The kind of notes on what a service does otherwise than REST conventions have it."""

LEFT_OUT = "left out"
"""The kind of notes that name the operations which are not called, and say why."""


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The first event. `settings` are the options of the run; secrets are no part of them."""

    id: str
    at: float
    version: str
    schema: str
    title: str
    url: str
    seed: int
    settings: Mapping[str, Json] = field(default_factory=dict)
    operations: Mapping[str, str] = field(default_factory=dict)
    """The label of every operation by its id: what the run is about."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A state graph small enough to be drawn: state i has a depth and a text, edges have actions.

    `texts` say which instances exist, such as `p1, t1(capacity=1)`.
    """

    depths: tuple[int, ...]
    texts: tuple[str, ...]
    edges: tuple[tuple[int, str, int], ...]


@dataclass(frozen=True, slots=True)
class ModelPlanned:
    """A model that the run walks, and what the plan for it holds. Models count from 0."""

    model: int
    name: str
    sizes: Mapping[str, int]
    states: int
    transitions: int
    sequences: int
    calls: int
    wanted: Mapping[str, int]
    """How many different calls of each kind (transition, update, refusal, ...) are planned."""
    gaps: tuple[tuple[str, int, str], ...] = ()
    """What the plan leaves out: what, how many, and why."""
    drawing: Drawing | None = None


@dataclass(frozen=True, slots=True)
class ModelCovered:
    """What was covered of a model by measures of its own: so many of so many, by name."""

    model: int
    parts: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class PhaseStarted:
    """A part of the run begins; `calls` is how many it has, where that is known."""

    name: str
    calls: int | None = None


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A request was sent and answered, or failed."""

    exchange: Exchange
    sequence: int | None = None


@dataclass(frozen=True, slots=True)
class CallJudged:
    """A planned call was made and judged."""

    model: int
    sequence: int
    index: int
    judged: Judged


@dataclass(frozen=True, slots=True)
class SequenceEnded:
    """A sequence is through; a run that is resumed leaves it out."""

    model: int
    sequence: int
    calls: int


@dataclass(frozen=True, slots=True)
class FindingFound:
    """A fault, confirmed and as short as it gets."""

    finding: Finding


@dataclass(frozen=True, slots=True)
class NotConfirmed:
    """Something looked wrong and did not repeat."""

    unconfirmed: Unconfirmed


@dataclass(frozen=True, slots=True)
class Noted:
    """Something a person should know that is no fault: `kind` groups, `subject` names."""

    kind: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class ResourceSeen:
    """How the service treats a resource, as far as it was seen before the walk."""

    manners: Manners


@dataclass(frozen=True, slots=True)
class ClauseCounted:
    """How a clause fared in the whole run; `operation` is a label, None for an invariant."""

    role: str
    operation: str | None
    text: str
    provenance: str
    true: int
    false: int
    unknown: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LifeCycle:
    """How much was seen of the life of a resource: `missing` are the parts that were not, with
    what stood in the way."""

    resource: str
    parts: tuple[str, ...]
    missing: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether every part was seen."""
        return not self.missing


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """An instance that could not be removed again."""

    resource: str
    url: str
    reason: str


class Ending(StrEnum):
    """Why a run ended."""

    FINISHED = "finished"
    MAX_TIME = "max-time"
    MAX_CALLS = "max-calls"
    MAX_REQUESTS = "max-requests"
    MAX_FAILURES = "max-failures"
    INTERRUPTED = "interrupted"
    OUTAGE = "outage"


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The last event. `saved` is how many GETs were answered from memory."""

    at: float
    ending: Ending
    requests: int
    saved: int
    text: str = ""


Event = (
    RunStarted
    | ModelPlanned
    | ModelCovered
    | PhaseStarted
    | Exchanged
    | CallJudged
    | SequenceEnded
    | FindingFound
    | NotConfirmed
    | Noted
    | ResourceSeen
    | ClauseCounted
    | LeftBehind
    | LifeCycle
    | RunEnded
)
