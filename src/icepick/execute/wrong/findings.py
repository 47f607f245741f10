"""What wrong inputs bring to light, as findings: each is one request that shows it."""

from __future__ import annotations

from dataclasses import replace

from icepick.execute.findings.confirm import title_of
from icepick.execute.findings.findings import sighting_of, titled
from icepick.execute.findings.suspicion import ACCEPTED_WRONG, UNREADABLE, fingerprint, key_of
from icepick.execute.judging.inspect import SERVER_ERROR
from icepick.execute.reads import NO_ANSWER
from icepick.execute.types import (
    Complaint,
    Exchange,
    Failure,
    Finding,
    Judged,
    Provenance,
    Sighting,
    Verdict,
)
from icepick.inputs import Case
from icepick.inputs.learn import Mutation, Oddity

WRONG = "wrong input"


def accepted(oddity: Oddity, exchange: Exchange) -> Finding:
    """What the schema forbids was taken; of one operation it is all one finding.

    Bytes that are no proper body are read by the same code whatever the operation is.
    """
    mutation = oddity.mutation
    anywhere = "" if isinstance(mutation.request, Case) else oddity.key
    complaint = Complaint(
        ACCEPTED_WRONG, Verdict.WARN, "what the schema forbids is refused",
        f"{mutation.operation.label} accepts what its schema forbids", Provenance.DECLARED,
        anywhere, exchanges=(exchange.number,),
    )  # fmt: skip
    sighting = Sighting(mutation.operation.id, oddity.key, exchange)
    return _finding(mutation, exchange, complaint, sighting)


def crashed(mutation: Mutation, exchange: Exchange, about: str) -> Finding:
    """A server error; `about` tells those of one operation apart.

    Bytes that are no proper body are read by the same code whatever the operation is, so what they
    bring about is one finding for all.
    """
    if not isinstance(mutation.request, Case):
        return _unreadable(mutation, exchange)
    happened = f"{mutation.operation.label} answered {exchange.status}{_input(mutation)}"
    complaint = Complaint(
        SERVER_ERROR, Verdict.ERR, "a service answers no call with a server error", happened,
        Provenance.LAW, about, exchanges=(exchange.number,),
    )  # fmt: skip
    return _finding(mutation, exchange, complaint)


def _unreadable(mutation: Mutation, exchange: Exchange) -> Finding:
    happened = f"{mutation.operation.label} answered {exchange.status}{_input(mutation)}"
    complaint = Complaint(
        UNREADABLE, Verdict.ERR, "a service answers no call with a server error", happened,
        Provenance.LAW, mutation.description, exchanges=(exchange.number,),
    )  # fmt: skip
    sighting = Sighting(mutation.operation.id, f"answered {exchange.status}", exchange)
    return _finding(mutation, exchange, complaint, sighting)


def unanswered(mutation: Mutation, exchange: Exchange) -> Finding:
    """No answer came, time and again."""
    reply = exchange.reply
    why = f": {reply.message}" if isinstance(reply, Failure) else ""
    complaint = Complaint(
        NO_ANSWER, Verdict.ERR, "every call is answered",
        f"{mutation.operation.label} gives no answer{_input(mutation)}{why}", Provenance.LAW,
        exchanges=(exchange.number,),
    )  # fmt: skip
    sighting = Sighting(mutation.operation.id, mutation.description, exchange)
    return _finding(mutation, exchange, complaint, sighting)


def undeclared(mutation: Mutation, exchange: Exchange, complaint: Complaint) -> Finding:
    """An answer that is not as the document says."""
    [step] = _finding(mutation, exchange, complaint).steps
    made = _finding(mutation, exchange, complaint, sighting_of(step, complaint))
    return replace(made, title=title_of(step, complaint))


def _input(mutation: Mutation) -> str:
    if not mutation.mistakes:
        return ""
    kind = "a wrong" if mutation.forbidden else "an unusual"
    return f" to {kind} input ({mutation.description})"


def _finding(
    mutation: Mutation, exchange: Exchange, complaint: Complaint, *sightings: Sighting
) -> Finding:
    name = mutation.operation.id
    label = f"{name} with {mutation.description}" if mutation.mistakes else name
    step = Judged(label, name, name, WRONG, complaint.level, "", (complaint,), exchange)
    made = Finding(
        fingerprint(key_of(step, complaint)), 0, complaint.level, complaint.happened, name, label,
        name, exchange.status, complaint, (step,), 1, sightings=sightings,
    )  # fmt: skip
    return titled(made)
