"""The time of a run is shared out."""

from __future__ import annotations

import dataclasses
import time

from icepick.execute.budget import Budget, Shares
from icepick.execute.events import Ending, Exchanged, PhaseStarted
from icepick.execute.types import Exchange, Purpose, Request, Response

_REQUEST, _REPLY = Request("GET", "http://127.0.0.1/"), Response(200)


def test_without_a_bound_nothing_is_ever_spent() -> None:
    budget = Budget(None)
    assert not budget.is_spent(0.0)


def test_a_part_is_spent_before_the_whole() -> None:
    budget = Budget(10.0)
    time.sleep(0.02)
    assert budget.is_spent(0.001)
    assert not budget.is_spent(0.5)


def test_the_shares_follow_one_another_up_to_the_end() -> None:
    shares = dataclasses.astuple(Shares())
    assert list(shares) == sorted(shares)
    assert shares[-1] == 1.0


def test_shares_can_be_those_of_what_is_left() -> None:
    budget = Budget(0.4)
    time.sleep(0.1)
    assert budget.is_spent(0.2)
    budget.share_out()
    assert not budget.is_spent(0.2)
    time.sleep(0.31)
    assert budget.is_spent()


def _used(budget: Budget, calls: int, seconds: float = 0.0) -> Budget:
    """The same after so many requests, which have taken so long."""
    for number in range(calls):
        budget.count(Exchanged(Exchange(number, 0.0, Purpose.CALL, _REQUEST, _REPLY)))
    budget._began -= seconds
    return budget


def test_requests_are_shared_out_as_time_is() -> None:
    budget = _used(Budget(None, 100), 60)
    assert budget.is_spent(0.5)
    assert not budget.is_spent(0.7)
    assert budget.ending is Ending.MAX_REQUESTS
    budget.share_out()
    assert not budget.is_spent(0.5)
    assert _used(budget, 21).is_spent(0.5)
    assert not budget.is_spent()
    budget.count(PhaseStarted("walk"))
    assert _used(budget, 20).is_spent()


def test_wrong_inputs_get_the_time_that_they_need() -> None:
    calls, part = _used(Budget(100.0), 10, seconds=0.1).afford(1_000)
    shares = Shares().with_wrong(part)
    assert calls == 1_000
    assert round(shares.wrong - shares.laws, 2) == 0.15
    assert list(dataclasses.astuple(shares)) == sorted(dataclasses.astuple(shares))


def test_what_there_is_no_time_for_is_cut_down_alike_on_a_day_that_is_slower() -> None:
    fast, slow = (_used(Budget(100.0), 10, seconds=one) for one in (0.2, 0.25))
    assert fast.afford(1_600)[0] == slow.afford(1_600)[0] == 400
    assert _used(Budget(100.0), 10, seconds=5.0).afford(1_600)[0] == 48
    assert _used(Budget(None), 10, seconds=5.0).afford(1_600) == (1_600, 0.0)


def test_wrong_inputs_go_on_where_there_is_room_for_many_more() -> None:
    budget = _used(Budget(100.0), 10, seconds=50.0)
    assert budget.further(100, 1_600, seconds=5.0, share=0.98) == 400
    assert budget.further(100, 250, seconds=5.0, share=0.98) == 250
    assert budget.further(100, 1_600, seconds=15.0, share=0.98) == 100
    assert budget.further(400, 400, seconds=1.0, share=0.98) == 400
    assert _used(Budget(None, 1_000), 200).further(100, 1_600, seconds=5.0, share=0.98) == 400
    assert _used(Budget(None, 1_000), 300).further(100, 1_600, seconds=5.0, share=0.98) == 100


def test_wrong_inputs_are_a_part_of_all_requests() -> None:
    calls, part = Budget(None, 10_000).afford(1_600)
    assert (calls, round(part, 2)) == (800, 0.2)
    assert Budget(None, 10_000).afford(20)[0] == Budget(None, 10).afford(20)[0] == 20


def test_the_walk_keeps_a_part_however_much_the_wrong_inputs_take() -> None:
    shares = Shares().with_wrong(0.9)
    parts = dataclasses.astuple(shares)
    assert list(parts) == sorted(parts)
    assert shares.operations < shares.walk
