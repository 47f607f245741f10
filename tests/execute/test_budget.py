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
