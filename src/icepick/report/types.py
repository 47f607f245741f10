"""A run as a whole: what every report is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from icepick.execute.events import (
    ClauseCounted,
    Drawing,
    Ending,
    LeftBehind,
    LifeCycle,
    Noted,
)
from icepick.execute.types import Finding, Unconfirmed, Verdict
from icepick.openapi.types import Json


@dataclass(frozen=True, slots=True)
class OperationRecord:
    """What became of an operation; `reason` says what stood in the way of a 2xx."""

    id: str
    label: str
    calls: int
    statuses: Mapping[int, int]
    reason: str = ""

    @property
    def succeeded(self) -> bool:
        """Whether it gave a 2xx at least once."""
        return any(200 <= status < 300 for status in self.statuses)


@dataclass(frozen=True, slots=True)
class Part:
    """So many of so many were covered."""

    covered: int
    total: int


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What was covered of a model.

    `parts` are states, transitions, refusals, updates, reads and actions. `covered` counts how
    often each edge of the drawing was taken, `failed` are the edges on which a call failed.
    """

    name: str
    sizes: Mapping[str, int]
    parts: Mapping[str, Part]
    gaps: tuple[tuple[str, int, str], ...] = ()
    drawing: Drawing | None = None
    covered: Mapping[int, int] = field(default_factory=dict)
    failed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class RunRecord:
    """Everything that reports say of a run."""

    id: str
    version: str
    schema: str
    title: str
    url: str
    seed: int
    started: float
    seconds: float
    ending: Ending | None
    """None where the journal ends before the run did."""
    ending_text: str
    settings: Mapping[str, Json]
    verdicts: Mapping[Verdict, int]
    requests: int
    saved: int
    operations: tuple[OperationRecord, ...]
    models: tuple[ModelRecord, ...]
    clauses: tuple[ClauseCounted, ...]
    findings: tuple[Finding, ...]
    unconfirmed: tuple[Unconfirmed, ...]
    not_tested: Mapping[str, int]
    """Why calls were not made, and how many."""
    notes: tuple[Noted, ...]
    left_behind: tuple[LeftBehind, ...]
    life_cycles: tuple[LifeCycle, ...] = ()
    """Of the resources that can be created, read and deleted."""
