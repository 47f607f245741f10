"""Whole runs against real services: silence on correct ones, the paper's faults found."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from icepick.demo.catalogue import SERVICES
from icepick.execute.events import (
    CallJudged,
    Ending,
    Event,
    Exchanged,
    FindingFound,
    LeftBehind,
    NotConfirmed,
    RunEnded,
)
from icepick.execute.types import Finding, Purpose, Verdict
from icepick.openapi import read_spec
from icepick.pipeline.models import describe
from icepick.pipeline.reach import Reach
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from icepick.sequences import Refusals, Strategy
from tests.glacier.live import served

EXAMPLES = Path(__file__).parents[2] / "examples"
ONE = {"Player": 1, "Tournament": 1, "Enrolment": 1}
TWO = {"Player": 2, "Tournament": 2, "Enrolment": 2}


def run(service: str, url: str, settings: RunSettings, document: str = "") -> list[Event]:
    api = describe(read_spec(document or str(EXAMPLES / f"{service}.yaml")))

    async def gathered() -> list[Event]:
        session = Session(api, Reach(url), settings)
        return [event async for event in session.events()]

    return asyncio.run(gathered())


def events(service: str, *faults: str, settings: RunSettings) -> list[Event]:
    with served(SERVICES[service], *faults) as url:
        return run(service, url, settings)


def verdicts(found: list[Event]) -> Counter[Verdict]:
    return Counter(one.judged.verdict for one in found if isinstance(one, CallJudged))


def findings(found: list[Event]) -> list[Finding]:
    return [one.finding for one in found if isinstance(one, FindingFound)]


@pytest.mark.parametrize(
    ("service", "bounds"),
    [
        ("tournaments", ONE),
        ("tournaments", TWO),
        ("petstore", {"User": 1, "Pet": 1, "Order": 1}),
        ("petstore", {"User": 2, "Pet": 2, "Order": 2}),
    ],
)
def test_a_correct_service_gives_ok_and_nothing_else(
    service: str, bounds: Mapping[str, int]
) -> None:
    found = events(service, settings=RunSettings(seed=1, bounds=bounds))
    assert set(verdicts(found)) == {Verdict.OK}
    assert not [one for one in found if isinstance(one, FindingFound | NotConfirmed | LeftBehind)]
    end = found[-1]
    assert isinstance(end, RunEnded)
    assert end.ending is Ending.FINISHED
    assert end.saved > 0


def test_the_three_faults_of_the_paper_are_three_findings() -> None:
    faults = [fault.name for fault in SERVICES["tournaments"].faults[:3]]
    found = findings(events("tournaments", *faults, settings=RunSettings(seed=1, bounds=ONE)))
    blamed = [one.action for one in found]
    assert sorted(blamed) == ["deleteEnrolment", "deletePlayer", "deleteTournament"]
    assert [one.number for one in found] == [1, 2, 3]
    assert len({one.id for one in found}) == 3


def test_a_finding_has_the_shortest_sequence() -> None:
    settings = RunSettings(seed=1, bounds={**ONE, "Player": 2}, refusals=Refusals.NONE)
    [first, *_] = findings(events("tournaments", "delete-player-keeps", settings=settings))
    assert [step.action for step in first.steps] == ["postPlayer", "deletePlayer"]
    assert first.seen > 10
    assert first.complaint.promised == "res_code(GET /players/{pid}) = 404"
    assert first.complaint.happened == "200 = 404 is false"


def test_the_same_seed_makes_the_same_requests() -> None:
    settings = RunSettings(seed=5, bounds=ONE)

    def sent() -> list[tuple[str, str, bytes | None]]:
        with served(SERVICES["tournaments"]) as url:
            return sorted(
                (one.exchange.request.method, one.exchange.request.url[len(url) :], body)
                for one in run("tournaments", url, settings)
                if isinstance(one, Exchanged) and one.exchange.purpose is Purpose.CALL
                for body in (one.exchange.request.body or b"",)
            )

    assert sent() == sent()


def test_everything_created_is_removed() -> None:
    with served(SERVICES["tournaments"]) as url:
        run("tournaments", url, RunSettings(seed=1, bounds=ONE, strategy=Strategy.PAPER))
        left = [listed(url, name) for name in ("players", "tournaments", "enrolments")]
    assert left == [b"[]", b"[]", b"[]"]


def listed(url: str, name: str) -> bytes:
    connection = HTTPConnection(urlsplit(url).netloc)
    connection.request("GET", f"/{name}")
    body = connection.getresponse().read()
    connection.close()
    return body


def test_contracts_inferred_alone_find_what_they_can() -> None:
    document = "src/icepick/demo/tournaments/openapi.yaml"
    with served(SERVICES["tournaments"], "update-tournament-lost") as url:
        found = findings(run("tournaments", url, RunSettings(seed=1, bounds=ONE), document))
    assert {one.action for one in found} == {"updateTournament"}
