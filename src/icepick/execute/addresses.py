"""Addresses of instances: the same place in a path may have another name in another operation.

A bucket is `/buckets/{id}`, and the same identifier is `{bucket_id}` in the path of a collection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from icepick.openapi.types import Json
from icepick.resources.words import is_generic, words

HOLE = re.compile(r"\{([^{}]*)\}")


def holes(template: str) -> list[str]:
    """The names of the parameters of a path."""
    return HOLE.findall(template)


def address_in(
    template: str, item_path: str | None, address: Mapping[str, Json]
) -> dict[str, Json]:
    """The parameters of a path that an instance fills: by place where the path begins like that
    of the instance, else by name."""
    ours, theirs = _segments(item_path or ""), _segments(template)
    if not ours or not _begins_alike(ours, theirs):
        return {name: address[name] for name in _by_name(ours, theirs) if name in address}
    # By name, `{id}` of the child would be taken for that of the parent.
    found = {}
    for own, other in zip(ours, theirs, strict=False):
        for mine, name in zip(holes(own), holes(other), strict=False):
            if mine in address:
                found[name] = address[mine]
    return found


def _by_name(ours: list[str], theirs: list[str]) -> Iterator[str]:
    """The parameters of a path that mean what they mean in the other: `{id}` says nothing of
    itself, so what it is the id of must be the same."""
    before = dict(_named(ours))
    for name, above in _named(theirs):
        if not is_generic(words(name)) or before.get(name, above) == above:
            yield name


def _named(segments: list[str]) -> Iterator[tuple[str, str]]:
    """Each parameter with the segment before it."""
    for above, segment in zip(["", *segments], segments, strict=False):
        for name in holes(segment):
            yield name, above


def _begins_alike(ours: list[str], theirs: list[str]) -> bool:
    if len(theirs) < len(ours):
        return False
    return all(HOLE.sub("{}", a) == HOLE.sub("{}", b) for a, b in zip(ours, theirs, strict=False))


def _segments(path: str) -> list[str]:
    return [part for part in path.split("/") if part]
