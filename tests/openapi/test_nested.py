"""Values inside values are found from the outside in, and not without end."""

from __future__ import annotations

from icepick.openapi.nested import leaves

BODY = {"a": 1, "b": {"c": [None, "x"]}, "d": [[True]]}


def test_leaves_have_the_name_of_their_field_the_outermost_first() -> None:
    assert list(leaves(BODY, 100)) == [("a", 1), ("c", None), ("c", "x"), ("d", True)]
    assert list(leaves("alone", 100)) == [("", "alone")]


def test_no_more_is_read_than_was_asked_for() -> None:
    assert list(leaves([list(range(50)), "late"], 10)) == []
    assert list(leaves(["soon", list(range(50))], 10)) == [("", "soon")]
