"""The records of the shop, and how they look as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Customer:
    """Someone who buys."""

    id: str
    name: str
    email: str
    vip: bool
    credit_limit: float
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class Address:
    """A place that the orders of one customer can be shipped to."""

    id: str
    customer_id: str
    street: str
    city: str
    postal_code: str
    country: str


@dataclass(frozen=True, slots=True)
class Product:
    """Something to sell; `stock` includes what lines have reserved."""

    sku: str
    title: str
    price: float
    stock: int


@dataclass(frozen=True, slots=True)
class Order:
    """What a customer wants; its lines and its total are kept apart from it."""

    id: str
    customer_id: str
    type: str
    address_id: str | None
    priority: str | None
    note: str | None
    status: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Line:
    """Some pieces of one product in an order, at the price of the day."""

    id: str
    order_id: str
    sku: str
    quantity: int
    unit_price: float


@dataclass(frozen=True, slots=True)
class User:
    """An account; `fields` holds what was sent and the defaults, the password included."""

    id: str
    fields: Mapping[str, Any]
    created_at: str


@dataclass(frozen=True, slots=True)
class Session:
    """A login; `calls_left` is None where it does not expire."""

    token: str
    calls_left: int | None


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of a list is asked for."""

    number: int
    size: int


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list of JSON objects, and how many there are in all."""

    items: Sequence[JsonObject]
    page: Page
    total: int

    @property
    def is_last(self) -> bool:
        """Whether no page follows."""
        return self.page.number * self.page.size >= self.total


def as_json(record: Customer | Address | Product | Line) -> JsonObject:
    """A record whose fields are its JSON."""
    return asdict(record)


def order_json(order: Order, total: float) -> JsonObject:
    """An order together with its total."""
    return {**asdict(order), "total": total}


def user_json(user: User) -> JsonObject:
    """A user without the password."""
    shown = {name: value for name, value in user.fields.items() if name != "password"}
    return {"id": user.id, **shown, "created_at": user.created_at}
