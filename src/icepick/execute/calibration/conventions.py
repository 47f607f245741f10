"""How this service says things: conventions are learned, and inferred clauses bow to them.

A clause that a person wrote stands as it is. One that was inferred from REST conventions may be
wrong about the words of a service (403 for what is absent), never about its laws: whether what was
deleted is gone is still asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from icepick.execute.binding.made_up import never_was
from icepick.execute.calibration.manners import Departure, Manners
from icepick.execute.marks import marked
from icepick.execute.reads import Reads
from icepick.execute.routing import Routing
from icepick.glacier import Answer, Outcome, Provenance, Truth
from icepick.glacier.tree import Compare, CompareOp, Node, Number, Part, Read, Request, root, walk

_ABSENT = 404
_GONE = frozenset({404, 410})
_SOFT = "what is deleted stays, marked as such"
_INFERRED = frozenset({Provenance.INFERRED, Provenance.LEARNED})
_ECHO = "judged by what reads back: a service may complete or normalise what it is sent"


class Conventions:
    """What was learned of a service's ways in this run."""

    def __init__(
        self, routing: Routing, rng: Random, manners: Mapping[str, Manners] | None = None
    ) -> None:
        self._routing = routing
        self._rng = rng
        self._manners = manners or {}
        """Those of the resource that an operation is about, by its id."""
        self._absent: dict[str, int | None] = {}

    def learned(self) -> Iterator[tuple[str, str]]:
        """The operations that say absent in another way, and how."""
        for operation, status in self._absent.items():
            if status is not None and status != _ABSENT:
                yield operation, f"what is absent answers {status}"

    def stays(self, operation: str) -> bool:
        """Whether what an operation deletes was seen to stay as if nothing had happened."""
        known = self._manners.get(operation)
        return known is not None and known.departure is Departure.STAYS

    async def settled(self, reads: Reads, outcomes: list[Outcome]) -> list[Outcome]:
        """The outcomes as they are, once the service's own ways are taken into account."""
        return [
            await self._settled(reads, one)
            if one.value is Truth.FALSE and one.clause.provenance in _INFERRED
            else one
            for one in outcomes
        ]

    async def _settled(self, reads: Reads, outcome: Outcome) -> Outcome:
        if _is_echo(outcome):
            return replace(outcome, value=Truth.UNKNOWN, reason=_ECHO)
        if _wants_absence(outcome):
            for path, answer in outcome.asked.items():
                if answer is not None and await self._is_absent(reads, path, answer):
                    return replace(outcome, value=Truth.TRUE, bindings={}, explanation="")
        elif any(self._is_soft(path) for path in outcome.asked):
            return replace(outcome, value=Truth.UNKNOWN, reason=_SOFT)
        return outcome

    async def _is_absent(self, reads: Reads, path: str, answer: Answer) -> bool:
        """Whether an answer says, in the words of this service, that there is nothing."""
        if self._is_soft(path) and marked(reads.get_before(path), answer):
            return True
        refused = 400 <= answer.status < 500
        return refused and (
            answer.status in _GONE or await self._says_absent(reads, path) == answer.status
        )

    def _is_soft(self, path: str) -> bool:
        operation = self._routing.find(path)
        known = self._manners.get(operation.id) if operation is not None else None
        return known is not None and known.departure is Departure.MARKED

    async def _says_absent(self, reads: Reads, path: str) -> int | None:
        """The status with which the service answers for something that never was."""
        operation = self._routing.find(path)
        if operation is None:
            return None
        if operation.id not in self._absent:
            answer = await reads.look(never_was(path, self._rng))
            self._absent[operation.id] = answer.status if answer is not None else None
        return self._absent[operation.id]


def _is_echo(outcome: Outcome) -> bool:
    """Whether a clause wants an answer to repeat what was sent, or what was there before."""
    return any(
        isinstance(node, Compare) and node.op is CompareOp.EQ and _repeats(node.left, node.right)
        for node in walk(outcome.clause.formula)
    )


def _repeats(*sides: Node) -> bool:
    whole = [side for side in sides if isinstance(side, Read)]
    if any(side.part is Part.RES_BODY and side.request is None for side in whole):
        return True
    # What was sent may come back in an envelope, or have been sent in one.
    parts = {base.part for side in sides if isinstance(base := root(side), Read)}
    return parts == {Part.REQ_BODY, Part.RES_BODY}


def _wants_absence(outcome: Outcome) -> bool:
    formula = outcome.clause.formula
    return (
        isinstance(formula, Compare)
        and formula.op is CompareOp.EQ
        and isinstance(formula.left, Read)
        and formula.left.part is Part.RES_CODE
        and isinstance(formula.left.request, Request)
        and isinstance(formula.right, Number)
        and 400 <= formula.right.value < 500
    )
