"""The HTTP side of the SockShop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aiohttp import web

from icepick.demo.http import Document, Refusal, json_body, refuse
from icepick.demo.sockshop.domain import SockShop


def routes(domain: SockShop) -> list[web.RouteDef]:
    """A route for every operation of the document."""
    handlers = _Handlers(domain, Document.load("icepick.demo.sockshop", "openapi.yaml"))
    return [
        web.post("/customer", handlers.add_customer),
        web.get("/customer/{id}", handlers.get_customer),
        web.delete("/customer/{id}", handlers.delete_customer),
        web.post("/card", handlers.add_card),
        web.post("/address", handlers.add_address),
    ]


@dataclass(frozen=True, slots=True)
class _Handlers:
    domain: SockShop
    document: Document

    async def add_customer(self, request: web.Request) -> web.Response:
        self._let_in(request)
        return _created(self.domain.add_customer(await self._body(request, "Customer")))

    async def get_customer(self, request: web.Request) -> web.Response:
        self._let_in(request)
        return web.json_response(self.domain.shown(request.match_info["id"]))

    async def delete_customer(self, request: web.Request) -> web.Response:
        self._let_in(request)
        self.domain.delete_customer(request.match_info["id"])
        return web.Response(status=204)

    async def add_card(self, request: web.Request) -> web.Response:
        customer = self._customer(request)
        return _created(self.domain.add_card(customer, await self._body(request, "Card")))

    async def add_address(self, request: web.Request) -> web.Response:
        customer = self._customer(request)
        return _created(self.domain.add_address(customer, await self._body(request, "Address")))

    def _let_in(self, request: web.Request) -> None:
        self.domain.let_in(request.headers.get("apiKey"))

    def _customer(self, request: web.Request) -> str:
        self._let_in(request)
        customer = request.query.get("custId")
        if not customer:
            refuse(400, "custId: is required")
        self.domain.customer(customer)
        return customer

    async def _body(self, request: web.Request, schema: str) -> Any:
        try:
            value = await json_body(request)
        except Refusal as refusal:
            # The document has one answer for every body that cannot be used.
            raise Refusal(400, refusal.message) from refusal
        self.document.check(schema, value)
        return value


def _created(identifier: Any) -> web.Response:
    return web.json_response({"id": identifier}, status=201)
