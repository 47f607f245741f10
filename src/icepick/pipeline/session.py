"""A whole run against a service, from the plan to the last event."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from icepick import __version__
from icepick.execute.auth import AuthOptions, auth_for
from icepick.execute.cleaning import Cleaner
from icepick.execute.client import Client
from icepick.execute.emulator import Instance
from icepick.execute.engine import Engine
from icepick.execute.events import Ending, Event, PhaseStarted, RunStarted
from icepick.execute.http import http_transport
from icepick.execute.secrets import Secrets
from icepick.execute.settings import HttpSettings
from icepick.execute.types import Transport
from icepick.openapi.types import Json
from icepick.pipeline.models import Described
from icepick.pipeline.run import (
    Planned,
    RunSettings,
    base_url,
    engine_for,
    model_planned,
    planned,
)


@dataclass(frozen=True, slots=True)
class Reach:
    """How the service is reached."""

    url: str | None = None
    auth: AuthOptions = field(default_factory=AuthOptions)
    http: HttpSettings = field(default_factory=HttpSettings)


@dataclass(frozen=True, slots=True)
class Earlier:
    """What is known before a run begins: its plans, and instances that are to be removed first."""

    plans: tuple[Planned, ...]
    leftovers: tuple[Instance, ...] = ()


class Session:
    """One run. Whoever consumes its events may stop it."""

    def __init__(
        self,
        api: Described,
        reach: Reach,
        settings: RunSettings,
        run_id: str = "run",
        earlier: Earlier | None = None,
    ) -> None:
        self._api = api
        self._reach = reach
        self._settings = settings
        self._id = run_id
        self._earlier = earlier
        self._engine: Engine | None = None
        self._stopped: Ending | None = None
        self.secrets = Secrets()
        self.url = base_url(api.spec, reach.url)

    def stop(self, ending: Ending = Ending.INTERRUPTED) -> None:
        """End soon and in good order."""
        self._stopped = ending
        if self._engine is not None:
            self._engine.stop(ending)

    async def events(self, about: Mapping[str, Json] | None = None) -> AsyncGenerator[Event, None]:
        """Everything that happens; `about` are the options as the person gave them."""
        spec = self._api.spec
        auth = auth_for(spec.security_schemes, self._reach.auth)
        http = replace(self._reach.http, origins=(self.url,))
        async with http_transport(http, auth, self.secrets) as transport:
            yield RunStarted(
                self._id, time.time(), __version__, spec.source, spec.title, self.url,
                self._settings.seed, dict(about or {}),
                {operation.id: operation.label for operation in spec.operations},
            )  # fmt: skip
            for event in await self._cleaned(transport):
                yield event
            plans = self._earlier.plans if self._earlier else planned(self._api, self._settings)
            for number, one in enumerate(plans):
                yield model_planned(number, one)
            engine = engine_for(self._api, plans, transport, self.url, self._settings)
            self._engine = engine
            if self._stopped is not None:
                engine.stop(self._stopped)
            async with aclosing(engine.events()) as events:
                async for event in events:
                    yield event

    async def _cleaned(self, transport: Transport) -> list[Event]:
        """Remove what an earlier part of the run left behind; what happened meanwhile."""
        if self._earlier is None or not self._earlier.leftovers:
            return []
        spec = self._api.spec
        told: list[Event] = [PhaseStarted("clean up", len(self._earlier.leftovers))]
        client = Client(transport, self.url, spec.schemas)
        client.listen(told.append)
        operations = {operation.id: operation for operation in spec.operations}
        cleaner = Cleaner(client, self._api.resources, operations)
        return told + [*await cleaner.clean(self._earlier.leftovers, -1)]
