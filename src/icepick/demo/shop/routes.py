"""All paths of the shop; every call but the login needs a token."""

from __future__ import annotations

import re

from aiohttp import web
from aiohttp.typedefs import Handler

from icepick.demo.shop.domain import Shop
from icepick.demo.shop.handlers.addresses import AddressHandlers
from icepick.demo.shop.handlers.customers import CustomerHandlers
from icepick.demo.shop.handlers.lines import LineHandlers
from icepick.demo.shop.handlers.orders import OrderHandlers
from icepick.demo.shop.handlers.products import ProductHandlers
from icepick.demo.shop.handlers.sessions import SessionHandlers
from icepick.demo.shop.handlers.users import UserHandlers
from icepick.demo.shop.messages import PREFIX, bearer_token


def routes(shop: Shop) -> list[web.RouteDef]:
    """The routes of the shop, under its prefix."""
    sessions = SessionHandlers(shop)
    guarded = [
        web.delete("/sessions/current", sessions.delete),
        *CustomerHandlers(shop).routes(),
        *AddressHandlers(shop).routes(),
        *ProductHandlers(shop).routes(),
        *OrderHandlers(shop).routes(),
        *LineHandlers(shop).routes(),
        *UserHandlers(shop).routes(),
    ]
    return [
        web.post(f"{PREFIX}/sessions", sessions.create),
        *(_guarded(shop, route) for route in guarded),
    ]


def _guarded(shop: Shop, route: web.RouteDef) -> web.RouteDef:
    handler: Handler = route.handler

    async def call(request: web.Request) -> web.StreamResponse:
        shop.begin_call(bearer_token(request))
        return await handler(request)

    # Left to itself, the router does not take an id with a brace for an id.
    path = re.sub(r"\{(\w+)\}", r"{\1:[^/]+}", route.path)
    return web.RouteDef(route.method, PREFIX + path, call, route.kwargs)
