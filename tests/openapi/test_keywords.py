from __future__ import annotations

from typing import Any

import pytest

from icepick.openapi.keywords import PLAIN, looks_like_a_schema


@pytest.mark.parametrize(
    ("keyword", "value", "fits"),
    [
        ("minimum", 1.5, True),
        ("minimum", True, False),
        ("minimum", float("nan"), False),
        ("maximum", float("inf"), False),
        ("maximum", 10**400, True),
        ("maxLength", 3.0, True),
        ("maxLength", 3.5, False),
        ("maxLength", -1, False),
        ("multipleOf", 0.1, True),
        ("multipleOf", -1, False),
        ("enum", [None], True),
        ("enum", "a", False),
        ("dependentRequired", {"a": ["b"]}, True),
        ("dependentRequired", {"a": ["b", "b"]}, False),
        ("dependentRequired", [], False),
        ("const", None, True),
    ],
)
def test_plain_keywords(keyword: str, value: Any, fits: bool) -> None:
    assert PLAIN[keyword](value) is fits


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, True),
        (True, True),
        ({"type": "x"}, True),
        ({"description": "anything"}, True),
        ({"description": "d", "x-a": 1}, True),
        ({"$ref": "#/x"}, True),
        ({"title": "t", "version": "1"}, False),
        ({"name": "n", "in": "query", "required": True, "schema": {}}, False),
        ([], False),
        ("text", False),
        (None, False),
    ],
)
def test_looks_like_a_schema(value: Any, expected: bool) -> None:
    assert looks_like_a_schema(value) is expected
