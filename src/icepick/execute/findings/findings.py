"""The findings of a run, each told once: what is seen of one later is added to it."""

from __future__ import annotations

import re
from dataclasses import replace
from http import HTTPStatus
from urllib.parse import unquote

from icepick.execute.findings.clauses import forbids_what_is_there
from icepick.execute.findings.suspicion import ANYWHERE, fingerprint
from icepick.execute.judging.blame import ACCEPTED
from icepick.execute.judging.inspect import SERVER_ERROR, UNDOCUMENTED_STATUS, WANTS
from icepick.execute.types import (
    Complaint,
    Exchange,
    Finding,
    Judged,
    Provenance,
    Response,
    Sighting,
    worst,
)
from icepick.execute.wrong.mutations import crash_said
from icepick.inputs.learn.bugs import telling

_NAMED = 3
"""So many places stand in a title."""

_DIFFERS = re.compile(rb"[0-9a-fA-F-]{8,}|\d+")
"""What is another one in every answer: identifiers, numbers, times."""


_QUOTED = re.compile(r"(['\"`])(.*?)\1")


class Findings:
    """Numbers findings, and gathers where each of them shows."""

    def __init__(self) -> None:
        self._by_id: dict[str, Finding] = {}
        self._crashes: dict[tuple[str, bytes], str] = {}
        """Findings by the operation and the words of a server error."""

    def add(self, finding: Finding) -> Finding | None:
        """A finding as it is to be told: new, or known and seen elsewhere; None where nothing
        is new about it."""
        finding = _overwriting(self._crash(finding))
        known = self._by_id.get(finding.id)
        if known is None:
            told = titled(replace(finding, number=len(self._by_id) + 1))
        else:
            sightings = merged(finding.complaint.check, *known.sightings, *finding.sightings)
            if len(sightings) == len(known.sightings):
                return None
            level = worst(known.level, finding.level)
            told = titled(replace(known, sightings=sightings, level=level, seen=known.seen + 1))
        self._by_id[finding.id] = told
        return told

    def _crash(self, finding: Finding) -> Finding:
        """A server error under the name of the fault it comes from: words that tell something tell
        the same wherever they show, others at least that an operation falls over the same way,
        whether the call was to be refused or not."""
        complaint = finding.complaint
        if complaint.check != SERVER_ERROR or not finding.steps:
            return finding
        shown = sighting_of(finding.steps[-1], complaint)
        if words := _cause(shown.exchange):
            name = fingerprint((SERVER_ERROR, words, "", "5xx"))
            places = merged(complaint.check, *finding.sightings, shown)
            return replace(finding, id=name, sightings=places)
        reply = shown.exchange.reply if shown.exchange is not None else None
        if complaint.about or not isinstance(reply, Response) or not reply.body:
            return finding
        key = shown.operation, b"%d " % reply.status + _DIFFERS.sub(b"", reply.body)
        return replace(finding, id=self._crashes.setdefault(key, finding.id))

    def all(self) -> tuple[Finding, ...]:
        """Every finding so far."""
        return tuple(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)


def _cause(exchange: Exchange | None) -> str:
    """The fault behind a server error, where it can be known: what a service does not implement
    is one thing about it, however many operations need it and whatever each says."""
    if exchange is not None and exchange.status == HTTPStatus.NOT_IMPLEMENTED:
        return str(exchange.status)
    return _without_inputs(telling(crash_said(exchange)), exchange)


def _without_inputs(words: str, exchange: Exchange | None) -> str:
    """The words of a crash without what they quote of the request, which is another each time."""
    if exchange is None:
        return words
    body = (exchange.request.body or b"").decode("utf-8", "replace")
    sent = f"{unquote(exchange.request.url)}\n{body}"
    return _QUOTED.sub(lambda it: "?" if it[2] == "?" or it[2] in sent else it[0], words)


def _overwriting(finding: Finding) -> Finding:
    """A creation that is accepted under an identifier which is taken: one habit of a service, as
    far as nobody but inference forbids it."""
    complaint, inferred = finding.complaint, {Provenance.INFERRED, Provenance.LEARNED}
    taken = complaint.check == ACCEPTED and forbids_what_is_there(complaint.promised)
    if not taken or complaint.provenance not in inferred or not finding.steps:
        return finding
    shown = replace(sighting_of(finding.steps[-1], complaint), text=finding.title)
    name = fingerprint((ACCEPTED, "taken", "", ""))
    return replace(finding, id=name, sightings=merged(complaint.check, shown))


def merged(check: str, *sightings: Sighting) -> tuple[Sighting, ...]:
    """Each place once, the first exchange of it."""
    found: dict[tuple[str, str], Sighting] = {}
    for one in sightings:
        # The same field may hold something else each time.
        found.setdefault((one.operation, "" if check in ANYWHERE else one.text), one)
    return tuple(found.values())


def sighting_of(judged: Judged, complaint: Complaint) -> Sighting:
    """Where a call shows what a complaint is about."""
    known = (*judged.reads, *([judged.exchange] if judged.exchange else []))
    shown = next((one for one in known if one.number in complaint.exchanges), judged.exchange)
    operation = complaint.operation or judged.operation
    return Sighting(operation, _text(complaint, shown), shown)


def _text(complaint: Complaint, shown: Exchange | None) -> str:
    status = shown.status if shown is not None else None
    if complaint.check == UNDOCUMENTED_STATUS:
        return f"answered {status}"
    return f"{complaint.happened}, in a {status}"


def titled(finding: Finding) -> Finding:
    """The finding with a title that says where it shows, if it can show in several places."""
    complaint, places = finding.complaint, finding.sightings
    several = len({one.operation for one in places})
    match complaint.check:
        case "undocumented-status" if several > 1:
            answered = f"{complaint.about} is answered by {several} operations"
            title = f"{answered} and declared by none of them"
        case "response-schema" if several > 1:
            title = _broken(complaint.happened, several)
        case "unreadable-body" if several > 1:
            title = f"{several} operations fall over a body that cannot be read ({complaint.about})"
        case "server-error" if several > 1:
            shown = next((one.exchange for one in places if one.exchange is not None), None)
            status = shown.status if shown is not None else finding.status
            unmade = status == HTTPStatus.NOT_IMPLEMENTED
            said = "they are not implemented" if unmade else telling(crash_said(shown))
            title = f"{several} operations answer {status}: {said}"
        case "accepted" if several > 1:
            title = f"{several} operations create something under an identifier that is taken"
        case "accepted-wrong" if several > 1:
            title = f"{several} operations accept what their schemas forbid: {_mistakes(places)}"
        case "accepted-wrong" if places:
            title = f"{complaint.happened}: {_mistakes(places)}"
        case _:
            return finding
    return replace(finding, title=title)


def _broken(happened: str, operations: int) -> str:
    """Such as: Pet.name is null in answers of 4 operations; the schema wants a string."""
    what, semicolon, wanted = happened.partition(WANTS)
    return f"{what} in answers of {operations} operations{semicolon}{wanted}"


def _mistakes(places: tuple[Sighting, ...]) -> str:
    """What is accepted, by place: query limit (fraction, negative), body (empty) and 3 more."""
    kinds: dict[str, dict[str, None]] = {}
    for one in places:
        place, _, kind = one.text.partition(": ")
        kinds.setdefault(place, {})[kind] = None
    texts = [f"{place} ({', '.join(some)})" for place, some in kinds.items()]
    more = f" and {len(texts) - _NAMED} more" if len(texts) > _NAMED else ""
    return ", ".join(texts[:_NAMED]) + more
