"""Addresses of instances: which parameters of a path an instance fills."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from icepick.openapi.places import holes, same_places, segments
from icepick.openapi.types import Json
from icepick.resources.words import is_generic, words


def address_in(
    template: str, item_path: str | None, address: Mapping[str, Json]
) -> dict[str, Json]:
    """The parameters of a path that an instance fills: by place where the path begins like that
    of the instance, else by name."""
    places = same_places(item_path or "", template)
    if places is None:
        names = _by_name(item_path or "", template)
        return {name: address[name] for name in names if name in address}
    # By name, `{id}` of the child would be taken for that of the parent.
    return {places[mine]: value for mine, value in address.items() if mine in places}


@lru_cache(maxsize=5_000)
def _by_name(item_path: str, template: str) -> tuple[str, ...]:
    """The parameters of a path that mean what they mean in the other: `{id}` says nothing of
    itself, so what it is the id of must be the same."""
    before = dict(_named(item_path))
    return tuple(
        name
        for name, above in _named(template)
        if not is_generic(words(name)) or before.get(name, above) == above
    )


def _named(path: str) -> Iterator[tuple[str, str]]:
    """Each parameter with the segment before it."""
    parts = segments(path)
    for above, segment in zip(["", *parts], parts, strict=False):
        for name in holes(segment):
            yield name, above
