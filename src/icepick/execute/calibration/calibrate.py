"""Seeing how a service does things before it is judged: one instance of each resource is created,
read, deleted and asked for again; conventions are learned from that, laws are not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random

from icepick.execute.answers import answer_of, at
from icepick.execute.binding.made_up import never_was
from icepick.execute.calibration.fuller import left_out
from icepick.execute.calibration.manners import Departure, Manners
from icepick.execute.chains.chains import Chains
from icepick.execute.chains.pool import Thing
from icepick.execute.chains.types import Chain
from icepick.execute.marks import marked
from icepick.execute.transport.client import Client
from icepick.execute.types import Purpose, Response
from icepick.glacier import Answer
from icepick.inputs import Case
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.types import Path, Resource, Role

_FIRST_PAUSE = 0.05
_CRASHED = 500
_AROUND = 20
"""So many reads without a name are made for values."""
RESTRICT, CASCADE, NULLIFY, ORPHAN = "restrict", "cascade", "nullify", "orphan"


@dataclass(frozen=True, slots=True)
class Tie:
    """A reference from one resource to another: `path` is where an instance shows it, None for a
    resource whose path lies below the other's."""

    resource: str
    field: str
    target: str
    path: Path | None


class Calibration:
    """Looks at the resources of a service one by one."""

    def __init__(
        self, chains: Chains, client: Client, operations: Mapping[str, Operation], rng: Random,
        settle: float,
    ) -> None:  # fmt: skip
        self._chains = chains
        self._client = client
        self._operations = operations
        self._rng = rng
        self._settle = settle

    async def look(self, ties: Iterable[Tie], is_over: Callable[[], bool]) -> dict[str, Manners]:
        """The manners of every resource that one can be made of."""
        wanted = [one for one in self._resources() if self._can_be_looked_at(one)]
        found = await self._all(wanted, is_over)
        missing = [one for one in wanted if one.name not in found]
        if missing and await self._looked_around(is_over):
            # What could not be made at first may need a value that the service shows elsewhere.
            found |= await self._all(missing, is_over)
        for tie in ties:
            known = found.get(tie.target)
            if known is not None and tie.resource in found and not is_over():
                what = await self._on_delete(tie, known)
                if what is not None:
                    fates = {**known.on_delete, f"{tie.resource}.{tie.field}": what}
                    found[tie.target] = replace(known, on_delete=fates)
        return found

    def _resources(self) -> Iterable[Resource]:
        return self._chains.resources.resources.values()

    async def _all(
        self, resources: Iterable[Resource], is_over: Callable[[], bool]
    ) -> dict[str, Manners]:
        found: dict[str, Manners] = {}
        for resource in resources:
            one = await self._manners(resource) if not is_over() else None
            if one is not None:
                found[resource.name] = one
                self._client.shared.lags.update(one.lags(resource))
        return found

    async def _looked_around(self, is_over: Callable[[], bool]) -> bool:
        """Read what can be read without a name, where that was not done; whether it was now."""
        unread = [
            name
            for name, operation in self._operations.items()
            if operation.method == "GET" and "{" not in operation.path
            if not self._chains.record.successes[name]
        ]
        for name in unread[:_AROUND]:
            if not is_over():
                await self._chains.run([name])
        return bool(unread)

    def _can_be_looked_at(self, resource: Resource) -> bool:
        return bool(resource.identifier and self._reader(resource) and self._deleter(resource))

    def _reader(self, resource: Resource) -> Operation | None:
        return self._operation(resource, Role.READ)

    def _deleter(self, resource: Resource) -> Operation | None:
        return self._operation(resource, Role.DELETE)

    def _operation(self, resource: Resource, role: Role) -> Operation | None:
        uses = [use for use in resource.having(role) if use.operation in self._operations]
        return self._operations[uses[0].operation] if uses else None

    # One instance of one resource

    async def _manners(self, resource: Resource) -> Manners | None:
        async with self._chains.having(resource.name) as chain:
            found, before = await self._looked_at(chain, resource)
        if found is None or (found.deleted or 0) < _CRASHED:
            return found
        # The service may have fallen over what is not there, so that one with more can be deleted.
        more = self._left_out(resource, before)
        if not more or self._chains.is_over():
            return found
        async with self._chains.having(resource.name, more) as chain:
            whole, _ = await self._looked_at(chain, resource)
        return whole if whole is not None and (whole.deleted or _CRASHED) < _CRASHED else found

    def _left_out(self, resource: Resource, before: Answer | None) -> frozenset[str]:
        reads = [use.response for use in resource.having(Role.READ) if use.response is not None]
        body = before.body if before is not None else None
        shown = at(body, reads[0].path) if reads else body
        created = (use.operation for use in resource.uses if use.creates)
        operations = [self._operations[name] for name in created if name in self._operations]
        return left_out(resource, shown, operations, self._chains.schemas)

    async def _looked_at(
        self, chain: Chain | None, resource: Resource
    ) -> tuple[Manners | None, Answer | None]:
        """How the service treats the one that a chain has, and what it was."""
        thing = _own(chain, resource.name)
        path = self._path(resource, thing) if thing is not None else None
        if chain is None or thing is None or path is None:
            return None, None
        slow, before = await self._appeared(resource, path)
        if not _is_good(before):
            return None, None
        await self._used(chain, resource)
        before = await self._read(resource, path)
        stranger = await self._read(resource, never_was(path, self._rng))
        seen = Manners(resource.name, absent=stranger.status if stranger else None, slow=slow)
        if not _is_good(before):
            return seen, before  # an update took it away, so there is nothing to delete
        return await self._deleted(resource, thing, path, before, seen), before

    async def _used(self, chain: Chain, resource: Resource) -> None:
        """List and change it: what does not work then is known before it counts."""
        for use in resource.having(Role.LIST, Role.REPLACE, Role.UPDATE):
            if use.operation in self._operations and not self._chains.is_over():
                await self._chains.call(chain, use.operation)

    async def _appeared(self, resource: Resource, path: str) -> tuple[float, Answer | None]:
        return await self._waited(lambda: self._read(resource, path), _is_good)

    async def _deleted(
        self, resource: Resource, thing: Thing, path: str, before: Answer | None, seen: Manners
    ) -> Manners:
        status = await self._delete(resource, thing)
        seen = replace(seen, deleted=status)
        if status is None or not 200 <= status < 300:
            return seen
        slow, after = await self._left(resource, path, before)
        mark = marked(before, after)
        if mark:
            slowest = max(slow, seen.slow)
            return replace(seen, departure=Departure.MARKED, mark=mark, slow=slowest)
        if not _is_refused(after):
            return replace(seen, departure=Departure.STAYS)
        seen = replace(
            seen,
            departure=Departure.LATE if slow else Departure.AT_ONCE,
            gone=after.status if after is not None else None,
            slow=max(slow, seen.slow),
        )
        return replace(seen, again=await self._delete(resource, thing))

    async def _left(
        self, resource: Resource, path: str, before: Answer | None
    ) -> tuple[float, Answer | None]:
        return await self._waited(
            lambda: self._read(resource, path),
            lambda answer: _is_refused(answer) or bool(marked(before, answer)),
        )

    async def _waited(
        self, ask: Callable[[], Awaitable[Answer | None]], is_so: Callable[[Answer | None], bool]
    ) -> tuple[float, Answer | None]:
        """What is answered once it is so, and after how many seconds; 0 where it was at once, or
        never came to be."""
        answer, pause, waited = await ask(), _FIRST_PAUSE, 0.0
        while not is_so(answer) and waited + pause <= self._settle:
            await asyncio.sleep(pause)
            waited, pause = waited + pause, 2 * pause
            answer = await ask()
        return (round(waited, 2) if is_so(answer) else 0.0), answer

    # Two instances, of which one refers to the other

    async def _on_delete(self, tie: Tie, manners: Manners) -> str | None:
        """What deleting an instance does to another that refers to it."""
        async with self._chains.having(tie.resource) as chain:
            referring = _own(chain, tie.resource)
            target = _referred(chain, tie, referring) if referring is not None else None
            resources = self._chains.resources.resources
            if referring is None or target is None:
                return None
            status = await self._delete(resources[tie.target], target)
            if status is None:
                return None
            if status >= 300:
                return RESTRICT if _is_refusal(status) else None
            path = self._path(resources[tie.resource], referring)
            if path is None or manners.departure not in {Departure.AT_ONCE, Departure.LATE}:
                return None
            await asyncio.sleep(manners.slow)
            return _fate(tie, await self._read(resources[tie.resource], path))

    # Calls

    def _path(self, resource: Resource, thing: Thing) -> str | None:
        reader = self._reader(resource)
        return thing.instance().path_to(reader) if reader is not None else None

    async def _read(self, resource: Resource, path: str) -> Answer | None:
        reader = self._reader(resource)
        exchange = await self._client.patiently(
            self._client.reading(path), Purpose.READ, reader.id if reader else None
        )
        return answer_of(exchange.reply) if isinstance(exchange.reply, Response) else None

    async def _delete(self, resource: Resource, thing: Thing) -> int | None:
        deleter = self._deleter(resource)
        if deleter is None:
            return None
        parameters = thing.instance().parameters(deleter.path)
        request = self._client.request(Case(deleter, path=parameters))
        exchange = await self._client.patiently(request, Purpose.CALL, deleter.id)
        return exchange.status


def _own(chain: Chain | None, resource: str) -> Thing | None:
    """The newest instance that the chain created."""
    found = chain.pool.of_resource(resource, {}, own=True) if chain is not None else []
    return found[0] if found else None


def _referred(chain: Chain | None, tie: Tie, referring: Thing) -> Thing | None:
    """The instance that another refers to, where the chain created it."""
    for thing in chain.pool.of_resource(tie.target, {}, own=True) if chain is not None else ():
        if tie.path is None and thing.agrees(referring.address, referring.item_path or ""):
            return thing
        if tie.path is not None and str(at(referring.value, tie.path)) == str(thing.identifier):
            return thing
    return None


def _fate(tie: Tie, answer: Answer | None) -> str | None:
    if _is_refused(answer):
        return CASCADE
    if answer is None or not _is_good(answer) or tie.path is None:
        return None
    value = _anywhere(answer.body, tie.path)
    return NULLIFY if value is None else ORPHAN


def _anywhere(body: Json, path: Path) -> Json:
    """A value of an instance, which may be wrapped."""
    found = at(body, path)
    if found is ABSENT and isinstance(body, dict):
        inner = (at(one, path) for one in body.values() if isinstance(one, dict))
        found = next((one for one in inner if one is not ABSENT), ABSENT)
    return found


def _is_good(answer: Answer | None) -> bool:
    return answer is not None and 200 <= answer.status < 300


def _is_refused(answer: Answer | None) -> bool:
    return answer is not None and _is_refusal(answer.status)


def _is_refusal(status: int) -> bool:
    return 400 <= status < 500
