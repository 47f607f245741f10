"""There is room for several of each resource."""

from __future__ import annotations

import asyncio

from icepick.demo.catalogue import SERVICES
from icepick.execute.events import Event, FindingFound
from icepick.openapi import read_spec
from icepick.pipeline.beginning import Earlier
from icepick.pipeline.models import describe
from icepick.pipeline.reach import Reach
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from tests.glacier.live import served
from tests.pipeline.running import demo

SETTINGS = RunSettings(
    seed=1, wrong=0, learn=False, calibrate=False, correction=False, operations=False
)


def without_a_walk(url: str) -> list[Event]:
    async def gathered() -> list[Event]:
        api = describe(read_spec(demo("features")))
        session = Session(api, Reach(url), SETTINGS, earlier=Earlier(plans=()))
        return [event async for event in session.events()]

    return asyncio.run(gathered())


def test_a_third_one_that_there_is_no_room_for_is_found_once() -> None:
    with served(SERVICES["features"], "third-feature-crashes") as url:
        found = [one.finding for one in without_a_walk(url) if isinstance(one, FindingFound)]
    assert [one.complaint.check for one in found] == ["server-error"]
    assert found[0].steps[-1].label == "addFeatureToProduct(f3, p1)"
    assert len(found[0].steps) == 4
