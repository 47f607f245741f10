from __future__ import annotations

from typing import Any

import pytest

from icepick.errors import Code, DocumentError
from icepick.openapi.options import ReadOptions
from icepick.openapi.source import Source
from icepick.openapi.syntax import parse


def _parse(text: str, name: str = "api.json", **options: Any) -> Source:
    return parse(text, name, ReadOptions(**options))


def _error(text: str, name: str = "api.json", **options: Any) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        _parse(text, name, **options)
    return caught.value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", Code.EMPTY),
        (" \n\t ", Code.EMPTY),
        ("# only a comment\n", Code.EMPTY),
        ("<html>", Code.HTML),
        ("\n<!doctype HTML>", Code.HTML),
        ('<?xml version="1.0"?>', Code.HTML),
        ('{"a": 1', Code.SYNTAX),
        ('{"a": NaN}', Code.SYNTAX),
        ('{"a": -Infinity}', Code.SYNTAX),
        ('{"a": ' + "9" * 5000 + "}", Code.SYNTAX),
        ('{"a": "\n"}', Code.SYNTAX),
        ("{'a': 1}", Code.SYNTAX),
        ("a: [", Code.SYNTAX),
        ("a: b: c", Code.SYNTAX),
        ("a:\n\tb: 1", Code.SYNTAX),
        ("a: 1\n--- \nb: 2", Code.SYNTAX),
        ("a: \x01", Code.SYNTAX),
        ("a: *nope", Code.SYNTAX),
        ("[" * 300, Code.SYNTAX),
        ("[" * 300 + "]" * 300, Code.TOO_DEEP),
        ("[" * 100_000 + "]" * 100_000, Code.TOO_DEEP),
        ("a: " + "[" * 100_000, Code.TOO_DEEP),
    ],
)
def test_what_cannot_be_read(text: str, code: Code) -> None:
    assert _error(text).code is code


def test_a_cut_off_document_says_where_and_why() -> None:
    error = _error('{\n  "a": [1,\n')
    assert error.place is not None
    assert error.place.line == 3
    assert error.hint is not None
    assert "cut off" in error.hint


def test_a_mistake_in_json_shows_the_line() -> None:
    place = _error('{\n  "a": 1,\n\t"b" 2\n}').place
    assert place is not None
    assert (place.line, place.column) == (3, 6)
    assert place.caret() == ' "b" 2\n     ^'


def test_tabs_in_yaml_get_a_hint() -> None:
    error = _error("a:\n\tb: 1")
    assert error.place is not None
    assert error.place.line == 2
    assert error.hint is not None
    assert "tabs" in error.hint


def test_flow_style_yaml_also_opens_with_a_brace() -> None:
    assert _parse("{a: 1, b: [x]}", "api.yaml").content == {"a": 1, "b": ["x"]}


@pytest.mark.parametrize("text", ["[" + "1," * 50 + "1]", "- 1\n" * 51, "a: [" + "1," * 50 + "]"])
def test_too_many_values(text: str) -> None:
    assert _error(text, max_nodes=20).code in {Code.TOO_LARGE, Code.ALIAS_BOMB}


def test_duplicate_keys_are_noticed() -> None:
    assert _parse('{"a": 1, "a": 2}').has_duplicate_keys
    assert _parse('{"a": 1, "a": 2}').content == {"a": 2}
    assert _parse("a: 1\na: 2").has_duplicate_keys
    assert not _parse('{"a": 1, "b": {"a": 2}}').has_duplicate_keys


def test_halves_of_characters_are_replaced() -> None:
    content = _parse(r'{"\ud800": ["\udc00x", "\ud83e\uddc0"]}').content
    assert content == {"\ufffd": ["\ufffdx", "🧀"]}
