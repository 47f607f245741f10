"""What is thought of a call of a model: the three kinds of fault, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from icepick.execute.said import refusal_text
from icepick.execute.transport.outage import NO_ANSWER
from icepick.execute.types import (
    Complaint,
    Exchange,
    Failure,
    FailureKind,
    Judged,
    Provenance,
    Verdict,
    worst,
)
from icepick.glacier import Answer
from icepick.inputs import NotMade
from icepick.openapi.types import Json
from icepick.protocol.automaton import Edge
from icepick.protocol.printer import print_assertion, print_message
from icepick.protocol.run import Fault
from icepick.protocol.run import Judged as Ruling
from icepick.protocol.scripts import branch_text
from icepick.protocol.tree import Send

CODE = "protocol-code"
FORMAT = "protocol-format"
ASSERTION = "protocol-assertion"
OF_MODEL = frozenset({CODE, FORMAT, ASSERTION})
"""The checks that a model makes."""

_CHECKS = {Fault.CODE: CODE, Fault.FORMAT: FORMAT, Fault.ASSERTION: ASSERTION}

TAKEN = "transition"
"""The kind of a call whose response is one of the model, in the words of reports."""

ASTRAY = "call"
"""The kind of a call that leads nowhere in the model."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A call that was answered.

    `awaited` are the responses that the model has for it, `known` the variables in force, `reads`
    the GETs around it.
    """

    send: Edge
    awaited: tuple[Edge, ...]
    exchange: Exchange
    answer: Answer
    reads: tuple[Exchange, ...]
    known: Mapping[str, Json]


def judged(call: Answered, ruling: Ruling, others: Iterable[Complaint]) -> Judged:
    """A call with what the model and others complain of."""
    own = [_complaint(call, ruling)] if ruling.fault is not None else []
    complaints = (*own, *others)
    label = f"{call.send.label} {ruling.edge.label}" if ruling.edge else call.send.label
    return Judged(
        label, call.send.label, operation_of(call.send), TAKEN if ruling.edge else ASTRAY,
        worst(*(one.level for one in complaints)), complaints=complaints,
        exchange=call.exchange, reads=call.reads if complaints else (),
    )  # fmt: skip


def _complaint(call: Answered, ruling: Ruling) -> Complaint:
    fault = ruling.fault or Fault.CODE
    awaited = " or ".join(print_message(edge.branch) for edge in call.awaited)
    promised = f"{call.send.label} is answered by {awaited}"
    happened = ruling.explanation
    if ruling.broken is not None:
        promised = f"after {call.send.label}: {print_assertion(ruling.broken)}"
    if fault is Fault.CODE and call.answer.status >= 400:
        happened += refusal_text(call.answer)
    return Complaint(
        _CHECKS[fault], Verdict.ERR, promised, happened, Provenance.WRITTEN,
        about=branch_text(call.send.key), bindings=dict(call.known),
        exchanges=(call.exchange.number, *(one.number for one in call.reads)),
    )  # fmt: skip


def operation_of(edge: Edge) -> str:
    """The operation of a call, or the one that a response answers."""
    return edge.branch.operation if isinstance(edge.branch, Send) else edge.operation or ""


def not_made(send: Edge, reason: NotMade) -> Judged:
    """A call for which no values could be made."""
    return Judged(
        send.label, send.label, operation_of(send), ASTRAY, Verdict.NOT_TESTED,
        f"no input could be made: {reason}",
    )  # fmt: skip


def unanswered(send: Edge, exchange: Exchange, failure: Failure) -> Judged:
    """A call to which no answer came."""
    slow = failure.kind is FailureKind.TIMEOUT
    complaint = Complaint(
        NO_ANSWER, Verdict.WARN if slow else Verdict.ERR, "every call is answered",
        failure.message, Provenance.LAW, failure.kind.value, exchanges=(exchange.number,),
    )  # fmt: skip
    return Judged(
        send.label, send.label, operation_of(send), ASTRAY, complaint.level,
        complaints=(complaint,), exchange=exchange,
    )  # fmt: skip
