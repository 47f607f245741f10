"""What comes before there are plans: a first look, what the document leaves open, and how the
service does things."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from icepick.execute.binding.emulator import Instance
from icepick.execute.budget import Budget, Shares
from icepick.execute.calibration.manners import Manners
from icepick.execute.chains.types import Outfit
from icepick.execute.cleaning import Cleaner
from icepick.execute.events import FIRST_LOOK, Event, Noted, PhaseStarted
from icepick.execute.shared import shared
from icepick.execute.staying import IN_CHAINS
from icepick.execute.transport.client import Client
from icepick.execute.types import Transport
from icepick.glacier import Answer
from icepick.inputs import Case
from icepick.inputs.learn import Learned
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
from icepick.pipeline.models import Described
from icepick.pipeline.once import LONGEST, SHARE, SHORTEST, FirstLook, called_once, tidied
from icepick.pipeline.planning import Planned
from icepick.pipeline.settings import RunSettings

_Tell = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Earlier:
    """What is known before a run begins: its plans where it goes on with them, instances that are
    to be removed first, what was learned of inputs, and how the service does things."""

    plans: tuple[Planned, ...] | None = None
    leftovers: tuple[Instance, ...] = ()
    learned: Mapping[str, Learned] = field(default_factory=dict)
    known: Known = field(default_factory=Known)


class Beginning:
    """Gets to know a service: what is believed of it by the end is in the public fields."""

    def __init__(
        self, api: Described, url: str, settings: RunSettings, earlier: Earlier,
        is_stopped: Callable[[], bool],
    ) -> None:  # fmt: skip
        self.api = api
        self._url = url
        self._settings = settings
        self._leftovers = earlier.leftovers
        self._is_stopped = is_stopped
        self._lost: list[tuple[Case, Answer]] = []
        self.plans = earlier.plans
        """Those of before; None once they are of no use, for the API is another one now."""
        self.learned = dict(earlier.learned)
        self.known = earlier.known
        self.first = FirstLook()
        self.met = Met()
        self.answered = Answered()
        self.shared = shared(api.spec.schemas, IN_CHAINS, api.spec.operations)

    async def run(self, transport: Transport, budget: Budget, tell: _Tell) -> None:
        """All of it, as far as it is wanted."""
        client = await self.prepare(transport, tell)
        client.listen(budget.count)
        if self._is_in_a_hurry():
            await self._once(client, budget, tell)
        if self._is_to_be_corrected():
            tell(PhaseStarted(CORRECT))
            await self._correct(client, budget, tell)
        elif self._lost:
            await tidied(self.api, self._outfit(client, tell))
        if self._settings.calibrate and not self._settings.engine.done:
            await self._calibrate(client, budget, tell)

    async def prepare(self, transport: Transport, tell: _Tell) -> Client:
        """Remove what an earlier part of the run left behind, or see what is there where nothing
        can be created."""
        client = Client(transport, self._url, self.api.spec.schemas, known=self.shared)
        client.settle = self._settings.settle
        self._expect(self.known.manners)
        client.listen(tell)
        client.listen(self.answered)
        if creates_nothing(self.api):
            tell(PhaseStarted("look around"))
            self.api = await acquainted(self.api, client)
        remains = self._leftovers
        if remains:
            tell(PhaseStarted("clean up", len(remains)))
            operations = {operation.id: operation for operation in self.api.spec.operations}
            cleaner = Cleaner(client, self.api.resources, operations)
            for left in await cleaner.clean(remains, -1):
                tell(left)
        return client

    def _until(self, budget: Budget, share: float) -> Callable[[], bool]:
        """Whether it is time for what comes after: this part of the whole is spent, or nobody
        wants any more."""
        return lambda: self._is_stopped() or budget.is_spent(share)

    def _is_in_a_hurry(self) -> bool:
        """Whether the time may not be enough for everything, so that breadth comes first."""
        settings = self._settings
        wanted = settings.operations and settings.graph and not self._is_stopped()
        limits = settings.engine
        bounded = limits.max_time is not None or limits.max_requests is not None
        return wanted and bounded and not limits.done

    async def _once(self, client: Client, budget: Budget, tell: _Tell) -> None:
        tell(PhaseStarted(ONCE, len(self.api.spec.operations)))
        outfit, most = self._outfit(client, tell), self._settings.engine.max_calls
        client.longest = max(SHORTEST, (budget.seconds or 0.0) * LONGEST)
        self.first = await called_once(self.api, outfit, self._until(budget, SHARE), most)
        self.met = self.first.met
        for name, reason in self.first.reasons.items():
            tell(Noted(FIRST_LOOK, name, reason))
        client.longest = None
        budget.share_out()

    def _outfit(self, client: Client, tell: _Tell) -> Outfit:
        """What chains work with: what they learn of inputs is added to what is known, and what
        they lose sight of to what is lost."""
        spec, seed = self.api.spec, self._settings.seed
        made = chain_outfit(spec, client, seed, tell, self.learned, self.met.there)
        return replace(made, lost=self._lost, timed=self._settings.engine.max_requests is None)

    def _is_to_be_corrected(self) -> bool:
        """Whether there is something to learn; a run that goes on has learned it before."""
        settings, goes_on = self._settings, bool(self._settings.engine.done)
        wanted = settings.correction and settings.graph and not self._is_stopped()
        return wanted and not goes_on and bool(doubts(self.api))

    async def _correct(self, client: Client, budget: Budget, tell: _Tell) -> None:
        """Ask the service what the document leaves open."""
        outfit, is_over = self._outfit(client, tell), self._until(budget, Shares().correct)
        options = correction_options(self._settings.engine.max_calls)
        found = await corrected(self.api, outfit, options, is_over, self.first.observations)
        self.met = replace(found.met, crashes={**found.met.crashes, **self.met.crashes})
        self._believe(found.api)
        for note in found.notes:
            tell(note)

    async def _calibrate(self, client: Client, budget: Budget, tell: _Tell) -> None:
        """See how the service does things, unless that is known of this document."""
        document, before = digest(self.api.spec), self.known
        manners = before.manners
        if before.document != document:
            tell(PhaseStarted(CALIBRATE))
            seed, settle = self._settings.seed, self._settings.settle
            outfit, is_over = self._outfit(client, tell), self._until(budget, Shares().calibrate)
            manners, chains = await calibrated(self.api, outfit, settle, seed, is_over)
            self.met = met_by(chains, self.met)
        self.known = Known(manners, document)
        for note in notes(manners, before.manners):
            tell(note)
        self._believe(mannered(self.api, manners))

    def _expect(self, manners: Mapping[str, Manners]) -> None:
        """Give what the service does the time that it was seen to take."""
        for name, resource in self.api.resources.resources.items():
            if name in manners:
                self.shared.lags.update(manners[name].lags(resource))

    def _believe(self, api: Described) -> None:
        if api is not self.api:
            self.api, self.plans = api, None
