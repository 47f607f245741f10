"""HTTP handlers of orders."""

from __future__ import annotations

from dataclasses import dataclass

from aiohttp import web

from icepick.demo.shop.domain import Shop
from icepick.demo.shop.messages import MERGE_PATCH, created, no_content, page_response, read_json
from icepick.demo.shop.types import Order


@dataclass(frozen=True, slots=True)
class OrderHandlers:
    """/orders, /orders/{order_id}, and the two actions on an order."""

    shop: Shop

    def routes(self) -> list[web.RouteDef]:
        """The paths of orders."""
        return [
            web.get("/orders", self.index),
            web.post("/orders", self.create),
            web.get("/orders/{order_id}", self.read),
            web.patch("/orders/{order_id}", self.update),
            web.delete("/orders/{order_id}", self.delete),
            web.post("/orders/{order_id}/cancel", self.cancel),
            web.post("/orders/{order_id}/submit", self.submit),
        ]

    async def index(self, request: web.Request) -> web.Response:
        """One page of orders."""
        return page_response(request, self.shop.list_orders(request.query))

    async def create(self, request: web.Request) -> web.Response:
        """Open an order."""
        order = self.shop.create_order(await read_json(request))
        return created(f"/orders/{order.id}", self.shop.order_json(order))

    async def read(self, request: web.Request) -> web.Response:
        """Read an order."""
        return self._answer(self.shop.order(request.match_info["order_id"]))

    async def update(self, request: web.Request) -> web.Response:
        """Change the note of an order."""
        body = await read_json(request, MERGE_PATCH)
        return self._answer(self.shop.update_order(request.match_info["order_id"], body))

    async def delete(self, request: web.Request) -> web.Response:
        """Remove an order."""
        self.shop.delete_order(request.match_info["order_id"])
        return no_content()

    async def cancel(self, request: web.Request) -> web.Response:
        """Cancel an order."""
        return self._answer(self.shop.cancel_order(request.match_info["order_id"]), status=202)

    async def submit(self, request: web.Request) -> web.Response:
        """Submit an order."""
        return self._answer(self.shop.submit_order(request.match_info["order_id"]))

    def _answer(self, order: Order, status: int = 200) -> web.Response:
        return web.json_response(self.shop.order_json(order), status=status)
