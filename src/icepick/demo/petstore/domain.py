"""The state of the pet store and its rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from icepick.demo.http import Refusal

Record = Mapping[str, Any]
"""A pet, an order or a user as it was sent; never changed in place, only replaced."""

STATUSES = ("available", "pending", "sold")


class Petstore:
    """Pets and orders by id, users by username."""

    pets: dict[int, Record]
    orders: dict[int, Record]
    users: dict[str, Record]
    last_pet: int
    last_order: int

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything, the ids handed out included."""
        self.pets = {}
        self.orders = {}
        self.users = {}
        self.last_pet = 0
        self.last_order = 0

    # Pets

    def add_pet(self, pet: Record) -> Record:
        """Take in a pet under its own id, or under the next free one."""
        if "id" not in pet:
            self.last_pet = _next_free(self.last_pet, self.pets)
            return self.store_pet({"id": self.last_pet, **pet})
        self.refuse_taken_pet(pet["id"])
        return self.store_pet(pet)

    def update_pet(self, pet: Record) -> Record:
        """Replace a pet as a whole."""
        self.get_pet(pet["id"])
        return self.store_pet(pet)

    def update_pet_fields(self, pet_id: int, fields: Record) -> Record:
        """Replace the given fields of a pet and keep the others."""
        return self.store_pet({**self.get_pet(pet_id), **fields})

    def delete_pet(self, pet_id: int) -> None:
        """Remove a pet, and with it the orders that refer to it."""
        self.get_pet(pet_id)
        del self.pets[pet_id]
        self.drop_orders_of(pet_id)

    def get_pet(self, pet_id: int) -> Record:
        """The pet with this id."""
        if pet_id not in self.pets:
            raise Refusal(404, f"there is no pet with id {pet_id}")
        return self.pets[pet_id]

    def find_by_status(self, statuses: Collection[str]) -> list[Record]:
        """The pets in one of the statuses, by id."""
        return [pet for pet in self.pets_by_id() if self.listed_status(pet) in statuses]

    def find_by_tags(self, names: Collection[str]) -> list[Record]:
        """The pets with at least one tag of these names, by id."""
        return [
            pet
            for pet in self.pets_by_id()
            if any(tag["name"] in names for tag in pet.get("tags", ()))
        ]

    def upload_image(self, pet_id: int, image: bytes, metadata: str | None) -> str:
        """Take in a picture of a pet; the pet stays as it is."""
        self.get_pet(pet_id)
        about = "" if metadata is None else f", {metadata!r}"
        return f"{len(image)} bytes received for pet {pet_id}{about}"

    def inventory(self) -> dict[str, int]:
        """How many pets there are in each status, 0 included."""
        counts = dict.fromkeys(STATUSES, 0)
        for pet in self.counted_pets():
            counts[pet["status"]] += 1
        return counts

    def refuse_taken_pet(self, pet_id: int) -> None:
        """Refuse an id that another pet has."""
        if pet_id in self.pets:
            raise Refusal(409, f"id: there is a pet with id {pet_id} already")

    def store_pet(self, pet: Record) -> Record:
        """Keep a pet under its id."""
        self.pets[pet["id"]] = pet
        return pet

    def pets_by_id(self) -> list[Record]:
        """All pets in the order of their ids."""
        return [self.pets[pet_id] for pet_id in sorted(self.pets)]

    def listed_status(self, pet: Record) -> str:
        """The status under which a pet is found."""
        return str(pet["status"])

    def counted_pets(self) -> Iterable[Record]:
        """The pets that the inventory counts."""
        return self.pets.values()

    # Orders

    def place_order(self, order: Record) -> Record:
        """Take in an order under its own id, or under the next free one."""
        self.refuse_missing_pet(order["petId"])
        if "id" not in order:
            self.last_order = _next_free(self.last_order, self.orders)
            return self.store_order({"id": self.last_order, **order})
        self.refuse_taken_order(order["id"])
        return self.store_order(order)

    def get_order(self, order_id: int) -> Record:
        """The order with this id."""
        if order_id not in self.orders:
            raise Refusal(404, f"there is no order with id {order_id}")
        return self.orders[order_id]

    def delete_order(self, order_id: int) -> None:
        """Remove one order."""
        self.get_order(order_id)
        del self.orders[order_id]

    def refuse_missing_pet(self, pet_id: int) -> None:
        """Refuse an order that refers to no pet."""
        if pet_id not in self.pets:
            raise Refusal(404, f"petId: there is no pet with id {pet_id}")

    def refuse_taken_order(self, order_id: int) -> None:
        """Refuse an id that another order has."""
        if order_id in self.orders:
            raise Refusal(409, f"id: there is an order with id {order_id} already")

    def store_order(self, order: Record) -> Record:
        """Keep an order under its id."""
        self.orders[order["id"]] = order
        return order

    def orders_of(self, pet_id: int) -> list[int]:
        """The ids of the orders that refer to a pet."""
        return [key for key, order in self.orders.items() if order["petId"] == pet_id]

    def drop_orders_of(self, pet_id: int) -> None:
        """Remove the orders that refer to a pet."""
        for order_id in self.orders_of(pet_id):
            del self.orders[order_id]

    # Users

    def create_user(self, user: Record) -> Record:
        """Take in a user whose name is free."""
        if self.is_taken(user["username"]):
            raise Refusal(409, f"username: {user['username']!r} is taken")
        return self.store_user(user)

    def create_users(self, users: Sequence[Record]) -> list[Record]:
        """Take in those whose names are free; answers with all that were named."""
        _refuse_repeated(users)
        new = self.new_users(users)
        if not new:
            raise Refusal(409, "username: all of these users exist already")
        for user in new:
            self.store_user(user)
        return [self.get_user(user["username"]) for user in users]

    def get_user(self, username: str) -> Record:
        """The user of this name."""
        if username not in self.users:
            raise Refusal(404, f"there is no user named {username!r}")
        return self.users[username]

    def update_user(self, username: str, details: Record) -> Record:
        """Replace a user as a whole; the name cannot change."""
        if details.get("username", username) != username:
            raise Refusal(400, f"username: must be {username!r} as in the path, or absent")
        self.get_user(username)
        return self.store_user({**details, "username": username})

    def delete_user(self, username: str) -> None:
        """Remove a user."""
        self.get_user(username)
        del self.users[username]

    def log_in(self, username: str, password: str) -> str:
        """The session text for a user who knows the password."""
        user = self.login_record(username)
        if user is None or user["password"] != password:
            raise Refusal(
                401,
                "username, password: there is no such user with this password",
                headers={"WWW-Authenticate": 'Password realm="petstore"'},
            )
        return f"session of {username}"

    def is_taken(self, username: str) -> bool:
        """Whether a new user may not have this name."""
        return username in self.users

    def new_users(self, users: Iterable[Record]) -> list[Record]:
        """Those of the users whose names are free."""
        return [user for user in users if not self.is_taken(user["username"])]

    def store_user(self, user: Record) -> Record:
        """Keep a user under its name."""
        self.users[user["username"]] = user
        return user

    def login_record(self, username: str) -> Record | None:
        """The user against whom a login is checked."""
        return self.users.get(username)


def _next_free(last: int, taken: Collection[int]) -> int:
    """The first id after `last` that is free; those handed out before do not come back."""
    candidate = last + 1
    while candidate in taken:
        candidate += 1
    return candidate


def _refuse_repeated(users: Iterable[Record]) -> None:
    seen: set[str] = set()
    for position, user in enumerate(users):
        if user["username"] in seen:
            raise Refusal(400, f"{position}.username: {user['username']!r} is named twice")
        seen.add(user["username"])
