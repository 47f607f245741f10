"""Places in paths: the same place may have another name in another path.

A bucket is `/buckets/{id}`, and the same identifier is `{bucket_id}` in the path of a collection.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

_MANY = 5_000
"""Paths are few, and asked about at every call."""

HOLE = re.compile(r"\{([^{}]*)\}")


@lru_cache(maxsize=_MANY)
def holes(template: str) -> tuple[str, ...]:
    """The names of the parameters of a path."""
    return tuple(HOLE.findall(template))


def blank(template: str) -> str:
    """A path without the names of its parameters."""
    return HOLE.sub("{}", template)


@lru_cache(maxsize=_MANY)
def same_places(above: str, below: str) -> Mapping[str, str] | None:
    """The parameters of a path by the names they have in one that goes on from it; None where it
    does not."""
    ours, theirs = segments(above), segments(below)
    if not ours or len(theirs) < len(ours):
        return None
    theirs = theirs[: len(ours)]
    if [blank(one) for one in ours] != [blank(one) for one in theirs]:
        return None
    return dict(zip(holes("/".join(ours)), holes("/".join(theirs)), strict=True))


def pattern_of(template: str) -> str:
    """A regular expression for the addresses of a path, with a group for each parameter."""
    texts = HOLE.split(template)
    return "".join("([^/]+)" if at % 2 else re.escape(text) for at, text in enumerate(texts))


def segments(path: str) -> list[str]:
    """The parts of a path between its slashes."""
    return [part for part in path.split("/") if part]


def last_segment(path: str) -> str:
    """The last part of a path, which may have a slash after it."""
    return path.rstrip("/").rpartition("/")[2]
