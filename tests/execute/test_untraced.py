"""What may have been created without a name is looked for in lists before it is told."""

from __future__ import annotations

import asyncio
import json

import pytest

from icepick.execute.events import LeftBehind
from icepick.execute.judging.inspect import Inspector
from icepick.execute.ownership import Ownership
from icepick.execute.reads import Scene
from icepick.execute.routing import Listing, Routing
from icepick.execute.transport.client import Client
from icepick.execute.types import Request, Response
from icepick.execute.untraced import Untraced
from icepick.openapi.types import Operation

GET = Operation("listPets", "GET", "/pets", "#/x")
LEFT = LeftBehind("Pet", "http://x/pets", "it may be there: its creation was answered with 500")


class Service:
    """Answers every GET alike."""

    def __init__(self, status: int, body: object) -> None:
        self._answer = status, body
        self.asked: list[str] = []

    async def send(self, request: Request) -> Response:
        self.asked.append(request.url)
        status, body = self._answer
        return Response(status, (("Content-Type", "application/json"),), json.dumps(body).encode())


def told(service: Service, *left: LeftBehind, ask: bool = True) -> list[LeftBehind]:
    client = Client(service, "http://x", {})
    listing = Listing("Pet", (), ("id",))
    ownership = Ownership()
    ownership.take("Pet", 1, 7)
    scene = Scene(
        client, {}, Routing([GET]), {"listPets": listing}, ownership, Inspector({})
    )  # fmt: skip
    untraced = Untraced(scene)
    untraced.add(left)
    untraced.add(left)
    return asyncio.run(untraced.told(ask=ask))


@pytest.mark.parametrize(("status", "body"), [(200, []), (200, [{"id": 1}]), (404, {})])
def test_what_no_list_shows_is_not_there(status: int, body: object) -> None:
    service = Service(status, body)
    assert told(service, LEFT) == []
    assert service.asked == ["http://x/pets"]


@pytest.mark.parametrize(("status", "body"), [(200, [{"id": 1}, {"id": 2}]), (500, {}), (200, {})])
def test_what_may_be_there_is_told_once(status: int, body: object) -> None:
    assert told(Service(status, body), LEFT) == [LEFT]


def test_what_has_no_list_is_told() -> None:
    other = LeftBehind("User", "http://x/users", "it may be there")
    service = Service(200, [])
    assert told(service, other) == [other]
    assert service.asked == []


def test_nobody_is_asked_where_a_run_was_cut_off() -> None:
    service = Service(200, [])
    assert told(service, LEFT, ask=False) == [LEFT]
    assert service.asked == []
