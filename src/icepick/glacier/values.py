"""Values at run time: JSON, or the reason why there is none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from urllib.parse import quote

from icepick.openapi.types import Json

_LONGEST = 60
_LARGEST_BITS = 10_000


@dataclass(frozen=True, slots=True)
class Unknown:
    """No value, and why; `missing` where a field is not there, which counts as null beside null."""

    reason: str
    missing: bool = False


def settled(unknown: Unknown) -> Unknown:
    """The same doubt about what was made of a value: that is no longer a missing field."""
    return Unknown(unknown.reason) if unknown.missing else unknown


def truth(value: Json) -> bool | Unknown:
    """A value taken as a truth value."""
    if value is True or value is False:
        return bool(value)
    if type(value) is Unknown:
        return settled(value)
    return Unknown(f"{describe(value)} is not a truth value")


def describe(value: Json) -> str:
    """A value as a message shows it, cut where it is long."""
    if type(value) is Unknown:
        return "unknown"
    if isinstance(value, int) and value.bit_length() > _LARGEST_BITS:
        return "a number of thousands of digits"
    if isinstance(value, dict | list) and len(value) > _LONGEST:
        return f"{kind(value)} of {len(value)}"
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return kind(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def kind(value: Json) -> str:
    """The JSON type of a value, with its article."""
    if value is None:
        return "null"
    names = {bool: "a truth value", str: "a text", dict: "an object", list: "a list"}
    return names.get(type(value), "a number")


def is_number(value: Json) -> bool:
    """Whether a value is a number; in Python, truth values would pass for numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def path_text(value: Json, *, in_query: bool) -> str | Unknown:
    """A value as it stands in a request path, percent-encoded."""
    if type(value) is Unknown:
        return settled(value)
    if isinstance(value, str):
        if value or in_query:
            return quote(value, safe="", errors="surrogatepass")
        return Unknown("an empty text cannot be a part of a path")
    text = scalar_text(value)
    return text if text is not None else Unknown(f"{describe(value)} cannot be a part of a path")


def scalar_text(value: Json) -> str | None:
    """A number or truth value as it is written in a path; None for anything else."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, int) and value.bit_length() <= _LARGEST_BITS:
        return str(value)
    return None
