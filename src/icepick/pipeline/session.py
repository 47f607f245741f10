"""A whole run against a service, from the plan to the last event."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from icepick import __version__
from icepick.execute.auth import AuthOptions, auth_for
from icepick.execute.cleaning import Cleaner
from icepick.execute.client import Client
from icepick.execute.emulator import Instance
from icepick.execute.engine import Engine
from icepick.execute.events import Ending, Event, Exchanged, PhaseStarted, RunStarted
from icepick.execute.http import http_transport
from icepick.execute.secrets import Secrets
from icepick.execute.settings import HttpSettings
from icepick.execute.types import Exchange, Judged, Purpose, Request, Transport
from icepick.openapi.types import Json
from icepick.pipeline.acquaint import acquainted, creates_nothing
from icepick.pipeline.correction import (
    CORRECT,
    chain_outfit,
    corrected,
    correction_options,
    doubts,
)
from icepick.pipeline.models import Described
from icepick.pipeline.run import (
    Planned,
    RunSettings,
    base_url,
    engine_for,
    model_planned,
    planned,
)
from icepick.sequences.types import Step


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

    async def replay(self, steps: tuple[Step, ...]) -> tuple[Judged, ...]:
        """Make calls of the first plan, alone and with fresh values; its sequences are walked
        before that."""
        auth = auth_for(self._api.spec.security_schemes, self._reach.auth)
        async with http_transport(self._http(), auth, self.secrets) as transport:
            await self._prepared(transport)
            plans = self._earlier.plans if self._earlier else planned(self._api, self._settings)
            settings = replace(self._settings, operations=False)
            engine = self._engine = engine_for(self._api, plans, transport, self.url, settings)
            async with aclosing(engine.events()) as events:
                async for _ in events:
                    pass
            # The engine has no public name for it yet.
            return await engine.replay(0, steps)

    async def resend(self, request: Request) -> Exchange:
        """Send a request once more."""
        auth = auth_for(self._api.spec.security_schemes, self._reach.auth)
        async with http_transport(self._http(), auth, self.secrets) as transport:
            client = Client(transport, self.url, self._api.spec.schemas)
            return await client.exchange(request, Purpose.CALL)

    def _http(self) -> HttpSettings:
        return replace(self._reach.http, origins=(self.url,))

    async def events(self, about: Mapping[str, Json] | None = None) -> AsyncGenerator[Event, None]:
        """Everything that happens; `about` are the options as the person gave them."""
        spec = self._api.spec
        auth = auth_for(spec.security_schemes, self._reach.auth)
        async with http_transport(self._http(), auth, self.secrets) as transport:
            yield RunStarted(
                self._id, time.time(), __version__, spec.source, spec.title, self.url,
                self._settings.seed, dict(about or {}),
                {operation.id: operation.label for operation in spec.operations},
            )  # fmt: skip
            before = await self._prepared(transport)
            for event in before:
                yield event
            if self._is_to_be_corrected():
                yield PhaseStarted(CORRECT)
                learned = await self._corrected(transport, _sent(before))
                before += learned
                for event in learned:
                    yield event
            plans = self._earlier.plans if self._earlier else planned(self._api, self._settings)
            for number, one in enumerate(plans):
                yield model_planned(number, one)
            engine = engine_for(
                self._api, plans, transport, self.url, self._settings, _sent(before)
            )
            self._engine = engine
            if self._stopped is not None:
                engine.stop(self._stopped)
            async with aclosing(engine.events()) as events:
                async for event in events:
                    yield event

    def _is_to_be_corrected(self) -> bool:
        """Whether there is something to learn; a run that goes on has learned it before."""
        settings, goes_on = self._settings, bool(self._settings.engine.done)
        wanted = settings.correction and settings.graph and self._stopped is None
        return wanted and not goes_on and bool(doubts(self._api))

    async def _corrected(self, transport: Transport, sent: int) -> list[Event]:
        """Ask the service what the document leaves open; what happened meanwhile."""
        told: list[Event] = []
        client = Client(transport, self.url, self._api.spec.schemas)
        client.sent = sent
        client.listen(told.append)
        outfit = chain_outfit(self._api.spec, client, self._settings.seed, told.append)
        options = correction_options(self._settings.engine.max_calls)
        found = await corrected(self._api, outfit, options, lambda: self._stopped is not None)
        if found.api is not self._api:
            self._api = found.api
            remains = self._earlier.leftovers if self._earlier else ()
            self._earlier = Earlier(planned(self._api, self._settings), remains)
        return [*told, *found.notes]

    async def _prepared(self, transport: Transport) -> list[Event]:
        """Remove what an earlier part of the run left behind, or see what is there where nothing
        can be created; what happened meanwhile."""
        told: list[Event] = []
        client = Client(transport, self.url, self._api.spec.schemas)
        client.listen(told.append)
        if creates_nothing(self._api):
            told.append(PhaseStarted("look around"))
            self._api = await acquainted(self._api, client)
        remains = self._earlier.leftovers if self._earlier else ()
        if remains:
            told.append(PhaseStarted("clean up", len(remains)))
            operations = {operation.id: operation for operation in self._api.spec.operations}
            cleaner = Cleaner(client, self._api.resources, operations)
            left = await cleaner.clean(remains, -1)
            told += left
        return told


def _sent(events: Iterable[Event]) -> int:
    return sum(isinstance(one, Exchanged) for one in events)
