"""Sequences side by side see their own instances, and whatever nobody owns."""

from __future__ import annotations

import asyncio

from icepick.execute.ownership import Ownership
from icepick.execute.routing import Listing

PLAIN = Listing("Pet", (), ("id",))
WRAPPED = Listing("Pet", ("data", "items"), ("id",))


def test_what_belongs_to_others_is_hidden() -> None:
    ownership = Ownership()
    ownership.take("Pet", 1, sequence=7)
    ownership.take("Pet", 2, sequence=8)
    body = [{"id": 1}, {"id": 2}, {"id": 3}]
    assert ownership.own_part(PLAIN, body, 7) == [{"id": 1}, {"id": 3}]
    assert ownership.own_part(PLAIN, body, 8) == [{"id": 2}, {"id": 3}]


def test_what_was_there_before_is_hidden_from_all() -> None:
    ownership = Ownership()
    ownership.found_before(WRAPPED, {"data": {"items": [{"id": "a"}]}, "total": 1})
    body = {"data": {"items": [{"id": "a"}, {"id": "b"}]}, "total": 2}
    assert ownership.own_part(WRAPPED, body, 1) == {"data": {"items": [{"id": "b"}]}, "total": 2}


def test_an_element_may_be_the_identifier_itself() -> None:
    ownership = Ownership()
    ownership.take("Pet", "x", sequence=1)
    assert ownership.own_part(PLAIN, ["x", "y"], 2) == ["y"]


def test_what_is_no_list_is_left_as_it_is() -> None:
    ownership = Ownership()
    body = {"message": "no list today"}
    assert ownership.own_part(WRAPPED, body, 1) is body


async def test_creations_under_way_are_waited_for() -> None:
    ownership = Ownership()
    assert not await ownership.known()
    go = asyncio.Event()

    async def create() -> None:
        with ownership.creating(True):
            await go.wait()
            ownership.take("Pet", 5, sequence=2)

    task = asyncio.create_task(create())
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_soon(go.set)
    assert await ownership.known()
    assert ownership.own_part(PLAIN, [{"id": 5}], 1) == []
    await task
