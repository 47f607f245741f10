"""JSON values, URLs and bytes as Python text, with names in place of captured values."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from urllib.parse import quote, unquote

from icepick.openapi.types import Json
from icepick.report.captures import identifies
from icepick.report.text import decoded, parsed

Names = Mapping[str, str]
"""The variable that holds a captured value, by the value's text."""

_WIDTH = 88
_SEPARATED = re.compile(r"[/?&=]|[^/?&=]+")


def value_literal(value: Json, names: Names, indent: int = 0, key: str = "") -> str:
    """A JSON value, the one under `key`; broken over lines where it is long."""
    flat = _flat(value, names, key)
    if len(flat) + indent <= _WIDTH or not isinstance(value, dict | list) or not value:
        return flat
    inner = " " * (indent + 4)
    if isinstance(value, dict):
        items = [f"{k!r}: {value_literal(v, names, indent + 4, k)}" for k, v in value.items()]
    else:
        items = [value_literal(item, names, indent + 4, key) for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    lines = "".join(f"{inner}{item},\n" for item in items)
    return f"{opening}\n{lines}{' ' * indent}{closing}"


def _flat(value: Json, names: Names, key: str) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {_flat(v, names, k)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flat(item, names, key) for item in value) + "]"
    if isinstance(value, str | int) and not isinstance(value, bool):
        name = names.get(str(value))
        if name and identifies((key,) if key else (), value):
            return f"{type(value).__name__}({name})"
    return repr(value)


def body_literal(body: bytes, names: Names, indent: int) -> str:
    """A body: a value where writing it as JSON gives the same, else its bytes."""
    value = parsed(body)
    if isinstance(value, dict | list) and _is_canonical(body, value):
        return value_literal(value, names, indent)
    return repr(body)


def _is_canonical(body: bytes, value: Json) -> bool:
    text = decoded(body)
    try:
        forms = [
            json.dumps(value, separators=separators, ensure_ascii=ascii_only, allow_nan=False)
            for separators in ((",", ":"), (", ", ": "))
            for ascii_only in (True, False)
        ]
    except (ValueError, RecursionError):
        return False
    return text in forms


def path_literal(path: str, names: Names) -> str:
    """A path with its query; captured segments and values of the query become names."""
    pieces: list[str] = []
    for text in _SEPARATED.findall(path):
        name = names.get(unquote(text))
        if name and text[0] not in "/?&=":
            pieces.append(f"part({name})")
        elif pieces and not pieces[-1].startswith("part("):
            pieces[-1] += text
        else:
            pieces.append(text)
    return " + ".join(p if p.startswith("part(") else repr(p) for p in pieces) or "''"


def shown_path(url: str, base: str) -> str:
    """A URL without the address of the service."""
    if base and url.startswith(base.rstrip("/")):
        return url[len(base.rstrip("/")) :] or "/"
    rest = url.partition("://")[2]
    return "/" + quote(rest.partition("/")[2], safe="".join(map(chr, range(33, 127))))
