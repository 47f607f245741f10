"""Simple requests over plain HTTP on kept connections, without what a session adds to them.

A session of aiohttp takes three times the time of a connection that knows the common answer at
sight; most requests need no more than that. Whatever is not simple (TLS, proxies, odd headers or
addresses, long bodies, a service that cannot be reached) is left to the session.
"""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from aiohappyeyeballs import AddrInfoType, start_connection
from aiohttp import ClientOSError, ServerDisconnectedError, StreamReader
from aiohttp.client_reqrep import ClientRequest
from aiohttp.http import RawResponseMessage

from icepick.execute.transport.bodies import Bodies
from icepick.execute.transport.limits import Slots
from icepick.execute.transport.quick import Connection, Received
from icepick.execute.transport.settings import BrokenConnectionError, HttpSettings
from icepick.execute.types import Headers, Request

_SCHEME = len("http://")
_ORIGIN = re.compile(r"http://(?P<host>[a-z0-9.-]+|\[[0-9a-f:]+\])(?::(?P<port>[0-9]{1,5}))?")
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})
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


class Where(NamedTuple):
    """A server, and what requests to it call it."""

    host: str
    port: int
    name: str


class Plain:
    """Connections to services, used again and again; at most as many at once as a session has."""

    def __init__(self, settings: HttpSettings) -> None:
        self._settings = settings
        self.bodies = Bodies(settings)
        self._slots = Slots(settings.workers)
        self._kept: dict[Where, list[tuple[Connection, float]]] = {}
        self._open: set[Connection] = set()
        self._heads: dict[Headers, bytes | None] = {}

    async def ask(self, request: Request, headers: Headers) -> Received | None:
        """Send a request and read its answer; None, and nothing is sent, where it is not simple.

        Raises what a session of aiohttp would, and its parser's own errors.
        """
        url, method, body = request.url, request.method, request.body
        split = url.find("/", _SCHEME)
        origin, target = (url, "/") if split < 0 else (url[:split], url[split:])
        where, fields = _where(origin), self._fields(headers)
        if where is None or fields is None or not _is_simple(target):
            return None
        if method not in _METHODS or (body and len(body) > _LONG_BODY):
            return None
        first = f"{method} {target} HTTP/1.1\r\nHost: {where.name}\r\n".encode("ascii")
        message = first + fields + _length(method, body) + b"\r\n" + (body or b"")
        if not self._slots.taken():
            await self._slots.take()
        try:
            return await self._exchanged(where, request, message)
        finally:
            self._slots.give()

    async def aclose(self) -> None:
        """Close all connections, those too that somebody still waits at."""
        for connection in self._open:
            connection.close()
        self._open.clear()
        self._kept.clear()
        await asyncio.sleep(0)

    def _fields(self, headers: Headers) -> bytes | None:
        """The lines of the headers, most of which come again and again."""
        found = self._heads.get(headers)
        if found is None:
            if len(self._heads) >= _MOST_HEADS:
                self._heads.clear()
            found = self._heads[headers] = _lines(headers, self._settings.user_agent)
        return found

    async def _exchanged(self, where: Where, request: Request, message: bytes) -> Received | None:
        deadline = asyncio.get_running_loop().time() + self._settings.request_timeout
        kept = self._kept.setdefault(where, [])
        connection = self._still_good(kept)
        reused = connection is not None
        if connection is None:
            async with asyncio.timeout_at(deadline):
                connection = await _opened(where.host, where.port)
            if connection is None:
                return None
            self._open.add(connection)
        try:
            has_body = request.method != "HEAD"
            received = await connection.ask(message, deadline, has_body=has_body)
            at_sight = received is not None
            if received is None:
                async with asyncio.timeout_at(deadline):
                    head, content = await _head(connection, reused=reused)
                    received = await self._received(request, head, content)
        except BaseException as error:
            self._drop(connection)
            if isinstance(error, BrokenConnectionError) and error.idle:
                # Others may have been closed like it; the next attempt must not fall for that.
                self._drop_all(kept)
            raise
        if at_sight or _can_stay(connection):
            kept.append((connection, time.monotonic()))
        else:
            self._drop(connection)
        limit = self._settings.max_body
        return received if len(received.body) <= limit else _cut(received, limit)

    def _still_good(self, kept: list[tuple[Connection, float]]) -> Connection | None:
        """A connection that can be used again."""
        now = time.monotonic()
        while kept:
            connection, since = kept.pop()
            # Whoever speaks without being asked is not to be taken for the next answer.
            if _can_stay(connection) and now - since < _LONGEST_IDLE:
                return connection
            self._drop(connection)
        return None

    def _drop(self, connection: Connection) -> None:
        self._open.discard(connection)
        connection.close()

    def _drop_all(self, kept: list[tuple[Connection, float]]) -> None:
        while kept:
            self._drop(kept.pop()[0])

    async def _received(
        self, request: Request, head: RawResponseMessage, content: StreamReader
    ) -> Received:
        headers = texts(head.raw_headers)
        if head.code == 101:
            return Received(head.code, headers, b"")
        return Received(
            head.code, headers, *await self.bodies.whole(request, content, head.headers)
        )


def _can_stay(connection: Connection) -> bool:
    return connection.is_connected() and not connection.should_close


def texts(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Headers as texts, whatever bytes they are."""
    return tuple([(_text(name), _text(value)) for name, value in headers])


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


@lru_cache(maxsize=100)
def _where(origin: str) -> Where | None:
    """The server at the beginning of an address; None where it is not a simple one."""
    found = _ORIGIN.fullmatch(origin)
    port = int(found["port"] or 80) if found is not None else 0
    if found is None or not 0 < port <= _LAST_PORT:
        return None
    name = found["host"] if port == 80 else f"{found['host']}:{port}"
    return Where(found["host"].strip("[]"), port, name)


def _is_simple(target: str) -> bool:
    """Whether a path and query are all of characters that stand for themselves."""
    visible = target.isascii() and target.isprintable()
    return visible and " " not in target and "#" not in target


def _cut(received: Received, limit: int) -> Received:
    return received._replace(body=received.body[:limit], truncated=True)


def _length(method: str, body: bytes | None) -> bytes:
    if body:
        return b"Content-Length: %d\r\n" % len(body)
    says_zero = body is not None or method not in ClientRequest.GET_METHODS
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


async def _opened(host: str, port: int) -> Connection | None:
    """A new connection; None where there is none: the session finds the words for that."""
    loop = asyncio.get_running_loop()
    try:
        found = _numeric(host, port) or await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # asyncio's own way to try several addresses can lose a socket when it is cancelled.
        connected = await start_connection(found, happy_eyeballs_delay=0.25)
    except (OSError, ValueError):
        return None
    try:
        _, connection = await loop.create_connection(lambda: Connection(loop), sock=connected)
    except BaseException:
        connected.close()
        raise
    return connection


def _numeric(host: str, port: int) -> Sequence[AddrInfoType]:
    """The address of a host without a name, for which nobody need be asked in another thread."""
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except socket.gaierror:
        return []


async def _head(connection: Connection, *, reused: bool) -> tuple[RawResponseMessage, StreamReader]:
    try:
        while True:
            head, content = await connection.read()
            if not 100 <= head.code <= 199 or head.code == 101:
                return head, content
    except (ServerDisconnectedError, ClientOSError) as error:
        raise BrokenConnectionError(error, reused=reused) from error
