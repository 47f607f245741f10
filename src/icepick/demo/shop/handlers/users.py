"""HTTP handlers of users."""

from __future__ import annotations

from dataclasses import dataclass

from aiohttp import web

from icepick.demo.shop.domain import Shop
from icepick.demo.shop.messages import MERGE_PATCH, created, no_content, page_response, read_json
from icepick.demo.shop.types import user_json


@dataclass(frozen=True, slots=True)
class UserHandlers:
    """/users and /users/{user_id}."""

    shop: Shop

    def routes(self) -> list[web.RouteDef]:
        """The paths of users."""
        return [
            web.get("/users", self.index),
            web.post("/users", self.create),
            web.get("/users/{user_id}", self.read),
            web.patch("/users/{user_id}", self.update),
            web.delete("/users/{user_id}", self.delete),
        ]

    async def index(self, request: web.Request) -> web.Response:
        """One page of users."""
        return page_response(request, self.shop.list_users(request.query))

    async def create(self, request: web.Request) -> web.Response:
        """Open an account."""
        user = self.shop.create_user(await read_json(request))
        return created(f"/users/{user.id}", user_json(user))

    async def read(self, request: web.Request) -> web.Response:
        """Read a user."""
        return web.json_response(user_json(self.shop.user(request.match_info["user_id"])))

    async def update(self, request: web.Request) -> web.Response:
        """Change some fields of a user."""
        body = await read_json(request, MERGE_PATCH)
        user = self.shop.update_user(request.match_info["user_id"], body)
        return web.json_response(user_json(user))

    async def delete(self, request: web.Request) -> web.Response:
        """Close an account."""
        self.shop.delete_user(request.match_info["user_id"])
        return no_content()
