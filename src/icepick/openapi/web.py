"""Fetch over HTTP: never by another protocol, and secrets go only to the host they are for."""

from __future__ import annotations

import base64
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import replace
from email.message import Message
from http.client import HTTPException
from typing import IO
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from icepick.errors import Code, DocumentError, Place
from icepick.openapi.options import ReadOptions

_PAUSE_SECONDS = 0.2
_ACCEPT = "application/json, application/yaml, text/yaml, */*;q=0.5"
_PORTS = {"http": 80, "https": 443}


def is_url(location: str) -> bool:
    """Whether a location is fetched over HTTP rather than read from a file."""
    return location.lower().startswith(("http://", "https://"))


def signed_in(url: str, options: ReadOptions) -> tuple[str, ReadOptions]:
    """User and password moved out of a URL into a header, so that no message shows them."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url, options
    if "@" not in parts.netloc:
        return url, options
    bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    if any(name.lower() == "authorization" for name in options.headers):
        return bare, options
    pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    token = base64.b64encode(pair.encode()).decode()
    return bare, replace(options, headers={**options.headers, "Authorization": f"Basic {token}"})


def same_host(one: str, other: str) -> bool:
    """Whether both URLs mean one server; going from http to https on it makes no difference."""
    first, second = urlsplit(one), urlsplit(other)
    if first.hostname != second.hostname:
        return False
    if first.scheme == second.scheme:
        return _port(first) == _port(second)
    return first.scheme == "http" and (_port(first), _port(second)) == (80, 443)


def _port(parts: SplitResult) -> int | None:
    return parts.port or _PORTS.get(parts.scheme)


def get(url: str, options: ReadOptions, *, stay: bool) -> tuple[bytes, str]:
    """What a URL answers, one byte more than the limit at most, and where it came from in the end.

    With `stay`, a redirect to another host is refused.
    """
    deadline = time.monotonic() + options.wait_seconds
    while True:
        try:
            return _get_once(url, options, stay)
        except DocumentError:
            if time.monotonic() >= deadline:
                raise
        time.sleep(_PAUSE_SECONDS)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows to http(s) only, and drops the caller's headers on the way to another host."""

    def __init__(self, private: Mapping[str, str], stay: bool) -> None:
        self._private = private
        self._stay = stay

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Message,
        newurl: str,
    ) -> urllib.request.Request | None:
        elsewhere = not is_url(newurl) or not same_host(req.full_url, newurl)
        if not is_url(newurl) or (self._stay and elsewhere):
            reason = f"and redirects to {newurl}, which icepick does not follow"
            raise urllib.error.HTTPError(req.full_url, code, reason, headers, fp)
        following = super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]
        if following is not None and elsewhere:
            for name in self._private:
                following.remove_header(name.capitalize())
        return following


def _get_once(url: str, options: ReadOptions, stay: bool) -> tuple[bytes, str]:
    headers = {"Accept": _ACCEPT, "User-Agent": "icepick", **options.headers}
    place = Place(url)
    opener = urllib.request.build_opener(_Redirects(options.headers, stay))
    try:
        request = urllib.request.Request(url, headers=headers)  # noqa: S310 - http(s) only
        with opener.open(request, timeout=options.timeout_seconds) as answer:
            return answer.read(options.max_bytes + 1), answer.geturl()
    except urllib.error.HTTPError as error:
        error.close()
        raise DocumentError(
            Code.HTTP_STATUS,
            f"{url} answers {error.code} {error.reason}",
            place=place,
            hint="is this the address of the document itself, and does it need a --header?",
        ) from error
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise DocumentError(
            Code.UNREACHABLE,
            f"cannot fetch {url}: {reason}",
            place=place,
            hint="is the service running? --wait-for-schema N waits up to N seconds for it",
        ) from error
