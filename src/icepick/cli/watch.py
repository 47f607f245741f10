"""Seeing a run through: every event goes to the journal, the record and the terminal."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import aclosing, contextmanager
from types import FrameType
from typing import Any

import click
from rich.console import Console

from icepick.cli.outcome import Wanted, told
from icepick.cli.output import Output
from icepick.execute.events import Event
from icepick.execute.journal.journal import Journal
from icepick.execute.transport.secrets import Secrets
from icepick.report import Progress, Recorder

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Watch:
    """Takes in the events of one run. The journal is opened with the first of them."""

    def __init__(
        self,
        secrets: Secrets,
        opened: Callable[[Callable[[str], None]], Journal],
        recorder: Recorder | None = None,
    ) -> None:
        self._secrets = secrets
        self._opened = opened
        self.recorder = recorder or Recorder()
        self.console = _stderr()
        self.journal: Journal | None = None

    def warn(self, text: str) -> None:
        """A line beside the result."""
        self.console.print(text, markup=False, soft_wrap=True)

    async def follow(self, events: AsyncGenerator[Event, None]) -> None:
        """See the run to its end."""
        progress = Progress(self.console, self.recorder)
        try:
            with progress:
                async with aclosing(events) as stream:
                    async for event in stream:
                        self._take(self._secrets.masked_event(event), progress)
        finally:
            if self.journal is not None:
                self.journal.close()

    def _take(self, event: Event, progress: Progress) -> None:
        if self.journal is None:
            self.journal = self._opened(self.warn)
        self.journal.write(event)
        self.recorder.add(event)
        progress.add(event)


def seen_through(
    out: Output,
    watch: Watch,
    events: AsyncGenerator[Event, None],
    stop: Callable[[], None],
    wanted: Wanted,
) -> int:
    """See a run to its end, tell what it comes to, and return the exit code."""
    in_order = run_until_stopped(watch.follow(events), stop, watch.warn)
    if watch.journal is None:
        return 130
    code = told(out, watch.recorder.record(), watch.journal.path, wanted)
    if in_order:
        return code
    watch.warn(f"stopped at once; `icepick resume {watch.journal.path.parent.name}` goes on")
    return code or 130


def run_until_stopped(
    main: Coroutine[Any, Any, None], stop: Callable[[], None], warn: Callable[[str], None]
) -> bool:
    """Run to the end; False where a second Ctrl-C ended it at once.

    The first Ctrl-C, or SIGTERM, calls `stop` and lets it end in good order.
    """
    with _interrupts(stop, warn):
        try:
            asyncio.run(main)
        except KeyboardInterrupt:
            return False
    return True


@contextmanager
def _interrupts(stop: Callable[[], None], warn: Callable[[str], None]) -> Iterator[None]:
    """Handlers of our own: those of asyncio would wait for whatever computes just now."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked = 0

    def handle(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            raise KeyboardInterrupt
        warn("stopping: calls are finished and what was created is removed; again: at once")
        stop()

    before = {number: signal.signal(number, handle) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stderr() -> Console:
    context = click.get_current_context(silent=True)
    plain = bool(context is not None and context.params.get("no_color"))
    return Console(
        stderr=True, no_color=True if plain else None, emoji=False, highlight=False, soft_wrap=True
    )
