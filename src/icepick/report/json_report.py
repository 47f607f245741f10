"""The record of a run as one JSON value, for other programs."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from icepick.execute.types import Complaint, Exchange, Finding, Judged, Request, Response
from icepick.openapi.types import Json
from icepick.report.advice import advice
from icepick.report.curl import short_curl_lines
from icepick.report.text import clean, decoded
from icepick.report.types import ModelRecord, OperationRecord, RunRecord

FORMAT = "icepick-report/1"
LONGEST_BODY = 65_536


def to_json(record: RunRecord, known: Collection[str] = ()) -> dict[str, Json]:
    """Everything of a run; findings whose ids are `known` from a baseline are marked."""
    found: dict[str, Json] = {
        "format": FORMAT,
        "run": _run(record),
        "hint": "; ".join(advice(record)) or None,
        "verdicts": {str(verdict): count for verdict, count in record.verdicts.items()},
        "requests": record.requests,
        "saved": record.saved,
        "operations": [_operation(operation) for operation in record.operations],
        "models": [_model(model) for model in record.models],
        "clauses": [asdict(clause) for clause in record.clauses],
        "findings": [_finding(finding, known) for finding in record.findings],
        "unconfirmed": [
            {
                "id": each.id,
                "title": each.title,
                "operation": each.operation,
                "label": each.label,
                "complaint": _complaint(each.complaint),
                "attempts": each.attempts,
                "seen": each.seen,
            }
            for each in record.unconfirmed
        ],
        "not_tested": dict(record.not_tested),
        "notes": [asdict(note) for note in record.notes],
        "life_cycles": [{**asdict(life), "whole": life.is_whole} for life in record.life_cycles],
        "left_behind": [asdict(left) for left in record.left_behind],
    }
    cleaned: dict[str, Json] = _cleaned(found)
    return cleaned


def _cleaned(value: Any) -> Any:
    """The value without halves of characters, and with every key a text."""
    match value:
        case str():
            return clean(value)
        case Mapping():
            return {clean(str(key)): _cleaned(item) for key, item in value.items()}
        case list() | tuple():
            return [_cleaned(item) for item in value]
    return value


def _run(record: RunRecord) -> dict[str, Json]:
    return {
        "id": record.id,
        "version": record.version,
        "schema": record.schema,
        "title": record.title,
        "url": record.url,
        "seed": record.seed,
        "started": record.started,
        "seconds": record.seconds,
        "ending": record.ending and record.ending.value,
        "ending_text": record.ending_text,
        "settings": record.settings,
    }


def _operation(operation: OperationRecord) -> dict[str, Json]:
    return {**asdict(operation), "succeeded": operation.succeeded}


def _model(model: ModelRecord) -> dict[str, Json]:
    return {
        "name": model.name,
        "sizes": model.sizes,
        "coverage": {name: asdict(part) for name, part in model.parts.items()},
        "gaps": [
            {"what": what, "number": number, "reason": why} for what, number, why in model.gaps
        ],
    }


def _finding(finding: Finding, known: Collection[str]) -> dict[str, Json]:
    return {
        "id": finding.id,
        "number": finding.number,
        "known": finding.id in known,
        "level": finding.level.value,
        "title": finding.title,
        "operation": finding.operation,
        "label": finding.label,
        "action": finding.action,
        "status": finding.status,
        "complaint": _complaint(finding.complaint),
        "original": finding.original,
        "seen": finding.seen,
        "sightings": [
            {"operation": one.operation, "text": one.text, "exchange": _shown(one.exchange)}
            for one in finding.sightings
        ],
        "steps": [_step(step) for step in finding.steps],
        "curl": short_curl_lines(finding, LONGEST_BODY),
    }


def _complaint(complaint: Complaint) -> dict[str, Json]:
    return {
        "check": complaint.check,
        "level": complaint.level.value,
        "promised": complaint.promised,
        "happened": complaint.happened,
        "provenance": complaint.provenance.value,
        "about": complaint.about,
        "bindings": complaint.bindings,
        "exchanges": complaint.exchanges,
        "operation": complaint.operation,
    }


def _step(step: Judged) -> dict[str, Json]:
    return {
        "label": step.label,
        "operation": step.operation,
        "kind": step.kind,
        "verdict": step.verdict.value,
        "reason": step.reason,
        "exchange": _shown(step.exchange),
        "reads": [_exchange(read) for read in step.reads],
    }


def _shown(exchange: Exchange | None) -> dict[str, Json] | None:
    return None if exchange is None else _exchange(exchange)


def _exchange(exchange: Exchange) -> dict[str, Json]:
    reply = exchange.reply
    found: dict[str, Json] = {
        "number": exchange.number,
        "at": exchange.at,
        "purpose": exchange.purpose.value,
        "request": _request(exchange.request),
    }
    if isinstance(reply, Response):
        answer = {"status": reply.status, "headers": reply.headers, "seconds": reply.seconds}
        cut = {"redirects": reply.redirects, "truncated": reply.truncated}
        return found | {"response": {**answer, **cut, **_body(reply.body)}}
    return found | {"failure": {"kind": reply.kind.value, "message": reply.message}}


def _request(request: Request) -> dict[str, Json]:
    body = {} if request.body is None else _body(request.body)
    return {"method": request.method, "url": request.url, "headers": request.headers, **body}


def _body(body: bytes) -> dict[str, Json]:
    """As text where it is text; what is longer than the limit is cut and says so."""
    kept = body[:LONGEST_BODY]
    text = decoded(body)
    cut = {"size": len(body), "cut": True} if len(body) > LONGEST_BODY else {}
    if text is not None:
        return {"text": kept.decode("utf-8", "ignore"), **cut}
    return {"base64": b64encode(kept).decode(), **cut}
