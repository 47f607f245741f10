"""The transport over HTTP: one session, kept-alive connections, and a `Reply` whatever happens."""

from __future__ import annotations

import asyncio
import io
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from http import HTTPStatus

from aiohttp import ClientError, ClientSession
from aiohttp.http_exceptions import HttpProcessingError
from yarl import URL

from icepick.execute.transport.auth import Authenticator
from icepick.execute.transport.broken import SAFE, Fault, fault
from icepick.execute.transport.limits import Limiter, retry_after
from icepick.execute.transport.plain import Plain, texts
from icepick.execute.transport.quick import Received
from icepick.execute.transport.redirects import followed, same_origin, target
from icepick.execute.transport.secrets import Secrets, is_private
from icepick.execute.transport.settings import HttpSettings, Proxy, new_session, proxy_of
from icepick.execute.types import Failure, FailureKind, Headers, Reply, Request, Response

_FIRST_PAUSE = 0.1
_BUSY = frozenset({429, 503})
_REPEATABLE = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "DELETE"})
_UNASKED, _MOST_VAIN = 3, 3
_OF_ONE = re.compile(r"[^/]*\d[^/]*")
"""What in an address most likely names one instance."""

_LARGE_BODY = 1_000_000
_MOST_REMEMBERED = 10_000
_IDLE_BREAKS = 3
"""After so many kept connections that broke, every request gets a connection of its own."""

Deliver = Callable[[Request], Awaitable[Reply]]


@asynccontextmanager
async def http_transport(
    settings: HttpSettings, auth: Authenticator | None, secrets: Secrets
) -> AsyncIterator[HttpTransport]:
    """A transport, signed in, for as long as the block runs.

    UsageError where the settings cannot be used, ExecuteError where signing in does not work.
    """
    proxy = proxy_of(settings)
    for name, value in (*settings.headers, *(proxy.headers.items() if proxy else ())):
        if is_private(name):
            secrets.add_header(name, value)
    async with new_session(settings) as session, aclosing(Plain(settings)) as plain:
        transport = HttpTransport(session, plain, settings, auth, proxy)
        if auth is not None:
            await auth.start(transport.send_unsigned, secrets)
        yield transport


class HttpTransport:
    """Sends requests over one session. Credentials are added here and nowhere else."""

    def __init__(
        self,
        session: ClientSession,
        plain: Plain,
        settings: HttpSettings,
        auth: Authenticator | None,
        proxy: Proxy | None,
    ) -> None:
        self._session = session
        self._plain = plain
        self._settings = settings
        self._auth = auth
        self._proxy = proxy
        self._limiter = Limiter(settings.rate_limit) if settings.rate_limit else None
        self._own = tuple(f"{'/'.join(url.split('/', 3)[:3])}/" for url in settings.origins)
        self._open_at = 0.0
        self._idle_breaks = 0
        self._vain: Counter[tuple[str, str]] = Counter()
        """How often in a row it did not help to ask again, by what was asked."""
        self._refused: set[tuple[str, str]] = set()
        self.waited = 0.0
        """The seconds for which the service asked everybody to wait."""

    async def send(self, request: Request) -> Reply:
        """Send one request; what goes wrong on the way is a `Failure`, never an exception.

        `seconds` of an answer is the time of the last request that led to it.
        """
        own = self._is_own(request.url)
        given = self._with_given(request) if own else request
        deliver = self._signed if own and self._auth is not None else self._answered
        reply = await deliver(given)
        if isinstance(reply, Failure) or not followed(given, reply):
            return reply
        return await self._followed(given, reply, deliver)

    async def send_unsigned(self, request: Request) -> Reply:
        """Send one request without credentials: how one signs in."""
        given = self._with_given(request) if self._is_own(request.url) else request
        return await self._followed(given, await self._answered(given), self._answered)

    def _is_own(self, url: str) -> bool:
        """Whether an address may see what is meant for the service alone."""
        # The slash ends the authority, so no other host can begin like this; it settles most.
        if not self._own or url.startswith(self._own):
            return True
        return any(same_origin(url, origin) for origin in self._own)

    async def _followed(self, request: Request, reply: Reply, deliver: Deliver) -> Reply:
        """What the redirects of an answer lead to."""
        hops: tuple[str, ...] = ()
        while isinstance(reply, Response) and followed(request, reply):
            url = target(request, reply)
            if url is None or not same_origin(request.url, url):
                where = url or reply.header("Location")
                return _stray(reply, f"{reply.status} leads to {where}, another host")
            if len(hops) == self._settings.max_redirects:
                return _stray(reply, f"more than {len(hops)} redirects, the next to {url}")
            hops = (*hops, url)
            request = replace(request, url=url)
            reply = await deliver(request)
        return replace(reply, redirects=hops) if hops and isinstance(reply, Response) else reply

    async def _signed(self, request: Request) -> Reply:
        """Deliver with credentials; a 401 to old ones is answered by signing in, once."""
        auth = self._auth
        assert auth is not None  # noqa: S101 - only called where there is one
        sent = await auth.apply(request)
        reply = await self._answered(sent)
        if not (isinstance(reply, Response) and reply.status == 401) or sent is request:
            return reply
        # Who is refused in spite of new credentials would be refused with old ones just as well.
        key = request.method, request.url.partition("?")[0]
        if key in self._refused or not await auth.refresh(sent):
            return reply
        reply = await self._answered(await auth.apply(request))
        refused = isinstance(reply, Response) and reply.status == 401
        if refused and len(self._refused) < _MOST_REMEMBERED:
            self._refused.add(key)
        return reply

    def _with_given(self, request: Request) -> Request:
        """With the headers that a person gave: they win over credentials that were worked out."""
        given = self._settings.headers
        if not given:
            return request
        known = {name.lower() for name, _ in request.headers}
        more = tuple(pair for pair in given if pair[0].lower() not in known)
        return replace(request, headers=request.headers + more)

    async def _answered(self, request: Request) -> Reply:
        """Deliver; again where the first attempt does not settle it."""
        begun = time.monotonic()
        outcome = await self._once(request)
        if isinstance(outcome, Response) and outcome.status not in _BUSY:
            return outcome
        return await self._patiently(request, await self._tried(request, outcome, begun))

    async def _patiently(self, request: Request, reply: Reply) -> Reply:
        """The answer after the pauses that a busy service asks for.

        One that does not say how long gets a few short ones, where asking again does no harm and
        until that has been in vain too often in a row.
        """
        waited, least, unhandled = 0.0, _FIRST_PAUSE, False
        asking = request.method, _OF_ONE.sub("*", request.url.partition("?")[0])
        unasked = most = _UNASKED if self._vain[asking] < _MOST_VAIN else 0
        while isinstance(reply, Response) and reply.status in _BUSY:
            unhandled = unhandled or reply.status == HTTPStatus.SERVICE_UNAVAILABLE
            asked = retry_after(reply, time.time())
            may = asked is not None or (unasked > 0 and _may_repeat(request, reply))
            pause = max(asked or 0.0, least)
            if not may or waited + pause > self._settings.max_wait:
                self._vain[asking] += unasked < most
                return reply
            least *= 2
            waited += pause
            if asked is None:
                # It may be this call alone that has to wait.
                unasked -= 1
                await asyncio.sleep(pause)
            else:
                self._hold(pause)
            begun = time.monotonic()
            reply = await self._tried(request, await self._once(request), begun)
        self._vain[asking] = 0
        return _in_doubt(request, reply) if unhandled else reply

    def _hold(self, pause: float) -> None:
        """Nobody sends for that long."""
        now = time.monotonic()
        until = max(self._open_at, now + pause)
        self.waited += until - max(self._open_at, now)
        self._open_at = until

    async def _tried(self, request: Request, outcome: Response | Fault, begun: float) -> Reply:
        """What an attempt comes to: there are others where they can do no harm."""
        attempt, twice = 1, False
        while not isinstance(outcome, Response):
            self._idle_breaks += outcome.idle
            twice = twice or (outcome.idle and request.method not in SAFE)
            if not outcome.repeatable or attempt > self._settings.retries:
                seconds = time.monotonic() - begun
                return Failure(outcome.kind, outcome.message, seconds, attempt)
            await asyncio.sleep(_FIRST_PAUSE * 2 ** (attempt - 1))
            attempt += 1
            outcome = await self._once(request)
        return replace(outcome, repeated=True) if twice else outcome

    async def _turn(self) -> None:
        while (pause := self._open_at - time.monotonic()) > 0:  # noqa: ASYNC110 (others put it off)
            await asyncio.sleep(pause)
        if self._limiter is not None:
            await self._limiter.turn()

    async def _once(self, request: Request) -> Response | Fault:
        if self._open_at or self._limiter is not None:
            await self._turn()
        begun = time.monotonic()
        try:
            headers = self._headers(request)
            received = await self._plain.ask(request, headers) if self._proxy is None else None
            if received is None:
                received = await self._by_session(request, headers)
        except (ClientError, HttpProcessingError, TimeoutError, OSError, ValueError) as error:
            return fault(error, request, self._settings.request_timeout)
        seconds = time.monotonic() - begun
        return Response(
            received.status, received.headers, received.body, seconds, received.truncated
        )

    async def _by_session(self, request: Request, headers: Headers) -> Received:
        _check(request)
        body = request.body
        answer = await self._session.request(
            request.method,
            URL(request.url, encoded=True),
            headers=headers,
            # aiohttp warns of long bytes, which it writes in one go.
            data=body if body is None or len(body) <= _LARGE_BODY else io.BytesIO(body),
            allow_redirects=False,
            skip_auto_headers=_unsaid(request),
            proxy=self._proxy.url if self._proxy else None,
            proxy_headers=self._proxy.headers if self._proxy else None,
        )
        headers = texts(answer.raw_headers)
        try:
            if answer.status == HTTPStatus.SWITCHING_PROTOCOLS:
                return Received(answer.status, headers, b"")
            content = await self._plain.bodies.whole(request, answer.content, answer.headers)
            return Received(answer.status, headers, *content)
        finally:
            if not answer.closed:
                answer.close()

    def _headers(self, request: Request) -> Headers:
        """The headers of a request; a proxy reads those for it unless it is a tunnel."""
        headers = request.headers
        if self._idle_breaks >= _IDLE_BREAKS:
            headers = (*headers, ("Connection", "close"))
        if self._proxy is None or request.url.startswith("https:"):
            return headers
        return (*headers, *self._proxy.headers.items())


def _may_repeat(request: Request, reply: Response) -> bool:
    """Whether a request can be sent again to a busy service that does not say when.

    A 503 says that it was not handled, whatever it is. A 429 says so too, but of a sign-in more
    attempts may be what locks somebody out.
    """
    unhandled = reply.status == HTTPStatus.SERVICE_UNAVAILABLE
    return unhandled or request.method in _REPEATABLE


def _in_doubt(request: Request, reply: Reply) -> Reply:
    """A refusal after a 503, which may have been handled all the same, proves nothing."""
    if isinstance(reply, Failure) or request.method in SAFE:
        return reply
    return replace(reply, repeated=True)


def _stray(reply: Response, message: str) -> Failure:
    return Failure(FailureKind.REDIRECTS, message, reply.seconds)


def _check(request: Request) -> None:
    """Refuse what aiohttp would leave out without a word."""
    if not request.url.isprintable():
        raise ValueError("there is a character in the address that must be encoded")
    for name, value in request.headers:
        if not value.isascii() and not value.isprintable():
            raise ValueError(f"there is a character in {name} that no header can have")


def _unsaid(request: Request) -> tuple[str, ...] | None:
    """What aiohttp must not add: a request without a content type is sent without one."""
    if request.body is None and request.method not in {"POST", "PUT", "PATCH"}:
        return None
    given = [name for name, _ in request.headers if name.lower() == "content-type"]
    return None if given else ("Content-Type",)
