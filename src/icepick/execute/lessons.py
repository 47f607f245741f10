"""Learning inputs from a service: what the learners propose is sent, what it answers is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from http import HTTPStatus
from random import Random

from icepick.execute.answers import answer_of
from icepick.execute.binding.chance import Dealer
from icepick.execute.creations import Creations
from icepick.execute.ownership import Ownership
from icepick.execute.said import refusal_text
from icepick.execute.transport.attempts import TOO_OFTEN
from icepick.execute.transport.client import Client
from icepick.execute.transport.pending import outcome, shown
from icepick.execute.types import Exchange, Failure, Purpose, Response, is_in_doubt
from icepick.glacier import Answer
from icepick.inputs import Case
from icepick.inputs.learn import (
    Effort,
    Learned,
    OperationLearner,
    Schedule,
    Setting,
    Trial,
    added,
    beside_of,
    identity_of,
    needed_of,
    references_of,
)
from icepick.openapi.types import ABSENT, ApiSpec, Operation
from icepick.resources.types import ResourceMap, Role

NOT_OURS = "it would change what the run did not create"

_MANY = frozenset({Role.UPDATE_MANY, Role.DELETE_MANY})

_SKIPPED = 20
"""So many inputs may be left out because they are about what is not the run's."""

_TELLING = 6
"""A text of so many characters stands in a refusal for a reason."""


class Lessons:
    """The learners of one service, and what they have learned.

    What is created on the way is remembered, so that it can be used and removed. `obstacles` say
    why operations could not be tried.
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
        self._resources = resources
        self._client = client
        self._dealer = Dealer(rng)
        self.setting = setting
        self.learned: dict[str, Learned] = {}
        self.creations = Creations(spec, resources, ownership)
        self.obstacles: dict[str, str] = {}
        self.crashes: dict[str, Case] = {}
        """The first input of each operation that the service fell over, by what is allowed."""
        self.calls = 0

    def recall(self, learned: dict[str, Learned]) -> None:
        """Begin with what was learned before; the same mapping takes what is learned now."""
        self.learned = learned

    def learner(
        self, operation: Operation, effort: Effort, *, anew: bool = False
    ) -> OperationLearner:
        """A learner of an operation that knows what was learned before."""
        setting = replace(
            self.setting,
            references=references_of(operation, self._resources),
            needed=needed_of(operation, self._resources),
            beside=beside_of(operation, self._resources, self._spec.schemas),
        )
        known = self.learned.get(operation.id, Learned(operation.id))
        if anew:
            unique = [*known.unique, *identity_of(operation, self._resources)]
            known = replace(known, unique=tuple(dict.fromkeys(unique)))
        dice = self._dealer.dice(operation.id)
        return OperationLearner(operation, setting, dice, effort, known)

    async def learn(
        self,
        operation: Operation,
        effort: Effort,
        *,
        anew: bool = False,
        is_over: Callable[[], bool] = bool,
    ) -> Learned:
        """Try inputs of one operation until it takes one, or nothing is left to try.

        One that is known to succeed is tried as it is known before anything else.
        """
        if not self.oversees(operation):
            self.obstacles[operation.id] = NOT_OURS
            return Learned(operation.id)
        known = self.learned.get(operation.id)
        if why := self._client.shared.staying.why_no_more(operation.id):
            self.obstacles[operation.id] = why
            return known or Learned(operation.id)
        if not operation.is_safe and self.creations.lack(operation):
            # Every input would be left out, and making them takes its time.
            self.obstacles[operation.id] = NOT_OURS
            return known or Learned(operation.id)
        learner = self.learner(operation, effort, anew=anew)
        trial = learner.valid() if known is not None and known.successes and not anew else None
        await self._teach(learner, trial or learner.next(), is_over)
        if not anew:
            self.learned[operation.id] = added(known, learner.learned)
        return learner.learned

    async def _teach(
        self, learner: OperationLearner, first: Trial | None, is_over: Callable[[], bool]
    ) -> None:
        """Tell a learner what becomes of its inputs, as long as it has any."""
        trial = self._allowed(learner, first)
        while trial is not None and not is_over():
            reply = await self._reply(trial.case)
            if reply is None:
                break
            body = answer_of(reply).body
            kind = reply.header("Content-Type") or ""
            learner.observe(trial, reply.status, "" if body is ABSENT else body, kind)
            trial = self._allowed(learner, learner.next())

    def keep(self, learners: Iterable[OperationLearner]) -> None:
        """Add what learners have learned that were told of answers elsewhere."""
        for one in learners:
            if one.learned.calls:
                name = one.operation.id
                self.learned[name] = added(self.learned.get(name), one.learned)

    def _allowed(self, learner: OperationLearner, trial: Trial | None) -> Trial | None:
        """The next input that does no harm."""
        for _ in range(_SKIPPED):
            obstacle = None if trial is None else self._obstacle(trial.case)
            if obstacle is None:
                return trial
            self.obstacles[learner.operation.id] = obstacle
            trial = learner.next()
        return None

    def _obstacle(self, case: Case) -> str | None:
        """Why a call had better not be made."""
        if not self.may(case):
            return NOT_OURS
        return None if self._client.shared.attempts.may(case) else TOO_OFTEN

    async def learn_all(
        self, calls: int, wanted: Callable[[Operation], bool], is_over: Callable[[], bool]
    ) -> dict[str, bool]:
        """Learn every operation that is wanted, in the order of the paper; which succeeded."""
        schedule = Schedule(self._spec, self._resources)
        done: dict[str, bool] = {}
        while not is_over() and (turn := schedule.next()) is not None:
            name = turn.operation.id
            if wanted(turn.operation):
                # What was refused before is not tried as often again: less has changed.
                effort = Effort(max(1, calls // max(1, schedule.attempt(turn.operation))))
                found = await self.learn(turn.operation, effort, anew=turn.anew, is_over=is_over)
                done[name] = found.successes > 0 or done.get(name, False)
            schedule.done(turn, success=done.get(name, True))
        return done

    async def send(self, case: Case) -> Answer | None:
        """Make a call; None where there is no answer, or it would touch what is not the run's."""
        reply = await self._reply(case) if self.may(case) else None
        return None if reply is None else answer_of(reply)

    async def _reply(self, case: Case) -> Response | None:
        self.calls += 1
        name = case.operation.id
        exchange = await self._client.patiently(self._client.request(case), Purpose.CALL, name)
        reply = exchange.reply
        if isinstance(reply, Response):
            self._client.shared.attempts.note(case, reply.status)
        if is_in_doubt(reply):
            self.creations.remember(case, Answer(0), sure=False)
        if isinstance(reply, Failure):
            self.obstacles[name] = f"no answer ({reply.kind.value}): {reply.message}"
            return None
        if reply.status >= 500:
            self.crashes.setdefault(name, case)
        self.notice(case, await self.outcome(exchange))
        return reply

    async def outcome(self, exchange: Exchange) -> Answer:
        """What became of a call."""
        answer = await outcome(self._client, exchange, self._resources)
        await shown(self._client, exchange)
        return answer

    def notice(self, case: Case, answer: Answer) -> None:
        """Take in an answer: what was created is the run's, what is merely shown may not be."""
        if 200 <= answer.status < 300:
            self.creations.remember(case, answer)
            if case.operation.is_safe:
                self.creations.show(answer.body)
        elif answer.status == HTTPStatus.CONFLICT:
            said = refusal_text(answer)
            for value in case.path.values():
                # It is in a state that the call does not go with; another one may be in a better.
                if isinstance(value, str) and len(value) >= _TELLING and value in said:
                    self.setting.responses.postpone(value)

    def oversees(self, operation: Operation) -> bool:
        """Whether inputs can be tried at all: what changes many may change what is not ours."""
        return not any(use.role in _MANY for _, use in self._resources.uses_of(operation.id))

    def may(self, case: Case) -> bool:
        """Whether a call changes nothing but what the run created itself."""
        if case.operation.is_safe:
            return True
        staying = self._client.shared.staying
        if not self.oversees(case.operation) or staying.why_no_more(case.operation.id):
            return False
        return self.creations.hold(case)
