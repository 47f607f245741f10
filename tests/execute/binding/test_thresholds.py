"""Numbers at the threshold of what an operation requires, and calls after an action."""

from __future__ import annotations

import asyncio

import pytest

from icepick.demo.catalogue import SERVICES
from icepick.execute.binding.thresholds import at_threshold
from icepick.execute.events import FindingFound
from icepick.execute.findings.alone import after_action
from icepick.execute.types import Finding
from icepick.glacier import MemoryEnvironment, Sent
from icepick.inputs import Case
from icepick.openapi import read_spec
from icepick.openapi.types import Json, Operation
from icepick.pipeline.models import describe
from icepick.pipeline.reach import Reach
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from icepick.sequences.types import Call, Kind, Step
from tests.execute.test_engine import EXAMPLES
from tests.glacier.building import answers, check
from tests.glacier.live import served
from tests.pipeline.running import signing_in

NAMES = ("Customer", "Product", "Order", "User", "Address", "Line")
SETTINGS = RunSettings(
    seed=1, bounds=dict.fromkeys(NAMES, 1), wrong=0, learn=False, calibrate=False, operations=False
)


@pytest.mark.parametrize(
    ("clause", "sent", "expected"),
    [
        ("req_body(@){n} >= res_body(GET /room)", {"n": 9}, {"n": 5}),
        ("req_body(@){n} < res_body(GET /room)", {"n": 9}, {"n": 4}),
        ("res_body(GET /room) < req_body(@){n}", {"n": 9}, {"n": 6}),
        ("res_body(GET /room) >= req_body(@){a.n}", {"a": {"n": 9}}, {"a": {"n": 5}}),
        ("req_body(@){n} = res_body(GET /room)", {"n": 9}, {"n": 9}),
        ("req_body(@){n} > res_body(GET /none)", {"n": 9}, {"n": 9}),
        ("req_body(@){n} > res_body(GET /room)", {"n": 9.5}, {"n": 9.5}),
        ("req_body(@){n} > res_body(GET /room)", {"m": 9}, {"m": 9}),
        ("res_code(GET /room) in 2xx", {"n": 9}, {"n": 9}),
    ],
)
def test_the_last_number_that_is_allowed(clause: str, sent: Json, expected: Json) -> None:
    case = Case(Operation("put", "PUT", "/things", ""), body=sent)
    env = MemoryEnvironment(Sent(body=sent), now=answers(room=5))
    assert at_threshold(case, (check(clause),), env).body == expected


def test_only_what_is_written_comes_after_an_action() -> None:
    create = Step(Call(Kind.TRANSITION, "create", ("a",), "create"), 1)
    action = Step(Call(Kind.ACTION, "stop", ("a",)), 1)
    first, second = (Step(Call(Kind.UPDATE, name, ("a",), input=3), 1) for name in ("put", "patch"))
    steps = (create, action, first, second)
    assert after_action({"create", "patch"}, steps) == (create, action, second)
    assert after_action({"create"}, steps) == ()


async def first_finding(url: str) -> Finding | None:
    api = describe(read_spec(str(EXAMPLES / "shop.yaml")))
    session, found = Session(api, Reach(url, signing_in("shop", url)), SETTINGS), None
    async for event in session.events():
        if isinstance(event, FindingFound):
            found = found or event.finding
            session.stop()
    return found


def test_what_a_cancelled_order_holds_back_is_found() -> None:
    with served(SERVICES["shop"], "cancel-keeps-reservation") as url:
        found = asyncio.run(first_finding(url))
    assert found is not None
    assert found.complaint.check == "refused"
    assert [step.action for step in found.steps[-2:]] == ["cancelOrder", "putProduct"]
    assert len(found.steps) == 7
