"""Changes on condition: a service that wants an entity tag with a change is given the right one.

To want If-Match is a convention. What a tag that does not fit brings about is a law, which is
looked at elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from icepick.execute.types import Exchange, Request, Response
from icepick.openapi.types import Operation, ParameterLocation

IF_MATCH = "If-Match"
_CONDITION = IF_MATCH.lower()
CHANGING = frozenset({"PUT", "PATCH", "DELETE"})
"""The methods whose calls may be made on condition."""

_REQUIRED, _FAILED = 428, 412
"""Precondition Required, and Precondition Failed."""


class Matching:
    """The operations that were seen to want an entity tag."""

    def __init__(self) -> None:
        self._wanting: dict[str, int | None] = {}

    def declares(self, operation: str) -> None:
        """The document says that an operation takes a tag, and a call was to have one."""
        self._wanting.setdefault(operation, None)

    def learned(self) -> Iterator[tuple[str, str]]:
        """The operations that want one though no call was to have it, and what there is to say."""
        for operation, status in self._wanting.items():
            if status is not None:
                yield operation, f"wants {IF_MATCH}: without an entity tag, it answers {status}"

    def wants(self, request: Request, operation: str | None) -> bool:
        """Whether a request is to have a tag that it has not got."""
        return operation in self._wanting and _is_bare(request)

    def asks(self, exchange: Exchange) -> bool:
        """Whether an answer asks for a tag."""
        return exchange.status in {_REQUIRED, _FAILED} and _is_bare(exchange.request)

    def note(self, before: Exchange, after: Exchange) -> bool:
        """Take in what became of a request with a tag; whether it was what had been missing."""
        if before.operation is None or after.status in {_REQUIRED, _FAILED}:
            return False
        self._wanting[before.operation] = before.status
        return True


def without_condition(request: Request) -> Request:
    """A request without the tag that somebody made up for it."""
    if _has_condition(request):
        kept = tuple(pair for pair in request.headers if pair[0].lower() != _CONDITION)
        return replace(request, headers=kept)
    return request


def on_condition(request: Request, tag: str) -> Request:
    """The request with an entity tag."""
    others = without_condition(request).headers
    return replace(request, headers=(*others, (IF_MATCH, tag)))


def asks_for_tag(operation: Operation) -> bool:
    """Whether the document says that an operation takes nothing without a tag."""
    headers = [one for one in operation.parameters if one.location is ParameterLocation.HEADER]
    return any(one.required and one.name.lower() == _CONDITION for one in headers)


def tag_in(exchange: Exchange) -> str | None:
    """The entity tag of what was read."""
    reply = exchange.reply
    good = isinstance(reply, Response) and 200 <= reply.status < 300
    return reply.header("ETag") if good and isinstance(reply, Response) else None


def _is_bare(request: Request) -> bool:
    return request.method in CHANGING and not _has_condition(request)


def _has_condition(request: Request) -> bool:
    return _CONDITION in [name.lower() for name, _ in request.headers]
