"""Exchanges with one service: every one is numbered, timed and told."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping

from icepick.execute.events import Exchanged
from icepick.execute.types import (
    Exchange,
    Failure,
    FailureKind,
    Purpose,
    Request,
    Transport,
)
from icepick.inputs import Case, Wire, wire
from icepick.openapi.types import Schema

Tell = Callable[[Exchanged], None]
Patience = Callable[[Failure], Awaitable[bool]]
"""Waits for a service that nobody can reach; whether it is back."""

_RETURNS = 5
"""So often a service may come back and go away again while one request waits for it."""


class Client:
    """Sends requests below one base address."""

    def __init__(self, transport: Transport, base: str, schemas: Mapping[str, Schema]) -> None:
        self._transport = transport
        self.base = base.rstrip("/")
        self._schemas = schemas
        self._listeners: list[Tell] = []
        self.sent = 0
        self.patience: Patience | None = None

    def listen(self, tell: Tell) -> None:
        """Tell of every exchange from now on."""
        self._listeners.append(tell)

    def request(self, case: Case) -> Request:
        """A call as it is sent."""
        return self.wired(wire(case, self._schemas))

    def wired(self, made: Wire) -> Request:
        """The same of a call that is text and bytes already."""
        return Request(made.method, self.base + made.target, made.headers, made.content)

    def reading(self, target: str) -> Request:
        """A GET of a path below the base address, or of a whole address."""
        url = target if "://" in target else self.base + target
        return Request("GET", url, (("Accept", "application/json"),))

    async def exchange(
        self,
        request: Request,
        purpose: Purpose,
        operation: str | None = None,
        sequence: int | None = None,
    ) -> Exchange:
        """Send a request and tell what became of it."""
        self.sent += 1
        number, at = self.sent, time.time()
        reply = await self._transport.send(request)
        exchange = Exchange(number, at, purpose, request, reply, operation)
        for tell in self._listeners:
            tell(Exchanged(exchange, sequence))
        return exchange

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
