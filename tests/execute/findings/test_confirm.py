"""From suspicions to findings: the name of a fault does not depend on who saw it first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from icepick.execute.binding.chance import Origin
from icepick.execute.findings.confirm import Confirmation, Replay, confirmed, in_rounds
from icepick.execute.findings.suspicion import Suspicion, Suspicions
from icepick.execute.types import (
    Complaint,
    Exchange,
    Finding,
    Judged,
    Provenance,
    Purpose,
    Request,
    Response,
    Unconfirmed,
    Verdict,
)
from icepick.sequences.types import Call, Kind, Step

STEPS = (Step(Call(Kind.TRANSITION, "deletePet", ("p1",), "deletePet"), 0),)
GONE = Complaint("ensures", Verdict.ERR, "gone", "200 = 404", Provenance.INFERRED, "gone")
UNLISTED = Complaint("ensures", Verdict.ERR, "unlisted", "1 = 0", Provenance.INFERRED, "unlisted")
REPLAYS = {0: Replay(lambda _: (), lambda *_: iter(()), lambda _: None)}


def judged(*complaints: Complaint) -> Judged:
    exchange = Exchange(1, 0.0, Purpose.CALL, Request("DELETE", "http://x"), Response(200))
    return Judged(
        "deletePet(p1)", "deletePet", "deletePet", "transition", Verdict.ERR,
        complaints=complaints, exchange=exchange,
    )  # fmt: skip


def found(suspected: Judged, alone: Judged) -> object:
    suspicions = Suspicions()
    suspicions.add(0, STEPS, suspected)

    async def run(_: int, __: tuple[Step, ...], ___: object) -> Confirmation:
        return (alone,)

    [only] = suspicions.all()
    return asyncio.run(confirmed(only, REPLAYS, run))


def test_a_fault_has_one_name_whichever_of_its_aspects_was_seen_first() -> None:
    whole, part = found(judged(GONE), judged(GONE, UNLISTED)), found(
        judged(UNLISTED), judged(GONE, UNLISTED)
    )  # fmt: skip
    assert isinstance(whole, Finding)
    assert isinstance(part, Finding)
    assert whole.id == part.id
    assert part.complaint == GONE


def test_what_shows_alone_keeps_its_name() -> None:
    result = found(judged(UNLISTED), judged(UNLISTED))
    assert isinstance(result, Finding)
    assert result.complaint == UNLISTED


def test_what_does_not_show_again_is_no_finding() -> None:
    assert not isinstance(found(judged(UNLISTED), judged()), Finding)
    assert not isinstance(found(judged(UNLISTED), judged(GONE)), Finding)


LONG = (*STEPS, *STEPS, *STEPS)


def runs(shows: Callable[[tuple[Step, ...], Origin | None], bool]) -> tuple[object, list[object]]:
    """What becomes of a suspicion with a short and a long example, and the origins it took."""
    suspicions, tried = Suspicions(), []
    suspicions.add(0, STEPS, judged(GONE), (0, 1, 0))
    suspicions.add(0, LONG, judged(GONE), (0, 2, 0))

    async def run(_: int, steps: tuple[Step, ...], origin: Origin | None) -> Confirmation:
        tried.append(origin)
        return (judged(GONE),) if shows(steps, origin) else (judged(),)

    [only] = suspicions.all()
    return asyncio.run(confirmed(only, REPLAYS, run)), tried


def test_what_depends_on_inputs_is_shown_with_the_inputs_that_showed_it() -> None:
    result, _ = runs(lambda _, origin: origin == (0, 1, 0))
    assert isinstance(result, Finding)


def test_what_depends_on_what_came_before_is_shown_by_the_longest_example() -> None:
    result, tried = runs(lambda steps, _: len(steps) == len(LONG))
    assert isinstance(result, Finding)
    assert tried == [(0, 1, 0), None, (0, 2, 0)]


def test_each_suspicion_has_its_turn_before_one_that_does_not_show_again_has_all() -> None:
    suspicions, tried = Suspicions(), []
    for way, number in ((STEPS, 1), (LONG, 2)):
        suspicions.add(0, way, judged(GONE), (0, number, 0))
    suspicions.add(0, STEPS, judged(UNLISTED), (0, 3, 0))

    async def run(_: int, __: tuple[Step, ...], origin: Origin | None) -> Confirmation:
        tried.append(origin)
        return (judged(UNLISTED),) if origin == (0, 3, 0) else (judged(),)

    async def attempt(one: Suspicion, attempts: range) -> Finding | Unconfirmed:
        return await confirmed(one, REPLAYS, run, attempts=attempts)

    async def results() -> list[Finding | Unconfirmed]:
        return [one async for one in in_rounds(suspicions.all(), attempt)]

    found, doubtful = asyncio.run(results())
    assert tried == [(0, 1, 0), None, (0, 3, 0), (0, 2, 0), None]
    assert isinstance(found, Finding)
    assert isinstance(doubtful, Unconfirmed)
    assert doubtful.attempts == 4
