"""Addresses of customers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from icepick.demo.shop.customers import Customers
from icepick.demo.shop.problems import Problem, not_found, refuse_if
from icepick.demo.shop.types import Address, JsonObject, Listing, as_json
from icepick.demo.shop.validation import schema_errors

READ_ONLY = ("id", "customer_id")


class Addresses(Customers):
    """Where orders are shipped to."""

    def list_addresses(self, customer_id: str, query: Mapping[str, str]) -> Listing:
        """One page of the addresses of a customer."""
        found = [as_json(address) for address in self.addresses_of(customer_id).values()]
        return self.listing(found, self.page_of(query))

    def create_address(self, customer_id: str, body: Any) -> Address:
        """Add an address to a customer."""
        self.customer(customer_id)
        self.check_address(body)
        address = Address(id=self.new_id(), customer_id=customer_id, **_writable(body))
        self.addresses.setdefault(customer_id, {})[address.id] = address
        return address

    def address(self, customer_id: str, address_id: str) -> Address:
        """One address of a customer."""
        addresses = self.addresses_of(customer_id)
        if address_id not in addresses:
            raise not_found("address", address_id)
        return addresses[address_id]

    def addresses_of(self, customer_id: str) -> Mapping[str, Address]:
        """All addresses of a customer, by id."""
        self.customer(customer_id)
        return self.addresses.get(customer_id, {})

    def replace_address(self, customer_id: str, address_id: str, body: Any) -> Address:
        """Give an address a whole new set of fields."""
        address = self.address(customer_id, address_id)
        self.check_address(body)
        changed = replace(address, **_writable(body))
        self.addresses[customer_id][address_id] = changed
        return changed

    def delete_address(self, customer_id: str, address_id: str) -> None:
        """Remove an address that nothing is shipped to."""
        address = self.address(customer_id, address_id)
        self.check_not_shipped_to(address)
        self.drop_address(address)

    def drop_address(self, address: Address) -> None:
        """Forget an address."""
        del self.addresses[address.customer_id][address.id]

    def check_address(self, body: Any) -> None:
        """Refuse fields that no address can have."""
        refuse_if(422, schema_errors("Address", body))

    def check_not_shipped_to(self, address: Address) -> None:
        """Refuse to remove an address that an order needs."""
        for order in self.orders.values():
            if order.address_id == address.id and order.status != "cancelled":
                raise Problem(409, f"order {order.id} is shipped to address {address.id}")


def _writable(body: JsonObject) -> JsonObject:
    return {name: value for name, value in body.items() if name not in READ_ONLY}
