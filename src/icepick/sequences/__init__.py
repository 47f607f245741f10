"""Sequences: plans that cover every state and every transition, and the refusals between them."""

from icepick.sequences.plan import Plan, carried_out, plan
from icepick.sequences.types import (
    Batch,
    Call,
    Coverage,
    Gap,
    Kind,
    Options,
    Refusals,
    Sequence,
    Step,
    Strategy,
    Summary,
)
from icepick.sequences.upkeep import Upkeep
from icepick.sequences.write import Writer

__all__ = [
    "Batch",
    "Call",
    "Coverage",
    "Gap",
    "Kind",
    "Options",
    "Plan",
    "Refusals",
    "Sequence",
    "Step",
    "Strategy",
    "Summary",
    "Upkeep",
    "Writer",
    "carried_out",
    "plan",
]
