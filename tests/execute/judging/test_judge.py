"""Table I of the ICEPICK paper, row by row, and what doubt makes of it."""

from __future__ import annotations

import pytest

from icepick.execute.judging.judge import verdict, verdict_in_doubt
from icepick.execute.types import Verdict
from icepick.glacier import Truth

T, F = True, False
ANY = (200, 201, 204, 302, 400, 404, 409, 500, 503)
REFUSED = (400, 403, 404, 409, 410, 422, 429)
NOT_REFUSED = (200, 201, 204, 302, 500, 503)
GOOD = (200, 201, 202, 204)
NOT_GOOD = (302, 400, 404, 409, 500, 503)

TABLE = [
    (T, T, T, GOOD, Verdict.OK),
    (T, T, T, NOT_GOOD, Verdict.ERR),
    (T, T, F, ANY, Verdict.ERR),
    (T, F, T, ANY, Verdict.ERR),
    (T, F, F, REFUSED, Verdict.WARN),
    (T, F, F, NOT_REFUSED, Verdict.ERR),
    (F, T, T, ANY, Verdict.WARN),
    (F, T, F, ANY, Verdict.ERR),
    (F, F, T, REFUSED, Verdict.OK),
    (F, F, T, NOT_REFUSED, Verdict.ERR),
    (F, F, F, REFUSED, Verdict.OK),
    (F, F, F, NOT_REFUSED, Verdict.ERR),
]


@pytest.mark.parametrize(("pre", "post", "invariants", "statuses", "expected"), TABLE)
def test_table_one(
    pre: bool, post: bool, invariants: bool, statuses: tuple[int, ...], expected: Verdict
) -> None:
    for status in statuses:
        assert verdict(pre, post, invariants, status) is expected


def test_without_doubt_it_is_the_table() -> None:
    for pre, post, invariants, statuses, expected in TABLE:
        truths = [Truth.TRUE if one else Truth.FALSE for one in (pre, post, invariants)]
        assert verdict_in_doubt(*truths, statuses[0]) is expected


def test_doubt_takes_the_mildest_verdict_it_may_come_to() -> None:
    true, unknown = Truth.TRUE, Truth.UNKNOWN
    assert verdict_in_doubt(true, unknown, true, 201) is Verdict.OK
    assert verdict_in_doubt(unknown, true, true, 404) is Verdict.WARN
    assert verdict_in_doubt(true, unknown, Truth.FALSE, 404) is Verdict.WARN


def test_doubt_excuses_nothing_that_is_certain() -> None:
    assert verdict_in_doubt(Truth.TRUE, Truth.FALSE, Truth.UNKNOWN, 201) is Verdict.ERR
    assert verdict_in_doubt(Truth.UNKNOWN, Truth.UNKNOWN, Truth.UNKNOWN, 500) is Verdict.WARN
