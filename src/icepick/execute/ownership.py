"""Whose instances are whose: sequences run side by side, each with eyes for its own.

What another sequence created, and what was there before the run, is taken out of lists before a
contract sees them. What nobody is known to have created stays: it may be the fault.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from icepick.execute.answers import at
from icepick.execute.routing import Listing
from icepick.openapi.types import Json
from icepick.resources.types import Path

_NOBODY = None
"""No sequence has this number; those of replays are negative."""


class Ownership:
    """The sequences that instances belong to, by resource and identifier."""

    def __init__(self) -> None:
        self._owners: dict[tuple[str, str], int | None] = {}
        self._creations: dict[asyncio.Event, None] = {}
        self._listed: set[str] = set()
        self._before: set[tuple[str, str]] = set()

    @contextmanager
    def creating(self, creates: bool) -> Iterator[None]:
        """A creation is under way: the service may know of it before its owner is known."""
        if not creates:
            yield
            return
        done = asyncio.Event()
        self._creations[done] = None
        try:
            yield
        finally:
            done.set()
            del self._creations[done]

    async def known(self) -> bool:
        """Wait for the creations under way now; whether there were any."""
        waiting = list(self._creations)
        for done in waiting:
            await done.wait()
        return bool(waiting)

    def take(self, resource: str, identifier: Json, sequence: int) -> None:
        """An instance belongs to a sequence from now on."""
        self._owners[resource, str(identifier)] = sequence

    def release(self, resource: str, identifier: Json) -> None:
        """Nobody looks at an instance any more, whether it could be removed or not."""
        self._owners[resource, str(identifier)] = _NOBODY

    def found_before(self, listing: Listing, body: Json, *, whole: bool = False) -> None:
        """Everything in this list was there before the run; and nothing else, if it is whole."""
        if whole and _elements(body, listing.path) is not None:
            self._listed.add(listing.resource)
        for element in _elements(body, listing.path) or ():
            identifier = _identifier(listing, element)
            if isinstance(identifier, str | int | float):
                self._before.add((listing.resource, str(identifier)))
                self._owners.setdefault((listing.resource, str(identifier)), _NOBODY)

    def was_there(self, resource: str, identifier: Json) -> bool:
        """Whether an instance was seen before the run did anything."""
        return (resource, str(identifier)) in self._before

    def was_missing(self, resource: str, identifier: Json) -> bool:
        """Whether it is certain that there was no such instance before."""
        return resource in self._listed and not self.was_there(resource, identifier)

    def knows_all(self, listing: Listing, body: Json) -> bool:
        """Whether it is known of everything in a list whose it is."""
        elements = _elements(body, listing.path)
        return elements is not None and all(
            (listing.resource, str(_identifier(listing, one))) in self._owners for one in elements
        )

    def own_part(self, listing: Listing, body: Json, sequence: int) -> Json:
        """A list without what belongs to others."""
        elements = _elements(body, listing.path)
        if elements is None:
            return body
        resource, owner = listing.resource, self._owners.get
        kept = [
            one
            for one in elements
            if owner((resource, str(_identifier(listing, one))), sequence) == sequence
        ]
        return body if len(kept) == len(elements) else _with(body, listing.path, kept)


def _identifier(listing: Listing, element: Json) -> Json:
    """An element may be the identifier itself, whatever the document says."""
    return at(element, listing.identifier) if isinstance(element, dict) else element


def _elements(body: Json, path: Path) -> list[Json] | None:
    found = at(body, path)
    return found if isinstance(found, list) else None


def _with(body: Json, path: Path, elements: list[Json]) -> Json:
    if not path:
        return elements
    return {**body, path[0]: _with(body[path[0]], path[1:], elements)}
