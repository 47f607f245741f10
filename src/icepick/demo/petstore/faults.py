"""What can go wrong in the pet store, one mix-in for each defect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from icepick.demo.http import Refusal
from icepick.demo.petstore.domain import Petstore, Record
from icepick.demo.service import Fault


class DeletePetKeepsOrders(Petstore):
    """Orders of a deleted pet stay and refer to nothing."""

    def drop_orders_of(self, pet_id: int) -> None:
        """Leave them all."""


class UpdatePetDropsOrders(Petstore):
    """An update is done as a delete and an add, and the cascade of the delete strikes."""

    def update_pet(self, pet: Record) -> Record:
        """Lose the orders on the way."""
        answer = super().update_pet(pet)
        self.drop_orders_of(pet["id"])
        return answer


class UpdatePetDropsTags(Petstore):
    """The answer shows the tags, the store does not keep them."""

    def update_pet(self, pet: Record) -> Record:
        """Keep everything but the tags."""
        answer = super().update_pet(pet)
        stored = self.pets[pet["id"]]
        self.pets[pet["id"]] = {key: stored[key] for key in stored if key != "tags"}
        return answer


class AddPetReplaces(Petstore):
    """A second pet with the same id takes the place of the first."""

    def refuse_taken_pet(self, pet_id: int) -> None:
        """Refuse nothing."""


class FindByStatusStale(Petstore):
    """The index by status is not told of changes made through the form."""

    stale: dict[int, str]

    def reset(self) -> None:
        """Start with an index that is right."""
        super().reset()
        self.stale = {}

    def update_pet_fields(self, pet_id: int, fields: Record) -> Record:
        """Keep the index at the status before the change."""
        before = self.listed_status(self.get_pet(pet_id))
        answer = super().update_pet_fields(pet_id, fields)
        self.stale[pet_id] = before
        return answer

    def add_pet(self, pet: Record) -> Record:
        """A new pet is indexed afresh."""
        answer = super().add_pet(pet)
        self.stale.pop(answer["id"], None)
        return answer

    def update_pet(self, pet: Record) -> Record:
        """A replaced pet is indexed afresh."""
        answer = super().update_pet(pet)
        self.stale.pop(pet["id"], None)
        return answer

    def listed_status(self, pet: Record) -> str:
        """What the index says."""
        return self.stale.get(pet["id"], super().listed_status(pet))


class InventoryCountsDeleted(Petstore):
    """The inventory goes on counting pets that are gone."""

    gone_pets: list[Record]

    def reset(self) -> None:
        """No pet is gone yet."""
        super().reset()
        self.gone_pets = []

    def delete_pet(self, pet_id: int) -> None:
        """Remember the pet for the inventory."""
        pet = self.get_pet(pet_id)
        super().delete_pet(pet_id)
        self.gone_pets.append(pet)

    def counted_pets(self) -> Iterable[Record]:
        """The gone ones too."""
        return [*super().counted_pets(), *self.gone_pets]


class OrderForMissingPet(Petstore):
    """An order may refer to a pet that does not exist."""

    def refuse_missing_pet(self, pet_id: int) -> None:
        """Refuse nothing."""


class DeleteOrderTakesSiblings(Petstore):
    """Deleting one order deletes all orders of the same pet."""

    def delete_order(self, order_id: int) -> None:
        """Delete by the pet in place of the id."""
        pet_id = self.get_order(order_id)["petId"]
        super().delete_order(order_id)
        for sibling in self.orders_of(pet_id):
            del self.orders[sibling]


class SecondOrderCrashes(Petstore):
    """The code that files an order cannot cope with a pet that has one."""

    def store_order(self, order: Record) -> Record:
        """Crash before anything is stored."""
        if self.orders_of(order["petId"]):
            raise RuntimeError(f"more than one order for pet {order['petId']}")
        return super().store_order(order)


class RefusedOrderOverwrites(Petstore):
    """The order is written before its id is checked."""

    def place_order(self, order: Record) -> Record:
        """Answer 409 for a taken id, with the old order lost."""
        try:
            return super().place_order(order)
        except Refusal as refusal:
            if refusal.status == 409:
                self.orders[order["id"]] = order
            raise


class ListOverwritesUsers(Petstore):
    """A list with at least one new user overwrites the users that exist."""

    def create_users(self, users: Sequence[Record]) -> list[Record]:
        """Store all of them."""
        super().create_users(users)
        return [self.store_user(user) for user in users]


class ListStoresFirstOnly(Petstore):
    """The answer names all users, only the first new one is kept."""

    def create_users(self, users: Sequence[Record]) -> list[Record]:
        """Lose the others after the answer is made."""
        new = self.new_users(users)
        answer = super().create_users(users)
        for user in new[1:]:
            self.users.pop(user["username"], None)
        return answer


class UpdateUserResetsPassword(Petstore):
    """The answer shows the password that was sent, the store keeps a standard one."""

    def update_user(self, username: str, details: Record) -> Record:
        """Keep everything but the password."""
        answer = super().update_user(username, details)
        self.users[username] = {**self.users[username], "password": "password"}
        return answer


class DeletedUserLogsIn(Petstore):
    """Deleting a user leaves the credentials behind."""

    credentials: dict[str, Record]

    def reset(self) -> None:
        """No credentials are left behind yet."""
        super().reset()
        self.credentials = {}

    def delete_user(self, username: str) -> None:
        """Remember the credentials."""
        user = self.get_user(username)
        super().delete_user(username)
        self.credentials[username] = user

    def login_record(self, username: str) -> Record | None:
        """The user, or what is left of one."""
        return super().login_record(username) or self.credentials.get(username)


class DeletedUsernameTaken(Petstore):
    """The name of a deleted user is never free again."""

    burnt_names: set[str]

    def reset(self) -> None:
        """All names are free."""
        super().reset()
        self.burnt_names = set()

    def delete_user(self, username: str) -> None:
        """Remember the name."""
        super().delete_user(username)
        self.burnt_names.add(username)

    def create_user(self, user: Record) -> Record:
        """Refuse a remembered name as if its user were there."""
        if user["username"] in self.burnt_names:
            raise Refusal(409, f"username: {user['username']!r} is taken")
        return super().create_user(user)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "delete-pet-keeps-orders",
        "deleting a pet leaves its orders, which then refer to nothing",
        DeletePetKeepsOrders,
    ),
    Fault(
        "update-pet-drops-orders",
        "updating a pet with PUT deletes its orders",
        UpdatePetDropsOrders,
    ),
    Fault(
        "update-pet-drops-tags",
        "updating a pet with PUT answers with the tags but does not store them",
        UpdatePetDropsTags,
    ),
    Fault(
        "add-pet-replaces",
        "adding a pet under an id in use replaces the pet and answers 201",
        AddPetReplaces,
    ),
    Fault(
        "find-by-status-stale",
        "after an update with the form a pet is still found under its old status",
        FindByStatusStale,
    ),
    Fault(
        "inventory-counts-deleted",
        "the inventory still counts deleted pets",
        InventoryCountsDeleted,
    ),
    Fault(
        "order-for-missing-pet",
        "an order for a pet that does not exist is accepted",
        OrderForMissingPet,
    ),
    Fault(
        "delete-order-takes-siblings",
        "deleting an order deletes the other orders of the same pet too",
        DeleteOrderTakesSiblings,
    ),
    Fault(
        "second-order-crashes",
        "the second order for the same pet is answered with 500",
        SecondOrderCrashes,
    ),
    Fault(
        "refused-order-overwrites",
        "an order refused with 409 overwrites the order that has the id",
        RefusedOrderOverwrites,
    ),
    Fault(
        "list-overwrites-users",
        "creating users from a list overwrites those that exist already",
        ListOverwritesUsers,
    ),
    Fault(
        "list-stores-first-only",
        "creating users from a list stores only the first new one",
        ListStoresFirstOnly,
    ),
    Fault(
        "update-user-resets-password",
        "updating a user stores a standard password in place of the one sent",
        UpdateUserResetsPassword,
    ),
    Fault(
        "deleted-user-logs-in",
        "a deleted user can still log in",
        DeletedUserLogsIn,
    ),
    Fault(
        "deleted-username-taken",
        "the name of a deleted user answers 409 on creation although reading it answers 404",
        DeletedUsernameTaken,
    ),
)
