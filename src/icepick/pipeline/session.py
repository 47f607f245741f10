"""A whole run against a service, from the plan to the last event."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from icepick import __version__
from icepick.execute.binding.emulator import Instance
from icepick.execute.budget import Budget, Shares
from icepick.execute.chains.chains import Outfit
from icepick.execute.cleaning import Cleaner
from icepick.execute.engine import Engine
from icepick.execute.events import (
    FIRST_LOOK,
    LEFT_OUT,
    Ending,
    Event,
    Exchanged,
    Noted,
    PhaseStarted,
    RunEnded,
    RunStarted,
)
from icepick.execute.laws.sessions import SignIn
from icepick.execute.lives import Lives
from icepick.execute.shared import shared
from icepick.execute.staying import IN_CHAINS
from icepick.execute.streaming import Events, streamed
from icepick.execute.transport.auth import auth_for
from icepick.execute.transport.client import Client
from icepick.execute.transport.http import http_transport
from icepick.execute.transport.secrets import Secrets
from icepick.execute.transport.settings import HttpSettings
from icepick.execute.types import Exchange, Judged, Purpose, Request, Transport
from icepick.glacier import Answer
from icepick.inputs import Case
from icepick.inputs.learn import Learned
from icepick.openapi.types import Json
from icepick.pipeline.acquaint import acquainted, creates_nothing
from icepick.pipeline.calibration import CALIBRATE, Known, calibrated, digest, mannered, notes
from icepick.pipeline.correction import (
    CORRECT,
    ONCE,
    Met,
    chain_outfit,
    corrected,
    correction_options,
    doubts,
    met_by,
)
from icepick.pipeline.coverage_phase import Answered
from icepick.pipeline.lockout import Lockout
from icepick.pipeline.models import Described
from icepick.pipeline.once import LONGEST, SHARE, SHORTEST, FirstLook, called_once, tidied
from icepick.pipeline.planning import Planned, model_planned, planned
from icepick.pipeline.reach import Reach, base_url
from icepick.pipeline.run import Beforehand, engine_for
from icepick.pipeline.settings import RunSettings
from icepick.sequences.types import Step

_Tell = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Earlier:
    """What is known before a run begins: its plans where it goes on with them, instances that are
    to be removed first, what was learned of inputs, and how the service does things."""

    plans: tuple[Planned, ...] | None = None
    leftovers: tuple[Instance, ...] = ()
    learned: Mapping[str, Learned] = field(default_factory=dict)
    known: Known = field(default_factory=Known)


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
        self._api = api
        self._reach = reach
        self._settings = settings
        self._id = run_id
        self._earlier = earlier or Earlier()
        self._engine: Engine | None = None
        self._stopped: Ending | None = None
        self._first = FirstLook()
        self.learned = dict(self._earlier.learned)
        self.known = self._earlier.known
        self.secrets = Secrets()
        self._met = Met()
        self._shared = shared(api.spec.schemas, IN_CHAINS)
        self._lost: list[tuple[Case, Answer]] = []
        self.url = base_url(api.spec, reach.url)

    def stop(self, ending: Ending = Ending.INTERRUPTED) -> None:
        """End soon and in good order."""
        self._stopped = ending
        if self._engine is not None:
            self._engine.stop(ending)

    async def replay(self, steps: tuple[Step, ...], model: int = 0) -> tuple[Judged, ...]:
        """Make calls of the model with that number, alone and with fresh values; the sequences of
        all plans are walked before that."""
        auth = auth_for(self._api.spec.security_schemes, self._reach.auth)
        async with http_transport(self._http(), auth, self.secrets) as transport:
            await self._prepare(transport, lambda _: None)
            plans = self._plans()
            settings = replace(self._settings, operations=False)
            begun = Beforehand(manners=self.known.manners)
            engine = engine_for(self._api, plans, transport, self.url, settings, begun)
            self._engine = engine
            async with aclosing(engine.events()) as events:
                async for _ in events:
                    pass
            return await engine.replay(model, steps)

    async def resend(self, request: Request) -> Exchange:
        """Send a request once more."""
        auth = auth_for(self._api.spec.security_schemes, self._reach.auth)
        async with http_transport(self._http(), auth, self.secrets) as transport:
            client = Client(transport, self.url, self._api.spec.schemas)
            return await client.exchange(request, Purpose.CALL)

    def _sign_in(self) -> SignIn:
        auth = self._reach.auth
        given = (auth.basic, auth.token, auth.oauth2, auth.command, *auth.api_keys)
        return SignIn(auth.login, auth.send_as, not any(given), self.secrets)

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
            for label, reason in self._api.left_out:
                yield Noted(LEFT_OUT, label, reason)
            limits, sent, answered = self._settings.engine, 0, Answered()
            budget = Budget(limits.max_time, limits.max_requests)
            told, before = Events(), list[Exchange]()
            lockout = Lockout(auth, {one.id: one.label for one in spec.operations})
            begin = self._begin(transport, budget, told.tell)
            async with aclosing(streamed(told, begin)) as events:
                async for event in events:
                    if isinstance(event, Exchanged):
                        sent += 1
                        answered(event)
                        before.append(event.exchange)
                        lockout.add(event.exchange)
                    yield event
            plans, planning = self._planning(budget)
            for event in planning:
                yield event
            good, manners = frozenset(answered.good), self.known.manners
            begun = Beforehand(
                sent, self.learned, good, manners, budget, self._sign_in(), self._first, self._met,
                self._shared,
            )  # fmt: skip
            engine = engine_for(self._api, plans, transport, self.url, self._settings, begun)
            self._engine = engine
            if self._stopped is not None:
                engine.stop(self._stopped)
            lives = Lives(self._api.resources)
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
            told.append(Noted("planning", self._api.spec.title, text))
        return plans, told

    def _last(self, lockout: Lockout, lives: Lives) -> Iterator[Event]:
        """What is told when all is done."""
        if note := lockout.note(self.url):
            yield note
        yield from lives.told()

    async def _begin(self, transport: Transport, budget: Budget, tell: _Tell) -> None:
        """What comes before there are plans."""
        client = await self._prepare(transport, tell)
        client.listen(budget.count)
        if self._is_in_a_hurry():
            await self._once(client, budget, tell)
        if self._is_to_be_corrected():
            tell(PhaseStarted(CORRECT))
            await self._correct(client, budget, tell)
        elif self._lost:
            await tidied(self._api, self._outfit(client, tell))
        if self._settings.calibrate and not self._settings.engine.done:
            await self._calibrate(client, budget, tell)

    def _is_in_a_hurry(self) -> bool:
        """Whether the time may not be enough for everything, so that breadth comes first."""
        settings = self._settings
        wanted = settings.operations and settings.graph and self._stopped is None
        limits = settings.engine
        bounded = limits.max_time is not None or limits.max_requests is not None
        return wanted and bounded and not limits.done

    async def _once(self, client: Client, budget: Budget, tell: _Tell) -> None:
        def is_over() -> bool:
            return self._stopped is not None or budget.is_spent(SHARE)

        tell(PhaseStarted(ONCE, len(self._api.spec.operations)))
        outfit = self._outfit(client, tell)
        most = self._settings.engine.max_calls
        client.longest = max(SHORTEST, (budget.seconds or 0.0) * LONGEST)
        self._first = await called_once(self._api, outfit, is_over, most)
        self._met = self._first.met
        for name, reason in self._first.reasons.items():
            tell(Noted(FIRST_LOOK, name, reason))
        client.longest = None
        budget.share_out()

    def _outfit(self, client: Client, tell: _Tell) -> Outfit:
        """What chains work with: what they learn of inputs is added to what is known, and what
        they lose sight of to what is lost."""
        spec, seed = self._api.spec, self._settings.seed
        made = chain_outfit(spec, client, seed, tell, self.learned, self._met.there)
        return replace(made, lost=self._lost)

    def _is_to_be_corrected(self) -> bool:
        """Whether there is something to learn; a run that goes on has learned it before."""
        settings, goes_on = self._settings, bool(self._settings.engine.done)
        wanted = settings.correction and settings.graph and self._stopped is None
        return wanted and not goes_on and bool(doubts(self._api))

    async def _correct(self, client: Client, budget: Budget, tell: _Tell) -> None:
        """Ask the service what the document leaves open."""

        def is_over() -> bool:
            return self._stopped is not None or budget.is_spent(Shares().correct)

        outfit = self._outfit(client, tell)
        options = correction_options(self._settings.engine.max_calls)
        found = await corrected(self._api, outfit, options, is_over, self._first.observations)
        self._met = replace(found.met, crashes={**found.met.crashes, **self._met.crashes})
        if found.api is not self._api:
            self._api = found.api
            self._earlier = replace(self._earlier, plans=None)
        for note in found.notes:
            tell(note)

    async def _calibrate(self, client: Client, budget: Budget, tell: _Tell) -> None:
        """See how the service does things, unless that is known of this document."""
        document, before = digest(self._api.spec), self.known

        def is_over() -> bool:
            return self._stopped is not None or budget.is_spent(Shares().calibrate)

        manners = before.manners
        if before.document != document:
            tell(PhaseStarted(CALIBRATE))
            seed, settle = self._settings.seed, self._settings.settle
            outfit = self._outfit(client, tell)
            manners, chains = await calibrated(self._api, outfit, settle, seed, is_over)
            self._met = met_by(chains, self._met)
        self.known = Known(manners, document)
        for note in notes(manners, before.manners):
            tell(note)
        api = mannered(self._api, manners)
        if api is not self._api:
            self._api = api
            self._earlier = replace(self._earlier, plans=None)

    def _plans(self, is_late: Callable[[], bool] = bool) -> tuple[Planned, ...]:
        known = self._earlier.plans
        return planned(self._api, self._settings, is_late) if known is None else known

    async def _prepare(self, transport: Transport, tell: _Tell) -> Client:
        """Remove what an earlier part of the run left behind, or see what is there where nothing
        can be created."""
        client = Client(transport, self.url, self._api.spec.schemas, known=self._shared)
        client.settle = self._settings.settle
        client.listen(tell)
        if creates_nothing(self._api):
            tell(PhaseStarted("look around"))
            self._api = await acquainted(self._api, client)
        remains = self._earlier.leftovers
        if remains:
            tell(PhaseStarted("clean up", len(remains)))
            operations = {operation.id: operation for operation in self._api.spec.operations}
            cleaner = Cleaner(client, self._api.resources, operations)
            for left in await cleaner.clean(remains, -1):
                tell(left)
        return client
