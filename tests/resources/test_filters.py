"""Queries that choose one instance and no other."""

from __future__ import annotations

import pytest

from icepick.resources.filters import can_choose, equality_filter, only_this
from icepick.resources.find import find_resources
from tests.resources.conftest import Read
from tests.resources.documents import NUMBER, TEXT, crud, many, obj, op, ref


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("where.id.eq", True),
        ("filter[id]", True),
        ("id", True),
        ("filter[id][eq]", True),
        ("where.id.neq", False),
        ("where.id.gte", False),
        ("ids", False),
        ("where", False),
        ("where.countryId.eq", False),
    ],
)
def test_what_a_parameter_lets_through(read: Read, name: str, found: bool) -> None:
    operation = read({"PUT /books": op(query=[name])}).operations[0]
    assert equality_filter(operation, "id") == (name if found else None)


def test_every_part_of_a_key_is_needed(read: Read) -> None:
    item = "/stock/shop/{shopId}/book/{bookId}"
    stock = ref("Stock")
    spec = read(
        {
            **crud("/shops", "id", ref("Shop")),
            **crud("/books", "id", ref("Book")),
            "GET /stock": op(gives=many(stock)),
            "POST /stock": op(stock, stock, "201"),
            "PUT /stock": op(stock, many(stock), query=["where.shopId.eq", "where.bookId.eq"]),
            f"GET {item}": op(gives=stock),
            f"PATCH {item}": op(stock, stock, query=["where.bookId.eq"]),
        },
        Shop=obj(id=NUMBER, name=TEXT),
        Book=obj(id=NUMBER, title=TEXT),
        Stock=obj(shopId=NUMBER, bookId=NUMBER, number=NUMBER),
    )
    resource = find_resources(spec).resources["Stock"]
    by_label = {one.label: one for one in spec.operations}
    both = {"shopId": 1, "bookId": 2}
    wanted = {"where.shopId.eq": 1, "where.bookId.eq": 2}
    assert only_this(by_label["PUT /stock"], resource, both) == wanted
    assert can_choose(by_label["PUT /stock"], resource)
    assert not can_choose(by_label[f"PATCH {item}"], resource)
