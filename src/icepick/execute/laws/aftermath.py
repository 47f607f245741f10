"""What a call leaves behind it, looked at without contracts: what it wrote, and what it may not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus

from icepick.execute.answers import at
from icepick.execute.binding.bound import Answered, Bound
from icepick.execute.binding.emulator import Instance
from icepick.execute.binding.holdings import Holdings
from icepick.execute.kit import Kit
from icepick.execute.laws.frame import (
    Frame,
    assume_kept,
    below,
    read_back,
    refused_and_there,
    untouched,
)
from icepick.execute.reads import Reads
from icepick.execute.types import Complaint
from icepick.inputs import Case
from icepick.inputs.learn.mutate import put
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.types import Chooser, Role
from icepick.resources.words import noun, singular
from icepick.sequences.types import Call, Kind

_WORD = re.compile(r"[^\W\d_]+")
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Looks at what the calls of one sequence did to what it has in the service."""

    kit: Kit
    reads: Reads
    holdings: Holdings

    def assume(self, bound: Bound) -> None:
        """Take it that a creation that is known to work kept what it was sent."""
        for newborn in bound.created:
            instance = self.holdings.emulator.find(newborn.value)
            if instance is not None:
                assume_kept(self.kit.echo, instance, _representation(bound, instance))

    async def of_success(self, call: Call, bound: Bound) -> list[Complaint]:
        """What is written reads back, and a change does not spread."""
        kit, emulator = self.kit, self.holdings.emulator
        found: list[Complaint] = []
        if kit.frame is Frame.OFF or call.kind in {Kind.READ, Kind.ACTION}:
            return found
        written = [emulator.find(one.value) for one in bound.created]
        if bound.updated and bound.use is not None and bound.use.role is not Role.FIELD:
            written.append(emulator.find(bound.updated))
        # Who sends nothing replaces nothing.
        partial = bound.case.operation.method == "PATCH" or _sends_nothing(bound.case)
        for instance in written:
            if instance is not None:
                sent = self._without_name(_representation(bound, instance), instance)
                found += await read_back(
                    kit.looking, kit.echo, self.reads, instance, sent, partial=partial
                )
        if bound.updated is not None:
            # A change that spreads is seen at once, before anything hides it.
            beside = [one for one in emulator.live() if one not in written]
            found += await untouched(kit.looking, self.reads, beside)
            # No state of a model is new after it, and a list may show what was there before.
            found += await kit.views.check(self.reads, emulator, frozenset({bound.updated}))
        return found

    def _without_name(self, sent: Json, instance: Instance) -> Json:
        """What was sent, but for an identifier in place of which the service has its own."""
        identifier = self.kit.resources.resources[instance.resource].identifier
        path = (identifier.property or ()) if identifier is not None else ()
        mine = at(sent, path) if path else ABSENT
        own = identifier is not None and identifier.chooser is Chooser.EITHER
        if not own or mine is ABSENT or str(mine) == str(instance.identifier):
            return sent
        return put(sent, path, ABSENT)

    async def of_refusal(self, call: Call, answered: Answered) -> list[Complaint]:
        """What is refused changes nothing."""
        kit, emulator = self.kit, self.holdings.emulator
        if kit.frame is Frame.OFF:
            return []
        named = [emulator.find(one) for one in call.arguments if isinstance(one, str)]
        alive = [one for one in named if one is not None]
        found = await untouched(kit.looking, self.reads, alive)
        only = frozenset(one.value for one in alive)
        found += await kit.views.check(self.reads, emulator, only)
        return found + await self._refused_and_there(answered)

    async def of_surprise(self, bound: Bound) -> list[Complaint]:
        """What was deleted against all expectation takes with it what lies below it, and leaves
        what has nothing to do with it."""
        kit, emulator = self.kit, self.holdings.emulator
        found: list[Complaint] = []
        for value in bound.deleted if kit.frame is not Frame.OFF else ():
            gone = emulator.past(value) if emulator.find(value) is None else None
            if gone is not None:
                with_it = emulator.before(value)
                found += await below(kit.looking, self.reads, gone, with_it)
                rest = [one for one in emulator.live() if one not in with_it]
                found += await untouched(kit.looking, self.reads, rest)
        return found

    def _was_there(self, path: str, answered: Answered) -> bool:
        """Whether something had an address before a call, or may have had it: a conflict says so,
        unless it was seen to be free."""
        url = self.kit.scene.client.reading(path).url
        seen = [one.status or 0 for one in answered.reads if one.request.url == url]
        if not seen:
            return answered.answer.status == HTTPStatus.CONFLICT
        return 200 <= seen[-1] < 300

    async def _refused_and_there(self, answered: Answered) -> list[Complaint]:
        found: list[Complaint] = []
        for newborn in answered.bound.created:
            known = self.holdings.emulator.find(newborn.value)
            if newborn.identifier is ABSENT or known is not None:
                continue
            unborn = self.holdings.instance(newborn, newborn.identifier, answered.bound)
            path = self.kit.looking.path(unborn)
            taken = map(self.kit.looking.path, self.holdings.emulator.live())
            if path is not None and path in taken:
                continue  # another one has this address, which may be why it was refused
            if path is not None and self._was_there(path, answered):
                continue
            answer = await self.reads.look(path) if path is not None else None
            if answer is not None and 200 <= answer.status < 300:
                found.append(refused_and_there(unborn, answered.exchange))
            found += await self.kit.views.appeared(self.reads, unborn)
        return found

    async def taken_along(self, bound: Bound) -> Instance | None:
        """What a deletion took with it that the deleted one referred to, where it says so: "the
        session and its kernel were deleted"."""
        emulator, told = self.holdings.emulator, _told(bound.case.operation)
        for gone in filter(None, map(emulator.past, bound.deleted)):
            for one in filter(None, map(emulator.find, gone.fields.values())):
                if not set(noun(one.resource)) <= told:
                    continue
                sight = await self.kit.looking.sight(self.reads, one)
                if sight is not None and sight.shown is ABSENT:
                    return one
        return None

    async def around(self, call: Call, course: int, state: int) -> list[Complaint]:
        """Compare all views where a state is reached for the first time, or at every change."""
        kit, emulator = self.kit, self.holdings.emulator
        if kit.frame is Frame.OFF or call.kind is Kind.READ:
            return []
        if kit.frame is Frame.END and not kit.care.for_views(course, state):
            return []
        found = await untouched(kit.looking, self.reads, emulator.live())
        return found + await kit.views.check(self.reads, emulator)

    async def at_the_end(self) -> list[Complaint]:
        """What changed meanwhile, where nobody looked after each call."""
        if self.kit.frame is not Frame.END:
            return []
        return await untouched(self.kit.looking, self.reads, self.holdings.emulator.live())


def _told(operation: Operation) -> set[str]:
    """The words that the document has for what an operation does, each in the singular."""
    answers = [one.description for code, one in operation.responses.items() if code[:1] == "2"]
    text = " ".join([operation.summary, operation.description, *answers])
    return {singular(word.lower()) for word in _WORD.findall(text)}


def _sends_nothing(case: Case) -> bool:
    """Whether a call has no content: a form without fields has none either."""
    kind = (case.content_type or "").lower()
    empty = case.body == {} and kind.startswith(_FORMS)
    return (case.body is ABSENT or empty) and not case.query


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
