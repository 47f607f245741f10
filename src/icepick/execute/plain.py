"""Simple requests over plain HTTP on kept connections, without what a session adds to them.

A session of aiohttp takes twice the time of its protocol and its parser; most requests need no
more than those two. Whatever is not simple (TLS, proxies, odd headers or addresses, long bodies,
a service that cannot be reached) is left to the session.
"""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass

from aiohappyeyeballs import AddrInfoType, start_connection
from aiohttp import ClientOSError, ServerDisconnectedError, StreamReader
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ClientRequest
from aiohttp.http import RawResponseMessage

from icepick.execute.settings import LARGEST_FIELD, BrokenConnectionError, HttpSettings
from icepick.execute.types import Headers, Request

_ADDRESS = re.compile(
    r"http://(?P<host>[a-z0-9.-]+|\[[0-9a-f:]+\])(?::(?P<port>[0-9]{1,5}))?(?P<target>/[!\"$-~]*)?"
)
_METHOD = re.compile(r"[A-Z]+")
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t -~]*")
_NOT_SIMPLE = frozenset(
    {"connection", "content-length", "expect", "host", "te", "trailer", "transfer-encoding"}
    | {"keep-alive", "upgrade"}
)
_LONG_BODY = 60_000
_LONGEST_IDLE = 15.0
_MOST_HEADS = 200
_LAST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class Received:
    """An answer as it came; `truncated` where its body is longer than what is wanted of it."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    truncated: bool


class Plain:
    """Connections to services, used again and again; at most as many at once as a session has."""

    def __init__(self, settings: HttpSettings) -> None:
        self._settings = settings
        self._free = asyncio.Semaphore(settings.workers)
        self._kept: dict[tuple[str, int], list[tuple[ResponseHandler, float]]] = {}
        self._open: set[ResponseHandler] = set()
        self._heads: dict[Headers, bytes | None] = {}

    async def ask(self, request: Request, headers: Headers) -> Received | None:
        """Send a request and read its answer; None, and nothing is sent, where it is not simple.

        Raises what a session of aiohttp would, and its parser's own errors.
        """
        found = _ADDRESS.fullmatch(request.url)
        if found is None or not _METHOD.fullmatch(request.method):
            return None
        fields = self._fields(headers)
        port = int(found["port"] or 80)
        body = request.body
        if fields is None or not 0 < port <= _LAST_PORT or len(body or b"") > _LONG_BODY:
            return None
        host = found["host"] if port == 80 else f"{found['host']}:{port}"
        first = f"{request.method} {found['target'] or '/'} HTTP/1.1\r\nHost: {host}\r\n"
        message = first.encode("ascii") + fields + _length(request) + b"\r\n" + (body or b"")
        async with self._free, asyncio.timeout(self._settings.request_timeout):
            return await self._exchanged((found["host"].strip("[]"), port), request, message)

    async def aclose(self) -> None:
        """Close all connections, those too that somebody still waits at."""
        for protocol in self._open:
            protocol.close()
        self._open.clear()
        self._kept.clear()
        await asyncio.sleep(0)

    def _fields(self, headers: Headers) -> bytes | None:
        """The lines of the headers, most of which come again and again."""
        if headers not in self._heads:
            if len(self._heads) >= _MOST_HEADS:
                self._heads.clear()
            self._heads[headers] = _lines(headers, self._settings.user_agent)
        return self._heads[headers]

    async def _exchanged(
        self, where: tuple[str, int], request: Request, message: bytes
    ) -> Received | None:
        kept = self._kept.setdefault(where, [])
        protocol = self._still_good(kept)
        reused = protocol is not None
        if protocol is None:
            protocol = await _opened(*where)
        if protocol is None:
            return None
        self._open.add(protocol)
        try:
            head, content = await _answer(protocol, request, message, reused=reused)
            received = await self._received(head, content)
        except BaseException:
            self._drop(protocol)
            raise
        if protocol.is_connected() and not protocol.should_close:
            kept.append((protocol, time.monotonic()))
        else:
            self._drop(protocol)
        return received

    def _still_good(self, kept: list[tuple[ResponseHandler, float]]) -> ResponseHandler | None:
        """A connection that can be used again."""
        now = time.monotonic()
        while kept:
            protocol, since = kept.pop()
            # Whoever speaks without being asked is not to be taken for the next answer.
            good = protocol.is_connected() and not protocol.should_close
            if good and now - since < _LONGEST_IDLE:
                return protocol
            self._drop(protocol)
        return None

    def _drop(self, protocol: ResponseHandler) -> None:
        self._open.discard(protocol)
        protocol.close()

    async def _received(self, head: RawResponseMessage, content: StreamReader) -> Received:
        if head.code == 101:
            return Received(head.code, head.raw_headers, b"", truncated=False)
        body, cut = await whole(content, self._settings.max_body)
        return Received(head.code, head.raw_headers, body, cut)


async def whole(content: StreamReader, limit: int) -> tuple[bytes, bool]:
    """A body, and whether it was cut."""
    body = await content.readany()
    if content.at_eof() and len(body) <= limit:
        return body, False
    parts, size = [body], len(body)
    while size <= limit and not content.at_eof():
        parts.append(await content.readany())
        size += len(parts[-1])
    return b"".join(parts)[:limit], size > limit


def _length(request: Request) -> bytes:
    if request.body:
        return b"Content-Length: %d\r\n" % len(request.body)
    says_zero = request.body is not None or request.method not in ClientRequest.GET_METHODS
    return b"Content-Length: 0\r\n" if says_zero else b""


def _lines(headers: Headers, agent: str) -> bytes | None:
    """Headers as they are sent; None where one of them is not simple."""
    known = {name.lower() for name, _ in headers}
    usual = (*ClientRequest.DEFAULT_HEADERS.items(), ("User-Agent", agent))
    every = (*headers, *(pair for pair in usual if pair[0].lower() not in known))
    if known & _NOT_SIMPLE:
        return None
    if not all(_NAME.fullmatch(name) and _VALUE.fullmatch(value) for name, value in every):
        return None
    return "".join(f"{name}: {value}\r\n" for name, value in every).encode("ascii")


async def _opened(host: str, port: int) -> ResponseHandler | None:
    """A new connection; None where there is none: the session finds the words for that."""
    loop = asyncio.get_running_loop()
    try:
        found = _numeric(host, port) or await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # asyncio's own way to try several addresses can lose a socket when it is cancelled.
        connected = await start_connection(found, happy_eyeballs_delay=0.25)
    except (OSError, ValueError):
        return None
    try:
        _, protocol = await loop.create_connection(lambda: ResponseHandler(loop), sock=connected)
    except BaseException:
        connected.close()
        raise
    return protocol


def _numeric(host: str, port: int) -> Sequence[AddrInfoType]:
    """The address of a host without a name, for which nobody need be asked in another thread."""
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except socket.gaierror:
        return []


async def _answer(
    protocol: ResponseHandler, request: Request, message: bytes, *, reused: bool
) -> tuple[RawResponseMessage, StreamReader]:
    protocol.set_response_params(
        skip_payload=request.method == "HEAD", read_until_eof=True,
        max_line_size=LARGEST_FIELD, max_field_size=LARGEST_FIELD,
    )  # fmt: skip
    if protocol.transport is not None:
        protocol.transport.write(message)
    try:
        while True:
            head, content = await protocol.read()
            if not 100 <= head.code <= 199 or head.code == 101:
                return head, content
    except (ServerDisconnectedError, ClientOSError) as error:
        raise BrokenConnectionError(error, reused=reused) from error
