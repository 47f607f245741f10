"""Dialects of PATCH: a service that refuses one and says which it takes is spoken to in that.

JSON, JSON merge patch (RFC 7396) and JSON patch (RFC 6902) say the same of the fields of an object.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from icepick.execute.types import Exchange, Request, Response
from icepick.inputs.bodies import patch_steps
from icepick.openapi.types import JSON_PATCH, Json

_MERGE_PATCH = "application/merge-patch+json"
_UNSUPPORTED = 415


class Dialects:
    """The operations that were seen to want another dialect than the one they were spoken to in."""

    def __init__(self) -> None:
        self._spoken: dict[str, str] = {}

    def learned(self) -> Iterator[tuple[str, str]]:
        """Those operations, and what there is to say."""
        for operation, kind in self._spoken.items():
            yield operation, f"takes {kind} alone: it answers {_UNSUPPORTED} to what is declared"

    def translated(self, request: Request, operation: str | None) -> Request:
        """A request in the dialect that its operation is known to take."""
        kind = self._spoken.get(operation or "")
        return request if kind is None else in_dialect(request, kind) or request

    def better(self, exchange: Exchange) -> Request | None:
        """A refused request in a dialect that the service says it takes."""
        reply = exchange.reply
        if exchange.request.method != "PATCH" or not isinstance(reply, Response):
            return None
        taken = reply.header("Accept-Patch") if reply.status == _UNSUPPORTED else None
        for kind in _by_ease(taken or ""):
            if kind != _kind_of(exchange.request):
                return in_dialect(exchange.request, kind)
        return None

    def note(self, exchange: Exchange) -> bool:
        """Take in what became of a request in another dialect; whether it was understood."""
        if exchange.operation is None or exchange.status == _UNSUPPORTED:
            return False
        self._spoken[exchange.operation] = _kind_of(exchange.request)
        return True


def in_dialect(request: Request, kind: str) -> Request | None:
    """The same change under another content type; None where it cannot be said."""
    body = _object(request.body)
    if body is None or _kind_of(request) == JSON_PATCH:
        return None
    sent = patch_steps(body) if kind == JSON_PATCH else body
    kept = tuple(pair for pair in request.headers if pair[0].lower() != "content-type")
    content = json.dumps(sent, ensure_ascii=False).encode()
    return replace(request, headers=(*kept, ("Content-Type", kind)), body=content)


def _object(content: bytes | None) -> dict[str, Json] | None:
    try:
        found = json.loads(content or b"")
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _by_ease(taken: str) -> list[str]:
    """The content types of JSON among these, those that say the least differently first."""
    kinds = [one.split(";", maxsplit=1)[0].strip().lower() for one in taken.split(",")]
    plain = [one for one in kinds if one.endswith(("/json", "+json"))]
    return sorted(plain, key=lambda one: (one == JSON_PATCH, one != _MERGE_PATCH))


def _kind_of(request: Request) -> str:
    named = {name.lower(): value for name, value in request.headers}
    return named.get("content-type", "").split(";", maxsplit=1)[0].strip().lower()
