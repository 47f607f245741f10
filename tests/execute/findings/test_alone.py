"""Clauses about what everybody changes are judged while nobody else is at work."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from icepick.execute.calibration.manners import Departure, Manners
from icepick.execute.engine import RunOptions
from icepick.execute.events import ClauseCounted, FindingFound, NotConfirmed
from icepick.execute.findings.alone import is_shared
from icepick.execute.routing import Routing, listings
from icepick.glacier import Clause
from icepick.openapi import read_spec
from icepick.pipeline.beginning import Earlier
from icepick.pipeline.calibration import Known
from icepick.pipeline.models import describe
from icepick.pipeline.reach import Reach
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from tests.execute.test_engine import events
from tests.pipeline.serving import serving
from tests.resources.documents import TEXT, crud, document, obj, read_only

EXAMPLES = Path(__file__).parents[3] / "examples"
SETTINGS = RunSettings(
    seed=1, bounds={"User": 1, "Pet": 2, "Order": 1}, wrong=0, operations=False, learn=False
)


def test_what_is_neither_a_list_nor_about_one_instance_is_shared() -> None:
    api = describe(read_spec(str(EXAMPLES / "petstore.yaml")))
    shared = is_shared(Routing(api.spec.operations), listings(api.resources))
    clauses: list[Clause] = [*api.contracts.invariants]
    for contract in api.contracts.operations.values():
        clauses += [*contract.requires, *contract.ensures]
    found = [clause.text for clause in clauses if shared(clause)]
    assert len(found) == 1
    assert "GET /store/inventory" in found[0]


def test_a_count_of_everything_is_judged_alone() -> None:
    found = events("petstore", settings=SETTINGS)
    counted = [one for one in found if isinstance(one, ClauseCounted) and "inventory" in one.text]
    assert [one.true > 0 and not one.false for one in counted] == [True]
    assert not [one for one in found if isinstance(one, FindingFound | NotConfirmed)]


def test_a_count_that_is_wrong_is_found() -> None:
    found = events("petstore", "inventory-counts-deleted", settings=SETTINGS)
    findings = [one.finding for one in found if isinstance(one, FindingFound)]
    assert [one.action for one in findings] == ["deletePet"]
    assert "inventory" in findings[0].complaint.promised
    assert len(findings[0].steps) == 2


def shelf(*, stays: bool) -> list[web.RouteDef]:
    """Things that can be put on it; taking one away may do nothing."""
    held: dict[str, dict[str, Any]] = {}
    numbers = count(1)

    async def create(request: web.Request) -> web.Response:
        made = {**await request.json(), "id": f"t{next(numbers)}"}
        held[made["id"]] = made
        return web.json_response(made, status=201)

    async def read(request: web.Request) -> web.Response:
        found = held.get(request.match_info["id"])
        return web.json_response(found or {}, status=200 if found else 404)

    async def delete(request: web.Request) -> web.Response:
        if not stays:
            held.pop(request.match_info["id"], None)
        return web.Response(status=204)

    item = "/things/{id}"
    return [web.post("/things", create), web.get(item, read), web.delete(item, delete)]


@pytest.mark.parametrize("stays", [True, False])
def test_what_was_seen_to_stay_is_looked_at_without_the_walk(
    tmp_path: Path, *, stays: bool
) -> None:
    operations = crud("/things", "id", obj("name", id=read_only(TEXT), name=TEXT))
    del operations["GET /things"], operations["PUT /things/{id}"]
    operations["GET /things/{id}"]["responses"]["404"] = {"description": "none"}
    file = tmp_path / "things.json"
    file.write_text(json.dumps(document(operations, {})))
    walked = RunOptions(done=frozenset((0, number) for number in range(1000)))
    settings = RunSettings(seed=1, wrong=0, learn=False, operations=False, engine=walked)
    seen = Manners("Thing", deleted=204, departure=Departure.STAYS)

    async def found(url: str) -> list[str]:
        earlier = Earlier(known=Known({"Thing": seen}))
        session = Session(describe(read_spec(str(file))), Reach(url), settings, earlier=earlier)
        told = [event async for event in session.events()]
        return [one.finding.title for one in told if isinstance(one, FindingFound)]

    with serving(*shelf(stays=stays)) as url:
        titles = asyncio.run(found(url))
    broken = "delete_things_id does not ensure res_code(GET /things/{id}) = 404"
    assert titles == ([broken] if stays else [])
