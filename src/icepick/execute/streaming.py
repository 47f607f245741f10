"""From work that tells what happens to a stream of it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Coroutine

from icepick.execute.events import Event


class Events:
    """What was told and not heard yet; None comes last."""

    def __init__(self) -> None:
        self.told: deque[Event | None] = deque()
        self._listener: asyncio.Future[None] | None = None

    def tell(self, event: Event | None) -> None:
        """One more; whoever waits for it goes on."""
        self.told.append(event)
        if self._listener is not None and not self._listener.done():
            self._listener.set_result(None)

    async def more(self) -> None:
        """Wait for the next one; nobody else may."""
        self._listener = asyncio.get_running_loop().create_future()
        await self._listener


async def streamed(
    events: Events, work: Coroutine[None, None, None]
) -> AsyncGenerator[Event, None]:
    """What some work puts there, at once: whoever keeps it has it even if the run is killed.

    The work ends with whoever listens, and its errors are raised once everything was heard.
    """
    task = asyncio.create_task(work)
    task.add_done_callback(lambda _: events.tell(None))
    try:
        while True:
            # Most of the time there is one already, and whoever need not wait loses no time.
            if not events.told:
                await events.more()
            event = events.told.popleft()
            if event is None:
                break
            yield event
    finally:
        if not task.done():
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    if not task.cancelled():
        task.result()
