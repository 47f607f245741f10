"""Where the next page is, in the ways that services say it."""

from __future__ import annotations

import pytest

from icepick.execute.paging import is_paged, next_page
from icepick.execute.routing import Listing
from icepick.glacier import Answer
from icepick.openapi.types import Json, Operation, Parameter, ParameterLocation

LISTING = Listing("Pet", ("data",), ("id",))


def operation(**parameters: Json) -> Operation:
    made = tuple(
        Parameter(name, ParameterLocation.QUERY, False, schema, "form", True)
        for name, schema in parameters.items()
    )
    return Operation("listPets", "GET", "/pets", "#/x", made)


def page(number: int, **more: Json) -> Answer:
    return Answer(200, {}, {"data": [{"id": i} for i in range(number)], **more})


NUMBER = {"type": "integer"}


@pytest.mark.parametrize(
    ("parameters", "answer", "expected"),
    [
        ({"page": NUMBER}, page(2, next="/pets?page=2"), "/pets?page=2"),
        ({"page": NUMBER}, page(2, _links={"next": {"href": "/pets?p=2"}}), "/pets?p=2"),
        ({"page": NUMBER}, page(2, links={"next": None}), None),
        ({"page": NUMBER}, page(2, total=5), "/pets?page=2"),
        ({"page": {"default": 0}}, page(2, meta={"totalCount": 5}), "/pets?page=1"),
        ({"page": NUMBER}, page(2, total=2), None),
        ({"page": NUMBER, "size": {"default": 2}}, page(2), "/pets?page=2"),
        ({"page": NUMBER, "size": {"default": 20}}, page(2), None),
        ({"offset": NUMBER, "limit": NUMBER}, page(10), "/pets?offset=2"),
        ({"offset": NUMBER, "limit": NUMBER}, page(11), None),
        ({"offset": NUMBER, "limit": NUMBER}, page(3), None),
        ({"offset": NUMBER}, page(2, total=5), "/pets?offset=2"),
        ({"skip": NUMBER, "limit": {"default": 2}}, page(2), "/pets?skip=2"),
        ({"cursor": {}}, page(2, next_cursor="abc=="), "/pets?cursor=abc%3D%3D"),
        ({"pageToken": {}}, page(2, nextPageToken=""), None),
        ({"page": NUMBER}, page(0, total=5), None),
        ({}, page(2, total=5), None),
    ],
)
def test_next_page(parameters: dict[str, Json], answer: Answer, expected: str | None) -> None:
    assert next_page(operation(**parameters), "/pets", answer, LISTING, 2) == expected


def test_a_link_in_the_head() -> None:
    answer = Answer(200, {"Link": '<https://x/pets?page=2>; rel="next", <https://x>; rel="last"'})
    assert next_page(operation(), "/pets", answer, LISTING, 2) == "https://x/pets?page=2"


def test_the_page_after_the_second() -> None:
    found = next_page(operation(page=NUMBER), "/pets?x=1&page=2", page(2, total=9), LISTING, 4)
    assert found == "/pets?x=1&page=3"


def test_who_asks_for_a_page_gets_that_page() -> None:
    paged = operation(page=NUMBER, pageSize=NUMBER)
    assert is_paged(paged, "/pets")
    assert is_paged(paged, "/pets?status=sold")
    assert not is_paged(paged, "/pets?page=2")
    assert not is_paged(paged, "/pets?page_size=1")
    assert not is_paged(operation(), "/pets")
