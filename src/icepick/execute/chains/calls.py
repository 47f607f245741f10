"""One call of a chain: sent until it is taken, and what is learned from the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from icepick.execute.binding.chance import Dealer
from icepick.execute.binding.leaves import AllLeaves
from icepick.execute.chains.inputs import Inputs
from icepick.execute.chains.more import with_more
from icepick.execute.chains.pool import Memory, Pool
from icepick.execute.chains.rules import impersonal, with_own_token
from icepick.execute.chains.types import Chain, ChainOptions, Outfit, Tried
from icepick.execute.judging.inspect import Inspector
from icepick.execute.transport.attempts import TOO_OFTEN
from icepick.execute.transport.pending import outcome, shown
from icepick.execute.types import (
    Exchange,
    Failure,
    Purpose,
    Reply,
    Response,
    is_in_doubt,
)
from icepick.glacier import Answer
from icepick.inputs import Case, Hint, Responses
from icepick.inputs.learn import (
    Beside,
    Effort,
    Learned,
    OperationLearner,
    Trial,
    added,
    beside_of,
    identity_of,
    references_of,
)
from icepick.openapi.types import ABSENT, ApiSpec, Json, Operation
from icepick.resources.correct import Observation
from icepick.resources.graph import Consumes, PropertyGraph
from icepick.resources.types import Location, Path, ResourceMap, Role

_FINAL = frozenset({401, 403, 405, 406, 415, 429, 501})
"""Refusals that other values do not change."""

_FEW = 3
_MISSING = frozenset({404, 410})
_MOST_MISSING = 3
"""How often what is named may be missing: other values are not found either."""

_FORBIDDEN = 403
"""May be said of what is not there as well, and of what is not as it should be."""

_CRASHES = 2
"""How often a service may fall over: the least input may lack what it counts on."""

_IN_VAIN = 2
"""How many refusals that say nothing new a hasty call puts up with: the least input and a whole."""

_ABOUT_VALUES = frozenset({400, 404, 409, 410, 412, 422})


class Caller:
    """Makes the calls of chains."""

    def __init__(self, spec: ApiSpec, outfit: Outfit, options: ChainOptions) -> None:
        self._spec = spec
        self._outfit = outfit
        self._options = options
        self._leaves = AllLeaves(spec.schemas)
        self._inspector = Inspector(spec.schemas)
        self._learned = outfit.learned
        self._dealer = Dealer(outfit.rng)
        self._resources = ResourceMap({}, ())
        self._memory = Memory(PropertyGraph((), {}), self._resources)
        self._refusals: Counter[str] = Counter()
        self.there = outfit.setting.responses.copy()
        """What answers show that no chain has made, and none removes."""
        self.crashes: dict[str, Case] = {}
        """The first input of each operation that the service fell over."""
        self.uses: Counter[Consumes] = Counter()
        self.observations: list[Observation] = []
        self.calls = 0
        self.unanswered = 0
        """How many calls in a row got no answer."""

    def believe(self, resources: ResourceMap, graph: PropertyGraph) -> None:
        """Go by these resources and this graph from now on."""
        self._resources = resources
        self._memory = Memory(graph, resources)

    async def call(
        self, chain: Chain, operation: Operation, inputs: Inputs, is_over: Callable[[], bool]
    ) -> Tried:
        """Send inputs until one is taken."""
        learner, tried = self._learner(chain, operation, inputs), Tried()
        patience = self._patience(operation)
        attempts = self._outfit.client.shared.attempts
        while not is_over() and (trial := learner.next()) is not None:
            if not attempts.may(trial.case):
                tried.barred = TOO_OFTEN
                break
            exchange = await self._sent(chain, operation, trial.case)
            reply = tried.last = exchange.reply
            if is_in_doubt(reply):
                self._memory.perhaps(chain.pool, trial.case)
            if isinstance(reply, Failure):
                self.unanswered += 1
                tried.shown = tried.shown or exchange
                break
            self.unanswered = 0
            attempts.note(trial.case, reply.status)
            tried.add(exchange, self._inspector.inspect(exchange, operation))
            client, number = self._outfit.client, -chain.number
            answer = await outcome(client, exchange, self._resources, number)
            await shown(client, exchange)
            self._answered(chain, learner, trial, reply, answer)
            if reply.status >= 500:
                self.crashes.setdefault(operation.id, trial.case)
            if tried.worked or patience.is_over(reply.status, taught=learner.taught):
                break
        if self._is_about_values(operation, tried.last):
            # Earlier answers may have refused other inputs: the last one is about the edges.
            self.observations[-1] = replace(self.observations[-1], origins=inputs.origins)
            self.uses.update(one.edge for one in inputs.origins)
        if not inputs.more:
            # What is sent this once is not what the operation is known to want.
            known = self._learned.get(operation.id)
            self._learned[operation.id] = added(known, learner.learned)
        self._refusals[operation.id] += not tried.worked
        return tried

    def _patience(self, operation: Operation) -> _Patience:
        """How much is put up with; others may need what a call makes, so that it is worth more
        than a few crashes."""
        creates = any(use.creates for _, use in self._resources.uses_of(operation.id))
        hasty = not self._options.patient
        most = self._options.tries if creates else _CRASHES
        return _Patience(operation, hasty=hasty, names=self._names(operation), crashes=most)

    def _names(self, operation: Operation) -> bool:
        """Whether a call is about something that has to be there: what a path names, other than
        what the call itself makes."""
        own = identity_of(operation, self._resources)
        slots = self._leaves.of(operation).by_slot
        return any(slot[0] is Location.PATH and slot not in own for slot in slots)

    def _is_about_values(self, operation: Operation, reply: Reply | None) -> bool:
        """Whether an answer says something of the values that were sent.

        Whether one thing belongs to another is answered by 404 too, and no value is wrong then.
        """
        if not isinstance(reply, Response):
            return False
        asks = any(use.role is Role.MEMBER for _, use in self._resources.uses_of(operation.id))
        refused = reply.status in _ABOUT_VALUES and not (asks and reply.status == 404)
        return refused or 200 <= reply.status < 300

    def remember_again(self, pool: Pool) -> None:
        """Take in once more what nobody could tell of what it had created."""
        lost, pool.lost = pool.lost, []
        for case, answer in lost:
            self._memory.happened(pool, case, answer)

    async def _sent(self, chain: Chain, operation: Operation, case: Case) -> Exchange:
        self.calls += 1
        client = self._outfit.client
        request = client.request(case)
        if operation.method == "DELETE":
            own = chain.pool.own_singleton(operation.id, self._resources)
            request = with_own_token(request, self._spec.security_schemes, own)
        return await client.patiently(request, Purpose.CALL, operation.id, -chain.number)

    def _answered(
        self,
        chain: Chain,
        learner: OperationLearner,
        trial: Trial,
        reply: Response,
        answer: Answer,
    ) -> None:
        case = trial.case
        told = "" if answer.body is ABSENT else answer.body
        learner.observe(trial, reply.status, told, reply.header("Content-Type") or "")
        inputs: dict[Path, Json] = {("path", name): value for name, value in case.path.items()}
        body = None if answer.body is ABSENT else answer.body
        self.observations.append(
            Observation(learner.operation.id, reply.status, body, inputs=inputs)
        )
        if 200 <= reply.status < 300:
            self._memory.happened(chain.pool, case, answer)
            if learner.operation.is_safe and not case.path and not chain.pool.own():
                self.there.record(learner.operation.id, impersonal(answer.body))

    def _beside(self, chain: Chain, operation: Operation) -> Beside:
        """What is known of fields that are not declared, by instances too where one is made."""
        known = beside_of(operation, self._resources, self._spec.schemas)
        for resource, use in self._resources.uses_of(operation.id):
            for thing in chain.pool.of_resource(resource.name, {})[:1] if use.creates else ():
                return known.showing(thing.value)
        return known

    def _learner(self, chain: Chain, operation: Operation, inputs: Inputs) -> OperationLearner:
        known = self._learned.get(operation.id, Learned(operation.id))
        new = dict.fromkeys([*known.unique, *identity_of(operation, self._resources)])
        fixed = not any(slot not in inputs.given for slot in self._leaves.of(operation).by_slot)
        beside = self._beside(chain, operation)
        setting = replace(
            self._outfit.setting,
            responses=chain.responses if self._options.graph else Responses(),
            references=references_of(operation, self._resources) if self._options.graph else {},
            beside=beside,
            given=inputs.given,
            offered=frozenset(slot for slot in inputs.given if slot[0] is not Location.PATH),
        )
        hopeless = any(one.required for one in inputs.lacking)
        # What was refused with many values before is not tried with as many again.
        before = 0 if known.successes else known.calls // self._options.tries
        refused = self._refusals[operation.id] + before
        most = max(_FEW, self._options.tries // (1 + refused))
        effort = Effort(1 if fixed or hopeless else most)
        hints = {
            slot: replace(known.hints.get(slot, Hint()), required=True) for slot in inputs.wanted
        }
        known = replace(known, unique=tuple(new), hints={**known.hints, **hints})
        declared = self._leaves.of(operation).by_slot
        known = with_more(known, inputs.more, declared, beside, self._spec.schemas)
        dice = self._dealer.dice(operation.id)
        return OperationLearner(operation, setting, dice, effort, known)


class _Patience:
    """Whether another input of a call is worth a try, by what the last ones were answered."""

    def __init__(self, operation: Operation, *, hasty: bool, names: bool, crashes: int) -> None:
        reads = operation.is_safe
        self._final = _FINAL if reads else _FINAL - {_FORBIDDEN}
        self._most = (1 if reads else _IN_VAIN) if hasty else None
        self._names = names
        self._crashes = crashes
        self._missing = self._crashed = self._forbidden = self._vain = 0

    def is_over(self, status: int, *, taught: bool) -> bool:
        """Whether it is not; `taught` where the answer said something new of the inputs."""
        self._missing += status in _MISSING and self._names
        self._crashed += status >= 500
        self._forbidden += status == _FORBIDDEN
        self._vain += not taught
        crashed, missing = self._crashed >= self._crashes, self._missing >= _MOST_MISSING
        if status in self._final or crashed or missing:
            return True
        return self._forbidden > _IN_VAIN or (self._most is not None and self._vain >= self._most)
