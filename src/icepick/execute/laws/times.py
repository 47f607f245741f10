"""Points in time and durations: the same one has many spellings."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from icepick.openapi.types import Json

_INSTANT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*", re.IGNORECASE)
_DURATION = re.compile(
    r"(?P<sign>-?)P(?:(?P<w>\d+)W)?(?:(?P<d>\d+)D)?"
    r"(?:T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+(?:\.\d+)?)S)?)?"
)
_SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}


def same_time(one: Json, other: Json) -> bool:
    """Whether two values are the same instant or the same duration, however it is written: `PT3M`
    is 180 seconds, and `Z` is `+00:00`. False for anything else."""
    lasts = _duration(one), _duration(other)
    if None not in lasts:
        return lasts[0] == lasts[1]
    begins = instant(one), instant(other)
    return None not in begins and begins[0] == begins[1]


def _duration(value: Json) -> float | None:
    """A duration in seconds; a plain number is one if the other side says so."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if match is None or match.group().endswith(("P", "T")):
        return None
    found = sum(_SECONDS[name] * float(match[name]) for name in _SECONDS if match[name])
    return -found if match["sign"] else found


def instant(value: Json) -> datetime | None:
    """The point in time that a text is; None where it is none."""
    if not isinstance(value, str) or not _INSTANT.fullmatch(value):
        return None
    try:
        found = datetime.fromisoformat(value.upper())
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
