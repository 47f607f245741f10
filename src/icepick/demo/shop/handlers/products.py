"""HTTP handlers of products."""

from __future__ import annotations

from dataclasses import dataclass

from aiohttp import web

from icepick.demo.shop.domain import Shop
from icepick.demo.shop.messages import created, no_content, page_response, read_json
from icepick.demo.shop.types import as_json


@dataclass(frozen=True, slots=True)
class ProductHandlers:
    """/products and /products/{sku}."""

    shop: Shop

    def routes(self) -> list[web.RouteDef]:
        """The paths of products."""
        return [
            web.get("/products", self.index),
            web.get("/products/{sku}", self.read),
            web.put("/products/{sku}", self.put),
            web.delete("/products/{sku}", self.delete),
        ]

    async def index(self, request: web.Request) -> web.Response:
        """One page of products."""
        return page_response(request, self.shop.list_products(request.query))

    async def read(self, request: web.Request) -> web.Response:
        """Read a product."""
        return web.json_response(as_json(self.shop.product(request.match_info["sku"])))

    async def put(self, request: web.Request) -> web.Response:
        """Create or replace a product."""
        body = await read_json(request)
        product, is_new = self.shop.put_product(request.match_info["sku"], body)
        if is_new:
            return created(f"/products/{product.sku}", as_json(product))
        return web.json_response(as_json(product))

    async def delete(self, request: web.Request) -> web.Response:
        """Remove a product."""
        self.shop.delete_product(request.match_info["sku"])
        return no_content()
