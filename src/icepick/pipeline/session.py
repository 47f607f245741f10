"""A whole run against a service, from the plan to the last event."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import replace

from icepick.execute.budget import Budget, Shares
from icepick.execute.engine import Engine
from icepick.execute.events import Ending, Event, Exchanged, Noted, RunEnded
from icepick.execute.laws.sessions import SignIn
from icepick.execute.lives import Lives
from icepick.execute.streaming import Events, streamed
from icepick.execute.transport.client import Client
from icepick.execute.transport.secrets import Secrets
from icepick.execute.types import Exchange, Judged, Purpose, Request, Transport
from icepick.inputs.learn import Learned
from icepick.openapi.names import declared_names
from icepick.openapi.types import Json
from icepick.pipeline.beginning import Beginning, Earlier
from icepick.pipeline.calibration import Known
from icepick.pipeline.lockout import Lockout
from icepick.pipeline.models import Described
from icepick.pipeline.opening import opening
from icepick.pipeline.planning import Planned, model_planned, planned
from icepick.pipeline.reach import Reach, base_url, connected
from icepick.pipeline.run import Beforehand, engine_for
from icepick.pipeline.settings import RunSettings
from icepick.sequences.types import Step


class Session:
    """One run. Whoever consumes its events may stop it; `learned` grows meanwhile."""

    def __init__(
        self,
        api: Described,
        reach: Reach,
        settings: RunSettings,
        run_id: str = "run",
        earlier: Earlier | None = None,
    ) -> None:
        self._reach = reach
        self._settings = settings
        self._id = run_id
        self._engine: Engine | None = None
        self._stopped: Ending | None = None
        self.secrets = Secrets(names=declared_names(api.spec))
        self.url = base_url(api.spec, reach.url)
        self._begun = Beginning(
            api, self.url, settings, earlier or Earlier(), lambda: self._stopped is not None
        )

    @property
    def learned(self) -> Mapping[str, Learned]:
        """What is known of inputs by now."""
        return self._begun.learned

    @property
    def known(self) -> Known:
        """How the service does things, as far as that is known."""
        return self._begun.known

    def stop(self, ending: Ending = Ending.INTERRUPTED) -> None:
        """End soon and in good order."""
        self._stopped = ending
        if self._engine is not None:
            self._engine.stop(ending)

    async def replay(self, steps: tuple[Step, ...], model: int = 0) -> tuple[Judged, ...]:
        """Make calls of the model with that number, alone and with fresh values; the sequences of
        all plans are walked before that."""
        async with connected(self._begun.api.spec, self._reach, self.secrets) as (transport, _):
            await self._begun.prepare(transport, lambda _: None)
            settings = replace(self._settings, operations=False)
            begun = Beforehand(manners=self.known.manners, shared=self._begun.shared)
            engine = engine_for(
                self._begun.api, self._plans(), transport, self.url, settings, begun
            )
            self._engine = engine
            async with aclosing(engine.events()) as events:
                async for _ in events:
                    pass
            return await engine.replay(model, steps)

    async def resend(self, request: Request) -> Exchange:
        """Send a request once more."""
        spec = self._begun.api.spec
        async with connected(spec, self._reach, self.secrets) as (transport, _):
            client = Client(transport, self.url, spec.schemas)
            return await client.exchange(request, Purpose.CALL)

    async def events(self, about: Mapping[str, Json] | None = None) -> AsyncGenerator[Event, None]:
        """Everything that happens; `about` are the options as the person gave them."""
        begun, limits = self._begun, self._settings.engine
        spec = begun.api.spec
        async with connected(spec, self._reach, self.secrets) as (transport, auth):
            for event in opening(self._id, begun.api, self.url, self._settings.seed, about):
                yield event
            budget = Budget(limits.max_time, limits.max_requests)
            told, before = Events(), list[Exchange]()
            lockout = Lockout(auth, {one.id: one.label for one in spec.operations})
            begin = begun.run(transport, budget, told.tell)
            async with aclosing(streamed(told, begin)) as events:
                async for event in events:
                    if isinstance(event, Exchanged):
                        before.append(event.exchange)
                        lockout.add(event.exchange)
                    yield event
            plans, planning = self._planning(budget)
            for event in planning:
                yield event
            engine = self._start(plans, transport, budget, len(before))
            lives = Lives(begun.api.resources, begun.known.marked)
            for exchange in before:
                lives.add(exchange)
            async with aclosing(engine.events()) as events:
                async for event in events:
                    if isinstance(event, Exchanged):
                        lives.add(event.exchange)
                        lockout.add(event.exchange)
                    elif isinstance(event, RunEnded):
                        for last in self._last(lockout, lives):
                            yield last
                    yield event

    def _planning(self, budget: Budget) -> tuple[tuple[Planned, ...], list[Event]]:
        """The plans that there is time for, and what is told of them."""
        late = list[bool]()

        def is_late() -> bool:
            # A run that goes on with what was planned needs the same plans again.
            late.append(not self._settings.engine.done and budget.is_late(Shares().plan))
            return late[-1]

        plans = self._plans(is_late)
        told: list[Event] = [model_planned(number, one) for number, one in enumerate(plans)]
        if any(late):
            text = f"no time for more than {len(plans)} models"
            told.append(Noted("planning", self._begun.api.spec.title, text))
        return plans, told

    def _plans(self, is_late: Callable[[], bool] = bool) -> tuple[Planned, ...]:
        known = self._begun.plans
        return planned(self._begun.api, self._settings, is_late) if known is None else known

    def _start(
        self, plans: tuple[Planned, ...], transport: Transport, budget: Budget, sent: int
    ) -> Engine:
        """The engine, which knows all that came before it."""
        begun = self._begun
        before = Beforehand(
            sent, begun.learned, frozenset(begun.answered.good), begun.known.manners, budget,
            self._sign_in(), begun.first, begun.met, begun.shared,
        )  # fmt: skip
        engine = engine_for(begun.api, plans, transport, self.url, self._settings, before)
        self._engine = engine
        if self._stopped is not None:
            engine.stop(self._stopped)
        return engine

    def _sign_in(self) -> SignIn:
        auth = self._reach.auth
        given = (auth.basic, auth.token, auth.oauth2, auth.command, *auth.api_keys)
        return SignIn(auth.login, auth.send_as, not any(given), self.secrets)

    def _last(self, lockout: Lockout, lives: Lives) -> Iterator[Event]:
        """What is told when all is done."""
        if note := lockout.note(self.url):
            yield note
        yield from self._begun.shared.staying.strays()
        yield from lives.told()
