"""One sequence from its first call to its last: Algorithms 4 and 5 of the ICEPICK paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator
from dataclasses import replace

from icepick.execute.binding.bound import Answered, Bound, NotBound
from icepick.execute.binding.chance import for_call
from icepick.execute.binding.emulator import Instance
from icepick.execute.binding.holdings import Holdings
from icepick.execute.binding.subject import LAST, Chance
from icepick.execute.binding.thresholds import at_threshold
from icepick.execute.events import LeftBehind
from icepick.execute.judging.inspect import leaves_in_doubt
from icepick.execute.judging.judge import together
from icepick.execute.judging.promises import Promise
from icepick.execute.judging.verdicts import Verdicts, not_tested, with_complaints
from icepick.execute.kit import Course, Kit
from icepick.execute.laws.aftermath import Aftermath
from icepick.execute.laws.frame import fallen
from icepick.execute.reads import NoAnswerError, Reads
from icepick.execute.transport.pending import outcome, shown
from icepick.execute.types import (
    Complaint,
    Exchange,
    Failure,
    FailureKind,
    Judged,
    Purpose,
    Reply,
    is_in_doubt,
)
from icepick.glacier import Outcome, Sent, Truth
from icepick.inputs import Case
from icepick.openapi.types import ABSENT
from icepick.sequences.types import Call, Kind, Step
from icepick.sequences.upkeep import AT_THRESHOLD

_DRAWS = LAST + 1
"""How many inputs are tried before a call counts as refused."""


class Walk:
    """Makes the calls of one sequence and judges each of them."""

    def __init__(self, kit: Kit, course: Course, sequence: int, chance: Chance) -> None:
        self._kit = kit
        self._course = course
        self._chance = chance
        self._sequence = sequence
        self._reads = Reads(kit.scene, sequence, strict=True)
        self._verdicts = Verdicts(kit, self._reads)
        self._holdings = Holdings(kit.resources, kit.scene.ownership, sequence)
        self._aftermath = Aftermath(kit, self._reads, self._holdings)
        self._state = 0
        self._made = Counter[str]()
        self._updates: dict[tuple[str, tuple[object, ...], int], Case] = {}
        self._lost = ""
        self._is_spoiled = False
        self.emulator = self._holdings.emulator
        self.created = self._holdings.created

    @property
    def is_lost(self) -> bool:
        """Whether the service and the model have parted."""
        return bool(self._lost)

    @property
    def _is_alone(self) -> bool:
        """Whether what shows here is believed; what shows side by side is only suspected."""
        return self._sequence < 0

    @property
    def saved(self) -> int:
        """How many GETs were answered from memory."""
        return max(0, self._reads.asked - self._reads.read)

    def remains(self) -> list[Instance]:
        """What is to be removed, oldest first: it is there, or may be."""
        return self._holdings.remains()

    def untraced(self) -> Iterator[LeftBehind]:
        """What may be there, and cannot be removed."""
        return self._holdings.untraced()

    def spare(self) -> list[Instance]:
        """What stays for good, refers to nothing, and can stand for something new."""
        stays = self._kit.scene.client.shared.staying.stays
        return [one for one in self.remains() if stays(one.resource) and not one.fields]

    @property
    def is_spoiled(self) -> bool:
        """Whether something was done that may have left more behind than anybody knows."""
        return self._is_spoiled or self.is_lost

    async def broken(self) -> frozenset[str]:
        """The invariants that do not hold now."""
        outcomes = await self._verdicts.invariants()
        return frozenset(one.clause.text for one in outcomes if one.value is Truth.FALSE)

    async def run(self, steps: Iterable[Step]) -> AsyncGenerator[Judged, None]:
        """The calls one after another, each judged."""
        waiting = list(steps)
        for index, step in enumerate(waiting):
            last = index == len(waiting) - 1
            judged = await self._judged(step.call, step.state, last=last)
            if last and not self._lost:
                judged = with_complaints(judged, await self._aftermath.at_the_end())
            blurs = step.call.kind is Kind.ACTION or any(map(leaves_in_doubt, judged.complaints))
            self._is_spoiled = self._is_spoiled or blurs
            yield replace(judged, source=self._state, target=step.state)
            self._state = step.state

    # One call

    async def _judged(self, call: Call, state: int, *, last: bool) -> Judged:
        if self._lost:
            return not_tested(call, self._lost)
        course, care = self._course.number, self._kit.care
        closely = call.kind is not Kind.TRANSITION or care.for_call(
            course, self._state, self._known_as(call)
        )
        answered = await self._answered(call, closely=closely)
        if isinstance(answered, NotBound):
            return not_tested(call, answered.reason)
        if not closely and answered.is_good and not answered.known:
            self._aftermath.assume(answered.bound)
            self.emulator.keep_only(self._alive_after(call, state))
            await self._take_along(call, answered)
            return await self._verdicts.in_passing(call, answered, last=last)
        if not closely:
            # Refused, so the state before the call is still there to be asked.
            promise = self._kit.promises.of(self._kit.operations[call.operation])
            requires = await self._verdicts.outcomes(promise.requires)
            answered = replace(answered, requires=requires)
        last = last or call.kind is not Kind.TRANSITION
        wanted = care.for_invariants(course, state, call.action or call.operation) or last
        invariants = await self._verdicts.invariants() if wanted else []
        return await self._closely(call, answered, state, invariants)

    def _known_as(self, call: Call) -> str:
        """A call about something that was there before is another one than the first."""
        named = [one for one in call.arguments if isinstance(one, str)]
        again = any(map(self.emulator.births, named))
        return f"{call.name} again" if again else call.name

    async def _closely(
        self, call: Call, answered: Answered, state: int, invariants: list[Outcome]
    ) -> Judged:
        """The verdict on a call, and what comes to light after it."""
        judged = await self._verdicts.by_contract(call, answered, invariants)
        complaints: list[Complaint] = []
        if answered.is_good:
            complaints += await self._aftermath.of_success(call, answered.bound)
        elif 400 <= answered.answer.status < 500 and not _is_safe(answered.bound):
            complaints += await self._aftermath.of_refusal(call, answered)
        complaints += await self._keep_up(call, answered, state)
        if not self._lost:
            complaints += await self._aftermath.around(call, self._course.number, state)
        found = with_complaints(judged, complaints)
        if not found.complaints:
            return found
        return replace(found, reads=(*answered.reads, *self._reads.exchanges.values()))

    async def _keep_up(self, call: Call, answered: Answered, state: int) -> list[Complaint]:
        """Bring the emulator to what the model says, or note that they have parted."""
        good = answered.is_good
        if answered.known:
            self._lost = f"{call.name} gave what was there already"
            return []
        if call.kind is Kind.TRANSITION and good:
            alive, before = self._alive_after(call, state), self._alive(self._state)
            falling = [one for one in self.emulator.live() if one.value in before - alive]
            self.emulator.keep_only(alive)
            await self._take_along(call, answered)
            return await fallen(self._kit.looking, self._reads, falling)
        if call.kind is Kind.TRANSITION and self._left(state):
            self._lost = f"the service refused {call.name}, without which the model goes on"
            return []
        bound = answered.bound
        changes = bool(bound.created or bound.unasked) or answered.was_there
        if call.kind is Kind.REFUSAL and good and changes:
            self._lost = f"the service accepted {call.name}, which leads to no state"
            return await self._aftermath.of_surprise(answered.bound)
        return []

    async def _take_along(self, call: Call, answered: Answered) -> None:
        """Part with the model where a deletion takes with it what no model lets go."""
        taken = await self._aftermath.taken_along(answered.bound)
        if taken is not None:
            self.emulator.delete(taken.value)
            self._lost = f"{call.name} took {taken.value} with it, as its description says"

    def _left(self, state: int) -> list[Instance]:
        """What the model takes for deleted in a state, though it is there."""
        gone = self._alive(self._state) - self._alive(state)
        return [one for one in self.emulator.live() if one.value in gone]

    def _alive_after(self, call: Call, state: int) -> frozenset[str]:
        """The values that exist after a call that did what it should."""
        known = self._course.exists(state)
        if known is not None:
            return known
        live = self.emulator.live()
        return self._alive(state) - self._course.binder.falling(call, live)

    def _alive(self, state: int) -> frozenset[str]:
        """The values that exist in a state; where the model cannot tell, all that did before."""
        known = self._course.exists(state)
        return frozenset(one.value for one in self.emulator.live()) if known is None else known

    # Making it

    async def _answered(self, call: Call, *, closely: bool) -> Answered | NotBound:
        """Make a call; what is refused for its inputs is tried with others."""
        operation = self._kit.operations[call.operation]
        promise = self._kit.promises.of(operation) if closely else Promise()
        name = call.name
        self._made[name] += 1
        chance = for_call(self._chance, name, self._made[name])
        for draw in range(_DRAWS):
            drawn = replace(chance, attempt=draw) if draw else chance
            bound = self._bound(call, drawn, again=draw > 0)
            if isinstance(bound, NotBound):
                return bound
            if (enough := self._enough(call, bound)) is not None:
                return enough
            self._reads.begin(operation, _sent(bound.case))
            requires = await self._verdicts.outcomes(promise.requires)
            if call.input == AT_THRESHOLD:
                bound, requires = await self._at_threshold(bound, promise, requires)
            held = together(requires) is not Truth.FALSE
            chosen = call.kind is Kind.REFUSAL or call.input == AT_THRESHOLD
            last = draw == _DRAWS - 1 or not bound.drawn or chosen
            if not held and not last:
                continue
            answered = await self._sent(call, promise, bound, requires)
            if last or not held or not 400 <= answered.answer.status < 500:
                break
            if bound.reborn and promise.is_written:
                break
        return answered

    def _enough(self, call: Call, bound: Bound) -> NotBound | None:
        """Where enough is there already of what stays for good: one that nobody uses takes the
        place of a new one. Without one the sequence ends, unless there is room for one more."""
        staying = self._kit.scene.client.shared.staying
        for newborn in bound.created if call.kind is Kind.TRANSITION else ():
            if not staying.is_enough(newborn.resource):
                continue
            known = None
            if not newborn.fields:
                known = staying.take(newborn.resource, clean=self._is_alone)
                if known is None and not staying.is_full(newborn.resource):
                    continue
            reason = staying.declined(newborn.resource)
            if known is None:
                self._lost = reason
            else:
                self._holdings.adopt(newborn, known)
            return NotBound(reason)
        return None

    async def _at_threshold(
        self, bound: Bound, promise: Promise, requires: list[Outcome]
    ) -> tuple[Bound, list[Outcome]]:
        """The call with the last numbers that its contract allows, where its schema does too."""
        case = at_threshold(bound.case, promise.requires, self._reads)
        if not self._kit.scene.inspector.may_be_sent(case):
            return bound, requires
        self._reads.begin(case.operation, _sent(case))
        return replace(bound, case=case), await self._verdicts.outcomes(promise.requires)

    def _bound(self, call: Call, chance: Chance, *, again: bool) -> Bound | NotBound:
        """The inputs of a call; an update with the same number sends the same."""
        bound = self._course.binder.bind(call, self.emulator, chance, again=again)
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
    ) -> Answered:
        scene, operation = self._kit.scene, bound.case.operation
        await self._reads.read_before(promise.ensures)
        before = tuple(self._reads.exchanges.values())
        was_there = any(self.emulator.find(value) is not None for value in bound.deleted)
        self._holdings.claim(bound)
        with scene.ownership.creating(bool(bound.created)):
            exchange = await scene.client.exchange(
                scene.client.request(bound.case), Purpose.CALL, operation.id, self._sequence
            )
            if is_in_doubt(exchange.reply):
                self._holdings.perhaps(bound, exchange)
            reply = _reply(exchange)
            if isinstance(reply, Failure):
                raise NoAnswerError(exchange, reply)
            resources, number = self._kit.resources, self._sequence
            answer = await outcome(scene.client, exchange, resources, number)
            if not scene.inspector.can_read(reply, operation):
                answer = replace(answer, body=ABSENT)
            if 200 <= reply.status < 300:
                self._holdings.happened(call, bound, answer)
                await shown(scene.client, exchange)
        if _is_safe(bound):
            self._reads.answered(answer)
        else:
            self._reads.changed(answer)
        holdings, good = self._holdings, 200 <= reply.status < 300
        known, renamed = holdings.known and good, holdings.renamed and good
        return Answered(bound, exchange, answer, requires, before, was_there, known, renamed)


def _is_safe(bound: Bound) -> bool:
    return bound.case.operation.is_safe


def _reply(exchange: Exchange) -> Reply:
    """What came back; a refusal of what may have been done already tells nothing."""
    reply = exchange.reply
    if isinstance(reply, Failure) or not (reply.repeated and 400 <= reply.status < 500):
        return reply
    message = f"there was no answer, and the call was refused with {reply.status} when repeated"
    return Failure(FailureKind.RESET, message, reply.seconds, 2)


def _sent(case: Case) -> Sent:
    return Sent(case.path, case.query, case.headers, case.body)
