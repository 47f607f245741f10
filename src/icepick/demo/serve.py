"""Run a demo service on loopback: in the foreground, or around a block of code."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from aiohttp import web

from icepick.demo.http import build_app
from icepick.demo.service import DemoService
from icepick.errors import Code, UsageError

HOST = "127.0.0.1"


@asynccontextmanager
async def running(
    service: DemoService, faults: Iterable[str] = (), *, port: int = 0, allow_reset: bool = False
) -> AsyncIterator[str]:
    """The base URL of the service while the block runs; port 0 takes a free one."""
    runner = web.AppRunner(build_app(service, faults, allow_reset=allow_reset), access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, HOST, port)
        try:
            await site.start()
        except OSError as error:
            raise UsageError(
                Code.PORT_IN_USE,
                f"cannot listen on {HOST}:{port}: {error.strerror or error}",
                hint="choose another --port, or 0 for a free one",
            ) from error
        yield f"http://{HOST}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def serve(
    service: DemoService,
    faults: Iterable[str],
    port: int,
    *,
    allow_reset: bool,
    started: Callable[[str], None],
) -> None:
    """Serve until SIGINT or SIGTERM; `started` is told the base URL."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with running(service, faults, port=port, allow_reset=allow_reset) as url:
        started(url)
        await stop.wait()
