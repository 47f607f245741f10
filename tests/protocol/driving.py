"""Runs of models against demo services and against transports made up for a test."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from icepick.demo.catalogue import SERVICES
from icepick.demo.serve import running
from icepick.execute.events import Event, FindingFound
from icepick.execute.transport.auth import AuthOptions
from icepick.execute.types import Finding, Reply, Request, Response
from icepick.openapi.types import ApiSpec
from icepick.pipeline.models import Described, describe
from icepick.pipeline.protocol import ProtocolSession, driver_for, models_of
from icepick.pipeline.reach import Reach
from icepick.protocol import Coverage, Protocols, check_protocols, load_protocols, read_protocols
from icepick.protocol.driver import Driver, DriverOptions
from tests.protocol.documents import EXAMPLES, demo

URL = "http://service.test"
_E = TypeVar("_E")


def of_kind(events: Iterable[Event], kind: type[_E]) -> list[_E]:
    return [event for event in events if isinstance(event, kind)]


def findings(events: Iterable[Event]) -> list[Finding]:
    return [event.finding for event in of_kind(events, FindingFound)]


def example(name: str) -> Protocols:
    return load_protocols(EXAMPLES / f"{name}.protocol")


def written(text: str, spec: ApiSpec, **functions: Callable[..., object]) -> Protocols:
    """The models of a text, which must be free of errors."""
    protocols = read_protocols(text, functions=functions)
    assert not check_protocols(protocols, spec)
    return protocols


async def run_live(
    service: str,
    protocols: Protocols,
    *faults: str,
    names: Iterable[str] = (),
    options: DriverOptions | None = None,
    auth: Callable[[str], AuthOptions] | None = None,
) -> tuple[list[Event], dict[str, Coverage]]:
    """Every event of a run against a demo service, and what it covered."""
    api = describe(demo(service))
    async with running(SERVICES[service], faults) as url:
        reach = Reach(url, auth(url) if auth is not None else AuthOptions())
        models = models_of(protocols, api, names)
        session = ProtocolSession(api, models, reach, options or DriverOptions(seed=1))
        return [event async for event in session.events()], dict(session.coverage)


class Answering:
    """A transport that answers by a function; it remembers what was sent."""

    def __init__(self, answer: Callable[[Request], Reply]) -> None:
        self._answer = answer
        self.sent: list[tuple[Request, Reply]] = []

    async def send(self, request: Request) -> Reply:
        await asyncio.sleep(0)
        reply = self._answer(request)
        self.sent.append((request, reply))
        return reply


def answer(status: int, body: Any = None) -> Response:
    content = b"" if body is None else json.dumps(body).encode()
    return Response(status, (("Content-Type", "application/json"),), content)


def driver_of(
    protocols: Protocols,
    api: Described,
    transport: Answering,
    options: DriverOptions | None = None,
) -> Driver:
    models = models_of(protocols, api)
    return driver_for(api, models, transport, URL, options or DriverOptions(seed=1))
