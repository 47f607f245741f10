"""Clauses that cannot be judged beside other sequences: they read what everybody changes. And
deletions that were seen to do nothing.

A list is shown to a sequence without what belongs to others, and an item is its own. A number of
all pets in the store is neither: it holds still only while nobody else is at work.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from icepick.execute.findings.confirm import Replay
from icepick.execute.judging.blame import ACCEPTED, ENSURES, REFUSED
from icepick.execute.judging.promises import Promises
from icepick.execute.routing import Listing, Routing
from icepick.glacier import Clause
from icepick.glacier.tree import Request, walk
from icepick.openapi.types import Operation
from icepick.sequences.types import Kind, Step

PROMISED = frozenset({ENSURES, ACCEPTED, REFUSED})
"""Checks of what a contract says of one call."""

_REPEATS = 3
"""What a clause says may depend on inputs."""


def is_shared(routing: Routing, listings: Mapping[str, Listing]) -> Callable[[Clause], bool]:
    """Whether a clause reads something that is neither a list nor about one instance."""

    def shared(request: Request) -> bool:
        texts = [part for part in request.parts if isinstance(part, str)]
        operation = routing.find("".join(texts)) if len(texts) == len(request.parts) else None
        return operation is not None and operation.id not in listings

    def check(clause: Clause) -> bool:
        nodes = walk(clause.formula)
        return any(shared(node) for node in nodes if isinstance(node, Request))

    return check


def ways_alone(
    promises: Promises, operations: Iterable[Operation], replays: Mapping[int, Replay]
) -> Iterator[tuple[int, tuple[Step, ...]]]:
    """The shortest ways to the calls whose clauses wait for this, with their models."""
    for operation in operations:
        if operation.is_safe or not promises.waits(operation):
            continue
        for course, replay in replays.items():
            steps = replay.first(operation.id)
            if steps is not None:
                yield from [(course, steps)] * _REPEATS
                break


def ways_to_what_stays(
    stays: Callable[[str], bool], operations: Iterable[Operation], replays: Mapping[int, Replay]
) -> Iterator[tuple[int, tuple[Step, ...]]]:
    """The shortest ways to deletions of what was seen to stay: that must not wait for a walk which
    may end before them."""
    for operation in operations:
        if operation.method != "DELETE" or not stays(operation.id):
            continue
        for course, replay in replays.items():
            steps = replay.first(operation.id)
            if steps is not None:
                yield course, steps
                break


def after_action(written: Collection[str], steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """A way to an action, and those calls after it whose operations are among these; nothing
    where there are none."""
    kinds = [step.call.kind for step in steps]
    end = kinds.index(Kind.ACTION) + 1
    later = tuple(step for step in steps[end:] if step.call.operation in written)
    return (*steps[:end], *later) if later else ()
