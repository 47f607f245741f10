"""Exchanges with one service: every one is numbered, timed and told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping

from icepick.execute.events import Exchanged
from icepick.execute.shared import Shared, shared
from icepick.execute.transport.dialects import Dialects
from icepick.execute.transport.matching import (
    CHANGING,
    Matching,
    asks_for_tag,
    on_condition,
    tag_in,
    without_condition,
)
from icepick.execute.types import (
    Exchange,
    Failure,
    FailureKind,
    Purpose,
    Reply,
    Request,
    Transport,
)
from icepick.inputs import Case, Wire, wire
from icepick.openapi.types import Schema

Tell = Callable[[Exchanged], None]
Patience = Callable[[Failure], Awaitable[bool]]
"""Waits for a service that nobody can reach; whether it is back."""

SETTLE = 2.0
_RETURNS = 5
"""So often a service may come back and go away again while one request waits for it."""


class Client:
    """Sends requests below one base address."""

    def __init__(
        self,
        transport: Transport,
        base: str,
        schemas: Mapping[str, Schema],
        workers: int = 8,
        known: Shared | None = None,
    ) -> None:
        self._transport = transport
        self._workers = workers
        self._under_way = 0
        self.base = base.rstrip("/")
        self._schemas = schemas
        self._listeners: list[Tell] = []
        self.sent = 0
        self.patience: Patience | None = None
        self.settle = SETTLE
        """For how many seconds what was accepted may be under way."""
        self.matching = Matching()
        self.dialects = Dialects()
        self.shared = known or shared(schemas)
        self.longest: float | None = None
        """For how many seconds an answer is waited for, where that is less than usual."""

    def listen(self, tell: Tell) -> None:
        """Tell of every exchange from now on."""
        self._listeners.append(tell)

    def request(self, case: Case) -> Request:
        """A call as it is sent; an entity tag that was made up is not."""
        made = self.exactly(case)
        plain = without_condition(made)
        if plain is not made or asks_for_tag(case.operation):
            self.matching.declares(case.operation.id)
        return plain

    def exactly(self, case: Case) -> Request:
        """The same with all that somebody said it has."""
        return self.wired(wire(case, self._schemas))

    def wired(self, made: Wire) -> Request:
        """The same of a call that is text and bytes already."""
        return Request(made.method, self.base + made.target, made.headers, made.content)

    def reading(self, target: str) -> Request:
        """A GET of a path below the base address, or of a whole address."""
        url = target if "://" in target else self.base + target
        return Request("GET", url, (("Accept", "application/json"),))

    def exchange(
        self,
        request: Request,
        purpose: Purpose,
        operation: str | None = None,
        sequence: int | None = None,
    ) -> Coroutine[None, None, Exchange]:
        """Send a request and tell what became of it; in the dialect that the service takes, and
        with an entity tag where one is wanted."""
        send = self._change if request.method in CHANGING else self._exchange
        return send(request, purpose, operation, sequence)

    async def _change(
        self, request: Request, purpose: Purpose, operation: str | None, sequence: int | None
    ) -> Exchange:
        request = self.dialects.translated(request, operation)
        exchange = await self._on_condition(request, purpose, operation, sequence)
        better = self.dialects.better(exchange)
        if better is None:
            return exchange
        again = await self._on_condition(better, purpose, operation, sequence)
        return again if self.dialects.note(again) else exchange

    def room(self) -> int:
        """How many requests at once are worth while: one where all workers are sending."""
        return max(1, self._workers - self._under_way)

    def learned(self) -> Iterator[tuple[str, str]]:
        """What requests have to be like beyond the document, by operation."""
        yield from self.matching.learned()
        yield from self.dialects.learned()
        yield from self.shared.envelopes.learned()

    async def _on_condition(
        self, request: Request, purpose: Purpose, operation: str | None, sequence: int | None
    ) -> Exchange:
        if self.matching.wants(request, operation):
            tag = await self._tag(request, sequence)
            request = on_condition(request, tag) if tag is not None else request
        exchange = await self._exchange(request, purpose, operation, sequence)
        if not self.matching.asks(exchange):
            return exchange
        tag = await self._tag(request, sequence)
        if tag is None:
            return exchange
        on_it = on_condition(request, tag)
        again = await self._exchange(on_it, purpose, operation, sequence)
        return again if self.matching.note(exchange, again) else exchange

    async def _tag(self, request: Request, sequence: int | None) -> str | None:
        """The entity tag that what a request changes has now."""
        reading = self.reading(request.url.partition("?")[0])
        return tag_in(await self._exchange(reading, Purpose.READ, None, sequence))

    async def _exchange(
        self, request: Request, purpose: Purpose, operation: str | None, sequence: int | None
    ) -> Exchange:
        self.sent += 1
        number, at = self.sent, time.time()
        self._under_way += 1
        try:
            if self.longest is None:
                reply = await self._transport.send(request)
            else:
                reply = await self._in_time(request, self.longest)
        finally:
            self._under_way -= 1
        reply = self.shared.envelopes.opened(reply, operation)
        exchange = Exchange(number, at, purpose, request, reply, operation)
        self.shared.staying.see(exchange)
        self.shared.stopped.see(exchange)
        event = Exchanged(exchange, sequence)
        for tell in self._listeners:
            tell(event)
        return exchange

    async def _in_time(self, request: Request, seconds: float) -> Reply:
        try:
            async with asyncio.timeout(seconds):
                return await self._transport.send(request)
        except TimeoutError:
            said = f"no complete answer within {seconds:g} s"
            return Failure(FailureKind.TIMEOUT, said, seconds)

    async def patiently(
        self,
        request: Request,
        purpose: Purpose,
        operation: str | None = None,
        sequence: int | None = None,
    ) -> Exchange:
        """The same, and wait for a service that is not there."""
        exchange = await self.exchange(request, purpose, operation, sequence)
        for _ in range(_RETURNS if self.patience is not None else 0):
            reply = exchange.reply
            # What never arrived can be sent again whatever it is.
            if not isinstance(reply, Failure) or reply.kind is not FailureKind.CONNECT:
                break
            if self.patience is None or not await self.patience(reply):
                break
            exchange = await self.exchange(request, purpose, operation, sequence)
        return exchange
