"""Learning inputs from a service: what the learners propose is sent, what it answers is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from icepick.execute.answers import body_of, identifier_in
from icepick.execute.bind import HOLE
from icepick.execute.client import Client
from icepick.execute.emulator import Instance
from icepick.execute.ownership import Ownership
from icepick.execute.types import Failure, Purpose
from icepick.glacier import Answer
from icepick.inputs import Case
from icepick.inputs.learn import (
    Effort,
    Learned,
    OperationLearner,
    Schedule,
    Setting,
    identity_of,
    references_of,
)
from icepick.openapi.types import ABSENT, ApiSpec, Json, Operation
from icepick.resources.types import ResourceMap, Role

LESSONS = -1_000_000_000
"""The sequence, as it were, that what is created in lessons belongs to."""

_CREATING = frozenset({Role.CREATE, Role.REPLACE})


class Lessons:
    """The learners of one service, and what they have learned.

    What is created on the way is remembered, so that it can be used and removed.
    """

    def __init__(
        self,
        spec: ApiSpec,
        resources: ResourceMap,
        client: Client,
        setting: Setting,
        rng: Random,
        ownership: Ownership | None = None,
    ) -> None:
        self._spec = spec
        self._ownership = ownership
        self._resources = resources
        self._client = client
        self._rng = rng
        self.setting = setting
        self.learned: dict[str, Learned] = {}
        self.created: list[Instance] = []
        self.calls = 0

    def learner(
        self, operation: Operation, effort: Effort, *, anew: bool = False
    ) -> OperationLearner:
        """A learner of an operation that knows what was learned before."""
        setting = replace(self.setting, references=references_of(operation, self._resources))
        known = self.learned.get(operation.id, Learned(operation.id))
        if anew:
            unique = [*known.unique, *identity_of(operation, self._resources)]
            known = replace(known, unique=tuple(dict.fromkeys(unique)))
        return OperationLearner(operation, setting, self._rng, effort, known)

    async def learn(self, operation: Operation, effort: Effort, *, anew: bool = False) -> Learned:
        """Try inputs of one operation until it takes one, or nothing is left to try."""
        learner = self.learner(operation, effort, anew=anew)
        while (trial := learner.next()) is not None:
            answer = await self.send(trial.case)
            if answer is None:
                break
            kind = str(answer.headers.get("Content-Type", ""))
            learner.observe(trial, answer.status, _told(answer.body), kind)
        if not anew:
            self.learned[operation.id] = learner.learned
        return learner.learned

    async def learn_all(
        self, calls: int, wanted: Callable[[Operation], bool], is_over: Callable[[], bool]
    ) -> dict[str, bool]:
        """Learn every operation that is wanted, in the order of the paper; which succeeded."""
        schedule = Schedule(self._spec, self._resources)
        done: dict[str, bool] = {}
        while not is_over() and (turn := schedule.next()) is not None:
            name = turn.operation.id
            if wanted(turn.operation):
                found = await self.learn(turn.operation, Effort(calls), anew=turn.anew)
                done[name] = found.successes > 0 or done.get(name, False)
            schedule.done(turn, success=done.get(name, True))
        return done

    async def send(self, case: Case) -> Answer | None:
        """Make a call; None where there is no answer, or it would touch what is not the run's."""
        if not self.may(case):
            return None
        self.calls += 1
        exchange = await self._client.exchange(
            self._client.request(case), Purpose.CALL, case.operation.id
        )
        if isinstance(exchange.reply, Failure):
            return None
        reply = exchange.reply
        answer = Answer(reply.status, dict(reply.headers), body_of(reply))
        if 200 <= reply.status < 300:
            self.remember(case, answer)
        return answer

    def may(self, case: Case) -> bool:
        """Whether a call changes nothing but what the run created itself."""
        if case.operation.method in {"GET", "HEAD", "OPTIONS"}:
            return True
        makes = any(use.creates for _, use in self._resources.uses_of(case.operation.id))
        ours = {str(value) for one in self.created for value in one.address.values()}
        own = {
            resource.identifier.parameter
            for resource, _ in self._resources.uses_of(case.operation.id)
            if resource.identifier is not None and makes
        }
        return all(str(value) in ours or name in own for name, value in case.path.items())

    def remember(self, case: Case, answer: Answer) -> None:
        """Note what a call created, so that it can be removed."""
        for resource, use in self._resources.uses_of(case.operation.id):
            identifier = resource.identifier
            if not use.creates or use.role not in _CREATING or identifier is None:
                continue
            found = identifier_in(answer, use, identifier, resource.item_path)
            if found is ABSENT:
                found = case.path.get(identifier.parameter, ABSENT)
            if found is ABSENT and identifier.input is not None and isinstance(case.body, dict):
                found = case.body.get(identifier.input.name, ABSENT)
            holes = HOLE.findall(resource.item_path or "")
            address = {name: case.path[name] for name in holes if name in case.path}
            if found is not ABSENT:
                address[identifier.parameter] = found
                if self._ownership is not None:
                    self._ownership.take(resource.name, found, LESSONS)
                self.created.append(Instance(str(found), resource.name, found, address))


def _told(body: Json) -> Json:
    return "" if body is ABSENT else body
