"""HTTP handlers of customers."""

from __future__ import annotations

from dataclasses import dataclass

from aiohttp import web

from icepick.demo.shop.domain import Shop
from icepick.demo.shop.messages import (
    MERGE_PATCH,
    created,
    entity_tags,
    no_content,
    page_response,
    read_json,
)
from icepick.demo.shop.types import Customer, as_json


@dataclass(frozen=True, slots=True)
class CustomerHandlers:
    """/customers and /customers/{customer_id}."""

    shop: Shop

    def routes(self) -> list[web.RouteDef]:
        """The paths of customers."""
        return [
            web.get("/customers", self.index),
            web.post("/customers", self.create),
            web.get("/customers/{customer_id}", self.read),
            web.put("/customers/{customer_id}", self.replace),
            web.patch("/customers/{customer_id}", self.update),
            web.delete("/customers/{customer_id}", self.delete),
        ]

    async def index(self, request: web.Request) -> web.Response:
        """One page of customers."""
        return page_response(request, self.shop.list_customers(request.query))

    async def create(self, request: web.Request) -> web.Response:
        """Register a customer."""
        customer = self.shop.create_customer(await read_json(request))
        return created(f"/customers/{customer.id}", as_json(customer), ETag=self._etag(customer))

    async def read(self, request: web.Request) -> web.Response:
        """Read a customer."""
        return self._answer(self.shop.customer(request.match_info["customer_id"]))

    async def replace(self, request: web.Request) -> web.Response:
        """Replace a customer."""
        body = await read_json(request)
        customer_id = request.match_info["customer_id"]
        return self._answer(self.shop.replace_customer(customer_id, body, entity_tags(request)))

    async def update(self, request: web.Request) -> web.Response:
        """Change some fields of a customer."""
        body = await read_json(request, MERGE_PATCH)
        customer_id = request.match_info["customer_id"]
        return self._answer(self.shop.update_customer(customer_id, body, entity_tags(request)))

    async def delete(self, request: web.Request) -> web.Response:
        """Remove a customer."""
        self.shop.delete_customer(request.match_info["customer_id"], entity_tags(request))
        return no_content()

    def _answer(self, customer: Customer) -> web.Response:
        return web.json_response(as_json(customer), headers={"ETag": self._etag(customer)})

    def _etag(self, customer: Customer) -> str:
        return f'"{self.shop.etag(customer)}"'
