"""Customers: unique by e-mail address, guarded by entity tags."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from icepick.demo.shop.problems import FieldError, Problem, not_found, refuse_if
from icepick.demo.shop.store import Store
from icepick.demo.shop.types import Customer, JsonObject, Listing, as_json
from icepick.demo.shop.validation import schema_errors

DEFAULTS: JsonObject = {"vip": False, "credit_limit": 0}


class Customers(Store):
    """Who buys."""

    def list_customers(self, query: Mapping[str, str]) -> Listing:
        """One page of customers, of one e-mail address where the query asks for it."""
        page = self.page_of(query)
        wanted = query.get("email")
        found = [
            as_json(customer)
            for customer in self.customers.values()
            if wanted is None or customer.email.lower() == wanted.lower()
        ]
        return self.listing(found, page)

    def create_customer(self, body: Any) -> Customer:
        """Register a customer."""
        self.check_customer(body)
        self.check_email_free(body["email"])
        time = self.now()
        fields = DEFAULTS | body
        customer = Customer(id=self.new_id(), created_at=time, updated_at=time, **fields)
        return self.save_customer(customer)

    def customer(self, customer_id: str) -> Customer:
        """The customer with this id."""
        if customer_id not in self.customers:
            raise not_found("customer", customer_id)
        return self.customers[customer_id]

    def replace_customer(
        self, customer_id: str, body: Any, if_match: Collection[str] | None
    ) -> Customer:
        """Give a customer a whole new set of fields."""
        customer = self.customer(customer_id)
        self.check_customer(body)
        self.check_match(customer, if_match)
        self.check_email_free(body["email"], owner=customer_id)
        changed = self.replaced_customer(customer, body)
        return self.save_customer(replace(changed, updated_at=self.now()))

    def update_customer(
        self, customer_id: str, body: Any, if_match: Collection[str] | None
    ) -> Customer:
        """Change the fields of a customer that are sent."""
        customer = self.customer(customer_id)
        self.check_customer_patch(body)
        self.check_match(customer, if_match)
        self.check_patched_email(customer, body)
        changed = self.patched_customer(customer, body)
        return self.save_customer(replace(changed, updated_at=self.now()))

    def delete_customer(self, customer_id: str, if_match: Collection[str] | None) -> None:
        """Remove a customer, and the addresses with it."""
        customer = self.customer(customer_id)
        self.check_match(customer, if_match)
        self.check_without_orders(customer)
        del self.customers[customer_id]
        self.drop_addresses_of(customer_id)

    def drop_addresses_of(self, customer_id: str) -> None:
        """Forget all addresses of a customer."""
        self.addresses.pop(customer_id, None)

    def save_customer(self, customer: Customer) -> Customer:
        """Keep a customer as it is now."""
        self.customers[customer.id] = customer
        return customer

    def replaced_customer(self, customer: Customer, body: JsonObject) -> Customer:
        """The customer after a PUT: what is not sent takes its default."""
        return replace(customer, **(DEFAULTS | body))

    def patched_customer(self, customer: Customer, body: JsonObject) -> Customer:
        """The customer after a PATCH: what is not sent stays."""
        return replace(customer, **body)

    def etag(self, customer: Customer) -> str:
        """The entity tag of a customer as it is now."""
        state = f"{customer.id} {customer.updated_at}"
        return sha256(state.encode()).hexdigest()[:16]

    def check_customer(self, body: Any) -> None:
        """Refuse fields that no customer can have."""
        refuse_if(422, schema_errors("CustomerInput", body))

    def check_customer_patch(self, body: Any) -> None:
        """Refuse a change of a customer that is not well-formed."""
        refuse_if(422, schema_errors("CustomerPatch", body))

    def check_match(self, customer: Customer, if_match: Collection[str] | None) -> None:
        """Refuse to touch a customer that has changed since the caller saw it."""
        if if_match is None or "*" in if_match or self.etag(customer) in if_match:
            return
        raise Problem(412, "If-Match does not hold the current entity tag of the customer")

    def check_email_free(self, email: str, owner: str | None = None) -> None:
        """Refuse an e-mail address that another customer has."""
        for customer in self.customers.values():
            if customer.id != owner and customer.email.lower() == email.lower():
                message = f"email {email!r} is already taken by another customer"
                refuse_if(409, [FieldError("email", message)])

    def check_patched_email(self, customer: Customer, body: JsonObject) -> None:
        """Refuse a PATCH that sends an e-mail address of another customer."""
        if "email" in body:
            self.check_email_free(body["email"], owner=customer.id)

    def check_without_orders(self, customer: Customer) -> None:
        """Refuse to remove a customer who has orders."""
        if any(order.customer_id == customer.id for order in self.orders.values()):
            raise Problem(409, f"customer {customer.id} still has orders")
