"""A model to walk, and the ways through it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from icepick.execute.findings.confirm import Replay
from icepick.execute.kit import Course
from icepick.sequences.types import Sequence, Step


@dataclass(frozen=True, slots=True)
class Route:
    """A model to walk, and the ways through it: `sequences` begins anew each time it is called."""

    course: Course
    replay: Replay
    sequences: Iterator[Sequence]
    calls: int | None = None
    afterwards: tuple[tuple[Step, ...], ...] = ()
    """Ways to an action, and on from it: what a person requires is all that is required then."""
