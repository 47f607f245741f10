"""GETs of a sequence: side by side where there is room, one after another where there is none."""

from __future__ import annotations

import asyncio

import pytest

from icepick.execute.judging.inspect import Inspector
from icepick.execute.ownership import Ownership
from icepick.execute.reads import Reads, Scene
from icepick.execute.routing import Routing
from icepick.execute.transport.client import Client
from icepick.execute.types import Purpose, Request, Response
from tests.glacier.building import check

CHECKS = [check(f"res_code(GET /{name}) = 200") for name in "abcd"]


class Slow:
    """A service that answers once everybody has had a turn; it notes how many wait at once."""

    def __init__(self) -> None:
        self.waiting = self.most = 0
        self.asked: list[str] = []

    async def send(self, request: Request) -> Response:
        self.asked.append(request.url.rpartition("/")[2])
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        for _ in range(5):
            await asyncio.sleep(0)
        self.waiting -= 1
        return Response(200)


def scene(service: Slow, workers: int) -> Scene:
    client = Client(service, "http://x", {}, workers)
    return Scene(client, {}, Routing(()), {}, Ownership(), Inspector({}))


@pytest.mark.parametrize(("workers", "most"), [(1, 1), (2, 2), (8, 4)])
async def test_no_more_at_once_than_there_is_room_for(workers: int, most: int) -> None:
    service = Slow()
    outcomes = await Reads(scene(service, workers), 0).outcomes(CHECKS)
    assert [one.value for one in outcomes] == ["true"] * 4
    assert sorted(service.asked) == list("abcd")
    assert service.most == most


async def test_others_who_send_leave_less_room() -> None:
    service = Slow()
    shared = scene(service, 3)
    others = [
        asyncio.create_task(shared.client.exchange(Request("GET", "http://x/o"), Purpose.READ))
        for _ in range(2)
    ]
    await asyncio.sleep(0)
    await Reads(shared, 0).outcomes(CHECKS[:2])
    await asyncio.gather(*others)
    assert service.most == 3
