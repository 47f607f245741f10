"""How this service says things: conventions are learned, and inferred clauses bow to them.

A clause that a person wrote stands as it is. One that was inferred from REST conventions may be
wrong about the words of a service (403 for what is absent), never about its laws: whether what was
deleted is gone is still asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from uuid import UUID

from icepick.execute.reads import Reads
from icepick.execute.routing import Routing
from icepick.glacier import Outcome, Provenance, Truth
from icepick.glacier.tree import Compare, CompareOp, Number, Part, Read, Request, walk

_ABSENT = 404
_ECHO = "judged by what reads back: a service may complete or normalise what it is sent"


class Conventions:
    """What was learned of a service's ways in this run."""

    def __init__(self, routing: Routing, rng: Random) -> None:
        self._routing = routing
        self._rng = rng
        self._absent: dict[str, int | None] = {}

    def learned(self) -> Iterator[tuple[str, str]]:
        """The operations that say absent in another way, and how."""
        for operation, status in self._absent.items():
            if status is not None and status != _ABSENT:
                yield operation, f"what is absent answers {status}"

    async def settled(self, reads: Reads, outcomes: list[Outcome]) -> list[Outcome]:
        """The outcomes as they are, once the service's own ways are taken into account."""
        return [
            await self._settled(reads, one)
            if one.value is Truth.FALSE and one.clause.provenance is Provenance.INFERRED
            else one
            for one in outcomes
        ]

    async def _settled(self, reads: Reads, outcome: Outcome) -> Outcome:
        if _is_echo(outcome):
            return replace(outcome, value=Truth.UNKNOWN, reason=_ECHO)
        if _wants_absence(outcome):
            for path, answer in outcome.asked.items():
                refused = answer is not None and 400 <= answer.status < 500
                if (
                    answer is not None
                    and refused
                    and await self._says_absent(reads, path) == (answer.status)
                ):
                    return replace(outcome, value=Truth.TRUE, bindings={}, explanation="")
        return outcome

    async def _says_absent(self, reads: Reads, path: str) -> int | None:
        """The status with which the service answers for something that never was."""
        operation = self._routing.find(path)
        if operation is None:
            return None
        if operation.id not in self._absent:
            answer = await reads.look(self._never_was(path))
            self._absent[operation.id] = answer.status if answer is not None else None
        return self._absent[operation.id]

    def _never_was(self, path: str) -> str:
        """The same path with an identifier of the same kind that nothing has."""
        start, _, last = path.rpartition("/")
        if re.fullmatch(r"\d+", last):
            return f"{start}/{self._rng.randrange(10**8, 10**9)}"
        if re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", last):
            return f"{start}/{UUID(int=self._rng.getrandbits(128), version=4)}"
        letters = "abcdefghijklmnopqrstuvwxyz0123456789"
        return f"{start}/{''.join(self._rng.choice(letters) for _ in range(max(8, len(last))))}"


def _is_echo(outcome: Outcome) -> bool:
    """Whether a clause wants an answer to repeat what was sent, or what was there before."""
    for node in walk(outcome.clause.formula):
        if isinstance(node, Compare) and node.op is CompareOp.EQ:
            sides = [side for side in (node.left, node.right) if isinstance(side, Read)]
            parts = {side.part for side in sides}
            own = any(side.part is Part.RES_BODY and side.request is None for side in sides)
            if own or parts == {Part.REQ_BODY, Part.RES_BODY}:
                return True
    return False


def _wants_absence(outcome: Outcome) -> bool:
    formula = outcome.clause.formula
    return (
        isinstance(formula, Compare)
        and formula.op is CompareOp.EQ
        and isinstance(formula.left, Read)
        and formula.left.part is Part.RES_CODE
        and isinstance(formula.left.request, Request)
        and isinstance(formula.right, Number)
        and formula.right.value == _ABSENT
    )
