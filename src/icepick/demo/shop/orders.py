"""Orders: open, then submitted or cancelled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from icepick.demo.shop.addresses import Addresses
from icepick.demo.shop.problems import FieldError, Problem, not_found, refuse_if
from icepick.demo.shop.types import JsonObject, Line, Listing, Order, order_json
from icepick.demo.shop.validation import Rule, rule_errors, schema_errors

RULES = (
    Rule(
        "address_id",
        ("type",),
        "address_id is required if type is 'standard'",
        lambda body: body["type"] == "standard" and "address_id" not in body,
    ),
    Rule(
        "priority",
        ("type",),
        "priority is required if type is 'express'",
        lambda body: body["type"] == "express" and "priority" not in body,
    ),
    Rule(
        "priority",
        ("type",),
        "priority must be absent unless type is 'express'",
        lambda body: body["type"] != "express" and "priority" in body,
    ),
)


class Orders(Addresses):
    """What customers want."""

    def list_orders(self, query: Mapping[str, str]) -> Listing:
        """One page of orders, of one customer or in one status where the query asks for it."""
        self.check_order_query(query)
        found = [
            self.order_json(order)
            for order in self.orders.values()
            if query.get("customer_id", order.customer_id) == order.customer_id
            and query.get("status", order.status) == order.status
        ]
        return self.listing(found, self.page_of(query))

    def check_order_query(self, query: Mapping[str, str]) -> None:
        """Refuse a page or a filter that cannot be."""
        errors = self.page_errors(query)
        for name, schema in (("customer_id", "Id"), ("status", "OrderStatus")):
            if name in query:
                errors += schema_errors(schema, query[name], name)
        refuse_if(422, errors)

    def create_order(self, body: Any) -> Order:
        """Open an order."""
        self.check_order(body)
        order = Order(
            id=self.new_id(),
            customer_id=body["customer_id"],
            type=body["type"],
            address_id=body.get("address_id"),
            priority=body.get("priority"),
            note=body.get("note"),
            status="open",
            created_at=self.now(),
        )
        self.lines[order.id] = {}
        return self.save_order(order)

    def order(self, order_id: str) -> Order:
        """The order with this id."""
        if order_id not in self.orders:
            raise not_found("order", order_id)
        return self.orders[order_id]

    def update_order(self, order_id: str, body: Any) -> Order:
        """Change the note of an open order."""
        order = self.order(order_id)
        self.check_order_patch(body)
        self.check_open(order)
        return self.save_order(replace(order, **body))

    def delete_order(self, order_id: str) -> None:
        """Remove an order that is cancelled or empty."""
        order = self.order(order_id)
        if order.status != "cancelled" and self.lines_of(order):
            raise Problem(409, f"order {order_id} is {order.status} and has lines")
        del self.orders[order_id]
        del self.lines[order_id]

    def cancel_order(self, order_id: str) -> Order:
        """Begin to cancel an open order; `settle` completes it."""
        order = self.order(order_id)
        self.check_open(order)
        self.cancelling.append(order_id)
        return self.save_order(replace(order, status="cancelling"))

    def settle(self) -> None:
        """Complete the cancellations of earlier calls."""
        for order_id in self.cancelling:
            self.save_order(replace(self.orders[order_id], status="cancelled"))
        self.cancelling.clear()

    def submit_order(self, order_id: str) -> Order:
        """Submit an open order that has lines."""
        order = self.order(order_id)
        self.check_open(order)
        self.check_has_lines(order)
        return self.save_order(replace(order, status="submitted"))

    def save_order(self, order: Order) -> Order:
        """Keep an order as it is now."""
        self.orders[order.id] = order
        return order

    def order_json(self, order: Order) -> JsonObject:
        """An order as callers see it."""
        return order_json(order, self.total(order))

    def total(self, order: Order) -> float:
        """What the lines of an order cost together."""
        costs = (line.quantity * line.unit_price for line in self.lines_of(order))
        return round(sum(costs), 2)

    def lines_of(self, order: Order) -> list[Line]:
        """The lines of an order."""
        return list(self.lines[order.id].values())

    def check_order(self, body: Any) -> None:
        """Refuse fields that no order can have."""
        errors = schema_errors("OrderInput", body)
        if isinstance(body, dict):
            errors += rule_errors(RULES, body, errors)
            wrong = {error.field for error in errors}
            errors += [] if "customer_id" in wrong else self.customer_errors(body, wrong)
        refuse_if(422, errors)

    def customer_errors(self, body: JsonObject, wrong: set[str]) -> list[FieldError]:
        """Whether the customer is registered and the address is one of theirs."""
        customer_id = body["customer_id"]
        if customer_id not in self.customers:
            message = "Invalid customer_id: must be a registered customer"
            return [FieldError("customer_id", message)]
        if "address_id" not in body or "address_id" in wrong:
            return []
        if self.can_ship_to(customer_id, body["address_id"]):
            return []
        message = "Invalid address_id: must be an address of the customer"
        return [FieldError("address_id", message)]

    def can_ship_to(self, customer_id: str, address_id: str) -> bool:
        """Whether an address is one of a customer's."""
        return address_id in self.addresses_of(customer_id)

    def check_order_patch(self, body: Any) -> None:
        """Refuse a change of an order that is not well-formed."""
        refuse_if(422, schema_errors("OrderPatch", body))

    def check_open(self, order: Order) -> None:
        """Refuse to change an order that is not open any more."""
        if order.status != "open":
            raise Problem(409, f"order {order.id} is {order.status}, not open")

    def check_has_lines(self, order: Order) -> None:
        """Refuse to submit an empty order."""
        if not self.lines_of(order):
            raise Problem(409, f"order {order.id} has no lines")
