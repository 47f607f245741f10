"""What an answer leaves open."""

from __future__ import annotations

import pytest

from icepick.execute.types import Response, is_in_doubt


@pytest.mark.parametrize(
    ("status", "doubt"), [(201, False), (404, False), (500, True), (501, False), (503, True)]
)
def test_what_is_not_implemented_was_not_done(status: int, doubt: bool) -> None:
    assert is_in_doubt(Response(status, (), b"")) is doubt
