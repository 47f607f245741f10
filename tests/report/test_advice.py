"""A run that got nowhere says what most likely stands in the way."""

from __future__ import annotations

import pytest
from rich.text import Text

from icepick.execute.events import Noted
from icepick.report.advice import advice
from icepick.report.summary import summary
from icepick.report.types import OperationRecord
from tests.report import records


def operations(*statuses: dict[int, int]) -> tuple[OperationRecord, ...]:
    return tuple(
        OperationRecord(f"op{at}", f"GET /{at}", sum(one.values()), one)
        for at, one in enumerate(statuses)
    )


@pytest.mark.parametrize(
    ("statuses", "said"),
    [
        ([{401: 9, 400: 1}] * 5 + [{200: 3}], "--token"),
        ([{403: 9}] * 5, "--login"),
        ([{404: 2}] * 5, "where the paths of the document begin"),
        ([{429: 2}] * 5, "--rate-limit"),
        ([{503: 2}] * 5, "is the service whole?"),
    ],
)
def test_a_hint(statuses: list[dict[int, int]], said: str) -> None:
    record = records.replaced(records.record(), operations=operations(*statuses))
    assert said in "; ".join(advice(record))
    lines = [Text.from_markup(text).plain for text in summary(record, width=200)]
    assert any(line.startswith("hint") and said in line for line in lines)


@pytest.mark.parametrize(
    "statuses",
    [
        [],
        [{}, {}],
        [{200: 1, 401: 9}] * 5,
        [{404: 9}] * 5 + [{200: 1}],
        [{401: 1}, {400: 1}, {409: 1}],
    ],
)
def test_no_hint(statuses: list[dict[int, int]]) -> None:
    record = records.replaced(records.record(), operations=operations(*statuses))
    assert advice(record) == ()


def test_credentials_that_are_good_for_nothing_in_the_middle() -> None:
    note = Noted("sign-in", "http://x", "signing in again did not work: 401")
    found = advice(records.replaced(records.record(), notes=(note,)))
    assert found[0] == note.text
    assert "--exclude-path" in found[1]
