"""Which operations a run is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from icepick.errors import UsageError
from icepick.openapi import read_spec
from icepick.pipeline.record import Task, recalled, recorded
from icepick.pipeline.selection import Filters, Pattern, Trait, described

SHOP = str(Path(__file__).parents[2] / "examples" / "shop.yaml")
LOGOUT = "DELETE /sessions/current"


def labels(filters: Filters | None) -> set[str]:
    return {one.label for one in described(read_spec(SHOP), filters).spec.operations}


def test_what_looks_dangerous_is_left_out_and_said() -> None:
    api = described(read_spec(SHOP), Filters())
    assert LOGOUT not in {one.label for one in api.spec.operations}
    assert api.left_out == ((LOGOUT, "looks dangerous (logout)"),)


def test_it_is_called_when_asked_for() -> None:
    assert LOGOUT in labels(Filters(dangerous=True))
    assert LOGOUT in labels(None)
    for trait, text in ((Trait.PATH, "/sessions/current"), (Trait.OPERATION_ID, "deleteSession")):
        assert labels(Filters((Pattern(trait, text),))) == {LOGOUT}


def test_one_of_many_is_not_named() -> None:
    everything = Filters((Pattern(Trait.PATH, ".", regex=True), Pattern(Trait.METHOD, "DELETE")))
    assert LOGOUT not in labels(everything)
    assert labels(everything)


def test_nothing_but_danger_is_a_mistake() -> None:
    with pytest.raises(UsageError, match="looks dangerous"):
        labels(Filters((Pattern(Trait.PATH, "current", regex=True),)))


@pytest.mark.parametrize("asked", [True, False])
def test_a_run_that_goes_on_calls_the_same(asked: bool) -> None:
    task = Task(SHOP, filters=Filters(dangerous=asked))
    assert recalled(recorded(task)).filters == task.filters
