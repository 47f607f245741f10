"""What a service says when it refuses, for whoever has to do something about it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from icepick.glacier import Answer
from icepick.openapi.types import ABSENT, Json

_WORDS = ("message", "msg", "detail", "error", "title", "description", "reason")
_LISTED = re.compile(r"(?i)errors?$|violations$|details$|issues$|messages$")
_PLACES = ("loc", "field", "path", "pointer", "property", "name")
_LONGEST = 200


def refusal_text(answer: Answer) -> str:
    """What a service says when it refuses, cut where it is long."""
    text = _said(answer.body)
    return f": {text if len(text) <= _LONGEST else text[: _LONGEST - 3] + '...'}" if text else ""


def _said(body: Json) -> str:
    if body is ABSENT or body is None:
        return ""
    if isinstance(body, str):
        return " ".join(body.split())
    found = "; ".join(dict.fromkeys(_sentences(body)))
    return found or json.dumps(body, ensure_ascii=False, default=str)


def _sentences(body: Json) -> Iterator[str]:
    """What a refusal says of the whole, and of each thing that it lists."""
    if not isinstance(body, Mapping):
        return
    said = next((body[name] for name in _WORDS if isinstance(body.get(name), str)), "")
    if said:
        yield str(said)
    for name, inner in body.items():
        entries = inner if isinstance(inner, list) else [inner]
        if name in _WORDS or _LISTED.search(str(name)):
            for one in entries:
                yield from [_entry(one)] if _entry(one) else []


def _entry(entry: Json) -> str:
    """One thing that a refusal lists, after the place that it is about."""
    if isinstance(entry, str) or not isinstance(entry, Mapping):
        return ""
    said = next((str(entry[name]) for name in _WORDS if isinstance(entry.get(name), str)), "")
    place = next((entry[name] for name in _PLACES if isinstance(entry.get(name), str | list)), "")
    where = ".".join(map(str, place)) if isinstance(place, list) else place
    return f"{where}: {said}" if said and where and where not in said else said
