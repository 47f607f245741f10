"""The faults of the SockShop, each a mix-in over one rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from icepick.demo.http import Refusal
from icepick.demo.service import Fault
from icepick.demo.sockshop.domain import Record, SockShop

__all__ = ["FAULTS"]


class SecondCardCrashes(SockShop):
    """The second card of a customer breaks the service."""

    def add_card(self, customer_id: str, sent: Mapping[str, Any]) -> Any:
        if self.customer(customer_id).cards:
            raise RuntimeError("the table of cards has no room")
        return super().add_card(customer_id, sent)


class AddressOverwritesEmail(SockShop):
    """A new address takes the place of the customer's e-mail address."""

    def add_address(self, customer_id: str, sent: Mapping[str, Any]) -> Any:
        found = super().add_address(customer_id, sent)
        self.customer(customer_id).email = f"{sent['street']}, {sent['city']}"
        return found


class CardNumbersAsIntegers(SockShop):
    """Cards are read with numbers in place of texts."""

    def shown(self, customer_id: str) -> Record:
        found = super().shown(customer_id)
        cards = [{**card, "number": int(card["number"])} for card in found["cards"]]
        return {**found, "cards": cards}


class AddressIdMissing(SockShop):
    """Whoever adds a second address is not told its id."""

    def add_address(self, customer_id: str, sent: Mapping[str, Any]) -> Any:
        found = super().add_address(customer_id, sent)
        return found if len(self.customer(customer_id).addresses) == 1 else None


class DeleteWithCardRefused(SockShop):
    """A customer with both a card and an address cannot be deleted."""

    def delete_customer(self, customer_id: str) -> None:
        customer = self.customer(customer_id)
        if customer.cards and customer.addresses:
            raise Refusal(401, f"id: customer {customer_id!r} still has a card")
        super().delete_customer(customer_id)


class ReadForgetsCustomer(SockShop):
    """A customer can be read once and is gone then."""

    def shown(self, customer_id: str) -> Record:
        found = super().shown(customer_id)
        del self._customers[customer_id]
        return found


class DeletedStays(SockShop):
    """Deletions are answered as done, and the customer stays."""

    def delete_customer(self, customer_id: str) -> None:
        self.customer(customer_id)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "second-card-crashes",
        "adding a second card to a customer is answered with 500",
        SecondCardCrashes,
    ),
    Fault(
        "address-overwrites-email",
        "adding an address overwrites the customer's e-mail address",
        AddressOverwritesEmail,
    ),
    Fault(
        "card-numbers-as-integers",
        "the numbers of cards are read as integers",
        CardNumbersAsIntegers,
    ),
    Fault(
        "address-id-missing",
        "the id of a second address is null in the answer",
        AddressIdMissing,
    ),
    Fault(
        "delete-with-card-refused",
        "deleting a customer that has a card and an address is answered with 401",
        DeleteWithCardRefused,
    ),
    Fault(
        "read-forgets-customer",
        "a customer is gone after it was read once",
        ReadForgetsCustomer,
    ),
    Fault(
        "deleted-stays",
        "deleting a customer is answered as done, and the customer stays",
        DeletedStays,
    ),
)
