"""Errands tell what they leave behind, and wait for a service that is away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from icepick.execute.events import Event, FindingFound, LeftBehind, PhaseStarted
from icepick.execute.laws.pages import PAGES
from icepick.execute.transport.client import Client
from icepick.execute.types import Failure, FailureKind, Reply, Request, Response
from icepick.pipeline.acquaint import acquainted
from icepick.pipeline.run import engine_for
from tests.execute.laws.test_pages import (
    DOCUMENT,
    LAWS,
    Notes,
    described,
    law_findings,
    overlapping,
)
from tests.execute.laws.test_tags import CONDITION, Jars
from tests.execute.laws.test_tags import DOCUMENT as JARS

AWAY = Failure(FailureKind.CONNECT, "nobody is there")


class Clinging(Notes):
    """Deletes nothing."""

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        if request.method == "DELETE":
            return Response(409)
        return await super().send(request)


class Confused(Notes):
    """Creates what it was asked for, and answers that it could not."""

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        reply = await super().send(request)
        return Response(500) if request.method == "POST" else reply


class Dozing(Notes):
    """Is away when a short page is asked for, once; pages overlap."""

    def __init__(self) -> None:
        super().__init__(overlapping)
        self.naps = 0

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        if "limit=" in request.url and not self.naps:
            self.naps += 1
            return AWAY
        return await super().send(request)


class Napping(Jars):
    """Is away once, at the second call on a condition or after it; tags never change."""

    def __init__(self, method: str) -> None:
        super().__init__(stale=True)
        self._method = method
        self._conditions = 0
        self.naps = 0

    async def send(self, request: Request) -> Reply:
        """Answer a request."""
        self._conditions += "If-Match" in dict(request.headers)
        if self._conditions > 1 and request.method == self._method and not self.naps:
            self.naps += 1
            return AWAY
        return await super().send(request)


async def events_of(service: Notes, folder: Path) -> list[Event]:
    """What a run tells from the phase of pages on."""
    engine = engine_for(described(DOCUMENT, folder), (), service, "http://notes.test", LAWS)
    events = [event async for event in engine.events()]
    names = [one.name if isinstance(one, PhaseStarted) else "" for one in events]
    return events[names.index(PAGES) :]


async def test_what_cannot_be_removed_is_told(tmp_path: Path) -> None:
    service = Clinging()
    told = [one for one in await events_of(service, tmp_path) if isinstance(one, LeftBehind)]
    assert {one.resource for one in told} == {"Note"}
    assert all("answered 409" in one.reason for one in told)
    left = {f"http://notes.test/notes/{number}" for number in service.notes}
    assert {one.url for one in told} <= left
    assert len(told) >= 3


async def test_what_may_be_there_is_told(tmp_path: Path) -> None:
    told = [one for one in await events_of(Confused(), tmp_path) if isinstance(one, LeftBehind)]
    assert told
    assert {one.reason for one in told} == {"it may be there: its creation was answered with 500"}


async def test_a_page_is_waited_for(tmp_path: Path) -> None:
    service = Dozing()
    found = [one for one in await events_of(service, tmp_path) if isinstance(one, FindingFound)]
    assert service.naps == 1
    assert [one.finding.complaint.about for one in found] == ["too often"]


@pytest.mark.parametrize("method", ["GET", "PUT"])
async def test_an_item_is_waited_for(tmp_path: Path, method: str) -> None:
    service = Napping(method)
    api = described(JARS.replace("CONDITION", CONDITION), tmp_path)
    found = await law_findings(api, service, "http://jars.test")
    assert service.naps == 1
    assert "replaceJar stale" in [one.complaint.about for one in found]


@pytest.mark.parametrize("patient", [True, False])
async def test_identifiers_are_waited_for(tmp_path: Path, patient: bool) -> None:
    naps = [AWAY] * 3

    async def patience(failure: Failure) -> bool:
        return patient

    class Service:
        async def send(self, request: Request) -> Reply:
            """Answer a request."""
            body = json.dumps([{"id": 7, "text": "old"}]).encode()
            headers = (("Content-Type", "application/json"),)
            return naps.pop() if naps else Response(200, headers, body)

    api = described(DOCUMENT, tmp_path)
    client = Client(Service(), "http://notes.test", api.spec.schemas)
    client.patience = patience
    api = await acquainted(api, client)
    (get,) = [one for one in api.spec.operations if one.id == "getNote"]
    assert get.parameters[0].schema.get("enum") == ([7] if patient else None)
