"""What a test of a finding can assert, worked out from what was promised and what was seen."""

from __future__ import annotations

import re
from dataclasses import dataclass

from icepick.errors import ContractError
from icepick.execute.judging.blame import ACCEPTED, ENSURES, INVARIANT
from icepick.execute.judging.inspect import (
    BROKEN_JSON,
    CONTENT_TYPE,
    MISSING_HEADER,
    RESPONSE_SCHEMA,
    UNDOCUMENTED_STATUS,
)
from icepick.execute.laws.frame import READ_BACK
from icepick.execute.types import Complaint, Exchange, Finding, Response
from icepick.glacier import parse_formula
from icepick.glacier.tree import Formula
from icepick.openapi.source import path_of
from icepick.openapi.types import Json
from icepick.report.captures import Path
from icepick.report.text import parsed

_CODES = re.compile(r"\b([1-5](?:\d\d|xx))\b", re.IGNORECASE)
_NOT_OF_TYPE = re.compile(r" is not of types? ((?:\"\w+\"(?:, )?)+)$")
_REQUIRED = re.compile(r"[\"']([^\"']+)[\"'] is a required property$")
_POSITION = {"#", "[]"}
_CLAUSES = {ACCEPTED, ENSURES, INVARIANT}


@dataclass(frozen=True, slots=True)
class Statuses:
    """The answer to `exchange` must have one of these: codes, or classes such as 4xx."""

    exchange: Exchange
    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """There must be an answer, and it must be no 5xx."""

    exchange: Exchange


@dataclass(frozen=True, slots=True)
class Typed:
    """What stands at a path of the answer must be there and of one of these JSON types."""

    exchange: Exchange
    path: Path
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Different:
    """Not all of these answers may be what they were when the fault was found."""

    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class ReadsBack:
    """The answer must have what was sent in the fields that it shares with it."""

    exchange: Exchange
    sent: bytes


@dataclass(frozen=True, slots=True)
class Header:
    """The answer must have a header, with one of these values where some are given."""

    exchange: Exchange
    name: str
    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parsed:
    """The body must be JSON."""

    exchange: Exchange


@dataclass(frozen=True, slots=True)
class Clause:
    """A formula of a contract must hold after the call, or the call is refused if it did not."""

    formula: Formula
    required: bool = False


@dataclass(frozen=True, slots=True)
class Undecided:
    """What was recorded is too little to tell the fault from a correct answer."""


Promise = Clause | Undecided | Statuses | Answered | Typed | ReadsBack | Header | Parsed | Different


def promise_of(finding: Finding) -> Promise | None:
    """The most telling thing that can be asserted; None where the last call was never made."""
    last = finding.steps[-1].exchange if finding.steps else None
    if last is None:
        return None
    if last.status is None or last.status >= 500:
        return Answered(last)
    blamed = _blamed(finding, last)
    if blamed is not None:
        found = _of_answer(blamed, finding.complaint)
        if found is not None:
            return found
    return _expected(finding, last)


def _blamed(finding: Finding, last: Exchange) -> Exchange | None:
    """The one answer that is at fault, where it is one: the call's, or that of a read."""
    named = shown(finding)
    after = [exchange for exchange in named if exchange.number >= last.number]
    return after[0] if len(named) == len(after) == 1 else None


def _of_answer(exchange: Exchange, complaint: Complaint) -> Promise | None:
    """What can be said of an answer alone."""
    status, check = exchange.status, complaint.check
    if status is not None and status >= 500:
        return Answered(exchange)
    if check == UNDOCUMENTED_STATUS:
        text = complaint.promised.rpartition(" answers ")[2]
        codes = tuple(code.lower() for code in _CODES.findall(text))
        return Statuses(exchange, codes) if codes and not _fits(status or 0, codes) else None
    if check == CONTENT_TYPE:
        kinds = complaint.promised.removeprefix("a body of ").split(", ")
        return Header(exchange, "Content-Type", tuple(kinds))
    if check == MISSING_HEADER:
        return Header(exchange, complaint.about, ())
    if check == BROKEN_JSON:
        return Parsed(exchange)
    return _typed(exchange, complaint) if check == RESPONSE_SCHEMA else None


def shown(finding: Finding) -> tuple[Exchange, ...]:
    """The exchanges that show the fault, in their order."""
    last = finding.steps[-1]
    every = {read.number: read for step in finding.steps for read in step.reads}
    every |= {step.exchange.number: step.exchange for step in finding.steps if step.exchange}
    named = [every[n] for n in sorted(finding.complaint.exchanges) if n in every]
    after = last.exchange.number if last.exchange else 0
    reads = [read for read in last.reads if read.number > after]
    return tuple(named or [*([last.exchange] if last.exchange else []), *reads])


def _expected(finding: Finding, last: Exchange) -> Promise:
    """A call does what the model says, or is refused where the model or a contract says so."""
    if finding.complaint.check == ACCEPTED:
        return _clause(finding.complaint) or Statuses(last, ("4xx",))
    wanted = "4xx" if finding.steps[-1].kind == "refusal" else "2xx"
    if last.status is not None and not _fits(last.status, (wanted,)):
        return Statuses(last, (wanted,))
    if finding.complaint.check == READ_BACK:
        reads = [exchange for exchange in shown(finding) if exchange.number > last.number]
        return _reads_back(last, reads) or without_clause(finding)
    return _clause(finding.complaint) or without_clause(finding)


def _clause(complaint: Complaint) -> Clause | None:
    if complaint.check not in _CLAUSES:
        return None
    try:
        return Clause(parse_formula(complaint.promised), complaint.check == ACCEPTED)
    except ContractError:
        return None


def without_clause(finding: Finding) -> Promise:
    """What can be asserted of a clause that has no plain form."""
    last = finding.steps[-1].exchange
    if finding.complaint.check == ACCEPTED and last is not None:
        return Statuses(last, ("4xx",))
    every = {read.number for step in finding.steps for read in step.reads}
    every |= {step.exchange.number for step in finding.steps if step.exchange}
    named = finding.complaint.exchanges
    return Different(shown(finding)) if every.issuperset(named) else Undecided()


def _reads_back(last: Exchange, asked: list[Exchange]) -> Promise | None:
    sent = parsed(last.request.body)
    if last.request.body is None or not isinstance(sent, dict) or len(asked) != 1:
        return None
    reply = asked[0].reply
    value = parsed(reply.body) if isinstance(reply, Response) else None
    found: dict[str, Json] = value if isinstance(value, dict) else {}
    differs = any(sent[name] != found[name] for name in sent if name in found)
    return ReadsBack(asked[0], last.request.body) if differs else None


def _fits(status: int, allowed: tuple[str, ...]) -> bool:
    return any(code in (str(status), f"{status // 100}xx") for code in allowed)


def _typed(last: Exchange, complaint: Complaint) -> Promise | None:
    """What a validator said of one field, where it is about its type or its absence."""
    place, _, keyword = complaint.about.rpartition(" ")
    path = _path(place[place.find("/") :] if "/" in place else "", complaint.happened)
    if not isinstance(last.reply, Response) or path is None:
        return None
    if keyword == "required" and (missing := _REQUIRED.search(complaint.happened)):
        return Typed(last, (*path, missing[1]), ())
    if keyword == "type" and (wrong := _NOT_OF_TYPE.search(complaint.happened)):
        return Typed(last, path, tuple(re.findall(r"\w+", wrong[1])))
    return None


def _path(general: str, happened: str) -> Path | None:
    """The path of which `general` is the pointer without the positions, which only the text has."""
    parts = general.split("/")[1:]
    exact = "".join("/" + (r"\d+" if part in _POSITION else re.escape(part)) for part in parts)
    found = re.search(rf"(?:^|: )({exact}): ", happened) if parts else None
    if parts and found is None:
        return None
    names = path_of(found[1]) if found else ()
    return tuple(int(part) if part.isdigit() else part for part in names)
