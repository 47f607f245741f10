"""Finds inputs that an operation takes, by what its answers say (Algorithm 2 of EmRest)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from icepick.inputs.case import Slot
from icepick.inputs.learn.choosing import Choosing
from icepick.inputs.learn.database import constraints
from icepick.inputs.learn.diary import Diary
from icepick.inputs.learn.knowledge import Knowledge
from icepick.inputs.learn.making import TrialMaker
from icepick.inputs.learn.messages import complaints, parsed_body, texts
from icepick.inputs.learn.space import Input, Setting, Space
from icepick.inputs.learn.types import Choice, Learned, Trial
from icepick.inputs.types import Fixed, Null, Strategy
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.types import Location
from icepick.resources.words import ID_WORDS, words

_ROUNDS = 10
_SAME = 3
_EAGER = 3
_STUCK = 6
_INVALID = frozenset({400, 422})
_NOT_ABOUT_INPUT = frozenset({401, 403, 405, 406, 407, 408, 415, 425, 426, 429, 431})


@dataclass(frozen=True, slots=True)
class Effort:
    """How far to go: at most so many calls, until so many were taken."""

    calls: int = 300
    successes: int = 1


_USUAL = Effort()


class OperationLearner:
    """Proposes inputs of one operation and learns from the answers; it sends nothing itself."""

    def __init__(
        self,
        operation: Operation,
        setting: Setting,
        rng: Random,
        effort: Effort = _USUAL,
        known: Learned | None = None,
    ) -> None:
        self._operation = operation
        self._setting = setting
        self._rng = rng
        self._effort = effort
        self._space = Space(operation, setting)
        self._known = Knowledge(self._space.fields, setting.schemas, setting.beside)
        self._diary = Diary(operation.id)
        self._choosing = Choosing(self._known, self._diary, rng)
        self._maker = TrialMaker(operation, setting, rng)
        if known is not None:
            self._known.recall(known)
            self._diary.recall(known)
        self._inputs: dict[Slot, Input] = {}
        self._heed_all()
        self._eager = _EAGER
        self._tried_whole = False
        self._supposed: list[Slot] = []
        self.taught = False
        """Whether the last answer said something new of the inputs."""
        self._plan = self._trials()

    @property
    def operation(self) -> Operation:
        """The operation that is learned."""
        return self._operation

    @property
    def learned(self) -> Learned:
        """What is known by now."""
        return self._diary.learned(self._known)

    def reseed(self, seed: str) -> None:
        """Let chance begin again from here, whatever was drawn before."""
        self._rng.seed(seed)

    def enough(self) -> bool:
        """Whether as many inputs were taken as asked for."""
        return self._diary.successes >= self._effort.successes

    def next(self) -> Trial | None:
        """The next input to try; None where there is nothing more to try."""
        if self.enough() or self._diary.calls >= self._effort.calls or self._is_stuck():
            return None
        return next(self._plan, None)

    def _is_stuck(self) -> bool:
        """Whether the answer has been the same for longer than other inputs could explain."""
        free = [one for one in self._inputs.values() if one.slot[0] is not Location.PATH]
        wide = sum(len(one.strategies) > 1 for one in free)
        return self._diary.beyond() > _STUCK or self._diary.unchanged() > _STUCK + 2 * wide

    def valid(self) -> Trial | None:
        """An input like those that were taken; the most promising one where none was yet."""
        good = self._diary.good
        choice = dict(self._rng.choice(good)) if good else self._minimal()
        for slot, one in self._inputs.items():
            if slot in self._known.unique and not isinstance(choice.get(slot, Null()), Null):
                choice[slot] = one.best
        return self._maker.trial(self._inputs, choice, tuple(self._known.relations))

    def like(self, taken: Choice) -> Trial | None:
        """An input that comes about as one did that was taken, but for what must be new."""
        choice = {
            slot: one.best if slot in self._known.unique else taken[slot]
            for slot, one in self._inputs.items()
            if slot in taken
        }
        return self._maker.trial(self._inputs, choice, ())

    def full(self) -> Trial | None:
        """An input with every field that may be there."""
        choice = {
            slot: self._choosing.any(one)
            if _is_listed(one) or self._rng.random() < 0.5
            else self._usable(one)
            for slot, one in self._inputs.items()
        }
        return self._maker.trial(self._inputs, choice, tuple(self._known.relations))

    def observe(self, trial: Trial, status: int, body: Json, content_type: str) -> None:
        """Learn from the answer to an input."""
        self._diary.calls += 1
        known = self._inputs
        self._heard(trial, status, body, content_type)
        self.taught = known is not self._inputs
        if self._supposed and not 200 <= status < 300:
            self._known.retract(self._supposed)
            self._inputs = self._space.inputs(self._known)
        self._supposed = []

    def _heard(self, trial: Trial, status: int, body: Json, content_type: str) -> None:
        if 200 <= status < 300:
            self._diary.taken(trial)
            self._keep(trial, body)
        elif 400 <= status < 500 and status not in _NOT_ABOUT_INPUT:
            self._refused(trial, status, body, content_type)
        elif status >= 400:
            self._diary.put_off(status, body, content_type)
            if status >= 500:
                self._diary.crashed(trial)
            self._overhear(trial, body, content_type)

    def _keep(self, trial: Trial, body: Json) -> None:
        case, responses = trial.case, self._setting.responses
        if self._operation.method == "DELETE":
            for name in list(case.path)[-1:]:
                responses.forget(name, case.path[name])
        else:
            responses.record(self._operation.id, body, case.path)

    def _refused(self, trial: Trial, status: int, body: Json, content_type: str) -> None:
        found = complaints(body, content_type)
        # Each is heard, even where an earlier one has changed something.
        lasting = status != 409
        changed = [self._known.hear(one, trial.values, lasting=lasting) for one in found]
        about = [(one, self._known.slots(one, trial.values)) for one in found]
        self._diary.refused(trial, status, about)
        if status in _INVALID:
            told = [slots for (_, slots), heard in zip(about, changed, strict=True) if not heard]
            changed += [self._avoids(trial, slots[0]) for slots in told if slots]
        if any(changed) or self._heed(status, [slot for _, slots in about for slot in slots]):
            self._heed_all()
            self._eager = 1 if self._diary.successes else _EAGER

    def _heed_all(self) -> None:
        """Go by all that is known from now on."""
        unwanted = self._setting.offered & set(self._known.forbidden)
        if unwanted:
            given = {s: value for s, value in self._setting.given.items() if s not in unwanted}
            offered = self._setting.offered - unwanted
            self._setting = replace(self._setting, given=given, offered=offered)
            self._space = Space(self._operation, self._setting)
            self._maker = TrialMaker(self._operation, self._setting, self._rng)
        self._inputs = self._space.inputs(self._known)
        if self._known.forbidden:
            self._maker.leave_out(self._known.forbidden)

    def _overhear(self, trial: Trial, body: Json, content_type: str) -> None:
        """Learn from a service that fell over what its database said: a fault, and a rule too."""
        found = constraints(texts(parsed_body(body, content_type), content_type))
        changed = [self._known.hear(one, trial.values) for one in found]
        if any(changed):
            self._heed_all()
            self._eager = 1 if self._diary.successes else _EAGER

    def _avoids(self, trial: Trial, slot: Slot) -> bool:
        """Whether an input that need not be there is left out from now on."""
        known = self._inputs.get(slot)
        if known is None or known.required or trial.values.get(slot, ABSENT) is ABSENT:
            return False
        return self._setting.avoided.refused(self._operation.id, slot)

    def _heed(self, status: int, named: list[Slot]) -> bool:
        """Learn from the status alone where the words say nothing."""
        if named or status not in {404, 409, 410}:
            return False
        found = []
        for slot, one in self._inputs.items():
            last = (words(one.field.name) or ("",))[-1]
            if status == 409 and last in (*ID_WORDS, "email") and slot not in self._known.unique:
                self._known.unique.append(slot)
                found.append(slot)
            if status != 409 and slot[0] is Location.PATH and slot not in self._known.existing:
                self._known.existing.append(slot)
                found.append(slot)
        return bool(found)

    def _trials(self) -> Iterator[Trial]:
        yield from self._maker.examples(self._inputs, self._known.unique)
        yield from self._promising()
        empty = self._maker.nothing(self._inputs)
        yield from [empty] if empty is not None else []
        same, strength, rounds = 0, 1, 0
        while self._inputs and rounds < _ROUNDS and same <= _SAME:
            before, inputs = self._diary.fragments.known, self._inputs
            yield from self._round(strength)
            yield from self._promising()
            if inputs is not self._inputs:
                # The strategies have changed: the array is begun anew with those.
                same, strength = 0, 1
                continue
            rounds += 1
            same = same + 1 if self._diary.fragments.known == before else 0
            strength = 2 if same else 1

    def _promising(self) -> Iterator[Trial]:
        """The least input under what is known, a few times for each thing learned."""
        while self._eager > 0:
            self._eager -= 1
            if not self._inputs:
                self._eager = 0
            trial = self._made(self._minimal())
            if trial is not None:
                yield trial
            if not (self.taught or self._tried_whole):
                self._tried_whole = True
                yield from self._with_parts()
                yield from self._whole()

    def _with_parts(self) -> Iterator[Trial]:
        """The least input with the objects that instances have and the document does not tell of:
        a service may want them without saying so."""
        self._supposed = self._known.suppose(self._setting.beside.parts)
        if self._supposed:
            self._inputs = self._space.inputs(self._known)
            trial = self._made(self._minimal())
            yield from [trial] if trial is not None else []

    def _whole(self) -> Iterator[Trial]:
        """An input with all that its body may have, where nobody says what is missing in less."""
        least = self._minimal()
        body = {
            slot: self._usable(one)
            for slot, one in self._inputs.items()
            if slot[0] is Location.BODY and isinstance(least[slot], Null)
        }
        if any(not isinstance(way, Null) for way in body.values()):
            trial = self._made({**least, **body})
            yield from [trial] if trial is not None else []

    def _round(self, strength: int) -> Iterator[Trial]:
        """A covering array of the strategies; it ends early once more is known of them."""
        known = self._inputs
        for chosen in self._choosing.covering(known, strength):
            trial = self._made({**self._minimal(), **chosen})
            if trial is not None:
                yield trial
            if known is not self._inputs:
                return

    def _minimal(self) -> dict[Slot, Strategy]:
        return self._choosing.minimal(self._inputs, best=self._begins)

    def _usable(self, one: Input) -> Strategy:
        return self._choosing.usable(one, best=self._begins)

    @property
    def _begins(self) -> bool:
        """Whether nothing was tried yet, or nothing since something was learned."""
        return self._diary.calls < 2 or self._eager == _EAGER - 1

    def _made(self, choice: Choice) -> Trial | None:
        return self._maker.trial(self._inputs, choice, tuple(self._known.relations))


def _is_listed(one: Input) -> bool:
    """Whether every value that an input may have is known."""
    return all(isinstance(way, Fixed | Null) for way in one.strategies)
