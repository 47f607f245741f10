"""Laws of single items: one item of every resource is looked at before and after calls."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from http import HTTPStatus

from icepick.execute.answers import answer_of, body_of, identifier_in
from icepick.execute.binding.bound import Bound
from icepick.execute.binding.emulator import Instance
from icepick.execute.events import PhaseStarted
from icepick.execute.kit import Kit
from icepick.execute.laws.errands import Arrived, Errands, finding_of
from icepick.execute.laws.shelves import Sight
from icepick.execute.phases import Stage
from icepick.execute.reads import Reads
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
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.types import Resource, Role
from icepick.sequences.types import Call, Kind

UPDATES = (Role.UPDATE, Role.REPLACE)

Wrong = tuple[str, str, str, tuple[Exchange, ...]]
"""The law, what happened, what it is about, and the exchanges that show it, the call last."""


@dataclass(frozen=True, slots=True)
class ItemLaw:
    """A law of single items: whether it has to do with a resource, and what breaks it.

    To go to an item costs something, so `concerns` is asked first. Unless it is `anywhere`, items
    have to have an address at which they are read.
    """

    check: str
    concerns: Callable[[Resource], bool]
    wrong: Callable[[Arrived, Resource, Instance], AsyncIterator[Wrong]]
    level: Verdict = Verdict.ERR
    provenance: Provenance = Provenance.LAW
    anywhere: bool = False


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
    """Look at every resource."""
    stage.tell(PhaseStarted(law.check))
    for resource in errands.kit.resources.resources.values():
        if stage.is_over():
            return
        if (law.anywhere or resource.having(Role.READ)) and law.concerns(resource):
            await look_at(law, resource, errands, stage)


async def look_at(law: ItemLaw, resource: Resource, errands: Errands, stage: Stage) -> None:
    """Look at a resource twice: only what repeats counts."""
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
                law.check, law.level, promised, text, law.provenance, about,
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


def creation_of(arrived: Arrived, instance: Instance) -> Exchange | None:
    """The call that created an instance."""
    for judged in arrived.calls:
        first = judged.label.partition("(")[2].rstrip(")").split(",")[0]
        if first == instance.value and judged.exchange is not None and is_good(judged.exchange):
            return judged.exchange
    return None


async def sight(arrived: Arrived, kit: Kit, instance: Instance) -> Sight | None:
    """What is seen of an instance now, by itself or in a list."""
    return await kit.looking.sight(Reads(kit.scene, arrived.number), instance)


def twin(
    arrived: Arrived, instance: Instance, resource: Resource, made: Exchange
) -> Instance | None:
    """The other one that the creation of an instance made when it was sent again, which is to be
    removed like all others; None where it made none."""
    reply, own = made.reply, resource.identifier
    uses = [use for use in resource.having(Role.CREATE) if use.operation == made.operation]
    if not isinstance(reply, Response) or not is_good(made) or own is None or not uses:
        return None
    shown = identifier_in(answer_of(reply), uses[0], own, resource.item_path)
    if shown is ABSENT or str(shown) == str(instance.identifier):
        return None
    address = {**instance.address, own.parameter: shown}
    name = f"{instance.value} as {shown}"
    found = replace(instance, value=name, identifier=shown, address=address, kept={})
    arrived.walk.emulator.add(found)
    arrived.walk.created.append(found)
    return found


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
