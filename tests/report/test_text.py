from __future__ import annotations

import json

import pytest
from rich.text import Text

from icepick.report.text import (
    clean,
    decoded,
    escape,
    fitted,
    line,
    message_of,
    shown_body,
    size,
    visible,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, übung, 名前", "plain, übung, 名前"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("abc\u202edef\u200b", "abc\\u202edef\\u200b"),
        ("half \ud800", "half \\ud800"),
        ("\x9b2J\x85\xad", "\\x9b2J\\x85\\xad"),
        ("a\nb\tc\rd", "a\nb\tc\\x0dd"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_is_not_seen_is_written_as_a_code(text: str, shown: str) -> None:
    assert visible(text) == shown
    visible(text).encode()


def test_a_line_is_one_line_of_bounded_length() -> None:
    assert line("a\nb\r\n  c") == "a b c"
    assert line("x" * 500, 20) == "x" * 19 + "…"
    assert fitted("a  b", 10) == "a  b"
    assert fitted("a\nb", 10) == "a\\x0ab"


def test_markup_of_others_is_text() -> None:
    assert Text.from_markup(escape("[bold]x[/] [/nonsense] \x1b")).plain == (
        "[bold]x[/] [/nonsense] \\x1b"
    )


def test_json_is_laid_out_and_other_bytes_are_escaped() -> None:
    assert shown_body(b'{"a":[1,2]}', 1000) == json.dumps({"a": [1, 2]}, indent=2)
    assert shown_body(b"\xff\x00ok", 1000) == "\\xff\\x00ok"
    assert shown_body(b"{broken", 1000) == "{broken"


def test_a_long_body_is_cut_and_says_so() -> None:
    shown = shown_body(b"a" * 10_000_000, 100)
    assert len(shown) < 150
    assert shown.endswith("10 MB in all")


def test_deep_json_is_shown_as_it_came() -> None:
    body = b"[" * 5000 + b"]" * 5000
    assert shown_body(body, 20_000) == body.decode()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"message": "no such\\n player"}', "no such player"),
        (b'{"errors": ["a", "b"]}', "a; b"),
        (b"plain words", "plain words"),
        (b"<html>500</html>", ""),
        (b"\xff", ""),
        (b"", ""),
    ],
)
def test_the_message_of_an_error(body: bytes, message: str) -> None:
    assert message_of(body) == message


def test_sizes_and_halves() -> None:
    assert [size(1), size(2), size(20_000), size(30_000_000)] == [
        "1 byte",
        "2 bytes",
        "20 kB",
        "30 MB",
    ]
    assert clean("a\udc80") == "a?"
    assert decoded(b"a\x00") is None
