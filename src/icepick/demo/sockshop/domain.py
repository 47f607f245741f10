"""The rules of the SockShop: who the customers are, and what they have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from icepick.demo.http import Refusal

KEY = "demo-key"
"""The key of the one client that there is."""

Record = dict[str, Any]


@dataclass(slots=True)
class Customer:
    """A customer; cards and addresses have ids of their own, and are kept in order."""

    id: str
    username: str
    email: str
    cards: list[Record] = field(default_factory=list)
    addresses: list[Record] = field(default_factory=list)


class SockShop:
    """Customers by id; a call either does all of its work or refuses and does none."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything; numbering starts again at 1."""
        self._customers: dict[str, Customer] = {}
        self._ids = count(1)

    def let_in(self, key: str | None) -> None:
        """Refuse whoever does not have the key."""
        if key != KEY:
            raise Refusal(401, "apiKey: it is missing or unknown")

    def customer(self, customer_id: str) -> Customer:
        """The customer with that id."""
        try:
            return self._customers[customer_id]
        except KeyError:
            raise Refusal(404, f"id: there is no customer {customer_id!r}") from None

    def shown(self, customer_id: str) -> Record:
        """A customer as it is read."""
        customer = self.customer(customer_id)
        return {
            "id": customer.id,
            "username": customer.username,
            "email": customer.email,
            "cards": [dict(card) for card in customer.cards],
            "addresses": [dict(address) for address in customer.addresses],
        }

    def add_customer(self, sent: Mapping[str, Any]) -> Any:
        """Register a customer; its id."""
        customer = Customer(self._new_id("cust"), sent["username"], sent["email"])
        self._customers[customer.id] = customer
        return customer.id

    def delete_customer(self, customer_id: str) -> None:
        """Remove a customer with all that it has."""
        self.customer(customer_id)
        del self._customers[customer_id]

    def add_card(self, customer_id: str, sent: Mapping[str, Any]) -> Any:
        """Give a customer a card; the id of the card."""
        customer = self.customer(customer_id)
        card = {"id": self._new_id("card"), "number": sent["number"], "expires": sent["expires"]}
        customer.cards.append(card)
        return card["id"]

    def add_address(self, customer_id: str, sent: Mapping[str, Any]) -> Any:
        """Give a customer an address; the id of the address."""
        customer = self.customer(customer_id)
        address = {"id": self._new_id("addr"), "street": sent["street"], "city": sent["city"]}
        customer.addresses.append(address)
        return address["id"]

    def _new_id(self, kind: str) -> str:
        return f"{kind}-{next(self._ids)}"
