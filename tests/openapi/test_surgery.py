"""Keys put into documents without touching the rest of the text."""

from __future__ import annotations

import pytest

from icepick.errors import Code, DocumentError
from icepick.openapi import ReadOptions
from icepick.openapi.surgery import Insertion, insert
from icepick.openapi.syntax import parse

VALUE = {"requires": ["a = 'b'"], "marks": ["x1", "x2"]}
BLOCK = "x:\n      requires:\n        - 'a = ''b'''\n      marks: [x1, x2]"


def put(text: str, name: str = "a.yaml", value: object = VALUE) -> str:
    source = parse(text, name, ReadOptions())
    return insert(source, [Insertion(("paths", "get"), "x", value)])


def content(text: str, name: str = "a.yaml") -> object:
    return parse(text, name, ReadOptions()).content


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "paths:\n  get:\n    id: a  # mine\n# next\nother: 1\n",
            "paths:\n  get:\n    id: a  # mine\n    x:\n      requires:\n        - 'a = ''b'''\n"
            "      marks: [x1, x2]\n# next\nother: 1\n",
            id="after the last key, before the comment of the next",
        ),
        pytest.param(
            "paths:\n  get:\n    x:\n      requires: [old]\n    id: a\n",
            f"paths:\n  get:\n    {BLOCK}\n    id: a\n",
            id="in place of an old value",
        ),
        pytest.param(
            "paths:\n  get:\n    text: |\n      one\n\n      two\nother: 1",
            "paths:\n  get:\n    text: |\n      one\n\n      two\n    x:\n      requires:\n"
            "        - 'a = ''b'''\n      marks: [x1, x2]\nother: 1",
            id="after a block of text",
        ),
        pytest.param(
            "paths:\n  get: {id: a}\n",
            'paths:\n  get: {id: a, "x": {"requires": ["a = \'b\'"], "marks": ["x1", "x2"]}}\n',
            id="inside braces",
        ),
        pytest.param(
            "paths:\n  get: {}\n",
            'paths:\n  get: {"x": {"requires": ["a = \'b\'"], "marks": ["x1", "x2"]}}\n',
            id="inside empty braces",
        ),
    ],
)
def test_yaml(before: str, after: str):
    assert put(before) == after
    assert content(after)["paths"]["get"]["x"] == VALUE


def test_windows_line_ends_stay():
    text = put("paths:\r\n  get:\r\n    id: a\r\n")
    assert "\n" not in text.replace("\r\n", "")
    assert content(text)["paths"]["get"] == {"id": "a", "x": VALUE}


@pytest.mark.parametrize(
    "before",
    [
        '{"paths": {"get": {"id": 1}}}',
        '{\n  "paths": {\n    "get": {\n      "id": 1\n    }\n  }\n}\n',
        '{\n\t"paths": {\n\t\t"get": {\n\t\t\t"id": 1\n\t\t}\n\t}\n}\n',
        '{\n  "paths": {\n    "get": {\n   "id": "\\ud83d\\ude00",\n   "x": {"old": 1}}}}',
    ],
)
def test_json(before: str):
    after = put(before, "a.json")
    assert content(after, "a.json")["paths"]["get"]["x"] == VALUE
    start = after.index('"id"')
    assert after[:start] == before[:start]


def test_json_is_indented_like_its_neighbours():
    after = put(
        '{\n  "paths": {\n    "get": {\n      "id": 1\n    }\n  }\n}\n', "a.json", {"y": []}
    )
    assert after == (
        '{\n  "paths": {\n    "get": {\n      "id": 1,\n      "x": {\n        "y": []\n      }\n'
        "    }\n  }\n}\n"
    )


def test_a_path_that_leads_nowhere_is_passed_over():
    source = parse("a: 1\n", "a.yaml", ReadOptions())
    assert insert(source, [Insertion(("b",), "x", 1), Insertion(("a",), "x", 1)]) == "a: 1\n"


def test_an_anchor_does_not_shift_the_keys():
    after = put("paths:\n  get: &g\n    id: a\nother: 1\n")
    assert content(after) == {"paths": {"get": {"id": "a", "x": VALUE}}, "other": 1}


def test_two_places_that_are_one_text_are_refused():
    source = parse("a: &m\n  id: 1\nb: *m\n", "a.yaml", ReadOptions())
    with pytest.raises(DocumentError) as caught:
        insert(source, [Insertion(("a",), "x", 1), Insertion(("b",), "x", 2)])
    assert caught.value.code is Code.SHARED_BY_ALIAS


def test_nothing_is_given_that_does_not_read_back():
    """A key in an alias would appear in both places."""
    source = parse("a: &m\n  id: 1\nb: *m\n", "a.yaml", ReadOptions())
    with pytest.raises(DocumentError) as caught:
        insert(source, [Insertion(("a",), "x", 1)])
    assert caught.value.code is Code.CANNOT_EXTEND
