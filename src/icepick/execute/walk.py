"""One sequence from its first call to its last: Algorithms 4 and 5 of the ICEPICK paper."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from icepick.execute.answers import answer_of, identifier_in
from icepick.execute.bind import Binder, Bound, Chance, Newborn, NotBound, address_of
from icepick.execute.blame import Blame, broken_invariants
from icepick.execute.care import Care
from icepick.execute.cleaning import still_there
from icepick.execute.conventions import Conventions
from icepick.execute.echo import Echo
from icepick.execute.emulator import Emulator, Instance
from icepick.execute.frame import (
    Frame,
    Looking,
    assume_kept,
    fallen,
    read_back,
    refused_and_there,
    untouched,
)
from icepick.execute.judge import together
from icepick.execute.promises import Promise, Promises
from icepick.execute.reads import NoAnswerError, Reads, Scene
from icepick.execute.types import (
    Complaint,
    Exchange,
    Failure,
    FailureKind,
    Judged,
    Purpose,
    Reply,
    Verdict,
    is_in_doubt,
    worst,
)
from icepick.execute.views import Views
from icepick.glacier import Answer, Check, Outcome, Sent, Truth
from icepick.inputs import Case
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.types import ResourceMap, Role
from icepick.sequences.types import Call, Kind, Step

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_DRAWS = 3
"""How many inputs are tried before a call counts as refused."""


@dataclass(frozen=True, slots=True)
class Course:
    """A model as sequences walk it; `exists` tells the values of a state, where it can."""

    number: int
    binder: Binder
    exists: Callable[[int], frozenset[str] | None]


@dataclass(frozen=True, slots=True)
class Kit:
    """What the sequences of a run work with."""

    scene: Scene
    operations: Mapping[str, Operation]
    resources: ResourceMap
    promises: Promises
    looking: Looking
    views: Views
    echo: Echo
    care: Care
    conventions: Conventions
    frame: Frame = Frame.END


@dataclass(frozen=True, slots=True)
class _Made:
    """A call that was made: what was sent, what came back, what held before."""

    bound: Bound
    exchange: Exchange
    answer: Answer
    requires: list[Outcome]
    reads: tuple[Exchange, ...]
    was_there: bool


class Walk:
    """Makes the calls of one sequence and judges each of them."""

    def __init__(self, kit: Kit, course: Course, sequence: int, chance: Chance) -> None:
        self._kit = kit
        self._course = course
        self._chance = chance
        self._sequence = sequence
        self._reads = Reads(kit.scene, sequence, strict=True)
        self._state = 0
        self._updates: dict[tuple[str, tuple[object, ...], int], Case] = {}
        self._broken_before = set(kit.care.broken_before)
        self._lost = ""
        self.emulator = Emulator()
        self.created: list[Instance] = []
        self.in_doubt: list[Instance] = []
        """What was created, if the service did it: no answer says so."""
        self.lost: list[tuple[str, Exchange]] = []
        """The same by resource where nobody knows the identifier."""

    @property
    def is_lost(self) -> bool:
        """Whether the service and the model have parted."""
        return bool(self._lost)

    @property
    def saved(self) -> int:
        """How many GETs were answered from memory."""
        return max(0, self._reads.asked - self._reads.read)

    def remains(self) -> list[Instance]:
        """What is to be removed, oldest first: it is there, or may be."""
        return [*still_there(self.created, self.emulator.live()), *self.in_doubt]

    async def broken(self) -> frozenset[str]:
        """The invariants that do not hold now."""
        outcomes = await self._invariants()
        return frozenset(one.clause.text for one in outcomes if one.value is Truth.FALSE)

    async def run(self, steps: Iterable[Step]) -> AsyncGenerator[Judged, None]:
        """The calls one after another, each judged."""
        waiting = list(steps)
        for index, step in enumerate(waiting):
            last = index == len(waiting) - 1
            judged = await self._judged(step.call, step.state, last=last)
            if last:
                judged = await self._at_the_end(judged)
            yield replace(judged, source=self._state, target=step.state)
            self._state = step.state

    async def _at_the_end(self, last: Judged) -> Judged:
        if self._kit.frame is not Frame.END or self._lost:
            return last
        return _with(last, await untouched(self._kit.looking, self._reads, self.emulator.live()))

    async def _look_around(self, call: Call, state: int) -> list[Complaint]:
        """Compare all views where a state is reached for the first time, or at every change."""
        kit = self._kit
        if kit.frame is Frame.OFF or call.kind is Kind.READ or self._lost:
            return []
        if kit.frame is Frame.END and not kit.care.for_views(self._course.number, state):
            return []
        found = await untouched(kit.looking, self._reads, self.emulator.live())
        return found + await kit.views.check(self._reads, self.emulator)

    # One call

    async def _judged(self, call: Call, state: int, *, last: bool) -> Judged:
        if self._lost:
            return not_tested(call, self._lost)
        course, care = self._course.number, self._kit.care
        closely = call.kind is not Kind.TRANSITION or care.for_call(
            course, self._state, self._known_as(call)
        )
        made = await self._made(call, closely=closely)
        if isinstance(made, NotBound):
            return not_tested(call, made.reason)
        if not closely and 200 <= made.answer.status < 300:
            return await self._in_passing(call, made, state, last=last)
        if not closely:
            # Refused, so the state before the call is still there to be asked.
            promise = self._kit.promises.of(self._kit.operations[call.operation])
            made = replace(made, requires=await self._outcomes(promise.requires))
        last = last or call.kind is not Kind.TRANSITION
        wanted = care.for_invariants(course, state, call.action or call.operation) or last
        invariants = await self._invariants() if wanted else []
        return await self._outcome(call, made, state, invariants)

    def _known_as(self, call: Call) -> str:
        """A call about something that was there before is another one than the first."""
        named = [one for one in call.arguments if isinstance(one, str)]
        return f"{call.name} again" if any(map(self.emulator.births, named)) else call.name

    async def _invariants(self) -> list[Outcome]:
        return await self._reads.outcomes(self._kit.promises.invariants)

    async def _in_passing(self, call: Call, made: _Made, state: int, *, last: bool) -> Judged:
        """A call that was judged before: its answer is good, and that is enough."""
        for newborn in made.bound.created:
            instance = self.emulator.find(newborn.value)
            if instance is not None:
                assume_kept(self._kit.echo, instance, _representation(made.bound, instance))
        self.emulator.keep_only(self._alive(state))
        judged = _judged(call, Verdict.OK, "", made.exchange)
        complaints = [*self._kit.scene.inspector.inspect(made.exchange, made.bound.case.operation)]
        complaints += self._reads.complaints
        if last:
            invariants = await self._invariants()
            self._kit.promises.count(invariants)
            numbers = self._numbers(made)
            complaints += broken_invariants(self._new(invariants), numbers)
        return _with(judged, complaints)

    async def _made(self, call: Call, *, closely: bool) -> _Made | NotBound:
        """Make a call; what is refused for its inputs is tried with others."""
        operation = self._kit.operations[call.operation]
        promise = self._kit.promises.of(operation) if closely else Promise()
        for draw in range(_DRAWS):
            bound = self._bound(call, again=draw > 0)
            if isinstance(bound, NotBound):
                return bound
            self._reads.begin(operation, _sent(bound.case))
            requires = await self._outcomes(promise.requires)
            held = together(requires) is not Truth.FALSE
            last = draw == _DRAWS - 1 or not bound.drawn or call.kind is Kind.REFUSAL
            if not held and not last:
                continue
            made = await self._sent(call, promise, bound, requires)
            if last or not held or not 400 <= made.answer.status < 500:
                break
            if bound.reborn and promise.is_written:
                break
        return made

    def _bound(self, call: Call, *, again: bool) -> Bound | NotBound:
        """The inputs of a call; an update with the same number sends the same."""
        bound = self._course.binder.bind(call, self.emulator, self._chance, again=again)
        if isinstance(bound, NotBound) or call.kind is not Kind.UPDATE:
            return bound
        key = (call.operation, call.arguments, call.input)
        if not again and key in self._updates:
            known = self._updates[key]
            if known.path == bound.case.path:
                return replace(bound, case=known)
        self._updates[key] = bound.case
        return bound

    async def _sent(
        self, call: Call, promise: Promise, bound: Bound, requires: list[Outcome]
    ) -> _Made:
        scene, operation = self._kit.scene, bound.case.operation
        await self._reads.read_before(promise.ensures)
        before = tuple(self._reads.exchanges.values())
        was_there = any(self.emulator.find(value) is not None for value in bound.deleted)
        self._own(bound)
        with scene.ownership.creating(bool(bound.created)):
            exchange = await scene.client.exchange(
                scene.client.request(bound.case), Purpose.CALL, operation.id, self._sequence
            )
            if is_in_doubt(exchange.reply):
                self._perhaps(bound, exchange)
            reply = _reply(exchange)
            if isinstance(reply, Failure):
                raise NoAnswerError(exchange, reply)
            answer = answer_of(reply)
            if not scene.inspector.can_read(reply, operation):
                answer = replace(answer, body=ABSENT)
            if 200 <= reply.status < 300:
                self._happened(call, bound, answer)
        if operation.method in _SAFE:
            self._reads.answered(answer)
        else:
            self._reads.changed(answer)
        return _Made(bound, exchange, answer, requires, before, was_there)

    def _perhaps(self, bound: Bound, exchange: Exchange) -> None:
        """What a call created, if it did, is to be removed: its values are new, and so ours."""
        known = self._kit.scene.ownership
        for newborn in bound.created:
            if newborn.identifier is ABSENT:
                self.lost.append((newborn.resource, exchange))
            elif not known.was_there(newborn.resource, newborn.identifier):
                self.in_doubt.append(self._instance(newborn, newborn.identifier, bound))

    def _own(self, bound: Bound) -> None:
        for newborn in bound.created:
            if newborn.identifier is not ABSENT:
                self._kit.scene.ownership.take(newborn.resource, newborn.identifier, self._sequence)

    # What a call does to the emulator

    def _happened(self, call: Call, bound: Bound, answer: Answer) -> None:
        for newborn in bound.created:
            self._born(newborn, bound, answer)
        self._touch(call, bound)
        for value in bound.deleted:
            self.emulator.delete(value)

    def _touch(self, call: Call, bound: Bound) -> None:
        """A call may change what its subject refers to: an order takes from the stock."""
        if bound.case.operation.method in _SAFE:
            return
        named = [one for one in call.arguments if isinstance(one, str)]
        touched = self.emulator.behind(named)
        is_field = bound.use is not None and bound.use.role is Role.FIELD
        if call.kind is Kind.ACTION or is_field:
            touched += [one for value in named if (one := self.emulator.find(value)) is not None]
        for instance in touched:
            instance.kept = {}

    def _born(self, newborn: Newborn, bound: Bound, answer: Answer) -> None:
        resource = self._kit.resources.resources[newborn.resource]
        identifier = newborn.identifier
        if identifier is ABSENT and resource.identifier is not None and bound.use is not None:
            identifier = identifier_in(answer, bound.use, resource.identifier, resource.item_path)
        if identifier is ABSENT:
            return
        self._kit.scene.ownership.take(newborn.resource, identifier, self._sequence)
        instance = self._instance(newborn, identifier, bound)
        self.emulator.add(instance)
        self.created.append(instance)

    def _instance(self, newborn: Newborn, identifier: Json, bound: Bound) -> Instance:
        resource = self._kit.resources.resources[newborn.resource]
        address = address_of(resource, newborn, identifier, bound.case, self.emulator)
        return Instance(
            newborn.value, newborn.resource, identifier, address, newborn.fields, newborn.sent,
            item_path=resource.item_path,
        )  # fmt: skip

    # What is thought of it

    async def _outcome(
        self, call: Call, made: _Made, state: int, invariants: list[Outcome]
    ) -> Judged:
        operation = self._kit.operations[call.operation]
        promise = self._kit.promises.of(operation)
        status = made.answer.status
        ensures: list[Outcome] = []
        if status < 500 and not (call.kind is Kind.REFUSAL and status >= 400):
            ensures = await self._settled(promise)
        self._kit.promises.count([*made.requires, *ensures, *invariants])
        blame = Blame(
            call, operation, promise, made.bound, made.answer, made.requires, ensures,
            self._new(invariants), together(invariants), self._numbers(made), made.was_there,
        )  # fmt: skip
        verdict, reason, complaints = blame.verdict()
        complaints += self._kit.scene.inspector.inspect(made.exchange, operation)
        complaints += self._reads.complaints
        if 200 <= status < 300:
            complaints += await self._after_success(call, made)
        elif 400 <= status < 500 and operation.method not in _SAFE:
            complaints += await self._after_refusal(call, made)
        complaints += await self._keep_up(call, made, state)
        complaints += await self._look_around(call, state)
        judged = _judged(call, verdict, reason, made.exchange)
        found = _with(judged, complaints)
        reads = (*made.reads, *self._reads.exchanges.values()) if found.complaints else ()
        return replace(found, reads=reads)

    async def _settled(self, promise: Promise) -> list[Outcome]:
        """The postconditions; a list may hold what another sequence is just creating."""
        outcomes = await self._outcomes(promise.ensures)
        if all(one.value is not Truth.FALSE for one in outcomes):
            return outcomes
        if await self._reads.sort_out():
            outcomes = await self._outcomes(promise.ensures)
        return outcomes

    async def _outcomes(self, checks: tuple[Check, ...]) -> list[Outcome]:
        found = await self._reads.outcomes(checks)
        return await self._kit.conventions.settled(self._reads, found)

    def _new(self, invariants: list[Outcome]) -> list[Outcome]:
        """The invariants that this call broke."""
        broken = [one for one in invariants if one.value is Truth.FALSE]
        new = [one for one in broken if one.clause.text not in self._broken_before]
        self._broken_before |= {one.clause.text for one in broken}
        return new

    def _numbers(self, made: _Made) -> dict[str, int]:
        found = {path: one.number for path, one in self._reads.exchanges.items()}
        return {"": made.exchange.number, **found}

    async def _after_success(self, call: Call, made: _Made) -> list[Complaint]:
        kit, bound = self._kit, made.bound
        found: list[Complaint] = []
        if kit.frame is Frame.OFF or call.kind in {Kind.READ, Kind.ACTION}:
            return found
        written = [self.emulator.find(one.value) for one in bound.created]
        if bound.updated and bound.use is not None and bound.use.role is not Role.FIELD:
            written.append(self.emulator.find(bound.updated))
        partial = made.bound.case.operation.method == "PATCH"
        for instance in written:
            if instance is not None:
                sent = _representation(bound, instance)
                found += await read_back(
                    kit.looking, kit.echo, self._reads, instance, sent, partial=partial
                )
        if bound.updated is not None:
            # A change that spreads is seen at once, before anything hides it.
            beside = [one for one in self.emulator.live() if one not in written]
            found += await untouched(kit.looking, self._reads, beside)
        return found

    async def _after_refusal(self, call: Call, made: _Made) -> list[Complaint]:
        """What is refused changes nothing."""
        kit = self._kit
        if kit.frame is Frame.OFF:
            return []
        named = [self.emulator.find(one) for one in call.arguments if isinstance(one, str)]
        alive = [one for one in named if one is not None]
        found = await untouched(kit.looking, self._reads, alive)
        only = frozenset(one.value for one in alive)
        found += await kit.views.check(self._reads, self.emulator, only)
        return found + await self._refused_and_there(made)

    async def _refused_and_there(self, made: _Made) -> list[Complaint]:
        found: list[Complaint] = []
        for newborn in made.bound.created:
            if newborn.identifier is ABSENT or self.emulator.find(newborn.value) is not None:
                continue
            unborn = self._instance(newborn, newborn.identifier, made.bound)
            path = self._kit.looking.path(unborn)
            answer = await self._reads.look(path) if path is not None else None
            if answer is not None and 200 <= answer.status < 300:
                found.append(refused_and_there(unborn, made.exchange))
            found += await self._kit.views.appeared(self._reads, unborn)
        return found

    async def _keep_up(self, call: Call, made: _Made, state: int) -> list[Complaint]:
        """Bring the emulator to what the model says, or note that they have parted."""
        good = 200 <= made.answer.status < 300
        if call.kind is Kind.TRANSITION and good:
            alive, before = self._alive(state), self._alive(self._state)
            falling = [one for one in self.emulator.live() if one.value in before - alive]
            self.emulator.keep_only(alive)
            return await fallen(self._kit.looking, self._reads, falling)
        if call.kind is Kind.REFUSAL and good and (made.bound.created or made.was_there):
            self._lost = f"the service accepted {call.name}, which leads to no state"
        return []

    def _alive(self, state: int) -> frozenset[str]:
        """The values that exist in a state; where the model cannot tell, all that did before."""
        known = self._course.exists(state)
        return frozenset(one.value for one in self.emulator.live()) if known is None else known


def _representation(bound: Bound, instance: Instance) -> Json:
    """The part of what was sent that is the instance itself."""
    for newborn in bound.created:
        if newborn.value == instance.value:
            body = newborn.sent
            break
    else:
        body = bound.case.body
    path = bound.use.request.path if bound.use is not None and bound.use.request else ()
    for part in path:
        body = body.get(part, ABSENT) if isinstance(body, dict) else body
    return body if body is not ABSENT else {}


def _reply(exchange: Exchange) -> Reply:
    """What came back; a refusal of what may have been done already tells nothing."""
    reply = exchange.reply
    if isinstance(reply, Failure) or not (reply.repeated and 400 <= reply.status < 500):
        return reply
    message = f"the connection broke, and the call was refused with {reply.status} when repeated"
    return Failure(FailureKind.RESET, message, reply.seconds, 2)


def _sent(case: Case) -> Sent:
    return Sent(case.path, case.query, case.headers, case.body)


def _judged(call: Call, verdict: Verdict, reason: str, exchange: Exchange | None) -> Judged:
    return Judged(
        call.name, call.action or call.operation, call.operation, call.kind.value, verdict,
        reason, exchange=exchange,
    )  # fmt: skip


def not_tested(call: Call, reason: str) -> Judged:
    """A call that was not made."""
    return _judged(call, Verdict.NOT_TESTED, reason, None)


def _with(judged: Judged, complaints: Iterable[Complaint]) -> Judged:
    """The same with more complaints; the verdict is at least as grave as each of them."""
    more = tuple(complaints)
    if not more:
        return judged
    verdict = worst(judged.verdict, *(one.level for one in more))
    return replace(judged, complaints=(*judged.complaints, *more), verdict=verdict)
