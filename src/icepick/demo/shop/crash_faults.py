"""Faults that answer odd input with an unhandled exception, each in its own way."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from operator import index
from typing import Any

from icepick.demo.shop.domain import Shop
from icepick.demo.shop.problems import FieldError

CARRIERS = {"standard": "post", "express": "courier"}
NOTE_COLUMN = 500


class DataError(Exception):
    """A database that cannot hold a value."""


class UniqueViolationError(Exception):
    """A database that has the value already."""


class PhoneWithoutCountry(Shop):
    """The number is put together before anyone asks whether both halves are there."""

    def user_errors(self, body: Any) -> list[FieldError]:
        """Join the number to its country."""
        if isinstance(_get(body, "phone"), str):
            _ = (body["phone_country"], body["phone"])
        return super().user_errors(body)


class BusinessWithoutCompany(Shop):
    """The company is looked up before anyone asks whether it is there."""

    def user_errors(self, body: Any) -> list[FieldError]:
        """Look the company up."""
        if _get(body, "account_type") == "business":
            _ = body["company"]
        return super().user_errors(body)


class AgeText(Shop):
    """An age is compared before anyone asks whether it is a number."""

    def user_errors(self, body: Any) -> list[FieldError]:
        """Compare the age."""
        age = _get(body, "age")
        if isinstance(age, str):
            _ = age < 18  # type: ignore[operator]
        return super().user_errors(body)


class PasswordNumber(Shop):
    """A password is measured before anyone asks whether it is text."""

    def user_errors(self, body: Any) -> list[FieldError]:
        """Measure the password."""
        password = _get(body, "password")
        if isinstance(password, int):
            len(password)  # type: ignore[arg-type]
        return super().user_errors(body)


class EmptyInterests(Shop):
    """The first interest is taken for granted."""

    def user_errors(self, body: Any) -> list[FieldError]:
        """Take the first one."""
        interests = _get(body, "interests")
        if isinstance(interests, list):
            _ = interests[0]
        return super().user_errors(body)


class ImpossibleDate(Shop):
    """A date is parsed without a thought for days that no month has."""

    def user_errors(self, body: Any) -> list[FieldError]:
        """Parse a date that has the right shape."""
        text = _get(body, "valid_from")
        errors = super().user_errors(body)
        if isinstance(text, str) and any(error.field == "valid_from" for error in errors):
            year, month, day = (int(part) for part in _date_parts(text))
            date(year, month, day)
        return errors


class NullName(Shop):
    """A name is trimmed before anyone asks whether it is there."""

    def check_customer(self, body: Any) -> None:
        """Trim the name."""
        if isinstance(body, dict) and body.get("name", "") is None:
            body["name"].strip()
        super().check_customer(body)


class HugeCreditLimit(Shop):
    """A whole number is converted to a float that cannot hold it."""

    def check_customer(self, body: Any) -> None:
        """Convert the limit."""
        if isinstance(limit := _get(body, "credit_limit"), int):
            float(limit)
        super().check_customer(body)


class EmailCase(Shop):
    """The check looks at letters as they are, the database ignores case."""

    def check_email_free(self, email: str, owner: str | None = None) -> None:
        """Store what another spelling of has been stored."""
        others = [each.email for each in self.customers.values() if each.id != owner]
        if email not in others and email.lower() in map(str.lower, others):
            raise UniqueViolationError('duplicate key breaks "customers_email_lower_key"')
        super().check_email_free(email, owner)


class ArrayBody(Shop):
    """A body is used as an object before anyone asks whether it is one."""

    def product_errors(self, body: Any) -> list[FieldError]:
        """Read the title."""
        if isinstance(body, list):
            body["title"]  # type: ignore[call-overload]
        return super().product_errors(body)


class NullPrice(Shop):
    """A price is compared before anyone asks whether it is there."""

    def product_errors(self, body: Any) -> list[FieldError]:
        """Compare the price."""
        if isinstance(body, dict) and body.get("price", 1) is None:
            _ = body["price"] <= 0
        return super().product_errors(body)


class NonAsciiSku(Shop):
    """A sku is encoded before anyone asks whether it can be."""

    def sku_errors(self, sku: str) -> list[FieldError]:
        """Encode it."""
        sku.encode("ascii")
        return super().sku_errors(sku)


class UnknownCustomer(Shop):
    """The customer of an order is taken for granted."""

    def customer_errors(self, body: dict[str, Any], wrong: set[str]) -> list[FieldError]:
        """Use a customer that may not be there."""
        customer = self.customers.get(body["customer_id"])
        customer.email  # type: ignore[union-attr]  # noqa: B018
        return super().customer_errors(body, wrong)


class UnknownOrderType(Shop):
    """A carrier is looked for that no type of order has."""

    def check_order(self, body: Any) -> None:
        """Choose the carrier."""
        kind = _get(body, "type")
        if isinstance(kind, str) and kind not in CARRIERS:
            raise LookupError("no carrier is configured for this type of order")
        super().check_order(body)


class LongNote(Shop):
    """A note is stored before anyone asks whether it fits."""

    def check_order_patch(self, body: Any) -> None:
        """Store the note."""
        note = _get(body, "note")
        if isinstance(note, str) and len(note) > NOTE_COLUMN:
            raise DataError(f"value does not fit into column note({NOTE_COLUMN})")
        super().check_order_patch(body)


class FractionalQuantity(Shop):
    """A quantity is used as a count before anyone asks whether it is whole."""

    def check_line(self, body: Any) -> None:
        """Count."""
        quantity = _get(body, "quantity")
        if isinstance(quantity, float) and not quantity.is_integer():
            index(quantity)  # type: ignore[arg-type]
        super().check_line(body)


class NegativePage(Shop):
    """The rows before the first are asked for."""

    def page_errors(self, query: Mapping[str, str]) -> list[FieldError]:
        """Skip rows backwards."""
        errors = super().page_errors(query)
        if query.get("page", "1").startswith("-"):
            raise DataError("OFFSET must not be negative")
        return errors


class PageSizeText(Shop):
    """A page size is converted before anyone asks whether it is a number."""

    def page_errors(self, query: Mapping[str, str]) -> list[FieldError]:
        """Convert what has no digit in it."""
        text = query.get("page_size", "20")
        if not any(letter.isdigit() for letter in text):
            int(text)
        return super().page_errors(query)


class MissingPassword(Shop):
    """The password of a login is taken for granted."""

    def check_credentials(self, body: Any) -> None:
        """Read the password."""
        if isinstance(body, dict):
            _ = body["password"]
        super().check_credentials(body)


def _get(body: Any, name: str) -> Any:
    return body.get(name) if isinstance(body, dict) else None


def _date_parts(text: str) -> list[str]:
    parts = text.split("-")
    shaped = [len(part) for part in parts] == [4, 2, 2]
    return parts if shaped and text.replace("-", "").isdecimal() else ["1", "1", "1"]
