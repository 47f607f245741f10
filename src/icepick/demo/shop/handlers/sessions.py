"""HTTP handlers of sessions."""

from __future__ import annotations

from dataclasses import dataclass

from aiohttp import web

from icepick.demo.shop.domain import Shop
from icepick.demo.shop.messages import bearer_token, no_content, read_json


@dataclass(frozen=True, slots=True)
class SessionHandlers:
    """POST /sessions and DELETE /sessions/current."""

    shop: Shop

    async def create(self, request: web.Request) -> web.Response:
        """Log in."""
        session = self.shop.log_in(await read_json(request))
        body = {"token": session.token, "expires_in": session.calls_left}
        return web.json_response(body, status=201)

    async def delete(self, request: web.Request) -> web.Response:
        """Log out."""
        self.shop.log_out(bearer_token(request))
        return no_content()
