"""Laws of single items: entity tags follow what is shown, and what is refused changes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from http import HTTPStatus

from icepick.execute.answers import body_of
from icepick.execute.bind import Bound
from icepick.execute.emulator import Instance
from icepick.execute.events import Exchanged, PhaseStarted
from icepick.execute.pages import Arrived, Errands, finding_of
from icepick.execute.phases import Stage
from icepick.execute.types import (
    Complaint,
    Exchange,
    Finding,
    Provenance,
    Purpose,
    Request,
    Response,
    Verdict,
)
from icepick.inputs import Case
from icepick.inputs.learn.mutate import put
from icepick.openapi.shape import keyword, types
from icepick.openapi.types import Json, Operation, ParameterLocation
from icepick.resources.fields import inputs
from icepick.resources.types import Field, Location, Resource, Role
from icepick.resources.words import words
from icepick.sequences.types import Call, Kind

TAGS = "tags"
EXTREMES = "extremes"
IF_MATCH = "If-Match"
_UPDATES = (Role.UPDATE, Role.REPLACE)

Wrong = tuple[str, str, str, tuple[Exchange, ...]]
"""The law, what happened, what it is about, and the exchanges that show it, the call last."""


@dataclass(frozen=True, slots=True)
class Look:
    """An item as it was read: its tag, and what it shows."""

    exchange: Exchange
    tag: str
    body: Json

    @property
    def is_weak(self) -> bool:
        """Whether the tag only speaks of what it means, not of every byte."""
        return self.tag.startswith("W/")


class Items:
    """Looks at one item of every resource; what kind of law it is about is for others to say."""

    check = ""

    def __init__(self, errands: Errands) -> None:
        self._errands = errands
        self._kit = errands.kit
        self._client = errands.kit.scene.client

    async def run(self, stage: Stage) -> None:
        """Look at every resource twice: only what repeats counts."""
        stage.tell(PhaseStarted(self.check))
        for resource in self._kit.resources.resources.values():
            if stage.is_over():
                return
            if not resource.having(Role.READ) or not self._concerns(resource):
                continue
            first = {one.complaint.about async for one in self._found(resource)}
            if first:
                async for one in self._found(resource):
                    if one.complaint.about in first:
                        stage.found(one)

    async def _found(self, resource: Resource) -> AsyncIterator[Finding]:
        async with self._errands.arrive(resource.name) as arrived:
            instances = arrived.of(resource.name) if arrived is not None else []
            if arrived is None or not instances:
                return
            async for law, text, about, shown in self._wrong(arrived, resource, instances[0]):
                complaint = Complaint(
                    self.check, Verdict.ERR, law, text, Provenance.LAW, about,
                    exchanges=tuple(one.number for one in shown),
                )  # fmt: skip
                yield finding_of(arrived, complaint, shown)

    def _concerns(self, resource: Resource) -> bool:
        """Whether there is anything to look at; to go there costs something."""
        raise NotImplementedError

    def _wrong(
        self, arrived: Arrived, resource: Resource, instance: Instance
    ) -> AsyncIterator[Wrong]:
        """What is wrong with an item."""
        raise NotImplementedError

    def _case(self, arrived: Arrived, operation: Operation, instance: Instance) -> Case | None:
        call = Call(Kind.UPDATE, operation.id, (instance.value,), input=1)
        bound = arrived.course.binder.bind(call, arrived.walk.emulator, arrived.chance)
        return bound.case if isinstance(bound, Bound) else None

    # Exchanges

    async def _look(self, instance: Instance) -> Look | None:
        """The item as it is now; None where it cannot be read."""
        path = self._kit.looking.path(instance)
        if path is None:
            return None
        exchange = await self._client.exchange(
            self._client.reading(path), Purpose.READ, self._kit.looking.operation(instance)
        )
        reply = exchange.reply
        if not isinstance(reply, Response) or reply.status != HTTPStatus.OK:
            return None
        return Look(exchange, reply.header("ETag") or "", body_of(reply))

    async def _send(self, request: Request, operation: Operation) -> Exchange:
        return await self._client.exchange(request, Purpose.CALL, operation.id)


class Tags(Items):
    """Looks at the tags of items before and after changes, and at conditions that do not hold."""

    check = TAGS

    def __init__(self, errands: Errands) -> None:
        super().__init__(errands)
        self._tagged: set[str | None] = set()
        self._client.listen(self._note)

    def _note(self, event: Exchanged) -> None:
        reply = event.exchange.reply
        if isinstance(reply, Response) and reply.header("ETag") is not None:
            self._tagged.add(event.exchange.operation)

    def _concerns(self, resource: Resource) -> bool:
        return any(use.operation in self._tagged for use in resource.uses)

    async def _wrong(
        self, arrived: Arrived, resource: Resource, instance: Instance
    ) -> AsyncIterator[Wrong]:
        first = await self._look(instance)
        again = await self._look(instance) if first is not None else None
        if first is None or again is None or not first.tag:
            return
        if first.body == again.body and not _alike(first.tag, again.tag):
            law = "a representation that does not change keeps its entity tag"
            text = f"the tag was {first.tag} and then {again.tag}, though nothing changed"
            yield law, text, f"{resource.name} restless", (first.exchange, again.exchange)
        for use in resource.having(*_UPDATES):
            operation = self._kit.operations[use.operation]
            async for wrong in self._updated(arrived, operation, instance):
                yield wrong
        for use in resource.having(Role.DELETE):
            operation = self._kit.operations[use.operation]
            if _heeds(operation):
                async for wrong in self._deleted(operation, instance):
                    yield wrong

    # Changes

    async def _updated(
        self, arrived: Arrived, operation: Operation, instance: Instance
    ) -> AsyncIterator[Wrong]:
        case = self._case(arrived, operation, instance)
        before = await self._look(instance)
        if case is None or before is None:
            return
        request = self._client.request(case)
        if _heeds(operation):
            async for wrong in self._conditional(operation, request, before, instance):
                yield wrong
            request = request if before.is_weak else _on_condition(request, before.tag)
        call = await self._send(request, operation)
        after = await self._look(instance)
        for wrong in _rejected(operation, before, call):
            yield wrong
        if after is None or not _is_good(call):
            return
        shown = (before.exchange, after.exchange, call)
        if before.body != after.body and _alike(before.tag, after.tag):
            law = "a representation that changes has another entity tag"
            text = f"{operation.label} changed what is read, and the tag is {after.tag} still"
            yield law, text, f"{operation.id} stale", shown

    # Conditions

    async def _conditional(
        self, operation: Operation, request: Request, before: Look, instance: Instance
    ) -> AsyncIterator[Wrong]:
        """Make a call on a condition that does not hold."""
        call = await self._send(_on_condition(request, _other(before.tag)), operation)
        after = await self._look(instance)
        law = "a call whose condition does not hold is refused and changes nothing"
        about = f"{operation.id} ignores {IF_MATCH}"
        seen = (after.exchange,) if after is not None else ()
        if _is_good(call):
            text = f"{operation.label} with an entity tag that does not fit answered {call.status}"
            yield law, text, about, (before.exchange, *seen, call)
        elif _is_refused(call) and (after is None or after.body != before.body):
            text = f"{operation.label} answered {call.status}, and what is read changed"
            yield law, text, f"{operation.id} refused and done", (before.exchange, *seen, call)

    async def _deleted(self, operation: Operation, instance: Instance) -> AsyncIterator[Wrong]:
        before = await self._look(instance)
        if before is None:
            return
        request = self._client.request(Case(operation, path=instance.parameters(operation.path)))
        async for wrong in self._conditional(operation, request, before, instance):
            yield wrong
        if await self._look(instance) is None or before.is_weak:
            return
        call = await self._send(_on_condition(request, before.tag), operation)
        for wrong in _rejected(operation, before, call):
            yield wrong


class Extremes(Items):
    """Sends the largest and smallest numbers that are allowed: a service may refuse them still."""

    check = EXTREMES

    def _concerns(self, resource: Resource) -> bool:
        updates = [self._kit.operations[use.operation] for use in resource.having(*_UPDATES)]
        return any(True for one in updates for _ in self._bounds(one, resource))

    async def _wrong(
        self, arrived: Arrived, resource: Resource, instance: Instance
    ) -> AsyncIterator[Wrong]:
        first, before = await self._look(instance), await self._look(instance)
        if first is None or before is None or first.body != before.body:
            return
        for use in resource.having(*_UPDATES):
            operation = self._kit.operations[use.operation]
            for leaf, bound in self._bounds(operation, resource):
                case = self._case(arrived, operation, instance)
                if case is None:
                    continue
                case = replace(case, body=put(case.body, leaf.path, bound))
                call = await self._send(self._client.request(case), operation)
                after = await self._look(instance)
                if after is None:
                    return
                if _is_refused(call) and after.body != before.body:
                    law = "what is refused changes nothing"
                    text = f"{operation.label} answered {call.status}, and what is read changed"
                    shown = (before.exchange, after.exchange, call)
                    yield law, text, f"{operation.id} {leaf.name} refused and done", shown
                before = after

    def _bounds(self, operation: Operation, resource: Resource) -> Iterator[tuple[Field, Json]]:
        """The numbers of a body with the largest and smallest that the document allows."""
        schemas = self._kit.scene.schemas
        for leaf in inputs(operation, schemas):
            numeric = types(leaf.schema, schemas) & {"integer", "number"}
            for word in ("maximum", "minimum") if numeric and _is_plain(leaf, resource) else ():
                bound = keyword(leaf.schema, word, schemas)
                if bound is not None:
                    yield leaf, bound


def _is_plain(leaf: Field, resource: Resource) -> bool:
    """Whether an input is a value, and does not say which thing is meant."""
    identifier = resource.identifier.property if resource.identifier is not None else None
    named = {
        path[-1] for path in (identifier, *(one.field.path for one in resource.references)) if path
    }
    points = leaf.path[-1] in named or words(leaf.name)[-1:] == ("id",)
    return (
        leaf.location is Location.BODY and not leaf.is_many and "[]" not in leaf.path and not points
    )


def _rejected(operation: Operation, before: Look, call: Exchange) -> Iterator[Wrong]:
    if call.status == HTTPStatus.PRECONDITION_FAILED:
        law = "a call whose condition holds is not refused for it"
        text = f"{operation.label} with the tag {before.tag}, which it has, answered 412"
        yield law, text, f"{operation.id} rejects {IF_MATCH}", (before.exchange, call)


def _heeds(operation: Operation) -> bool:
    """Whether the document says that the operation looks at If-Match."""
    named = (one.name.lower() for one in operation.parameters_in(ParameterLocation.HEADER))
    return IF_MATCH.lower() in named or "412" in operation.responses


def _on_condition(request: Request, tag: str) -> Request:
    others = [pair for pair in request.headers if pair[0].lower() != IF_MATCH.lower()]
    return replace(request, headers=(*others, (IF_MATCH, tag)))


def _other(tag: str) -> str:
    """A tag of the same form that the item does not have."""
    inside = tag.removeprefix("W/").strip('"')
    turned = inside[::-1] if inside[::-1] != inside else f"{inside}0"
    return f'"{turned}"'


def _alike(one: str, other: str) -> bool:
    """Whether two tags are the same in the weak sense."""
    return one.removeprefix("W/") == other.removeprefix("W/")


def _is_good(call: Exchange) -> bool:
    return call.status is not None and 200 <= call.status < 300


def _is_refused(call: Exchange) -> bool:
    return call.status is not None and 400 <= call.status < 500
