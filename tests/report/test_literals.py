from __future__ import annotations

import ast
import json
from typing import Any
from urllib.parse import quote

import pytest

from icepick.report.literals import body_literal, path_literal, shown_path, value_literal

NAMES = {"a b": "id_1", "7": "id_2"}
VALUES = {"id_1": "NEW ONE", "id_2": 99}


def _evaluated(text: str) -> Any:
    return eval(text, {"part": lambda value: quote(str(value), safe="")}, dict(VALUES))


@pytest.mark.parametrize(
    ("path", "now"),
    [
        ("/x/a%20b/y", "/x/NEW%20ONE/y"),
        ("/x/7?owner=a%20b&n=7", "/x/99?owner=NEW%20ONE&n=99"),
        ("/7", "/99"),
        ("/77/{7}/\"'\\", "/77/{7}/\"'\\"),
        ("/part(7)/7", "/part(7)/99"),
        ("/", "/"),
        ("", ""),
    ],
)
def test_paths_take_captured_values(path: str, now: str) -> None:
    assert _evaluated(path_literal(path, NAMES)) == now


def test_values_take_captured_ids_and_nothing_else() -> None:
    value = {"id": 7, "capacity": 7, "ids": [7], "owner_id": "7", "ok": True, "x": None, "f": 7.0}
    assert _evaluated(value_literal(value, NAMES)) == {
        **value,
        "id": 99,
        "ids": [99],
        "owner_id": "99",
    }


def test_long_values_are_broken_over_lines() -> None:
    value = {f"key{i}": {"list": list(range(30))} for i in range(3)}
    text = value_literal(value, {}, 8)
    assert max(map(len, text.splitlines())) <= 100
    assert ast.literal_eval(text) == value


@pytest.mark.parametrize(
    "body",
    [
        b'{"a":1,"a":2}',
        b'{"a": 1e400}',
        b'{"a": NaN}',
        b"[1.0,  2]",
        b"\xff",
        b"text",
        b"7",
    ],
)
def test_what_json_would_change_stays_bytes(body: bytes) -> None:
    assert ast.literal_eval(body_literal(body, {}, 0)) == body


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_json_is_a_value(separators: tuple[str, str], ascii_only: bool) -> None:
    value = {"a": ["ü", 1, 1.5, None, False]}
    body = json.dumps(value, separators=separators, ensure_ascii=ascii_only).encode()
    assert ast.literal_eval(body_literal(body, {}, 0)) == value


def test_the_address_is_taken_off() -> None:
    assert shown_path("http://h:1/v1/a?b", "http://h:1/v1") == "/a?b"
    assert shown_path("http://h:1/v1", "http://h:1/v1/") == "/"
    assert shown_path("http://other/v1/a", "http://h:1/v1") == "/v1/a"
