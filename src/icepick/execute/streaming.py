"""From work that tells what happens to a stream of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine

from icepick.execute.events import Event

Events = asyncio.Queue[Event | None]
"""What was told and not heard yet; None comes last."""


async def streamed(
    events: Events, work: Coroutine[None, None, None]
) -> AsyncGenerator[Event, None]:
    """What some work puts there, at once: whoever keeps it has it even if the run is killed.

    The work ends with whoever listens, and its errors are raised once everything was heard.
    """
    task = asyncio.create_task(work)
    task.add_done_callback(lambda _: events.put_nowait(None))
    try:
        # Most of the time there is one already, and whoever need not wait loses no time.
        while (event := await events.get() if events.empty() else events.get_nowait()) is not None:
            yield event
    finally:
        if not task.done():
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    if not task.cancelled():
        task.result()
