"""Does the service keep what it is given? Which fields it keeps is seen, not assumed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from icepick.execute.laws.times import instant, same_time
from icepick.openapi.types import ABSENT, Json
from icepick.resources.types import Path
from icepick.resources.words import words

_ENOUGH = 3
"""So many different values must come back wrong before a field that was never kept is blamed."""

_REMEMBERED = 8
_OWN_NAMES = frozenset({"id", "uuid"})
"""What elements of a list are called, which are no resources that somebody else names."""

_BEGINNINGS = frozenset({"start", "starts", "begin", "begins", "from", "since", "effective"})
_AT_ONCE = timedelta(hours=1)
"""What is written in one run and begins with its writing begins within this time."""

_SIMPLE = frozenset({str, int, bool})
_NUMBERS = (int, float)


class Habit(StrEnum):
    """What a service does with a field it is given."""

    KEPT = "kept"
    OWNED = "owned"  # the service decides, whatever is sent
    NORMALISED = "normalised"
    GARBLED = "garbled"
    UNCLEAR = "unclear"


@dataclass(slots=True)
class _Seen:
    kept: int = 0
    earliest: datetime | None = None
    """The earliest time that came back as it was sent."""

    changed: list[tuple[Json, Json]] = field(default_factory=list)


class Echo:
    """What was sent and what was shown of each field of each resource, in a whole run."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, Path], _Seen] = {}

    def observe(self, resource: str, path: Path, sent: Json, shown: Json) -> bool:
        """Note one field; whether it came back as it was sent."""
        seen = self._seen.setdefault((resource, path), _Seen())
        if same(sent, shown):
            # What is not shown because there is nothing to show need not be shown otherwise.
            seen.kept += not (_is_nothing(sent) and shown is ABSENT)
            seen.earliest = min(filter(None, (seen.earliest, instant(sent))), default=None)
            return True
        if len(seen.changed) < _REMEMBERED:
            seen.changed.append((sent, shown))
        return False

    def habit(self, resource: str, path: Path) -> Habit:
        """What the service seems to do with a field."""
        seen = self._seen.get((resource, path), _Seen())
        if _BEGINNINGS.intersection(words(path[-1])) and _begins_with_its_writing(seen):
            return Habit.OWNED
        if seen.kept:
            return Habit.KEPT
        shown = [pair[1] for pair in seen.changed]
        if all(one is ABSENT or one is None or same(one, shown[0]) for one in shown):
            return Habit.OWNED
        if all(_is_normal_form(*pair) for pair in seen.changed):
            return Habit.NORMALISED
        return Habit.GARBLED if len(seen.changed) >= _ENOUGH else Habit.UNCLEAR

    def is_always_kept(self, resource: str, path: Path) -> bool:
        """Whether a field came back as it was sent each time."""
        seen = self._seen.get((resource, path))
        return seen is not None and seen.kept > 0 and not seen.changed

    def habits(self) -> Iterator[tuple[str, Path, Habit]]:
        """Every field that does not come back as it was sent."""
        for resource, path in self._seen:
            habit = self.habit(resource, path)
            if habit in {Habit.OWNED, Habit.NORMALISED}:
                yield resource, path, habit


def _begins_with_its_writing(seen: _Seen) -> bool:
    """Whether a service has nothing begin before it is written: a time that is over becomes the
    present one, and only later ones are kept."""
    pairs = [(instant(sent), instant(shown)) for sent, shown in seen.changed]
    moved = [(one, other) for one, other in pairs if one is not None and other is not None]
    if not moved or len(moved) < len(pairs) or any(one >= other for one, other in moved):
        return False
    first, last = min(other for _, other in moved), max(other for _, other in moved)
    return last - first < _AT_ONCE and (seen.earliest is None or seen.earliest >= first)


def same(one: Json, other: Json) -> bool:
    """Whether two values say the same: 1 is 1.0, times may be spelled otherwise, and what is null
    or empty may be left out."""
    if type(one) is type(other) and type(one) in _SIMPLE and one == other:
        return True
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, _NUMBERS) and isinstance(other, _NUMBERS):
        inexact = isinstance(one, float) or isinstance(other, float)
        return one == other or (inexact and math.isclose(one, other, rel_tol=1e-9))
    if _is_nothing(one) and (other is None or other is ABSENT):
        return True
    if one is None or one is ABSENT:
        return False
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return all(same(value, other.get(key, ABSENT)) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) or same_time(one, other)


def _is_nothing(value: Json) -> bool:
    return value is None or value is ABSENT or value in ([], {})


def is_completed(sent: Json, shown: Json) -> bool:
    """Whether a service added to what it was sent, or wrote it in its own way: a list with its
    owner put in, a text in lower case."""
    if isinstance(sent, list) and isinstance(shown, list):
        if len(sent) == len(shown) and all(map(_is_rewritten, sent, shown)):
            return True
        rest = [_plain(one) for one in shown]
        for one in map(_plain, sent):
            if one not in rest:
                return False
            rest.remove(one)
        return True
    return isinstance(sent, str) and isinstance(shown, str) and _plain(sent) == _plain(shown)


def _is_rewritten(sent: Json, shown: Json) -> bool:
    """Whether an element is the same but for a name of the service's own, and the order of what is
    listed in it."""
    if isinstance(sent, Mapping) and isinstance(shown, Mapping):
        return all(
            name in _OWN_NAMES or _is_rewritten(one, shown.get(name, ABSENT))
            for name, one in sent.items()
        )
    if isinstance(sent, list) and isinstance(shown, list) and len(sent) == len(shown):
        alike = sorted(map(_plain, sent)) == sorted(map(_plain, shown))
        return alike or all(map(_is_rewritten, sent, shown))
    return same(sent, shown)


def _is_normal_form(sent: Json, shown: Json) -> bool:
    """Whether what is shown may be what was sent, written another way."""
    if isinstance(sent, list) and isinstance(shown, list):
        return sorted(map(_plain, sent)) == sorted(map(_plain, shown))
    if isinstance(sent, int | float) and isinstance(shown, int | float):
        return abs(sent - shown) < 1
    plain, other = _plain(sent), _plain(shown)
    return plain == other or (len(plain) > 3 and len(other) > 3 and _is_part(plain, other))


def _is_part(one: str, other: str) -> bool:
    """Cut short, or completed: a date made a time, a text cut at its limit."""
    return one.startswith(other) or other.startswith(one)


def _plain(value: Json) -> str:
    return re.sub(r"[^0-9a-z]", "", str(value).casefold())
