"""Text of others made fit to be shown: nothing in it may act on a terminal, a page or a reader."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from unicodedata import category

from rich.markup import escape as _markup

from icepick.execute.said import said
from icepick.execute.types import Exchange, Failure, Response
from icepick.openapi.types import Json

_ODD = re.compile(r"[^\n\t\x20-\x7e\xa1-\xac\xae-\u02ff]")
_TEXTUAL = ("json", "xml", "text/", "html", "javascript", "yaml", "x-www-form-urlencoded")


def visible(text: str, keep: str = "\n\t") -> str:
    """The text with every character that is not seen, or turns others round, written as a code."""
    shown = _ODD.sub(_coded, text)
    for char in "\n\t":
        if char not in keep and char in shown:
            shown = shown.replace(char, _code(char))
    return shown


def _coded(match: re.Match[str]) -> str:
    char = match[0]
    return _code(char) if category(char) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} else char


def _code(char: str) -> str:
    number = ord(char)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def line(text: str, most: int | None = None) -> str:
    """The text as one line, cut where it is longer than `most`."""
    shown = visible(" ".join(text[: None if most is None else 4 * most].split()), keep="")
    return shown if most is None or len(shown) <= most else f"{shown[: most - 1]}…"


def fitted(text: str, most: int) -> str:
    """The text with its blanks, cut where it is longer than `most`."""
    shown = visible(text, keep="")
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def escape(text: str) -> str:
    """Text of others inside markup for a terminal."""
    return _markup(visible(text, keep="\n"))


def plural(count: int, noun: str) -> str:
    """A number and what it counts: 1 call, 2 calls."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def clean(text: str) -> str:
    """The text without halves of characters, which no file in UTF-8 can hold."""
    return text.encode("utf-8", "replace").decode()


def decoded(body: bytes) -> str | None:
    """A body as text; None where its bytes are no text."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return None
    return None if "\x00" in text else text


def parsed(body: bytes | None) -> Json:
    """The JSON value of a body; None where it holds none."""
    try:
        return json.loads(body) if body else None
    except (ValueError, RecursionError):
        return None


def size(count: int) -> str:
    """A number of bytes for people."""
    if count < 10_000:
        return plural(count, "byte")
    return f"{count / 1000:,.0f} kB" if count < 10_000_000 else f"{count / 1e6:,.0f} MB"


def shown_body(body: bytes, most: int) -> str:
    """A body to look at: JSON laid out, text as it is, other bytes as escapes; cut at `most`."""
    if len(body) <= most and body.lstrip()[:1] in (b"{", b"[") and decoded(body) is not None:
        value = parsed(body)
        if value is not None:
            return visible(json.dumps(value, indent=2, ensure_ascii=False))
    text = body[:most].decode("utf-8", "backslashreplace")
    return visible(text) + (f"\n… {size(len(body))} in all" if len(body) > most else "")


def is_textual(content_type: str) -> bool:
    """Whether a content type is for people to read."""
    return any(part in content_type.lower() for part in _TEXTUAL)


def outcome(exchange: Exchange) -> str:
    """What became of a request, in a few words."""
    match exchange.reply:
        case Response(status=status):
            return str(status)
        case Failure(kind=kind, message=message):
            return f"no answer ({kind}): {line(message, 120)}"


def message_of(body: bytes) -> str:
    """What an error says in its body, in one short line."""
    value = parsed(body[:100_000])
    if isinstance(value, Mapping):
        return line(said(value), 200)
    text = decoded(body[:2000]) or ""
    return "" if text.lstrip().startswith("<") else line(text, 200)
