"""Demo services on a real socket, with the faults a test asks for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from aiohttp.test_utils import TestClient

from icepick.demo.http import build_app
from icepick.demo.service import DemoService

Start = Callable[..., Awaitable[TestClient]]


@pytest.fixture
def start(aiohttp_client) -> Start:
    """`await start(SERVICE, "fault-name", ...)` gives a client of a fresh service."""

    async def run(service: DemoService, *faults: str) -> TestClient:
        return await aiohttp_client(build_app(service, faults, allow_reset=True))

    return run
