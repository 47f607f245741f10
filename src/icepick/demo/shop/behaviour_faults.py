"""Faults that answer as if all were well and do the wrong thing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from icepick.demo.shop.customers import DEFAULTS
from icepick.demo.shop.domain import Shop
from icepick.demo.shop.types import (
    Address,
    Customer,
    JsonObject,
    Line,
    Listing,
    Order,
    Page,
    Product,
)


class PatchResetsOmitted(Shop):
    """PATCH forgets the fields that it was not sent."""

    def patched_customer(self, customer: Customer, body: JsonObject) -> Customer:
        """Treat a PATCH as if it carried the defaults."""
        return super().patched_customer(customer, DEFAULTS | body)


class PageDropsLast(Shop):
    """A page that is full lacks its last item."""

    def cut(self, items: Sequence[JsonObject], page: Page) -> Iterable[JsonObject]:
        """Stop one short where the page would be full."""
        found = list(super().cut(items, page))
        return found[:-1] if len(found) == page.size else found


class PageRepeatsItem(Shop):
    """Each page but the first begins with the last item of the page before."""

    def cut(self, items: Sequence[JsonObject], page: Page) -> Iterable[JsonObject]:
        """Start one early."""
        if page.number == 1:
            return super().cut(items, page)
        first = (page.number - 1) * page.size - 1
        return islice(items, first, first + page.size)


class DeleteTakesSiblings(Shop):
    """The other addresses of the customer go as well."""

    def drop_address(self, address: Address) -> None:
        """Forget all addresses of the customer."""
        super().drop_address(address)
        self.addresses[address.customer_id].clear()


class OrphanAddresses(Shop):
    """The addresses of a removed customer stay, and can be read."""

    def drop_addresses_of(self, customer_id: str) -> None:
        """Keep them."""

    def addresses_of(self, customer_id: str) -> Mapping[str, Address]:
        """Find addresses without asking whether there is such a customer."""
        if customer_id in self.addresses:
            return self.addresses[customer_id]
        return super().addresses_of(customer_id)


class CancelNeverSettles(Shop):
    """An order stays in the status `cancelling`."""

    def settle(self) -> None:
        """Drop the unfinished work."""
        self.cancelling.clear()


class StaleEtag(Shop):
    """The entity tag stays the same when a PATCH changes the customer."""

    def reset(self) -> None:
        """Know no stale tags."""
        super().reset()
        self.stale_etags: dict[str, str] = {}

    def etag(self, customer: Customer) -> str:
        """The tag from before the PATCH, where there was one."""
        return self.stale_etags.get(customer.id) or super().etag(customer)

    def patched_customer(self, customer: Customer, body: JsonObject) -> Customer:
        """Hold on to the tag of the customer as it was."""
        self.stale_etags[customer.id] = self.etag(customer)
        return super().patched_customer(customer, body)

    def replaced_customer(self, customer: Customer, body: JsonObject) -> Customer:
        """A PUT gives a fresh tag."""
        self.stale_etags.pop(customer.id, None)
        return super().replaced_customer(customer, body)


class PutIgnoresCreditLimit(Shop):
    """The credit limit keeps its first value."""

    def replaced_customer(self, customer: Customer, body: JsonObject) -> Customer:
        """Overlook the credit limit."""
        changed = super().replaced_customer(customer, body)
        return replace(changed, credit_limit=customer.credit_limit)


class LineUpdateSpreads(Shop):
    """The quantity of one line is written to all lines of the order with the same sku."""

    def replace_line(self, order_id: str, line_id: str, body: Any) -> Line:
        """Write to every line that looks the same."""
        changed = super().replace_line(order_id, line_id, body)
        for line in self.list_lines(order_id):
            if line.sku == changed.sku:
                self.save_line(replace(line, quantity=changed.quantity))
        return changed


class DeleteDespiteOrders(Shop):
    """A customer can be removed while there are orders."""

    def check_without_orders(self, customer: Customer) -> None:
        """Let it pass."""


class PatchAllowsDuplicateEmail(Shop):
    """PATCH does not ask whether the e-mail address is taken."""

    def check_patched_email(self, customer: Customer, body: JsonObject) -> None:
        """Let it pass."""


class PutLosesStock(Shop):
    """A product that is replaced has no stock."""

    def replaced_product(self, product: Product, body: JsonObject) -> Product:
        """Overlook the stock."""
        return replace(super().replaced_product(product, body), stock=0)


class TokenSurvivesLogout(Shop):
    """Logging out does not revoke the token."""

    def log_out(self, token: str) -> None:
        """Keep it."""


class SubmitWithoutLines(Shop):
    """An empty order can be submitted."""

    def check_has_lines(self, order: Order) -> None:
        """Let it pass."""


class ForeignAddress(Shop):
    """An order can be shipped to an address of another customer."""

    def can_ship_to(self, customer_id: str, address_id: str) -> bool:
        """Accept every address that anyone has."""
        foreign = any(address_id in owned for owned in self.addresses.values())
        return foreign or super().can_ship_to(customer_id, address_id)


class FilterLostOnPageTwo(Shop):
    """Later pages of a customer's orders show the orders of all customers."""

    def list_orders(self, query: Mapping[str, str]) -> Listing:
        """Forget the filter after the first page."""
        listing = super().list_orders(query)
        if listing.page.number == 1:
            return listing
        rest = {name: query[name] for name in query if name != "customer_id"}
        return super().list_orders(rest)


class TotalKeepsDeletedLines(Shop):
    """The total of an order still counts the lines that were removed."""

    def reset(self) -> None:
        """Nothing was removed yet."""
        super().reset()
        self.deleted_costs: dict[str, float] = {}

    def delete_line(self, order_id: str, line_id: str) -> None:
        """Note what the line cost."""
        line = self.line(order_id, line_id)
        super().delete_line(order_id, line_id)
        cost = line.quantity * line.unit_price
        self.deleted_costs[order_id] = self.deleted_costs.get(order_id, 0) + cost

    def total(self, order: Order) -> float:
        """Add what is gone."""
        return round(super().total(order) + self.deleted_costs.get(order.id, 0), 2)


class CancelKeepsReservation(Shop):
    """The lines of a cancelled order go on reserving stock."""

    def holds(self, line: Line, sku: str) -> bool:
        """Overlook the status of the order."""
        return line.sku == sku


class RefusedUpdateSticks(Shop):
    """A line update that is refused for lack of stock is carried out all the same."""

    def check_stock(self, body: JsonObject, instead_of: Line | None = None) -> None:
        """Write first, ask later."""
        try:
            super().check_stock(body, instead_of)
        finally:
            if instead_of is not None:
                self.save_line(replace(instead_of, **self.priced(body)))


class DeletedUsernameTaken(Shop):
    """The user name of a removed user cannot be used again."""

    def reset(self) -> None:
        """Nobody has left yet."""
        super().reset()
        self.former_names: set[str] = set()

    def delete_user(self, user_id: str) -> None:
        """Remember the name."""
        name = self.user(user_id).fields["username"]
        super().delete_user(user_id)
        self.former_names.add(name)

    def taken(self, name: str, users: list[Mapping[str, Any]]) -> set[str]:
        """Count the names of those who left."""
        former = self.former_names if name == "username" else set()
        return super().taken(name, users) | former


class DeleteIgnoresIfMatch(Shop):
    """DELETE of a customer does not look at If-Match."""

    def delete_customer(
        self,
        customer_id: str,
        if_match: Collection[str] | None,  # noqa: ARG002 - overlooking it is the fault
    ) -> None:
        """Overlook the condition."""
        super().delete_customer(customer_id, None)
