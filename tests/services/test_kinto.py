"""A whole run on Kinto, a service that nobody here wrote, with nothing but credentials."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator

import pytest
from bench.services.catalogue import recipes
from bench.services.client import Call, send
from bench.services.errors import ServiceError
from bench.services.recipe import Running

from icepick.execute.engine import RunOptions
from icepick.execute.events import DEVIATION, Event, Exchanged, FindingFound, LifeCycle, Noted
from icepick.execute.transport.auth import AuthOptions
from icepick.execute.types import Purpose
from icepick.openapi import read_spec
from icepick.pipeline.calibration import seen_in
from icepick.pipeline.models import describe
from icepick.pipeline.reach import Reach
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings

SETTINGS = RunSettings(seed=1, wrong=0, engine=RunOptions(max_calls=300))


@pytest.fixture(scope="module")
def kinto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    recipe = recipes()["kinto"]
    try:
        recipe.install()
    except ServiceError as error:
        pytest.skip(f"kinto cannot be installed here: {error}")
    with recipe.start(tmp_path_factory.mktemp("kinto") / "run") as running:
        yield running


@pytest.fixture(scope="module")
def events(kinto: Running, tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    return run(kinto)


def run(kinto: Running) -> list[Event]:
    api = describe(read_spec(kinto.schema_location))
    reach = Reach(kinto.url, AuthOptions(basic="icepick:icepick"))
    session = Session(api, reach, SETTINGS)

    async def gathered() -> list[Event]:
        return [event async for event in session.events()]

    return asyncio.run(gathered())


def test_nearly_every_operation_succeeds(events: list[Event]) -> None:
    good = {
        event.exchange.operation
        for event in events
        if isinstance(event, Exchanged)
        and event.exchange.purpose is not Purpose.CLEAN_UP
        and event.exchange.status is not None
        and 200 <= event.exchange.status < 300
    }
    assert len(good) >= 34


def test_every_life_cycle_is_seen_whole(events: list[Event]) -> None:
    lives = {one.resource: one.missing for one in events if isinstance(one, LifeCycle)}
    assert lives == {"Bucket": {}, "Collection": {}, "Group": {}, "Record": {}}


def test_its_ways_are_deviations(events: list[Event]) -> None:
    told = {(one.subject, one.text) for one in events if isinstance(one, Noted)
            and one.kind == DEVIATION}  # fmt: skip
    assert ("Bucket", "what is absent answers 403") in told
    seen = seen_in(iter(events))
    assert seen["Bucket"].on_delete == {"Collection.Bucket": "cascade", "Group.Bucket": "cascade"}


def test_all_findings_are_true(events: list[Event]) -> None:
    """A version file that is not there is answered with 500; the permissions of the root belong to
    no bucket, though the document says so of all."""
    found = {one.finding.title for one in events if isinstance(one, FindingFound)}
    assert {re.sub(r"/data/\d+", "/data/*", title) for title in found} == {
        "GET /__version__ answered 500",
        'get_permissionss: /data/*: "bucket_id" is a required property',
    }


@pytest.mark.usefixtures("events")
def test_nothing_is_left(kinto: Running) -> None:
    left = send(kinto.url, Call("GET", "/buckets"), kinto.credentials.headers)
    assert left.body == b'{"data":[]}'
