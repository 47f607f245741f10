"""A proxy that writes down what passes through it: both tools are counted alike."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from logging import CRITICAL, Logger
from urllib.parse import unquote, urlsplit

from aiohttp import (
    ClientError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
    web,
)
from bench.services.recipe import HOST
from yarl import URL

from icepick.openapi import ApiSpec

_OF_CONNECTION = frozenset(
    {"connection", "keep-alive", "transfer-encoding", "upgrade", "host", "content-length"}
)
_HOLE = re.compile(r"\{[^{}]*\}")
_LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Passed:
    """One call: when it was answered, and how."""

    at: float
    method: str
    path: str
    status: int


@dataclass(slots=True)
class Recording:
    """What has passed so far; `url` is where to send instead of to the service."""

    url: str = ""
    passed: list[Passed] = field(default_factory=list)


@contextmanager
def recorded(url: str) -> Iterator[Recording]:
    """A proxy in front of the service at this address, in a thread of its own."""
    found, ready, stop = Recording(), threading.Event(), threading.Event()
    origin = URL(url).origin()

    async def serve() -> None:
        # A kept connection that the service closes just now would cost a call its answer.
        connector = TCPConnector(limit=0, force_close=True)
        plain = ClientSession(
            connector=connector, cookie_jar=DummyCookieJar(), auto_decompress=False,
            timeout=ClientTimeout(total=120),
        )  # fmt: skip
        async with plain as session:
            app = web.Application(client_max_size=_LARGEST)
            app.router.add_route("*", "/{rest:.*}", _Forward(session, origin, found).handle)
            quiet = Logger("recording", CRITICAL + 1)  # what is wrong with a call is not ours
            runner = web.AppRunner(app, access_log=None, auto_decompress=False, logger=quiet)
            await runner.setup()
            await web.TCPSite(runner, HOST, 0).start()
            found.url = f"http://{HOST}:{runner.addresses[0][1]}{urlsplit(url).path}"
            ready.set()
            await asyncio.to_thread(stop.wait)
            await runner.cleanup()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield found
    finally:
        stop.set()
        thread.join()


class _Forward:
    """Passes calls on and writes down what they were answered."""

    def __init__(self, session: ClientSession, origin: URL, found: Recording) -> None:
        self._session = session
        self._origin = origin
        self._found = found

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One call."""
        target = URL(f"{self._origin}{request.raw_path}", encoded=True)
        kept = [pair for pair in request.headers.items() if pair[0].lower() not in _OF_CONNECTION]
        body = await request.read() if request.can_read_body else None
        try:
            async with self._session.request(
                request.method, target, headers=kept, data=body, allow_redirects=False
            ) as reply:
                if "Content-Length" not in reply.headers and reply.status == 200:
                    return await self._stream(request, reply)
                content = await reply.read()
                headers = [self._here(*pair) for pair in reply.headers.items()]
        except (ClientError, TimeoutError, ConnectionError):
            # As the service does it: whoever asked gets no answer.
            if request.transport is not None:
                request.transport.abort()
            raise
        self._note(request, reply.status)
        answer = web.Response(status=reply.status, reason=reply.reason, body=content)
        for name, value in headers:
            if name.lower() not in _OF_CONNECTION:
                answer.headers.add(name, value)
        return answer

    async def _stream(self, request: web.Request, reply: ClientResponse) -> web.StreamResponse:
        """Pass on as it comes what may have no end."""
        self._note(request, reply.status)
        answer = web.StreamResponse(status=reply.status, reason=reply.reason)
        for name, value in reply.headers.items():
            if name.lower() not in _OF_CONNECTION:
                answer.headers.add(name, value)
        await answer.prepare(request)
        async for part in reply.content.iter_any():
            await answer.write(part)
        await answer.write_eof()
        return answer

    def _note(self, request: web.Request, status: int) -> None:
        path = unquote(request.raw_path.partition("?")[0])
        self._found.passed.append(Passed(time.time(), request.method, path, status))

    def _here(self, name: str, value: str) -> tuple[str, str]:
        """Redirects lead through the proxy too."""
        moved = name.lower() == "location" and value.startswith(str(self._origin))
        here = f"http://{HOST}:{urlsplit(self._found.url).port}"
        return name, here + value[len(str(self._origin)) :] if moved else value


@dataclass(frozen=True, slots=True)
class Counted:
    """How many operations gave a 2xx, and how many calls there were."""

    good: int
    calls: int


def counted(spec: ApiSpec, base: str, passed: list[Passed], seconds: float) -> Counted:
    """What so many seconds came to, from the first call of an operation on: before it, tools
    prepare themselves and probe."""
    patterns = _patterns(spec, base)
    named = [(one, _operation(patterns, one)) for one in passed]
    first = next((one.at for one, name in named if name is not None), 0.0)
    calls = [(one, name) for one, name in named if 0 <= one.at - first <= seconds]
    good = {name for one, name in calls if name is not None and 200 <= one.status < 300}
    return Counted(len(good), len(calls))


def _patterns(spec: ApiSpec, base: str) -> list[tuple[int, str, str, str]]:
    """Where several operations fit a call, the most literal is meant."""
    return sorted(
        (len(_HOLE.findall(one.path)), one.method, _pattern(base + one.path), one.id)
        for one in spec.operations
    )


def _operation(patterns: list[tuple[int, str, str, str]], call: Passed) -> str | None:
    path = call.path.rstrip("/") or "/"
    for _, method, pattern, name in patterns:
        if method == call.method and re.fullmatch(pattern, path):
            return name
    return None


def _pattern(path: str) -> str:
    texts = _HOLE.split(path.rstrip("/") or "/")
    return "[^/]+".join(map(re.escape, texts))
