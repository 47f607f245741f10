"""The operations of the pet store over HTTP."""

from __future__ import annotations

from dataclasses import dataclass

from aiohttp import web

from icepick.demo.petstore.domain import Petstore
from icepick.demo.petstore.reading import Reader, image_body

PREFIX = "/api/v3"


def routes(domain: Petstore) -> list[web.RouteDef]:
    """Every operation of the document."""
    reader = Reader.load()
    return [
        *PetHandlers(domain, reader).routes(),
        *StoreHandlers(domain, reader).routes(),
        *UserHandlers(domain, reader).routes(),
    ]


@dataclass(frozen=True, slots=True)
class PetHandlers:
    """The operations under /pet."""

    domain: Petstore
    reader: Reader

    def routes(self) -> list[web.RouteDef]:
        """Fixed paths before those with a parameter."""
        pet = f"{PREFIX}/pet"
        return [
            web.put(pet, self.update),
            web.post(pet, self.add),
            web.get(f"{pet}/findByStatus", self.find_by_status),
            web.get(f"{pet}/findByTags", self.find_by_tags),
            web.get(f"{pet}/{{petId}}", self.get),
            web.post(f"{pet}/{{petId}}", self.update_with_form),
            web.delete(f"{pet}/{{petId}}", self.delete),
            web.post(f"{pet}/{{petId}}/uploadImage", self.upload_image),
        ]

    async def update(self, request: web.Request) -> web.Response:
        """PUT /pet."""
        pet = await self.reader.body(request, "Pet")
        return web.json_response(self.domain.update_pet(pet))

    async def add(self, request: web.Request) -> web.Response:
        """POST /pet."""
        pet = await self.reader.body(request, "NewPet")
        return web.json_response(self.domain.add_pet(pet), status=201)

    async def find_by_status(self, request: web.Request) -> web.Response:
        """GET /pet/findByStatus."""
        statuses = self.reader.many(request, "status", "PetStatus")
        return web.json_response(self.domain.find_by_status(statuses))

    async def find_by_tags(self, request: web.Request) -> web.Response:
        """GET /pet/findByTags."""
        names = self.reader.many(request, "tags", "TagName")
        return web.json_response(self.domain.find_by_tags(names))

    async def get(self, request: web.Request) -> web.Response:
        """GET /pet/{petId}."""
        return web.json_response(self.domain.get_pet(self._pet_id(request)))

    async def update_with_form(self, request: web.Request) -> web.Response:
        """POST /pet/{petId}."""
        pet_id = self._pet_id(request)
        given = {
            "name": self.reader.at_most_once(request, "name", "PetName"),
            "status": self.reader.at_most_once(request, "status", "PetStatus"),
        }
        fields = {name: value for name, value in given.items() if value is not None}
        return web.json_response(self.domain.update_pet_fields(pet_id, fields))

    async def delete(self, request: web.Request) -> web.Response:
        """DELETE /pet/{petId}."""
        self.domain.delete_pet(self._pet_id(request))
        return web.Response(status=204)

    async def upload_image(self, request: web.Request) -> web.Response:
        """POST /pet/{petId}/uploadImage."""
        pet_id = self._pet_id(request)
        metadata = self.reader.at_most_once(request, "additionalMetadata", "ImageMetadata")
        image = await image_body(request)
        return _told(self.domain.upload_image(pet_id, image, metadata))

    def _pet_id(self, request: web.Request) -> int:
        return self.reader.path_id(request, "petId", "PetId")


@dataclass(frozen=True, slots=True)
class StoreHandlers:
    """The operations under /store."""

    domain: Petstore
    reader: Reader

    def routes(self) -> list[web.RouteDef]:
        """The inventory and the orders."""
        order = f"{PREFIX}/store/order"
        return [
            web.get(f"{PREFIX}/store/inventory", self.inventory),
            web.post(order, self.place),
            web.get(f"{order}/{{orderId}}", self.get),
            web.delete(f"{order}/{{orderId}}", self.delete),
        ]

    async def inventory(self, _: web.Request) -> web.Response:
        """GET /store/inventory."""
        return web.json_response(self.domain.inventory())

    async def place(self, request: web.Request) -> web.Response:
        """POST /store/order."""
        order = await self.reader.body(request, "NewOrder")
        return web.json_response(self.domain.place_order(order), status=201)

    async def get(self, request: web.Request) -> web.Response:
        """GET /store/order/{orderId}."""
        return web.json_response(self.domain.get_order(self._order_id(request)))

    async def delete(self, request: web.Request) -> web.Response:
        """DELETE /store/order/{orderId}."""
        self.domain.delete_order(self._order_id(request))
        return web.Response(status=204)

    def _order_id(self, request: web.Request) -> int:
        return self.reader.path_id(request, "orderId", "OrderId")


@dataclass(frozen=True, slots=True)
class UserHandlers:
    """The operations under /user."""

    domain: Petstore
    reader: Reader

    def routes(self) -> list[web.RouteDef]:
        """Fixed paths before those with a parameter."""
        user = f"{PREFIX}/user"
        return [
            web.post(user, self.create),
            web.post(f"{user}/createWithList", self.create_with_list),
            web.get(f"{user}/login", self.log_in),
            web.get(f"{user}/logout", self.log_out),
            web.get(f"{user}/{{username}}", self.get),
            web.put(f"{user}/{{username}}", self.update),
            web.delete(f"{user}/{{username}}", self.delete),
        ]

    async def create(self, request: web.Request) -> web.Response:
        """POST /user."""
        user = await self.reader.body(request, "User")
        return web.json_response(self.domain.create_user(user), status=201)

    async def create_with_list(self, request: web.Request) -> web.Response:
        """POST /user/createWithList."""
        users = await self.reader.body(request, "UserList")
        return web.json_response(self.domain.create_users(users), status=201)

    async def log_in(self, request: web.Request) -> web.Response:
        """GET /user/login."""
        username = self.reader.once(request, "username", "Username")
        password = self.reader.once(request, "password", "Password")
        return web.json_response(self.domain.log_in(username, password))

    async def log_out(self, _: web.Request) -> web.Response:
        """GET /user/logout."""
        return _told("logged out")

    async def get(self, request: web.Request) -> web.Response:
        """GET /user/{username}."""
        return web.json_response(self.domain.get_user(self.reader.username(request)))

    async def update(self, request: web.Request) -> web.Response:
        """PUT /user/{username}."""
        username = self.reader.username(request)
        details = await self.reader.body(request, "UserDetails")
        return web.json_response(self.domain.update_user(username, details))

    async def delete(self, request: web.Request) -> web.Response:
        """DELETE /user/{username}."""
        self.domain.delete_user(self.reader.username(request))
        return web.Response(status=204)


def _told(message: str) -> web.Response:
    return web.json_response({"code": 200, "type": "success", "message": message})
