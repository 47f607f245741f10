"""HTTP handlers of addresses."""

from __future__ import annotations

from dataclasses import dataclass

from aiohttp import web

from icepick.demo.shop.domain import Shop
from icepick.demo.shop.messages import created, no_content, page_response, read_json
from icepick.demo.shop.types import as_json


@dataclass(frozen=True, slots=True)
class AddressHandlers:
    """/customers/{customer_id}/addresses and one address below it."""

    shop: Shop

    def routes(self) -> list[web.RouteDef]:
        """The paths of addresses."""
        every = "/customers/{customer_id}/addresses"
        one = every + "/{address_id}"
        return [
            web.get(every, self.index),
            web.post(every, self.create),
            web.get(one, self.read),
            web.put(one, self.replace),
            web.delete(one, self.delete),
        ]

    async def index(self, request: web.Request) -> web.Response:
        """One page of the addresses of a customer."""
        customer_id = request.match_info["customer_id"]
        return page_response(request, self.shop.list_addresses(customer_id, request.query))

    async def create(self, request: web.Request) -> web.Response:
        """Add an address."""
        body = await read_json(request)
        address = self.shop.create_address(request.match_info["customer_id"], body)
        path = f"/customers/{address.customer_id}/addresses/{address.id}"
        return created(path, as_json(address))

    async def read(self, request: web.Request) -> web.Response:
        """Read an address."""
        return web.json_response(as_json(self.shop.address(*_ids(request))))

    async def replace(self, request: web.Request) -> web.Response:
        """Replace an address."""
        body = await read_json(request)
        return web.json_response(as_json(self.shop.replace_address(*_ids(request), body)))

    async def delete(self, request: web.Request) -> web.Response:
        """Remove an address."""
        self.shop.delete_address(*_ids(request))
        return no_content()


def _ids(request: web.Request) -> tuple[str, str]:
    return request.match_info["customer_id"], request.match_info["address_id"]
