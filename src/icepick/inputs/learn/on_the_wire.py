"""What becomes of a parameter on its way: everything is text there, and not all of it arrives."""

from __future__ import annotations

import math
import re

from icepick.inputs.serialise import scalar
from icepick.openapi.shape import Schemas, keyword
from icepick.openapi.types import Json, Parameter, ParameterLocation

_LINE = 2_000
"""Longer lines are cut off by servers before any service sees them."""

_TRIMMED = frozenset({ParameterLocation.HEADER, ParameterLocation.COOKIE})


def can_be_sent(one: Parameter, value: Json) -> bool:
    """Whether a value arrives at all: a path has no empty segment, a header is one line without
    blanks around it."""
    if isinstance(value, str) and len(value) > _LINE:
        return False
    if one.location is ParameterLocation.PATH:
        return value not in ("", None, [], {}) and not isinstance(value, dict | list)
    if one.location in _TRIMMED:
        text = scalar(value) if not isinstance(value, list | dict) else "list"
        return text.isprintable() and bool(text) and text == text.strip()
    return True


def arriving(one: Parameter, value: Json) -> str | None:
    """The text that a service gets; None where that cannot be said.

    Lists and objects have more than one form, nothing in a query is no value at all, and headers
    carry nothing but ASCII as it is.
    """
    if isinstance(value, list | dict) or value is None or value == "":
        return None
    text = scalar(value)
    return None if one.location in _TRIMMED and not text.isascii() else text


def readings(text: str) -> list[Json]:
    """Everything that a text can be read as."""
    found: list[Json] = [text, text.lower()]
    if re.fullmatch(r"-?\d+", text):
        found.append(int(text))
    elif re.fullmatch(r"-?\d+\.?\d*(?:[eE][-+]?\d+)?", text) and math.isfinite(float(text)):
        found.append(float(text))
    if text.lower() in {"true", "false"}:
        found.append(text.lower() == "true")
    return found


def is_missed(one: Parameter, schemas: Schemas) -> bool:
    """Whether a parameter that is left out is missing where the call arrives.

    Headers and cookies may be added on the way, by the client or for credentials.
    """
    has_default = keyword(one.schema, "default", schemas) is not None
    return one.required and one.location is ParameterLocation.QUERY and not has_default
