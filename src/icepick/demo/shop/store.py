"""What all parts of the shop share: the tables, ids, the clock, and pages of lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import islice
from uuid import UUID

from icepick.demo.shop.problems import FieldError, refuse_if
from icepick.demo.shop.types import (
    Address,
    Customer,
    JsonObject,
    Line,
    Listing,
    Order,
    Page,
    Product,
    Session,
    User,
)
from icepick.demo.shop.validation import schema_errors

START = datetime(2024, 1, 1, tzinfo=UTC)


class Store:
    """The state of the shop. Ids and times come from counters, so that runs repeat."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Empty every table and start ids and clock again."""
        self.ids_given = 0
        self.ticks = 0
        self.sessions: dict[str, Session] = {}
        self.customers: dict[str, Customer] = {}
        self.addresses: dict[str, dict[str, Address]] = {}  # by customer
        self.products: dict[str, Product] = {}
        self.orders: dict[str, Order] = {}
        self.cancelling: list[str] = []
        self.lines: dict[str, dict[str, Line]] = {}  # by order
        self.users: dict[str, User] = {}

    def new_id(self) -> str:
        """An id in the shape of a random UUID."""
        return str(UUID(bytes=self.new_secret()[:16], version=4))

    def new_secret(self) -> bytes:
        """Bytes that were not given before."""
        self.ids_given += 1
        return sha256(f"shop {self.ids_given}".encode()).digest()

    def now(self) -> str:
        """The time of a change; one second passes with each."""
        self.ticks += 1
        return (START + timedelta(seconds=self.ticks)).isoformat().replace("+00:00", "Z")

    def page_of(self, query: Mapping[str, str]) -> Page:
        """The page that a query asks for."""
        refuse_if(422, self.page_errors(query))
        return Page(int(query.get("page", "1")), int(query.get("page_size", "20")))

    def page_errors(self, query: Mapping[str, str]) -> list[FieldError]:
        """What is wrong with the page that a query asks for."""
        return [
            *_number_errors("page", "PageNumber", query),
            *_number_errors("page_size", "PageSize", query),
        ]

    def listing(self, items: Sequence[JsonObject], page: Page) -> Listing:
        """One page of the items."""
        return Listing(list(self.cut(items, page)), page, len(items))

    def cut(self, items: Sequence[JsonObject], page: Page) -> Iterable[JsonObject]:
        """The items that stand on the page."""
        first = (page.number - 1) * page.size
        return islice(items, first, first + page.size)


def _number_errors(name: str, schema: str, query: Mapping[str, str]) -> list[FieldError]:
    if name not in query:
        return []
    if not re.fullmatch(r"-?[0-9]{1,19}", query[name]):
        return [FieldError(name, f"{name} must be an integer")]
    return schema_errors(schema, int(query[name]), name)
