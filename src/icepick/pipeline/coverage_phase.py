"""Every operation of the document, tried by chains of the property graph."""

from __future__ import annotations

from collections.abc import Sequence

from icepick.execute.chains.chains import Chains
from icepick.execute.chains.record import CHAINS
from icepick.execute.chains.types import NO_ANSWER, ChainOptions, Outfit
from icepick.execute.events import CallJudged, Exchanged, NotConfirmed, PhaseStarted
from icepick.execute.findings.confirm import confirmed
from icepick.execute.findings.suspicion import Suspicion
from icepick.execute.lessons import Lessons
from icepick.execute.phases import Stage
from icepick.execute.transport.client import Client
from icepick.execute.types import Finding, Judged, Purpose
from icepick.inputs import Fresh, Responses
from icepick.inputs.dice import dice
from icepick.inputs.learn import Setting
from icepick.pipeline.correction import gaps_of
from icepick.pipeline.models import Described
from icepick.pipeline.once import FirstLook
from icepick.pipeline.settings import RunSettings
from icepick.resources.build import build_graph

OPERATIONS = "operations"
_BLOCK = 1 << 23
_CALLS_EACH = 40
_MOST_CALLS = 600
_MOST_SECONDS = 120.0
_CONFIRMED_AT_MOST = 20
_CONFIRMING = (200, 60.0)


class Answered:
    """Remembers which operations gave a 2xx."""

    def __init__(self, good: frozenset[str] = frozenset()) -> None:
        self.good = set(good)

    def __call__(self, event: Exchanged) -> None:
        """Take in an exchange; those that clean up do not count."""
        exchange = event.exchange
        if exchange.operation is None or exchange.operation in self.good:
            return
        status = exchange.status or 0
        if exchange.purpose is not Purpose.CLEAN_UP and 200 <= status < 300:
            self.good.add(exchange.operation)


class Operations:
    """Makes the operations succeed that nothing before did; says why where that cannot be."""

    def __init__(
        self, api: Described, client: Client, lessons: Lessons, settings: RunSettings,
        first: FirstLook | None = None,
    ) -> None:  # fmt: skip
        self._api = api
        self._client = client
        self._lessons = lessons
        self._settings = settings
        self._first = first or FirstLook()
        self._answered = Answered(self._first.good)
        client.listen(self._answered)

    async def run(self, stage: Stage) -> None:
        """Try them, and confirm alone whatever looks wrong."""
        names = [one.id for one in self._api.spec.operations]
        gaps = [name for name in names if name not in self._answered.good]
        # What gave no answer may take a whole timeout again.
        gaps.sort(key=lambda name: self._first.reasons.get(name, "").startswith(NO_ANSWER))
        if not gaps and not self._first.suspicions:
            return
        stage.tell(PhaseStarted(OPERATIONS, len(gaps)))
        calls = min(_MOST_CALLS, _CALLS_EACH * len(gaps))
        chains = self._chains(stage, calls)
        # What was seen wrong is worth more than what was refused once already.
        await self._confirm(chains, self._first.suspicions, stage)
        chains.allow(calls, _MOST_SECONDS)
        await chains.cover(gaps, stage.is_over)
        for index, judged in enumerate(self._last(chains, gaps)):
            stage.tell(CallJudged(CHAINS, 0, index, judged))
        left = [name for name in gaps if name not in self._answered.good]
        for note in gaps_of(chains, left, self._first.reasons):
            stage.tell(note)
        known = {one.key for one in self._first.suspicions}
        new = [one for one in chains.record.suspicions.all() if one.key not in known]
        await self._confirm(chains, new, stage)

    def _chains(self, stage: Stage, calls: int) -> Chains:
        generator = self._lessons.setting.generator
        seed = self._settings.seed
        fresh = Fresh(generator, dice(seed), _BLOCK)
        setting = Setting(self._api.spec.schemas, generator, fresh, Responses())
        rng = dice(seed, OPERATIONS)
        learned, timed = self._lessons.learned, self._settings.engine.max_requests is None
        outfit = Outfit(self._client, setting, rng, stage.tell, learned, timed=timed)
        options = ChainOptions(calls, _MOST_SECONDS, graph=self._settings.graph)
        graph = build_graph(self._api.spec, self._api.resources)
        return Chains(self._api.spec, self._api.resources, graph, outfit, options)

    @staticmethod
    def _last(chains: Chains, gaps: list[str]) -> list[Judged]:
        """What became of each of the operations in the end."""
        return [chains.record.judged[name] for name in gaps if name in chains.record.judged]

    async def _confirm(self, chains: Chains, suspicions: Sequence[Suspicion], stage: Stage) -> None:
        for suspicion in suspicions[:_CONFIRMED_AT_MOST]:
            if stage.is_over():
                break
            chains.allow(*_CONFIRMING)
            result = await confirmed(suspicion, chains.replays(), chains.replayed)
            if isinstance(result, Finding):
                stage.found(result)
            else:
                stage.tell(NotConfirmed(result))
        await chains.settle()
