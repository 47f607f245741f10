"""One run of a model against a service, call by call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random

from icepick.errors import Place
from icepick.execute.answers import answer_of
from icepick.execute.reads import Reads, Scene
from icepick.execute.types import Exchange, Failure, Judged
from icepick.glacier import Answer, Check, Clause, Provenance, Sent, prepare
from icepick.inputs import Case, CaseMaker, Fresh, Generator, NotMade, Options
from icepick.openapi.types import Json
from icepick.protocol.automaton import Edge
from icepick.protocol.carry import CarryingClient
from icepick.protocol.judging import Answered, judged, not_made, unanswered
from icepick.protocol.run import Judged as Ruling
from icepick.protocol.run import Model, Run
from icepick.protocol.tree import Assertion, Receive
from icepick.protocol.tree import Clause as Asserted
from icepick.protocol.values import Maker, Prepared
from icepick.protocol.walk import Policy


@dataclass(frozen=True, slots=True)
class Kit:
    """What the runs of all models work with."""

    client: CarryingClient
    scene: Scene
    cases: CaseMaker
    generator: Generator
    inputs: Options


@dataclass(frozen=True, slots=True)
class Move:
    """A call of a run: its branch, that of the response where it fits one, and what is thought."""

    send: Edge
    judged: Judged
    ruling: Ruling | None = None

    @property
    def receive(self) -> Edge | None:
        """The branch of the response."""
        return self.ruling.edge if self.ruling is not None else None


class Passage:
    """A run from the initial state to its end, a fault, or where the policy leaves it."""

    def __init__(self, kit: Kit, model: Model, rng: Random, fresh: Fresh, sequence: int) -> None:
        self._kit = kit
        self._model = model
        self._rng = rng
        self._maker = Maker(kit.generator, fresh, model.functions, rng)
        self._reads = Reads(kit.scene, sequence)
        self._sequence = sequence
        self.run = Run(model)

    @property
    def saved(self) -> int:
        """How many GETs were answered from memory."""
        return self._reads.asked - self._reads.read

    async def moves(self, policy: Policy) -> AsyncIterator[Move]:
        """The calls one after another; the last one may have gone wrong."""
        self._kit.client.begin()
        policy.begin()
        while not self.run.is_over and (edge := policy.next_send(self.run.state)) is not None:
            move = await self._move(edge)
            policy.took(edge)
            if move.receive is not None:
                policy.took(move.receive)
            yield move
            if move.receive is None:
                return

    async def _move(self, edge: Edge) -> Move:
        call = self.run.call(edge)
        prepared = self._maker.prepare(call, self.run.known)
        if isinstance(prepared, NotMade):
            return Move(edge, not_made(edge, prepared))
        case = self._kit.cases.make(call.operation, self._rng, self._kit.inputs, prepared.given)
        if isinstance(case, NotMade):
            return Move(edge, not_made(edge, case))
        self.run.sent(edge, prepared)
        awaited = self._model.automaton.edges_of(edge.target)
        exchange = await self._sent(case, prepared, awaited)
        if isinstance(exchange.reply, Failure):
            return Move(edge, unanswered(edge, exchange, exchange.reply))
        answer, known = answer_of(exchange.reply), self.run.known
        ruling = await self._ruling(answer, _sent(case))
        reads = tuple(self._reads.exchanges.values())
        inspected = self._kit.scene.inspector.inspect(exchange, call.operation)
        answered = Answered(edge, awaited, exchange, answer, reads, known)
        return Move(edge, judged(answered, ruling, [*inspected, *self._reads.complaints]), ruling)

    async def _sent(self, case: Case, prepared: Prepared, awaited: tuple[Edge, ...]) -> Exchange:
        """Make the call; what its assertions say of the time before it is read in time."""
        client, reads, operation = self._kit.client, self._reads, case.operation
        reads.begin(operation, _with(_sent(case), self.run.known))
        branches = [one.branch for one in awaited if isinstance(one.branch, Receive)]
        for branch in branches:
            await reads.read_before(_checks(branch.assertions))
        request = client.exactly(case)
        exchange = await client.call(request, prepared, operation.id, self._sequence)
        if isinstance(exchange.reply, Failure):
            return exchange
        answer = answer_of(exchange.reply)
        if operation.is_safe:
            reads.answered(answer)
        else:
            reads.changed(answer)
        return exchange

    async def _ruling(self, answer: Answer, sent: Sent) -> Ruling:
        """Where the answer leads, after every GET that the assertions need."""
        for assertions, values in self.run.asserted(answer):
            self._reads.sent = _with(sent, values)
            await self._reads.outcomes(_checks(assertions))
        self._reads.sent = sent
        return self.run.received(answer, self._reads)


def _sent(case: Case) -> Sent:
    return Sent(case.path, case.query, case.headers, case.body)


def _with(sent: Sent, values: Mapping[str, Json]) -> Sent:
    """The request with variables among the names that a clause may use."""
    return replace(sent, path={**sent.path, **values})


def _checks(assertions: Iterable[Assertion]) -> list[Check]:
    """Those that are clauses, ready to be evaluated."""
    return [
        prepare(Clause(one.formula, one.text, Provenance.WRITTEN, Place("")))
        for one in assertions
        if isinstance(one, Asserted)
    ]
