"""Which place a name means: the same words, an abbreviation, or the end of a longer name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from icepick.resources.types import Path
from icepick.resources.words import Words, words

_P = TypeVar("_P")


def same(name: str, path: Path) -> bool:
    """Whether a name is that of a place, however its words are told apart: `etag` is `ETag`."""
    own = "".join(words(name))
    return bool(path) and bool(own) and own == "".join(words(path[-1]))


def alike(name: str, path: Path) -> bool:
    """Whether a name may stand for a place: `custId` for `customerId` or `id`, `feat1` for
    `featureName`."""
    own = _plain(name)
    other = _plain(path[-1]) if path else ()
    if not own or not other:
        return False
    if own[-len(other) :] == other:
        return True
    return _shortens(own, other[: len(own)]) or _shortens(own, other[-len(own) :])


def _plain(name: str) -> Words:
    return tuple(word for word in words(name) if not word.isdigit())


def _shortens(own: Words, other: Words) -> bool:
    """Whether every word is the beginning of its counterpart; one letter says nothing."""
    if len(own) != len(other):
        return False
    pairs = zip(own, other, strict=True)
    return all(long.startswith(short) and len(short) > 1 for short, long in pairs)


def outermost(places: Iterable[_P], path: Callable[[_P], Path]) -> list[_P]:
    """Those of the places that are nested least."""
    found = list(places)
    least = min((len(path(one)) for one in found), default=0)
    return [one for one in found if len(path(one)) == least]


def only(places: Sequence[_P]) -> _P | None:
    """The one place, where there is but one."""
    return places[0] if len(places) == 1 else None
