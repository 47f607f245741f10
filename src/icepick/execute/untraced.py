"""What may have been created under a name that nobody was told: the service's lists are asked."""

from __future__ import annotations

from collections.abc import Iterable

from icepick.execute.answers import answer_of
from icepick.execute.events import LeftBehind
from icepick.execute.paging import is_paged
from icepick.execute.reads import Scene
from icepick.execute.types import Purpose, Response

_NO_PLACE = frozenset({404, 410})
"""What would hold it is not there either."""


class Untraced:
    """Gathers it in the course of a run, each address once, and looks into it at the end."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._left: dict[str, LeftBehind] = {}

    def add(self, left: Iterable[LeftBehind]) -> None:
        """More of it."""
        for one in left:
            self._left.setdefault(one.url, one)

    async def told(self, *, ask: bool) -> list[LeftBehind]:
        """What may be there as far as anybody can see; all of it where nobody is to be asked."""
        return [one for one in self._left.values() if not (ask and await self._is_nothing(one))]

    async def _is_nothing(self, left: LeftBehind) -> bool:
        """Whether the whole list at that address has nothing that is not accounted for."""
        scene = self._scene
        operation = scene.routing.find(left.url.removeprefix(scene.client.base))
        listing = scene.listings.get(operation.id) if operation is not None else None
        if operation is None or listing is None or listing.resource != left.resource:
            return False
        if is_paged(operation, left.url):
            return False
        request = scene.client.reading(left.url)
        exchange = await scene.client.patiently(request, Purpose.CLEAN_UP, operation.id)
        if not isinstance(exchange.reply, Response):
            return False
        if exchange.reply.status in _NO_PLACE:
            return True
        body = answer_of(exchange.reply).body
        return exchange.status == 200 and scene.ownership.knows_all(listing, body)
