"""Refusals of the shop: problem documents as in RFC 9457."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from aiohttp import web

from icepick.demo.http import Refusal

TITLES = {
    400: "Malformed Body",
    401: "Unauthorized",
    404: "Not Found",
    409: "Conflict",
    412: "Precondition Failed",
    413: "Body Too Large",
    415: "Wrong Content Type",
    422: "Invalid Input",
}


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field; the message names it."""

    field: str
    message: str


class Problem(Refusal):
    """A refusal that is answered as a problem document."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        errors: Sequence[FieldError] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, detail, headers=headers)
        self.errors = tuple(errors)

    def response(self) -> web.Response:
        """The answer, as `application/problem+json`."""
        return web.Response(
            status=self.status,
            text=json.dumps(self._body()),
            content_type="application/problem+json",
            headers=self.headers,
        )

    def _body(self) -> dict[str, Any]:
        body: dict[str, Any] = {
            "type": "about:blank",
            "title": TITLES[self.status],
            "status": self.status,
            "detail": self.message,
        }
        if self.errors:
            body["errors"] = [asdict(error) for error in self.errors]
        return body


def refuse_if(status: int, errors: Sequence[FieldError]) -> None:
    """Raise a problem that lists the errors, if there are any."""
    if errors:
        detail = "; ".join(error.message for error in errors)
        raise Problem(status, detail, errors=errors)


def not_found(kind: str, key: str) -> Problem:
    """The problem of an id that nothing has."""
    return Problem(404, f"there is no {kind} {key!r}")


def unauthorized(detail: str) -> Problem:
    """The problem of a missing or wrong login."""
    return Problem(401, detail, headers={"WWW-Authenticate": 'Bearer realm="shop"'})
