"""What contracts see: the call, and GETs around it, each sent once between two changes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from icepick.execute.answers import answer_of, at
from icepick.execute.judging.inspect import Inspector
from icepick.execute.ownership import Ownership
from icepick.execute.paging import MOST_PAGES, is_paged, next_page, resolved
from icepick.execute.routing import Listing, Routing
from icepick.execute.transport.client import Client
from icepick.execute.types import (
    Complaint,
    Exchange,
    Failure,
    FailureKind,
    Provenance,
    Purpose,
    Verdict,
)
from icepick.glacier import Answer, Check, Outcome, Sent, Trial, needed_before
from icepick.glacier.tree import Part
from icepick.openapi.types import ABSENT, Json, Operation, Schema
from icepick.resources.fields import request_schema, response_schema

NO_ANSWER = "no-answer"
AWAY = frozenset({FailureKind.CONNECT, FailureKind.TLS})
"""Failures that say nothing of the call, and much of the way to the service."""


class NoAnswerError(Exception):
    """The service does not answer: whoever runs sequences decides what becomes of this one."""

    def __init__(self, exchange: Exchange, failure: Failure) -> None:
        super().__init__(failure.message)
        self.exchange = exchange
        self.failure = failure


def silence(exchange: Exchange, failure: Failure) -> Complaint:
    """The complaint about a call to which no answer came."""
    slow = failure.kind is FailureKind.TIMEOUT
    return Complaint(
        NO_ANSWER, Verdict.WARN if slow else Verdict.ERR, "every call is answered",
        failure.message, Provenance.LAW, failure.kind.value,
        exchanges=(exchange.number,), operation=exchange.operation,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scene:
    """What all sequences of a run share."""

    client: Client
    schemas: Mapping[str, Schema]
    routing: Routing
    listings: Mapping[str, Listing]
    ownership: Ownership
    inspector: Inspector


class Reads:
    """The environment of the contracts of one sequence; it sends no GET twice without need.

    One that is `strict` raises NoAnswerError where the service is not there any more; for others
    what it would have said is unknown.
    """

    def __init__(self, scene: Scene, sequence: int, *, strict: bool = False) -> None:
        self._strict = strict
        self._scene = scene
        self._sequence = sequence
        self._now: dict[str, Answer | None] = {}
        self._before: dict[str, Answer | None] = {}
        self._missing: dict[str, None] = {}
        self._operation: Operation | None = None
        self._lists: dict[str, Listing] = {}
        self._unreadable: set[str] = set()
        self.schemas = scene.schemas
        self.sent = Sent()
        self.answer: Answer | None = None
        self.exchanges: dict[str, Exchange] = {}
        self.complaints: list[Complaint] = []
        self._timeouts = 0
        self.asked = 0
        self.read = 0

    # What the evaluator asks

    def get(self, path: str) -> Answer | None:
        """What GET path answers now; what is not known yet is noted as missing."""
        if path not in self._now:
            self._missing[path] = None
            return None
        return self._now[path]

    def get_before(self, path: str) -> Answer | None:
        """What GET path answered before the call."""
        return self._before.get(path)

    def schema(self, part: Part, path: str | None) -> Schema | None:
        """The schema of a body of this exchange, or of GET path."""
        if path is None:
            chosen = request_schema if part is Part.REQ_BODY else response_schema
            return chosen(self._operation) if self._operation is not None else None
        operation = self._scene.routing.find(path)
        return response_schema(operation) if operation is not None else None

    # What the sequence does

    def begin(self, operation: Operation, sent: Sent) -> None:
        """A call is about to be made."""
        self._operation, self.sent, self.answer = operation, sent, None
        self.complaints, self.exchanges = [], {}
        self._timeouts = 0

    def changed(self, answer: Answer | None) -> None:
        """The call was made: what was read is now the state before it."""
        self.answer = answer
        self._before, self._now = self._now, {}

    def answered(self, answer: Answer) -> None:
        """A call was made that changes nothing."""
        self.answer = answer
        self._before = self._now

    async def sort_out(self) -> bool:
        """Take out of lists what others were creating while they were read; whether they were."""
        if not self._lists or not await self._scene.ownership.known():
            return False
        for path in self._lists:
            for answers in (self._now, self._before):
                known = answers.get(path)
                if known is not None:
                    answers[path] = self._own(path, known)
        return True

    def forget(self) -> None:
        """Read everything anew: time has passed."""
        self._now = {}

    async def outcomes(self, checks: Iterable[Check]) -> list[Outcome]:
        """The clauses evaluated, after every GET that they need."""
        waiting = list(enumerate(checks))
        found: dict[int, Outcome] = {}
        for _, check in waiting:
            if check.compiled.first is not None:
                self.get(check.compiled.first)
        if self._missing:
            await self._fill()
        while waiting:
            later = []
            for index, check in waiting:
                trial = Trial(check, self)
                if self._missing and not self._missing.keys().isdisjoint(trial.asked):
                    later.append((index, check))
                else:
                    outcome = found[index] = trial.outcome()
                    self.asked += len(outcome.asked) + len(outcome.asked_before)
            waiting = later
            if self._missing:
                await self._fill()
        return [found[index] for index in sorted(found)]

    async def read_before(self, checks: Iterable[Check]) -> None:
        """Read whatever the clauses will ask of the state before the call."""
        wanted = list(checks)
        while True:
            for path in needed_before(wanted, self):
                self.get(path)
            if not self._missing:
                return
            await self._fill()

    async def look(self, path: str) -> Answer | None:
        """What GET path answers now, for a check that is no clause."""
        self.asked += 1
        self.get(path)
        if self._missing:
            await self._fill()
        return None if path in self._unreadable else self._now[path]

    async def anew(self, path: str) -> Answer | None:
        """The same, though it may be known already."""
        self._now.pop(path, None)
        return await self.look(path)

    # GETs

    async def _fill(self) -> None:
        wanted, self._missing = list(self._missing), {}
        while wanted:
            # Where others send too, what is sent at once only waits its turn elsewhere.
            room = self._scene.client.room()
            some, wanted = wanted[:room], wanted[room:]
            if len(some) == 1:
                self._now[some[0]] = await self._get(some[0])
            else:
                await self._get_all(some)

    async def _get_all(self, paths: list[str]) -> None:
        answers = await asyncio.gather(*map(self._get, paths), return_exceptions=True)
        for path, answer in zip(paths, answers, strict=True):
            if isinstance(answer, BaseException):
                raise answer
            self._now[path] = answer

    async def _get(self, path: str) -> Answer | None:
        operation = self._scene.routing.find(path)
        answer = await self._page(path, path, operation)
        listing = self._scene.listings.get(operation.id) if operation is not None else None
        if answer is None or listing is None or operation is None or answer.status != 200:
            return answer
        if is_paged(operation, path):
            answer = await self._whole(path, operation, listing, answer)
        self._lists[path] = listing
        return self._own(path, answer)

    def _own(self, path: str, answer: Answer) -> Answer:
        own = self._scene.ownership.own_part(self._lists[path], answer.body, self._sequence)
        return answer if own is answer.body else Answer(answer.status, answer.headers, own)

    async def _whole(
        self, path: str, operation: Operation, listing: Listing, first: Answer
    ) -> Answer:
        """All pages as one."""
        elements = at(first.body, listing.path)
        if not isinstance(elements, list):
            return first
        whole, target, page = list(elements), path, first
        for _ in range(MOST_PAGES):
            following = next_page(operation, target, page, listing, len(whole))
            if following is None:
                break
            target = resolved(following, path, self.exchanges[path].request.url)
            answer = await self._page(path, target, operation)
            more = at(answer.body, listing.path) if answer is not None else None
            if answer is None or answer.status != 200 or not isinstance(more, list) or not more:
                break
            if more == at(page.body, listing.path):
                break  # whoever pays no heed to the number of a page gives the same for ever
            whole, page = whole + more, answer
        if len(whole) == len(elements):
            return first
        return replace(first, body=_put(first.body, listing.path, whole))

    async def _page(self, path: str, target: str, operation: Operation | None) -> Answer | None:
        client = self._scene.client
        exchange = await client.exchange(
            client.reading(target), Purpose.READ, operation.id if operation else None,
            self._sequence,
        )  # fmt: skip
        self.read += 1
        self.exchanges[path] = exchange
        reply = exchange.reply
        if isinstance(reply, Failure):
            self._timeouts += reply.kind is FailureKind.TIMEOUT
            if self._strict and (reply.kind in AWAY or self._timeouts > 1):
                raise NoAnswerError(exchange, reply)
            if operation is not None and reply.kind not in AWAY:
                self.complaints.append(silence(exchange, reply))
            return None
        answer = answer_of(reply)
        if operation is None:
            return answer
        inspector = self._scene.inspector
        found = inspector.inspect(exchange, operation)
        self.complaints += found
        self._unreadable.discard(path)
        # What is whole and as declared can be read; that is seen already.
        if not (found or reply.truncated) or inspector.can_read(reply, operation):
            return answer
        self._unreadable.add(path)
        return replace(answer, body=ABSENT)


def _put(body: Json, path: tuple[str, ...], elements: list[Json]) -> Json:
    if not path:
        return elements
    return {**body, path[0]: _put(body[path[0]], path[1:], elements)}
