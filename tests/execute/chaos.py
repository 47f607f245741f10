"""A proxy in front of a service that misbehaves as it is told to.

A trouble is a function of a request and of a way to forward it: it may wait, forward it or not,
change what comes back, break the connection, or take the whole proxy down.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace

from aiohttp import ClientSession, DummyCookieJar, web

from icepick.demo.service import DemoService
from tests.glacier.live import served

HOST = "127.0.0.1"
_OF_THE_HOP = {"connection", "content-length", "date", "host", "keep-alive", "server"} | {
    "transfer-encoding"
}
_HTML = b"<!doctype html><html><body><h1>502</h1>\x1b[31m[bold]&amp;\x07</body></html>"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that came, the first having the number 1."""

    number: int
    method: str
    path: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back; where it is `torn`, the connection breaks in the middle of the body."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    torn: bool = False
    hang_up: bool = False

    def having(self, name: str, value: str) -> Answer:
        """The same with another value of a header."""
        kept = tuple(pair for pair in self.headers if pair[0].lower() != name.lower())
        return replace(self, headers=(*kept, (name, value)))


@dataclass(frozen=True, slots=True)
class Reset:
    """No answer: the connection is reset."""


@dataclass(frozen=True, slots=True)
class Down:
    """No answer: the proxy goes away for so many seconds, or for ever."""

    seconds: float | None = None


Outcome = Answer | Reset | Down
Forward = Callable[[], Awaitable[Answer]]
Trouble = Callable[[Asked, Forward], Awaitable[Outcome]]
Edit = Callable[[Answer], Answer]


# Troubles


async def none(_: Asked, forward: Forward) -> Outcome:
    """No trouble at all."""
    return await forward()


def when(condition: Callable[[Asked], bool], trouble: Trouble) -> Trouble:
    """Trouble with some requests."""

    async def act(asked: Asked, forward: Forward) -> Outcome:
        return await (trouble if condition(asked) else none)(asked, forward)

    return act


def every(number: int, trouble: Trouble) -> Trouble:
    """Trouble with each n-th request."""
    return when(lambda asked: asked.number % number == 0, trouble)


def once(number: int, trouble: Trouble) -> Trouble:
    """Trouble with the n-th request alone."""
    return when(lambda asked: asked.number == number, trouble)


def sometimes(
    condition: Callable[[Asked], bool], turns: Callable[[int], bool], trouble: Trouble
) -> Trouble:
    """Trouble with requests of a kind, by how many of that kind there were before."""
    seen = 0

    def applies(asked: Asked) -> bool:
        nonlocal seen
        if not condition(asked):
            return False
        seen += 1
        return turns(seen - 1)

    return when(applies, trouble)


def answered(answer: Answer) -> Trouble:
    """The service never hears of it, and this comes back."""

    async def act(_: Asked, __: Forward) -> Outcome:
        return answer

    return act


def changed(edit: Edit) -> Trouble:
    """What comes back is changed."""

    async def act(_: Asked, forward: Forward) -> Outcome:
        return edit(await forward())

    return act


def delayed(seconds: float) -> Trouble:
    """The answer comes late."""

    async def act(_: Asked, forward: Forward) -> Outcome:
        await asyncio.sleep(seconds)
        return await forward()

    return act


async def reset(_: Asked, __: Forward) -> Outcome:
    """The connection is reset before the service hears of it."""
    return Reset()


async def reset_after(_: Asked, forward: Forward) -> Outcome:
    """The service does what it was asked to, and the connection is reset."""
    await forward()
    return Reset()


def down(seconds: float | None = None) -> Trouble:
    """The service goes away, and comes back after some seconds or never."""

    async def act(_: Asked, __: Forward) -> Outcome:
        return Down(seconds)

    return act


def busy(status: int, times: int, seconds: str = "0.2") -> Trouble:
    """Every request is put off for some time, at first."""
    left = times

    async def act(_: Asked, forward: Forward) -> Outcome:
        nonlocal left
        if left == 0:
            return await forward()
        left -= 1
        return Answer(status, b"{}", (("Retry-After", seconds), ("Content-Type", JSON)))

    return act


async def unavailable(_: Asked, __: Forward) -> Outcome:
    """A 503 that does not say when to come back."""
    return Answer(503, b"{}", (("Content-Type", JSON),))


async def unavailable_after(asked: Asked, forward: Forward) -> Outcome:
    """The service does what it was asked to, and says that it is not available."""
    await forward()
    return await unavailable(asked, forward)


def moved(status: int, where: Callable[[Asked], str]) -> Trouble:
    """A redirection."""

    async def act(asked: Asked, _: Forward) -> Outcome:
        return Answer(status, b"", (("Location", where(asked)),))

    return act


# Changes

JSON = "application/json"


def torn(answer: Answer) -> Answer:
    """The connection breaks in the middle of the body."""
    return replace(answer, torn=True)


def hung_up(answer: Answer) -> Answer:
    """The connection is closed after the answer, which does not say so."""
    return replace(answer, hang_up=True)


def cut(answer: Answer) -> Answer:
    """Half of the body; its length is right."""
    return replace(answer, body=answer.body[: len(answer.body) // 2])


def as_html(answer: Answer) -> Answer:
    """A page in place of the body, under the same status."""
    return replace(answer, body=_HTML).having("Content-Type", "text/html")


def longer(answer: Answer) -> Answer:
    """Ten megabytes more, which no parser minds."""
    return replace(answer, body=answer.body + b" " * 10_000_000)


def with_body(body: bytes) -> Edit:
    """Another body of the same type."""
    return lambda answer: replace(answer, body=body)


def of_type(kind: str) -> Edit:
    """Another content type."""
    return lambda answer: answer.having("Content-Type", kind)


# The proxy


@dataclass(slots=True)
class Chaos:
    """The proxy: its address, that of the service behind it, and what it was asked."""

    url: str
    behind: str
    asked: list[Asked] = field(default_factory=list)


@contextmanager
def chaotic(service: DemoService, trouble: Trouble, *faults: str) -> Iterator[Chaos]:
    """A demo service behind a proxy, each in a thread of its own."""
    ready, stop = threading.Event(), threading.Event()
    with served(service, *faults) as behind:
        found = Chaos("", behind)

        async def serve() -> None:
            async with _proxy(found, trouble):
                ready.set()
                await asyncio.to_thread(stop.wait)

        thread = threading.Thread(target=lambda: asyncio.run(serve()))
        thread.start()
        ready.wait()
        try:
            yield found
        finally:
            stop.set()
            thread.join()


@asynccontextmanager
async def _proxy(found: Chaos, trouble: Trouble) -> AsyncIterator[None]:
    session = ClientSession(auto_decompress=False, cookie_jar=DummyCookieJar())
    async with session:
        proxy = _Proxy(found, trouble, session)
        await proxy.start()
        try:
            yield
        finally:
            await proxy.stop()


class _Proxy:
    def __init__(self, found: Chaos, trouble: Trouble, session: ClientSession) -> None:
        self._found = found
        self._trouble = trouble
        self._session = session
        self._runner = web.ServerRunner(web.Server(self._handle), shutdown_timeout=0.1)
        self._site: web.TCPSite | None = None
        self._port = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        await self._runner.setup()
        await self._listen()
        self._port = self._runner.addresses[0][1]
        self._found.url = f"http://{HOST}:{self._port}"

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._runner.cleanup()

    async def _listen(self) -> None:
        self._site = web.TCPSite(self._runner, HOST, self._port)
        await self._site.start()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        number = len(self._found.asked) + 1
        asked = Asked(number, request.method, request.path_qs, dict(request.headers))
        self._found.asked.append(asked)
        body = await request.read()
        outcome = await self._trouble(asked, lambda: self._forwarded(asked, body))
        if isinstance(outcome, Answer):
            return await _sent(request, outcome)
        if isinstance(outcome, Down):
            self._go_down(outcome)
        _reset(request)
        return web.Response()

    async def _forwarded(self, asked: Asked, body: bytes) -> Answer:
        kept = {k: v for k, v in asked.headers.items() if k.lower() not in _OF_THE_HOP}
        url = self._found.behind + asked.path
        async with self._session.request(
            asked.method, url, data=body or None, headers=kept, allow_redirects=False
        ) as reply:
            pairs = tuple((k, v) for k, v in reply.headers.items() if k.lower() not in _OF_THE_HOP)
            return Answer(reply.status, await reply.read(), pairs)

    def _go_down(self, outcome: Down) -> None:
        if self._site is None:
            return
        site, self._site = self._site, None
        task = asyncio.get_running_loop().create_task(self._away(site, outcome.seconds))
        self._tasks.add(task)

    async def _away(self, site: web.TCPSite, seconds: float | None) -> None:
        await site.stop()
        for connection in list(self._runner.server.connections if self._runner.server else ()):
            if connection.transport is not None:
                connection.transport.abort()
        if seconds is not None:
            await asyncio.sleep(seconds)
            await self._listen()


async def _sent(request: web.BaseRequest, answer: Answer) -> web.StreamResponse:
    if not answer.torn and not answer.hang_up:
        return web.Response(status=answer.status, body=answer.body, headers=answer.headers)
    response = web.StreamResponse(status=answer.status, headers=answer.headers)
    response.content_length = len(answer.body)
    await response.prepare(request)
    await response.write(answer.body[: len(answer.body) // (2 if answer.torn else 1)])
    if request.transport is not None:
        request.transport.close()
    return response


def _reset(request: web.BaseRequest) -> None:
    transport = request.transport
    if transport is not None:
        found = transport.get_extra_info("socket")
        found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
