"""The law of entity tags: they follow what is shown, and conditions on them are heeded."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from http import HTTPStatus

from icepick.execute.binding.emulator import Instance
from icepick.execute.events import Exchanged
from icepick.execute.laws.errands import Arrived, Errands
from icepick.execute.laws.items import (
    UPDATES,
    ItemLaw,
    Look,
    Wrong,
    is_good,
    is_refused,
    look,
    look_at_items,
    send,
    update_of,
)
from icepick.execute.phases import Stage
from icepick.execute.transport.matching import IF_MATCH, on_condition
from icepick.execute.types import Exchange, Request, Response
from icepick.inputs import Case
from icepick.openapi.types import Operation, ParameterLocation
from icepick.resources.types import Resource, Role

TAGS = "tags"


class Tags:
    """Looks at the tags of items before and after changes, and at conditions that do not hold."""

    def __init__(self, errands: Errands) -> None:
        self._errands = errands
        self._kit = errands.kit
        self._client = errands.kit.scene.client
        self._tagged: set[str | None] = set()
        self._client.listen(self._note)

    async def run(self, stage: Stage) -> None:
        """Look at an item of every resource that showed a tag."""
        await look_at_items(ItemLaw(TAGS, self._concerns, self._wrong), self._errands, stage)

    def _note(self, event: Exchanged) -> None:
        exchange = event.exchange
        if exchange.operation in self._tagged:
            return
        if isinstance(exchange.reply, Response) and exchange.reply.header("ETag") is not None:
            self._tagged.add(exchange.operation)

    def _concerns(self, resource: Resource) -> bool:
        return any(use.operation in self._tagged for use in resource.uses)

    async def _wrong(
        self, arrived: Arrived, resource: Resource, instance: Instance
    ) -> AsyncIterator[Wrong]:
        first = await look(self._kit, instance)
        again = await look(self._kit, instance) if first is not None else None
        if first is None or again is None or not first.tag:
            return
        if first.body != again.body:
            return  # it changes by itself, so that nobody can tell what a call did to it
        if not _alike(first.tag, again.tag):
            law = "a representation that does not change keeps its entity tag"
            text = f"the tag was {first.tag} and then {again.tag}, though nothing changed"
            yield law, text, f"{resource.name} restless", (first.exchange, again.exchange)
        for use in resource.having(*UPDATES):
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
        case = update_of(arrived, operation, instance)
        before = await look(self._kit, instance)
        if case is None or before is None:
            return
        request = self._client.request(case)
        if _heeds(operation):
            async for wrong in self._conditional(operation, request, before, instance):
                yield wrong
            request = request if before.is_weak else on_condition(request, before.tag)
        call = await send(self._kit, request, operation)
        after = await look(self._kit, instance)
        for wrong in _rejected(operation, before, call):
            yield wrong
        if after is None or not is_good(call):
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
        call = await send(self._kit, on_condition(request, _other(before.tag)), operation)
        after = await look(self._kit, instance)
        law = "a call whose condition does not hold is refused and changes nothing"
        about = f"{operation.id} ignores {IF_MATCH}"
        seen = (after.exchange,) if after is not None else ()
        if is_good(call):
            text = f"{operation.label} with an entity tag that does not fit answered {call.status}"
            yield law, text, about, (before.exchange, *seen, call)
        elif is_refused(call) and (after is None or after.body != before.body):
            text = f"{operation.label} answered {call.status}, and what is read changed"
            yield law, text, f"{operation.id} refused and done", (before.exchange, *seen, call)

    async def _deleted(self, operation: Operation, instance: Instance) -> AsyncIterator[Wrong]:
        before = await look(self._kit, instance)
        if before is None:
            return
        request = self._client.request(Case(operation, path=instance.parameters(operation.path)))
        async for wrong in self._conditional(operation, request, before, instance):
            yield wrong
        if await look(self._kit, instance) is None or before.is_weak:
            return
        call = await send(self._kit, on_condition(request, before.tag), operation)
        for wrong in _rejected(operation, before, call):
            yield wrong


def _rejected(operation: Operation, before: Look, call: Exchange) -> Iterator[Wrong]:
    if call.status == HTTPStatus.PRECONDITION_FAILED:
        law = "a call whose condition holds is not refused for it"
        text = f"{operation.label} with the tag {before.tag}, which it has, answered 412"
        yield law, text, f"{operation.id} rejects {IF_MATCH}", (before.exchange, call)


def _heeds(operation: Operation) -> bool:
    """Whether the document says that the operation looks at If-Match."""
    named = (one.name.lower() for one in operation.parameters_in(ParameterLocation.HEADER))
    return IF_MATCH.lower() in named or "412" in operation.responses


def _other(tag: str) -> str:
    """A tag of the same form that the item does not have."""
    inside = tag.removeprefix("W/").strip('"')
    turned = inside[::-1] if inside[::-1] != inside else f"{inside}0"
    return f'"{turned}"'


def _alike(one: str, other: str) -> bool:
    """Whether two tags are the same in the weak sense."""
    return one.removeprefix("W/") == other.removeprefix("W/")
