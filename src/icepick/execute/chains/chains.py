"""Running call sequences of the property graph: each call takes what earlier ones gave.

What a call needs and the chain has not got is created first; what was created is removed at the
end of the chain. What answers show corrects graph and resources as the chains go on.
"""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager

from icepick.execute.binding.chance import Origin
from icepick.execute.binding.leaves import AllLeaves
from icepick.execute.chains.calls import Caller
from icepick.execute.chains.inputs import Inputs
from icepick.execute.chains.order import once_each, removed
from icepick.execute.chains.pool import Pool, Thing
from icepick.execute.chains.provisions import Provisions, instance_of
from icepick.execute.chains.record import CHAINS, Record
from icepick.execute.chains.rules import (
    NOT_OWN_DELETED,
    forbidden,
    kind_of,
    made_up_path,
    of_own_kind,
)
from icepick.execute.chains.types import Chain, ChainOptions, Outfit, Tried
from icepick.execute.cleaning import Cleaner
from icepick.execute.events import LeftBehind
from icepick.execute.findings.confirm import Replay
from icepick.execute.types import Judged, Purpose
from icepick.inputs import Case, Responses
from icepick.openapi.shape import Schemas
from icepick.openapi.types import ApiSpec, Operation
from icepick.resources.correct import Observation
from icepick.resources.graph import PropertyGraph
from icepick.resources.sequences import call_sequences
from icepick.resources.types import Resource, ResourceMap, Role
from icepick.sequences.types import Call, Step

_NO_ANSWERS = 3


class Chains:
    """Runs chains, one after another."""

    def __init__(
        self,
        spec: ApiSpec,
        resources: ResourceMap,
        graph: PropertyGraph,
        outfit: Outfit,
        options: ChainOptions | None = None,
    ) -> None:
        self._spec = spec
        self._operations = {operation.id: operation for operation in spec.operations}
        self._outfit = outfit
        self._options = options or ChainOptions()
        self._caller = Caller(spec, outfit, self._options)
        self._until = self._after(self._options.seconds)
        self._most = self._options.calls
        self._stopped: Callable[[], bool] = bool
        self._number = 0
        self._lost = outfit.lost
        self._goal = 1
        self.record = Record()
        self._provisions = Provisions(
            self._operations, AllLeaves(spec.schemas), outfit, self.record, self._visit,
            self.is_over,
        )  # fmt: skip
        self.resources, self.graph = resources, graph
        self.believe(resources, graph)

    @property
    def observations(self) -> list[Observation]:
        """Every call so far."""
        return self._caller.observations

    @property
    def crashes(self) -> Mapping[str, Case]:
        """The first input of each operation that the service fell over."""
        return self._caller.crashes

    @property
    def there(self) -> Responses:
        """What answers show that no chain has made."""
        return self._caller.there

    @property
    def schemas(self) -> Schemas:
        """The named schemas of the document."""
        return self._spec.schemas

    @property
    def calls(self) -> int:
        """How many calls were made."""
        return self._caller.calls

    def believe(self, resources: ResourceMap, graph: PropertyGraph) -> None:
        """Go by these resources and this graph from now on."""
        self.resources, self.graph = resources, graph
        self._caller.believe(resources, graph)
        self._provisions.believe(resources, graph)
        self._cleaner = Cleaner(self._outfit.client, resources, self._operations)

    def allow(self, calls: int, seconds: float) -> None:
        """Let there be so many calls more, within this time."""
        self._most = self.calls + calls
        self._until = self._after(seconds)
        self._stopped = bool

    def _after(self, seconds: float) -> float:
        return time.monotonic() + seconds if self._outfit.timed else math.inf

    def stop_when(self, stopped: Callable[[], bool]) -> None:
        """Make no more calls once this is so."""
        self._stopped = stopped

    def is_over(self) -> bool:
        """Whether there are no calls or no time left, or nobody answers."""
        out = self.calls >= self._most or self._caller.unanswered >= _NO_ANSWERS
        return out or self._is_late()

    def _is_late(self) -> bool:
        return time.monotonic() > self._until or self._stopped()

    def why_not(self, operation: str) -> str:
        """Why an operation never succeeded."""
        if self._caller.unanswered >= _NO_ANSWERS:
            return self.record.reasons.get(operation, "nobody answered any more")
        late = self._is_late()
        left = "there was no time left" if late else "there were no calls left"
        return self.record.reasons.get(operation, f"{left} to try it")

    async def cover(
        self,
        wanted: Iterable[str],
        stopped: Callable[[], bool] = lambda: False,
        after: Callable[[], None] = lambda: None,
    ) -> None:
        """Make these operations succeed, by sequences of the graph and then one by one.

        `after` is called at the end of every chain.
        """
        names = [name for name in wanted if name in self._operations]
        self.stop_when(stopped)
        for goal in range(1, self._options.successes + 1):
            self._goal = goal
            for part in self._parts(names):
                if self.is_over():
                    break
                if part:
                    await self.run(part)
                    after()
        await self.settle()

    async def once(self, puzzled: Callable[[], None] = lambda: None) -> None:
        """Call each operation once, with no more tries than its answers are worth, in one chain:
        what is created is there for all that come after it. What was deleted is read again.

        `puzzled` is called where nothing tells what a call has created; it may believe otherwise.
        """
        async with self._chain() as chain:
            chain.apart = True
            for name in once_each(self._spec, self.resources):
                if self.is_over():
                    break
                before, lost = list(chain.pool.things), len(chain.pool.lost)
                if name not in chain.worked:
                    await self._visit(chain, self._operations[name], ())
                if len(chain.pool.lost) > lost:
                    puzzled()
                    self._caller.remember_again(chain.pool)
                for resource, use in self.resources.uses_of(name):
                    gone = removed(before, chain.pool, resource.name)
                    if gone is not None and use.role is Role.DELETE:
                        await self._read_again(chain, resource, gone)

    async def _read_again(self, chain: Chain, resource: Resource, thing: Thing) -> None:
        for use in resource.having(Role.READ)[:1]:
            path = thing.instance().path_to(self._operations[use.operation])
            if path is not None:
                client = self._outfit.client
                request = client.reading(path)
                await client.patiently(request, Purpose.READ, use.operation, -chain.number)

    def _parts(self, names: list[str]) -> Iterator[tuple[str, ...]]:
        """What to run, one after another; what was learned meanwhile is in the later ones."""
        graph = self.graph
        drawn = call_sequences(graph, self._spec) if self._options.graph else ()
        for sequence in (*drawn, *((name,) for name in names)):
            yield self._part(sequence, names)
        if not self._options.graph:
            yield from (self._part((name,), names) for name in names)
            return
        for sequence in call_sequences(self.graph, self._spec) if self.graph != graph else ():
            yield self._part(sequence, names) if sequence not in drawn else ()
        for name in names:
            if self.record.is_open(name, self._goal, more=1):
                around = self._provisions.around(self._operations[name])
                # Twice, so that one can refer to the other, and the newest is what is looked at.
                again = [one for one in around if one in of_own_kind(self.resources)]
                yield (*around, *again, name)

    def replays(self) -> dict[int, Replay]:
        """Chains as suspicions see them: any part of one is one, and the needs are seen to."""
        return {CHAINS: Replay(lambda _: None, lambda *_: iter(()), _steps)}

    async def replayed(
        self, _course: int, steps: tuple[Step, ...], _origin: Origin | None = None
    ) -> tuple[Judged, ...]:
        """The same calls again."""
        return await self.run([step.call.operation for step in steps])

    def _part(self, sequence: tuple[str, ...], names: list[str]) -> tuple[str, ...]:
        """The part of a sequence that is still of use, and the call before it."""
        places = [
            i
            for i, name in enumerate(sequence)
            if name in names and self.record.is_open(name, self._goal)
        ]
        return sequence[max(0, places[0] - 1) : places[-1] + 1] if places else ()

    async def run(self, sequence: Iterable[str]) -> tuple[Judged, ...]:
        """Make the calls of a sequence, and what they need before them; clean up."""
        wanted: list[str] = []
        async with self._chain() as chain:
            for name in sequence:
                if self.is_over():
                    break
                wanted.append(name)
                if name not in chain.worked or wanted.count(name) > 1:
                    await self._visit(chain, self._operations[name], ())
        return tuple(chain.judged)

    @asynccontextmanager
    async def having(
        self, resource: str, more: frozenset[str] = frozenset()
    ) -> AsyncIterator[Chain | None]:
        """An instance for as long as it is wanted; None where none can be made. It is created with
        `more` properties than need be, whether its creation declares them or not."""
        async with self._chain() as chain:
            chain.fuller, chain.more = resource if more else "", more
            made = await self._provisions.provide(chain, instance_of(resource), ())
            yield chain if made else None

    async def call(self, chain: Chain, operation: str) -> bool:
        """Make one more call of a chain that is under way; whether it succeeded."""
        return await self._visit(chain, self._operations[operation], ())

    @asynccontextmanager
    async def _chain(self) -> AsyncIterator[Chain]:
        """A new chain; what it created is removed at its end."""
        self._number += 1
        chain = Chain(self._number, responses=self._caller.there.copy())
        try:
            yield chain
        finally:
            for left in await self._cleaner.clean(chain.pool.own(), -chain.number):
                self._outfit.tell(left)
            self._lost += chain.pool.lost
            self._outfit.keep(chain.pool.things)

    async def settle(self, *, last: bool = True) -> None:
        """Remove what could not be found at first; it may be known by now how it is.

        What is still unknown is left behind, or kept for later where this is not the last try.
        """
        pool = Pool()
        pool.lost = self._lost.copy()
        self._caller.remember_again(pool)
        self._lost[:] = [] if last else pool.lost
        for left in await self._cleaner.clean(pool.own(), -self._number):
            self._outfit.tell(left)
        for case, _ in pool.lost if last else ():
            where, why = case.operation.label, "nothing tells how it is addressed"
            self._outfit.tell(LeftBehind(case.operation.id, where, why))

    # One call

    async def _visit(self, chain: Chain, operation: Operation, under: tuple[str, ...]) -> bool:
        """Make one call of a chain succeed, as far as that is possible; whether it did."""
        self.record.visits[operation.id] += 1
        inputs = await self._inputs(chain, operation, under)
        if isinstance(inputs, str):
            self.record.reasons.setdefault(operation.id, inputs)
            self._note(chain, operation, inputs, Tried())
            return False
        tried = await self._caller.call(chain, operation, inputs, self.is_over)
        if tried.worked:
            self.record.successes[operation.id] += 1
            chain.worked.add(operation.id)
        else:
            self.record.reasons[operation.id] = tried.reason
        self._provisions.learn(operation, inputs, worked=tried.worked)
        self._note(chain, operation, tried.reason, tried)
        return tried.worked

    def _note(self, chain: Chain, operation: Operation, reason: str, tried: Tried) -> None:
        call = Call(kind_of(operation, self.resources), operation.id, ())
        self.record.note(chain, call, reason, tried)

    async def _inputs(
        self, chain: Chain, operation: Operation, under: tuple[str, ...]
    ) -> Inputs | str:
        """The values that a call gets, or why it must not be made."""
        staying = self._outfit.client.shared.staying
        reason = forbidden(operation, self.resources) or staying.why_no_more(operation.id)
        if reason:
            return reason
        if not self._options.graph:
            return made_up_path(operation, self._outfit.setting.fresh)
        if not await self._provisions.own_singleton(chain, operation, under):
            return NOT_OWN_DELETED
        return await self._provisions.inputs(chain, operation, under, self._caller.uses)


def _steps(calls: tuple[Call, ...]) -> tuple[Step, ...]:
    return tuple(Step(call, 0) for call in calls)
