"""HTTP handlers of the lines of orders."""

from __future__ import annotations

from dataclasses import dataclass

from aiohttp import web

from icepick.demo.shop.domain import Shop
from icepick.demo.shop.messages import created, no_content, read_json
from icepick.demo.shop.types import as_json


@dataclass(frozen=True, slots=True)
class LineHandlers:
    """/orders/{order_id}/lines and one line below it."""

    shop: Shop

    def routes(self) -> list[web.RouteDef]:
        """The paths of lines."""
        every = "/orders/{order_id}/lines"
        one = every + "/{line_id}"
        return [
            web.get(every, self.index),
            web.post(every, self.create),
            web.get(one, self.read),
            web.put(one, self.replace),
            web.delete(one, self.delete),
        ]

    async def index(self, request: web.Request) -> web.Response:
        """All lines of an order."""
        lines = self.shop.list_lines(request.match_info["order_id"])
        return web.json_response([as_json(line) for line in lines])

    async def create(self, request: web.Request) -> web.Response:
        """Add a line."""
        body = await read_json(request)
        line = self.shop.create_line(request.match_info["order_id"], body)
        return created(f"/orders/{line.order_id}/lines/{line.id}", as_json(line))

    async def read(self, request: web.Request) -> web.Response:
        """Read a line."""
        return web.json_response(as_json(self.shop.line(*_ids(request))))

    async def replace(self, request: web.Request) -> web.Response:
        """Replace a line."""
        body = await read_json(request)
        return web.json_response(as_json(self.shop.replace_line(*_ids(request), body)))

    async def delete(self, request: web.Request) -> web.Response:
        """Remove a line."""
        self.shop.delete_line(*_ids(request))
        return no_content()


def _ids(request: web.Request) -> tuple[str, str]:
    return request.match_info["order_id"], request.match_info["line_id"]
