"""Removing what a sequence created, youngest first."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from icepick.execute.answers import answer_of
from icepick.execute.binding.emulator import Instance
from icepick.execute.events import LeftBehind
from icepick.execute.said import refusal_text
from icepick.execute.transport.client import Client
from icepick.execute.types import Failure, FailureKind, Purpose
from icepick.inputs import Case
from icepick.openapi.places import holes
from icepick.openapi.types import Operation
from icepick.resources.types import ResourceMap, Role

_ROUNDS = 3
"""What is refused may only have to wait for something else to go first."""

_PAUSE = 0.2
_GONE = frozenset({404, 410})
_OUT_OF_SIGHT = _GONE | {403}


class Cleaner:
    """Deletes instances through the operations that delete one."""

    def __init__(
        self, client: Client, resources: ResourceMap, operations: Mapping[str, Operation]
    ) -> None:
        self._client = client
        client.shared.staying.believe(resources)
        self._deleters = _first(resources, operations, Role.DELETE)
        self._readers = _first(resources, operations, Role.READ)

    async def clean(self, instances: Iterable[Instance], sequence: int) -> list[LeftBehind]:
        """Delete these; what stays behind, and why."""
        waiting = list(reversed(list(instances)))
        # Those that only go with others can be looked for when the others are gone.
        waiting.sort(key=lambda one: one.resource not in self._deleters)
        refused: dict[int, _Left] = {}
        for number in range(_ROUNDS):
            refused = {}
            for instance in waiting:
                left = await self._delete(instance, sequence)
                if left is not None:
                    refused[id(instance)] = left
            again = [one for one in waiting if id(one) in refused]
            passing = any(one.passing for one in refused.values())
            if not again or (len(again) == len(waiting) and not passing):
                break
            lag = max(self._lag(one) for one in waiting)
            waiting = again
            if number < _ROUNDS - 1:
                await asyncio.sleep(max(lag, _PAUSE if passing else 0.0))
        for one in waiting:
            if id(one) in refused:
                self._client.shared.staying.refused(one)
        return [one.event for one in refused.values()]

    def _lag(self, instance: Instance) -> float:
        """How long a deletion takes; what stands in the way of others does so until then."""
        operation = self._deleters.get(instance.resource)
        return self._client.shared.lags.get(operation.id, 0.0) if operation is not None else 0.0

    async def _delete(self, instance: Instance, sequence: int) -> _Left | None:
        operation = self._deleters.get(instance.resource)
        where = f"{instance.resource} {instance.identifier}"
        if operation is None:
            if await self._went_with_others(instance, sequence):
                return None
            return _left(instance, where, "there is no operation that deletes one")
        address = instance.parameters(operation.path)
        if any(name not in address for name in holes(operation.path)):
            return _left(instance, where, "its address is not known")
        request = self._client.request(Case(operation, path=address))
        exchange = await self._client.patiently(request, Purpose.CLEAN_UP, operation.id, sequence)
        reply = exchange.reply
        if isinstance(reply, Failure):
            broke = reply.kind in {FailureKind.RESET, FailureKind.PROTOCOL}
            return _left(instance, request.url, reply.message, passing=broke)
        if reply.status < 300 or reply.status in _GONE:
            return None
        # Some refuse to delete what is not there with the word for a bad request.
        means = _OUT_OF_SIGHT if reply.status in _OUT_OF_SIGHT else _GONE
        if reply.status < 500 and await self._is_out_of_sight(instance, sequence, means):
            return None
        said = f"{operation.label} answered {reply.status}{refusal_text(answer_of(reply))}"
        return _left(instance, request.url, said, passing=reply.status >= 500)

    async def _went_with_others(self, instance: Instance, sequence: int) -> bool:
        if self._client.shared.staying.stays(instance.resource):
            return False
        return await self._is_out_of_sight(instance, sequence, _OUT_OF_SIGHT)

    async def _is_out_of_sight(
        self, instance: Instance, sequence: int, means: Collection[int]
    ) -> bool:
        """Whether it cannot be read either: it went with what held it, and the service says so
        in its own way."""
        reader = self._readers.get(instance.resource)
        path = instance.path_to(reader) if reader is not None else None
        if reader is None or path is None:
            return False
        request = self._client.reading(path)
        exchange = await self._client.patiently(request, Purpose.CLEAN_UP, reader.id, sequence)
        return exchange.status in means


def _first(
    resources: ResourceMap, operations: Mapping[str, Operation], role: Role
) -> dict[str, Operation]:
    """The operation that each resource has for something."""
    found: dict[str, Operation] = {}
    for resource in resources.resources.values():
        for use in resource.having(role):
            found.setdefault(resource.name, operations[use.operation])
    return found


@dataclass(frozen=True, slots=True)
class _Left:
    """What was not deleted; another try may help where the trouble is `passing`."""

    event: LeftBehind
    passing: bool


def _left(instance: Instance, url: str, reason: str, *, passing: bool = False) -> _Left:
    return _Left(LeftBehind(instance.resource, url, reason), passing)


def still_there(created: Iterable[Instance], live: Iterable[Instance]) -> Iterator[Instance]:
    """The instances of a sequence that nothing deleted, in the order of their creation."""
    alive = {id(one) for one in live}
    return (one for one in created if id(one) in alive)
