"""A shop in memory that answers the calls of Figure 3, right or wrong in one way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from icepick.glacier import Answer
from icepick.openapi.types import ABSENT

Request = tuple[str, Mapping[str, Any], Any]
"""An operation, the values of its parameters by name, and its body."""


class SockShop:
    """Customers with cards and addresses; `fault` names what is wrong with it."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.customers: dict[str, dict[str, Any]] = {}
        self.count = 0

    def answer(self, operation: str, values: Mapping[str, Any], body: Any) -> Answer:
        """What it answers to a call."""
        if values.get("apiKey") != "demo-key":
            return Answer(401, body={"message": "no key"})
        if operation == "addCust":
            return self._created(self.customers, {**body, "cards": [], "addresses": []})
        customer = self.customers.get(values.get("id", values.get("custId", "")))
        if customer is None:
            return Answer(404, body={"message": "no such customer"})
        return self._of_customer(operation, customer, values, body)

    def _of_customer(
        self, operation: str, customer: dict[str, Any], values: Mapping[str, Any], body: Any
    ) -> Answer:
        if operation == "getCust":
            shown = dict(customer)
            if self.fault == "forgets the e-mail after a card" and customer["cards"]:
                shown["email"] = "gone@example.com"
            if self.fault == "shows numbers":
                shown["username"] = 5
            return Answer(200, body=shown)
        if operation == "deleteCust":
            del self.customers[values["id"]]
            return Answer(200 if self.fault == "deletes with 200" else 204, body=ABSENT)
        kept: dict[str, dict[str, Any]] = {}
        answer = self._created(kept, body)
        again = operation == "addCard" and customer["cards"]
        if again and self.fault == "crashes on a second card":
            return Answer(500)
        customer["cards" if operation == "addCard" else "addresses"] += kept.values()
        return answer

    def _created(self, kept: dict[str, dict[str, Any]], body: Any) -> Answer:
        self.count += 1
        name = f"id{self.count}"
        kept[name] = {**body, "id": name}
        return Answer(201, body={"id": name})
