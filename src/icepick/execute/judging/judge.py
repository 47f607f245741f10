"""Verdicts: Table I of the ICEPICK paper, in the face of doubt, and for calls that must fail."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from icepick.execute.types import Verdict
from icepick.glacier import Outcome, Truth


def verdict(pre: bool, post: bool, invariants: bool, status: int) -> Verdict:
    """Table I: what a call comes to, by preconditions, postconditions, invariants and status."""
    good, refused = 200 <= status < 300, 400 <= status < 500
    if pre and not post and not invariants:
        return Verdict.WARN if refused else Verdict.ERR
    if pre:
        return Verdict.OK if post and invariants and good else Verdict.ERR
    if post:
        return Verdict.WARN if invariants else Verdict.ERR
    return Verdict.OK if refused else Verdict.ERR


_MILD = (Verdict.OK, Verdict.NOT_TESTED, Verdict.WARN, Verdict.ERR)


def verdict_in_doubt(pre: Truth, post: Truth, invariants: Truth, status: int) -> Verdict:
    """The same where something is unknown: the mildest verdict that it may come to."""
    possible = {verdict(*one, status) for one in product(_may(pre), _may(post), _may(invariants))}
    return min(possible, key=_MILD.index)


def _may(truth: Truth) -> tuple[bool, ...]:
    if truth is Truth.UNKNOWN:
        return (True, False)
    return (truth is Truth.TRUE,)


def together(outcomes: Iterable[Outcome]) -> Truth:
    """Clauses taken together: false if one is, else unknown if one is."""
    values = {outcome.value for outcome in outcomes}
    if Truth.FALSE in values:
        return Truth.FALSE
    return Truth.UNKNOWN if Truth.UNKNOWN in values else Truth.TRUE
