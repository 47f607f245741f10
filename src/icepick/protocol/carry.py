"""Reads and clean-ups show what the calls of a model last showed to be let in."""

from __future__ import annotations

from icepick.execute.transport.client import Client
from icepick.execute.transport.credentials import Credential, signed
from icepick.execute.types import Exchange, Headers, Purpose, Request, Response, Transport
from icepick.openapi.types import ApiSpec, ParameterLocation
from icepick.protocol.values import Prepared
from icepick.resources.types import Location


class CarryingClient(Client):
    """Sends requests; those that are not calls of the model carry the credentials of such calls.

    A model that signs in has its token in a variable, where nobody else would find it. The
    credentials of a call count once it was answered with success. `signs` says that the transport
    has credentials of its own, for what is left when those of the model are no longer good.
    """

    def __init__(
        self, transport: Transport, base: str, spec: ApiSpec, *, signs: bool = False
    ) -> None:
        super().__init__(transport, base, spec.schemas)
        self._operations = {operation.id: operation for operation in spec.operations}
        self._signs = signs
        self._credential = Credential()
        self._sent: dict[str, str] = {}

    def begin(self) -> None:
        """A new run starts: nobody has been let in."""
        self._credential, self._sent = Credential(), {}

    async def call(
        self, request: Request, prepared: Prepared, operation: str, sequence: int
    ) -> Exchange:
        """Make a call of the model, with the credentials that it has."""
        credential = _credential(prepared)
        whole = signed(request, credential)
        exchange = await self.exchange(whole, Purpose.CALL, operation, sequence)
        if exchange.status is not None and exchange.status < 400:
            self._credential = _joined(self._credential, credential)
            self._sent |= {name.lower(): value for name, value in request.headers}
        return exchange

    async def exchange(
        self,
        request: Request,
        purpose: Purpose,
        operation: str | None = None,
        sequence: int | None = None,
    ) -> Exchange:
        """Send a request and tell what became of it."""
        if purpose is Purpose.CALL:
            return await super().exchange(request, purpose, operation, sequence)
        request = self._with_headers(request, operation)
        carried = signed(request, self._credential)
        exchange = await super().exchange(carried, purpose, operation, sequence)
        if self._signs and carried is not request and _is_denied(exchange):
            return await super().exchange(request, purpose, operation, sequence)
        return exchange

    def _with_headers(self, request: Request, operation: str | None) -> Request:
        """The request with headers that its operation requires and the model sent before."""
        known = self._operations.get(operation or "")
        if known is None:
            return request
        given = {name.lower() for name, _ in request.headers}
        more: Headers = tuple(
            (one.name, self._sent[one.name.lower()])
            for one in known.parameters_in(ParameterLocation.HEADER)
            if one.required and one.name.lower() in self._sent and one.name.lower() not in given
        )
        if not more:
            return request
        return Request(request.method, request.url, request.headers + more, request.body)


def _is_denied(exchange: Exchange) -> bool:
    return isinstance(exchange.reply, Response) and exchange.reply.status in {401, 403}


def _credential(prepared: Prepared) -> Credential:
    found: dict[Location, list[tuple[str, str]]] = {}
    for (location, path), text in prepared.extra.items():
        found.setdefault(location, []).append((path[0], text))
    return Credential(
        tuple(found.get(Location.HEADER, ())),
        tuple(found.get(Location.QUERY, ())),
        tuple(found.get(Location.COOKIE, ())),
    )


def _joined(before: Credential, now: Credential) -> Credential:
    """Both, and of two with one name the later one."""
    return Credential(
        tuple({**dict(before.headers), **dict(now.headers)}.items()),
        tuple({**dict(before.query), **dict(now.query)}.items()),
        tuple({**dict(before.cookies), **dict(now.cookies)}.items()),
    )
