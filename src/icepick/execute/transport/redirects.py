"""Redirects: which answers are followed, and where to. Never to another origin."""

from __future__ import annotations

from urllib.parse import SplitResult, urljoin, urlsplit

from icepick.execute.types import Request, Response

_KEEPING = (307, 308)
_READING = (301, 302, 303)
_PORTS = {"http": 80, "https": 443}


def followed(request: Request, response: Response) -> bool:
    """Whether an answer sends this request somewhere else.

    A 301, 302 or 303 to anything but a read means "done, look there", which is an answer.
    """
    if response.status in _KEEPING:
        return response.header("Location") is not None
    reads = request.method in {"GET", "HEAD"}
    return reads and response.status in _READING and response.header("Location") is not None


def target(request: Request, response: Response) -> str | None:
    """The address that a followed answer leads to; None where it is no http(s) address."""
    try:
        url = urljoin(request.url, (response.header("Location") or "").strip())
        found = origin(url)
    except ValueError:
        return None
    return url.partition("#")[0] if found is not None else None


def origin(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port, by which two addresses mean one server; None for no http(s) URL."""
    parts: SplitResult = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme]


def same_origin(one: str, other: str) -> bool:
    """Whether two addresses mean one server."""
    try:
        return origin(one) == origin(other)
    except ValueError:
        return False
