"""Laws of single items: one item of every resource is looked at before and after calls."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from http import HTTPStatus

from icepick.execute.answers import body_of
from icepick.execute.binding.bound import Bound
from icepick.execute.binding.emulator import Instance
from icepick.execute.events import PhaseStarted
from icepick.execute.kit import Kit
from icepick.execute.laws.errands import Arrived, Errands, finding_of
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
from icepick.openapi.types import Json, Operation
from icepick.resources.types import Resource, Role
from icepick.sequences.types import Call, Kind

UPDATES = (Role.UPDATE, Role.REPLACE)

Wrong = tuple[str, str, str, tuple[Exchange, ...]]
"""The law, what happened, what it is about, and the exchanges that show it, the call last."""


@dataclass(frozen=True, slots=True)
class ItemLaw:
    """A law of single items: whether it has to do with a resource, and what breaks it.

    To go to an item costs something, so `concerns` is asked first.
    """

    check: str
    concerns: Callable[[Resource], bool]
    wrong: Callable[[Arrived, Resource, Instance], AsyncIterator[Wrong]]


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


async def look_at_items(law: ItemLaw, errands: Errands, stage: Stage) -> None:
    """Look at every resource twice: only what repeats counts."""
    stage.tell(PhaseStarted(law.check))
    for resource in errands.kit.resources.resources.values():
        if stage.is_over():
            return
        if not resource.having(Role.READ) or not law.concerns(resource):
            continue
        first = {one.complaint.about async for one in _found(law, errands, resource, stage)}
        if first:
            async for one in _found(law, errands, resource, stage):
                if one.complaint.about in first:
                    stage.found(one)


async def _found(
    law: ItemLaw, errands: Errands, resource: Resource, stage: Stage
) -> AsyncIterator[Finding]:
    async with errands.arrive(resource.name, stage) as arrived:
        instances = arrived.of(resource.name) if arrived is not None else []
        if arrived is None or not instances:
            return
        async for promised, text, about, shown in law.wrong(arrived, resource, instances[0]):
            complaint = Complaint(
                law.check, Verdict.ERR, promised, text, Provenance.LAW, about,
                exchanges=tuple(one.number for one in shown),
            )  # fmt: skip
            yield finding_of(arrived, complaint, shown)


# Exchanges


async def look(kit: Kit, instance: Instance) -> Look | None:
    """An item as it is now; None where it cannot be read."""
    path, client = kit.looking.path(instance), kit.scene.client
    if path is None:
        return None
    exchange = await client.patiently(
        client.reading(path), Purpose.READ, kit.looking.operation(instance)
    )
    reply = exchange.reply
    if not isinstance(reply, Response) or reply.status != HTTPStatus.OK:
        return None
    return Look(exchange, reply.header("ETag") or "", body_of(reply))


async def send(kit: Kit, request: Request, operation: Operation) -> Exchange:
    """Make a call about an item."""
    return await kit.scene.client.patiently(request, Purpose.CALL, operation.id)


def update_of(arrived: Arrived, operation: Operation, instance: Instance) -> Case | None:
    """An update of an item with new values; None where none can be made."""
    call = Call(Kind.UPDATE, operation.id, (instance.value,), input=1)
    bound = arrived.course.binder.bind(call, arrived.walk.emulator, arrived.chance)
    return bound.case if isinstance(bound, Bound) else None


def is_good(call: Exchange) -> bool:
    """Whether a call succeeded."""
    return call.status is not None and 200 <= call.status < 300


def is_refused(call: Exchange) -> bool:
    """Whether a call was refused."""
    return call.status is not None and 400 <= call.status < 500
