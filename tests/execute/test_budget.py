"""The time of a run is shared out."""

from __future__ import annotations

import dataclasses
import time

from icepick.execute.budget import Budget, Shares


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


def test_wrong_inputs_get_the_time_that_they_need() -> None:
    budget = Budget(100.0)
    calls, part = budget.afford(1_000, 0.01)
    shares = Shares().with_wrong(part)
    assert calls == 1_000
    assert round(shares.wrong - shares.laws, 2) == 0.15
    assert list(dataclasses.astuple(shares)) == sorted(dataclasses.astuple(shares))


def test_what_there_is_no_time_for_is_cut_down_alike_on_a_day_that_is_slower() -> None:
    budget = Budget(100.0)
    assert budget.afford(1_600, 0.02)[0] == budget.afford(1_600, 0.025)[0] == 400
    assert budget.afford(1_600, 0.5)[0] == 48
    assert Budget(None).afford(1_600, 0.5) == (1_600, 0.0)


def test_the_walk_keeps_a_part_however_much_the_wrong_inputs_take() -> None:
    shares = Shares().with_wrong(0.9)
    parts = dataclasses.astuple(shares)
    assert list(parts) == sorted(parts)
    assert shares.operations < shares.walk
