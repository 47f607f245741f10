"""Texts within their length, pattern and format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from icepick.inputs.files import sample
from icepick.inputs.formats import FORMATS, word
from icepick.inputs.patterns import Pattern, pattern
from icepick.inputs.realistic import text_for
from icepick.inputs.types import NoValueError

_TRIES = 60
_NO_END = 1_000_000_000
_LONGEST = 1_000_000


def text(flat: Mapping[str, Any], name: str, rng: Random, *, realistic: bool = True) -> str:
    """A text that a schema allows; its format may have to be checked where a pattern is too."""
    low, high = int(flat.get("minLength", 0)), int(flat.get("maxLength", _NO_END))
    if low > high or low > _LONGEST:
        raise NoValueError(f"no text has a length from {low} to {high}")
    known = [found for one in flat.get("patterns", ()) if (found := pattern(one)) is not None]
    form = flat.get("format") or ("byte" if flat.get("contentEncoding") == "base64" else None)
    trimmed = ""
    file = sample(flat, name) if realistic and form == "binary" and not known else None
    if file is not None and low <= len(file) <= high:
        return file
    for made in _candidates(known, form, name if realistic else "", (low, high), rng):
        if low <= len(made) <= high and (not known or all(one.matches(made) for one in known)):
            # Many services trim texts, and what they keep would differ from what was sent.
            if made == made.strip():
                return made
            trimmed = made
    if trimmed:
        return trimmed
    raise NoValueError(_reason(flat))


def _candidates(
    known: list[Pattern], form: str | None, name: str, bounds: tuple[int, int], rng: Random
) -> Iterator[str]:
    low, high = bounds
    for _ in range(2 if name else 0):
        suggested = text_for(name, form, rng)
        yield from () if suggested is None else (suggested,)
    maker = FORMATS.get(form or "")
    for _ in range(_TRIES // 3 if maker else 0):
        if maker is not None:
            yield maker(rng, low, high)
    for attempt in range(_TRIES if known else 0):
        yield known[attempt % len(known)].make(rng, low, high)
    if not known and maker is None:
        yield plain_text(rng, low, high)


def plain_text(rng: Random, low: int, high: int) -> str:
    """A word or several, of a length between the two."""
    made = f"{word(rng)}{rng.randrange(1000)}"
    while len(made) < low:
        made = f"{made}-{word(rng)}" if low - len(made) < 200 else made * 2
    return made[:high]


def _reason(flat: Mapping[str, Any]) -> str:
    keys = ("patterns", "format", "minLength", "maxLength")
    said = ", ".join(f"{key} {flat[key]}" for key in keys if key in flat)
    return f"found no text for {said}"
