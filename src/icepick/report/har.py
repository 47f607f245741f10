"""HAR 1.2: every exchange, for browsers and other tools. Written as it comes, never held whole."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TextIO
from urllib.parse import parse_qsl, urlsplit

from icepick.execute.events import Exchanged
from icepick.execute.types import Exchange, Failure, Headers, Reply, Request, Response
from icepick.openapi.types import Json
from icepick.report.text import clean, decoded

_REASONS = {200: "OK", 201: "Created", 204: "No Content", 400: "Bad Request", 404: "Not Found"}


def write_har(file: TextIO, exchanges: Iterable[Exchanged], version: str) -> int:
    """Write the exchanges to a file, and say how many there were."""
    creator = json.dumps({"name": "icepick", "version": version})
    file.write(f'{{"log": {{"version": "1.2", "creator": {creator}, "entries": [')
    count = 0
    for event in exchanges:
        file.write((",\n" if count else "\n") + json.dumps(har_entry(event)))
        count += 1
    file.write("\n]}}\n")
    return count


def har_entry(event: Exchanged) -> dict[str, Json]:
    """One exchange."""
    exchange = event.exchange
    elapsed = round(exchange.reply.seconds * 1000, 3)
    return {
        "startedDateTime": datetime.fromtimestamp(exchange.at, UTC).isoformat(),
        "time": elapsed,
        "request": _request(exchange.request),
        "response": _response(exchange.reply),
        "cache": {},
        "timings": {"send": 0, "wait": elapsed, "receive": 0},
        "comment": _comment(exchange, event.sequence),
    }


def _comment(exchange: Exchange, sequence: int | None) -> str:
    parts = [f"exchange {exchange.number}", str(exchange.purpose)]
    parts += [f"operation {exchange.operation}"] if exchange.operation else []
    parts += [f"sequence {sequence}"] if sequence is not None else []
    return clean(", ".join(parts))


def _request(request: Request) -> dict[str, Json]:
    query = parse_qsl(urlsplit(request.url).query, keep_blank_values=True)
    found: dict[str, Json] = {
        "method": request.method,
        "url": clean(request.url),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _headers(request.headers),
        "queryString": [{"name": clean(name), "value": clean(value)} for name, value in query],
        "headersSize": -1,
        "bodySize": len(request.body or b""),
    }
    if request.body:
        kinds = [value for name, value in request.headers if name.lower() == "content-type"]
        found["postData"] = {"mimeType": kinds[0] if kinds else "", **_posted(request.body)}
    return found


def _posted(body: bytes) -> dict[str, Json]:
    """HAR has no place for bytes in a request, so a field of our own says what the text is."""
    text = decoded(body)
    if text is not None:
        return {"text": text}
    return {"text": b64encode(body).decode(), "_encoding": "base64"}


def _response(reply: Reply) -> dict[str, Json]:
    match reply:
        case Response(status=status, headers=headers, body=body):
            found = _answer(status, headers, body)
            found["content"]["mimeType"] = reply.header("Content-Type") or ""
            found["redirectURL"] = clean(reply.header("Location") or "")
            return found | ({"comment": "the body was cut"} if reply.truncated else {})
        case Failure(kind=kind, message=message):
            return _answer(0, (), b"") | {"_error": clean(f"{kind}: {message}")}


def _answer(status: int, headers: Headers, body: bytes) -> dict[str, Json]:
    text = decoded(body)
    content: dict[str, Json] = {"size": len(body), "mimeType": "", "text": text}
    if text is None:
        content |= {"text": b64encode(body).decode(), "encoding": "base64"}
    return {
        "status": status,
        "statusText": _REASONS.get(status, ""),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _headers(headers),
        "content": content,
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": len(body),
    }


def _headers(headers: Headers) -> list[dict[str, str]]:
    return [{"name": clean(name), "value": clean(value)} for name, value in headers]
