"""What a service says when it refuses, for whoever has to do something about it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus

from icepick.glacier import Answer
from icepick.openapi.types import ABSENT, Json
from icepick.resources.words import words

_WORDS = ("message", "msg", "detail", "error", "title", "description", "reason")
_LISTED = re.compile(r"(?i)errors?$|violations$|details$|issues$|messages$")
_PLACES = ("loc", "field", "path", "pointer", "property", "name")
_LONGEST = 200
# What the status says already.
_PHRASES = frozenset(status.phrase.lower() for status in HTTPStatus)


def refusal_text(answer: Answer) -> str:
    """What a service says when it refuses, cut where it is long."""
    text = said(answer.body)
    return f": {text if len(text) <= _LONGEST else text[: _LONGEST - 3] + '...'}" if text else ""


def said(body: Json) -> str:
    """What the body of a refusal says, without its form where it has words."""
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
    if text := _told(body):
        yield text
    for name, inner in body.items():
        entries = inner if isinstance(inner, list) else [inner]
        if name in _WORDS or _LISTED.search(str(name)):
            texts = [one for one in entries if isinstance(one, str)] if entries is inner else []
            yield from filter(None, (*texts, *map(_entry, entries)))


def _told(body: Mapping[str, Json]) -> str:
    """The words that say more than the status does, where there are any."""
    longer = [name for name in body if name not in _WORDS and _is_telling(name)]
    found = [body[name] for name in (*_WORDS, *longer) if isinstance(body.get(name), str)]
    telling = [text for text in found if text.strip().lower() not in _PHRASES]
    return next((str(text) for text in (*telling, *found) if text), "")


def _is_telling(name: str) -> bool:
    """Whether a field is called `errorDescription`, `error_message` or such."""
    parts = words(name)
    return bool(parts) and all(part in _WORDS for part in parts)


def _entry(entry: Json) -> str:
    """One thing that a refusal lists, after the place that it is about."""
    if isinstance(entry, str) or not isinstance(entry, Mapping):
        return ""
    text = _told(entry)
    place = next((entry[name] for name in _PLACES if isinstance(entry.get(name), str | list)), "")
    where = ".".join(map(str, place)) if isinstance(place, list) else place
    return f"{where}: {text}" if text and where and where not in text else text
