"""Addresses of instances: the same place in a path may have another name in another operation.

A bucket is `/buckets/{id}`, and the same identifier is `{bucket_id}` in the path of a collection.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from icepick.openapi.types import Json

HOLE = re.compile(r"\{([^{}]*)\}")


def holes(template: str) -> list[str]:
    """The names of the parameters of a path."""
    return HOLE.findall(template)


def address_in(
    template: str, item_path: str | None, address: Mapping[str, Json]
) -> dict[str, Json]:
    """The parameters of a path that an instance fills: by place where the path begins like that
    of the instance, else by name."""
    wanted = holes(template)
    found = {name: address[name] for name in wanted if name in address}
    ours, theirs = _segments(item_path or ""), _segments(template)
    if not ours or not _begins_alike(ours, theirs):
        return found
    # By name, `{id}` of the child would be taken for that of the parent.
    found = {}
    for own, other in zip(ours, theirs, strict=False):
        for mine, name in zip(holes(own), holes(other), strict=False):
            if mine in address:
                found[name] = address[mine]
    return found


def _begins_alike(ours: list[str], theirs: list[str]) -> bool:
    if len(theirs) < len(ours):
        return False
    return all(HOLE.sub("{}", a) == HOLE.sub("{}", b) for a, b in zip(ours, theirs, strict=False))


def _segments(path: str) -> list[str]:
    return [part for part in path.split("/") if part]
