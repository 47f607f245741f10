"""Going on after an action: the model does not know what it did, but contracts may."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from icepick.execute.findings.confirm import Replay
from icepick.execute.kit import Course
from icepick.sequences import Plan
from icepick.sequences.types import Call, Kind, Step
from icepick.sequences.upkeep import AT_THRESHOLD


def afterwards(plan: Plan, course: Course, replay: Replay) -> Iterator[tuple[Step, ...]]:
    """For each action a way to it where most is there, the action, and updates of all that is."""
    richest: dict[str, tuple[int, int, Call]] = {}
    for ending in plan.endings:
        call = plan.calls[ending.calls[0]]
        there = course.exists(ending.state)
        if there is not None and len(there) > richest.get(call.operation, (-1, 0, call))[0]:
            richest[call.operation] = (len(there), ending.state, call)
    for _, state, call in richest.values():
        way = replay.way(state)
        later = tuple(Step(one, state) for one in _updates(plan, course, state))
        if way is not None and later:
            yield (*way, Step(call, state), *later)


def _updates(plan: Plan, course: Course, state: int) -> Iterator[Call]:
    """An update by each operation of each instance that exists in a state."""
    there = course.exists(state) or frozenset()
    for call in plan.calls:
        if call.kind is Kind.UPDATE and call.input == 1 and there.issuperset(call.arguments):
            yield replace(call, input=AT_THRESHOLD)
