"""The bodies of answers, those too that never end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping

from aiohttp import StreamReader

from icepick.execute.transport.settings import HttpSettings
from icepick.execute.types import Request

_KNOWN_STREAM = 0.5
_MOST_REMEMBERED = 1_000
_DIGIT = re.compile(r"[0-9]")


class Bodies:
    """Reads bodies. Where one did not end, the next one is not waited for as long."""

    def __init__(self, settings: HttpSettings) -> None:
        self._settings = settings
        self._endless: set[tuple[str, str]] = set()

    async def whole(
        self, request: Request, content: StreamReader, headers: Mapping[str, str]
    ) -> tuple[bytes, bool]:
        """A body, and whether it was cut: one that says nothing of its length may never end, and
        is taken as far as it came in some seconds."""
        limit = self._settings.max_body
        if "Content-Length" in headers:
            return await _whole(content, limit, [])
        found: list[bytes] = []
        kind = request.method, _shape(request.url)
        known = kind in self._endless
        try:
            seconds = self._settings.stream
            async with asyncio.timeout(min(_KNOWN_STREAM, seconds) if known else seconds):
                return await _whole(content, limit, found)
        except TimeoutError:
            if len(self._endless) < _MOST_REMEMBERED:
                self._endless.add(kind)
            return b"".join(found), True


async def _whole(content: StreamReader, limit: int, parts: list[bytes]) -> tuple[bytes, bool]:
    body = await content.readany()
    if content.at_eof() and len(body) <= limit:
        return body, False
    parts.append(body)
    size = len(body)
    while size <= limit and not content.at_eof():
        parts.append(await content.readany())
        size += len(parts[-1])
    return b"".join(parts)[:limit], size > limit


def _shape(url: str) -> str:
    """An address without what may be an identifier: one stream is like the next."""
    path = url.partition("?")[0].split("/")
    return "/".join("*" if _DIGIT.search(part) else part for part in path[3:])
