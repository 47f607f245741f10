"""What decides what a run does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from icepick.execute.engine import RunOptions
from icepick.execute.judging.care import Judge
from icepick.execute.laws.frame import Frame
from icepick.inputs import Options as InputOptions
from icepick.sequences import Refusals, Strategy


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Everything that decides what a run does, but for how it reaches the service."""

    seed: int = 0
    bounds: Mapping[str, int] = field(default_factory=dict)
    strategy: Strategy = Strategy.TOUR
    refusals: Refusals = Refusals.ONE
    updates: bool = True
    symmetry: bool = False
    max_length: int = 50
    frame: Frame = Frame.END
    judge: Judge = Judge.NEW
    learn: bool = True
    """Whether inputs are learned from what the service says, before the walk."""
    wrong: int | None = None
    """How many wrong inputs are tried after the walk; by default some for each operation."""
    calibrate: bool = True
    """Whether it is seen how the service does things before it is judged."""
    settle: float = 2.0
    """For how many seconds something created or deleted may take to show."""
    correction: bool = True
    """Whether what the document leaves open is asked of the service before models are made."""
    graph: bool = True
    """Whether calls outside the models take values from what other calls answered."""
    operations: bool = True
    """Whether operations that had no success while learning are tried before the walk."""
    inputs: InputOptions = field(default_factory=InputOptions)
    engine: RunOptions = field(default_factory=RunOptions)
