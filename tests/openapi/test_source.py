from __future__ import annotations

import json

import pytest

from icepick.openapi.options import ReadOptions
from icepick.openapi.source import Node, Source, pointer
from icepick.openapi.syntax import parse

_CONTENT = {"a": {"b/c": [1, {"d~e": 2}]}, "ü\u2028": 3}


def _source(text: str, name: str = "api.json") -> Source:
    return parse(text, name, ReadOptions())


def _at(source: Source, *path: str) -> tuple[int | None, int | None]:
    place = source.place(path)
    return place.line, place.column


def test_pointers_are_escaped() -> None:
    assert pointer(["a", "b/c", "d~e"]) == "/a/b~1c/d~0e"
    assert pointer([]) == ""


def test_lines_of_json() -> None:
    source = _source(json.dumps(_CONTENT, indent=2))
    assert _at(source, "a") == (2, 3)
    assert _at(source, "a", "b/c", "0") == (4, 7)
    assert _at(source, "a", "b/c", "1", "d~e") == (6, 9)
    assert _at(source) == (1, 1)


@pytest.mark.parametrize("indent", [None, 1, "\t"])
def test_lines_of_any_json(indent: int | str | None) -> None:
    text = json.dumps({"a": {"x": r"\/ \ud83e 	"}, "b": 1}, indent=indent)
    line = next(n for n, t in enumerate(text.splitlines(), 1) if '"b"' in t)
    assert _at(_source(text.replace("/", r"\/")), "b")[0] == line


def test_minified_json() -> None:
    assert _at(_source('{"a":{"b":[1,2]},"c":3}'), "a", "b", "1") == (1, 14)


def test_lines_of_yaml() -> None:
    source = _source("a:\n  - 1\n  - {b: 2}\n", "api.yaml")
    assert _at(source, "a", "1", "b") == (3, 6)


def test_a_path_that_leads_nowhere_is_placed_as_near_as_can_be() -> None:
    source = _source("a:\n  b: [1]\n", "api.yaml")
    assert _at(source, "a", "b", "7", "x") == (2, 3)
    assert _at(source, "a", "b", "²") == (2, 3)
    assert source.place(("a", "x")).pointer == "/a/x"


def test_of_two_equal_keys_the_last_is_shown() -> None:
    source = _source("a: 1\nb: 2\na: 3\n", "api.yaml")
    assert list(source.duplicate_keys()) == [((), "a")]
    assert _at(source, "a") == (3, 1)


def test_duplicates_inside_lists_and_behind_aliases_are_found_once() -> None:
    source = _source("l:\n - &x {k: 1, k: 2}\n - *x\n - {<<: *x, <<: *x}\n", "api.yaml")
    assert list(source.duplicate_keys()) == [(("l", "0"), "k")]


def test_nodes_shrug_off_wrong_types() -> None:
    source = _source('{"t": 3, "l": [], "n": null}')
    root = Node(source, (), source.content)
    assert root.text("t", "x") == "x"
    assert root.flag("t", default=True) is True
    assert root.get("n") is None
    assert root.get("missing") is None
    child = root.get("t")
    assert child is not None
    assert list(child.items()) == list(child.elements()) == []
    assert child.get("x") is None
    assert child.text("x") == ""
