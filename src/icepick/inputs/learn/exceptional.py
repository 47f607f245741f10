"""Wrong inputs, and what they bring to light (Algorithm 3 of EmRest)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from icepick.inputs.case import Case
from icepick.inputs.dice import dice
from icepick.inputs.learn.bugs import crash_texts
from icepick.inputs.learn.fragments import Fragments
from icepick.inputs.learn.learner import OperationLearner
from icepick.inputs.learn.mutate import Candidate, Mutation, Mutator
from icepick.inputs.learn.space import Setting
from icepick.inputs.learn.types import Trial
from icepick.openapi.types import Json

_DECAY = 0.9
_BATCH = 6
_ROUNDS = 6
"""So many calls at a time every operation gets, so many times, before some get more."""

_MOST = 120
_IDLE = 36
"""So many calls in a row without a new crash end the turn of an operation that got more."""

_BASES = 6
_DRAWS = 5
_BLOCKED = 2
"""So often a mistake that nobody looked at is made again."""

_MORE = 0.4
_MISSING = "missing"
_ALONE = frozenset({_MISSING, "another's", "another's in other case", "of nobody"})
"""What matters only where the rest of the call is right."""

_ABSENT = 0.3
"""Whether an optional field may be missing depends on the others, so it is tried more often."""


class OddityKind(StrEnum):
    """What an answer can be found wanting in."""

    CRASH = "crash"
    ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Oddity:
    """An answer that should not be; equal keys of one operation are the same fault."""

    kind: OddityKind
    operation: str
    key: str
    status: int
    message: str
    mutation: Mutation


class Exceptional:
    """Proposes wrong calls and judges the answers; it sends nothing itself.

    Every operation has its turns; then they are chosen in proportion to the bugs they have shown.
    Each call has dice of its own, and each mistake a place in an order that is drawn once: which
    mistakes are made does not depend on the values that a service happened to give.
    """

    def __init__(
        self,
        learners: Sequence[OperationLearner],
        setting: Setting,
        rng: Random,
        may: Callable[[Mutation], bool] = lambda _: True,
    ) -> None:
        self._learners = {one.operation.id: one for one in learners}
        self._setting = setting
        self._may = may
        self._seed = rng.getrandbits(64)
        self._rng = dice(self._seed)
        self._places: dict[tuple[str, str, str], float] = {}
        self._calls: Counter[str] = Counter()
        self._mutator = Mutator(setting.generator, setting.schemas, self._rng)
        self._weights: dict[tuple[str, str, str], float] = {}
        self._blocked: Counter[tuple[str, str, str]] = Counter()
        self._fragments: dict[str, Fragments] = {}
        self._found: dict[tuple[OddityKind, str, str], Oddity] = {}
        self._fresh = list(self._learners) * _ROUNDS
        self._turn = ""
        self._left = 0
        self._idle = 0
        self._bases: dict[str, list[Trial]] = {}
        self._trials: dict[int, tuple[Mutation, Trial]] = {}

    @property
    def found(self) -> tuple[Oddity, ...]:
        """Every distinct oddity, in the order it was found."""
        return tuple(self._found.values())

    def bugs(self, operation: str) -> int:
        """How many distinct crashes an operation has shown."""
        return sum(kind is OddityKind.CRASH and op == operation for kind, op, _ in self._found)

    def next(self) -> Mutation | None:
        """The next wrong call, or a right one to start from; None where no call can be made."""
        for _ in range(len(self._learners) + 1):
            if self._left <= 0 or self._idle >= _IDLE:
                self._change()
            self._left -= 1
            self._idle += 1
            made = self._mutation(self._turn) if self._turn else None
            if made is not None:
                return made
            self._left = 0
        return None

    def blocked(self, mutation: Mutation) -> None:
        """A call was not made, or refused for something else than what is wrong with it: it is as
        likely as before."""
        for one in mutation.mistakes:
            key = (mutation.operation.id, one.place, one.kind)
            if key in self._weights and self._blocked[key] < _BLOCKED:
                self._blocked[key] += 1
                self._weights[key] /= _DECAY

    def _change(self) -> None:
        """Turn to the next operation: each as often as others, then those with bugs more often."""
        self._idle = 0
        if self._fresh:
            self._turn, self._left = self._fresh.pop(0), _BATCH
        elif self._learners:
            names = list(self._learners)
            self._turn = self._rng.choices(names, [1 + 4 * self.bugs(one) for one in names])[0]
            self._left = _MOST
            self._bases.pop(self._turn, None)

    def _mutation(self, operation: str) -> Mutation | None:
        bases = self._bases.setdefault(operation, [])
        learner = self._learners[operation]
        self._calls[operation] += 1
        chance = f"{self._seed} {operation} {self._calls[operation]}"
        self._rng.seed(chance)
        # Not the same dice: what is wrong with a call must not depend on how the rest is drawn.
        learner.reseed(f"{chance} of the learner")
        if len(bases) < 2 or (len(bases) < _BASES and self._rng.random() < 0.1):
            trial = self._drawn(learner, whole=len(bases) % 2 == 1)
            if trial is not None:
                bases.append(trial)
                return self._plain(trial)
        if not bases:
            return None
        return self._mutated(operation, self._base(learner, bases))

    def _base(self, learner: OperationLearner, bases: list[Trial]) -> Trial:
        """A new input each time, so that what must be unique is."""
        made = self._drawn(learner, whole=self._rng.random() >= 0.5)
        return made or self._rng.choice(bases)

    def _drawn(self, learner: OperationLearner, *, whole: bool) -> Trial | None:
        """A right input, of a call that may be made."""
        for _ in range(_DRAWS):
            trial = learner.full() if whole else learner.valid()
            if trial is None or self._may(Mutation(trial.case.operation, trial.case)):
                return trial
        return None

    def _plain(self, trial: Trial) -> Mutation:
        made = Mutation(trial.case.operation, trial.case)
        self._trials[id(made)] = (made, trial)
        return made

    def _mutated(self, operation: str, trial: Trial) -> Mutation | None:
        candidates = self._mutator.candidates(trial.case, self._others)
        if not candidates:
            return None
        made = self._allowed(operation, trial.case, candidates)
        if made is None:
            return None
        alone = made.mistakes[0].kind in _ALONE or self._rng.random() >= _MORE
        places = {one.place for one in candidates}
        for _ in range(0 if alone else self._rng.randint(1, 1 + len(places) // 4)):
            made = self._with_another(operation, made, trial.case, candidates)
        return replace(made, right=trial.case)

    def _allowed(self, operation: str, right: Case, candidates: list[Candidate]) -> Mutation | None:
        """A call with one mistake that may be made; those that may not cost no turn."""
        for _ in candidates:
            made = replace(self._chosen(operation, candidates).make(right), right=right)
            if self._may(made):
                return made
        return None

    def _with_another(
        self, operation: str, first: Mutation, right: Case, candidates: list[Candidate]
    ) -> Mutation:
        """The same call, wrong in one more place; what is forbidden is asked of each apart."""
        case = first.request
        if not isinstance(case, Case) or isinstance(case.body, list):
            return first
        if any(one.place == "body" for one in first.mistakes):
            # A body without its fields is another one with some of them.
            return first
        spoilt = ["body", *(one.place for one in first.mistakes)]
        places = {one.place for one in candidates}
        free = {one for one in places if not any(_overlaps(one, other) for other in spoilt)}
        others = [one for one in candidates if one.place in free]
        if not others:
            return first
        chosen = self._chosen(operation, others)
        alone = chosen.make(right)
        return replace(chosen.make(case), mistakes=(*first.mistakes, *alone.mistakes))

    def _chosen(self, operation: str, candidates: list[Candidate]) -> Candidate:
        """The first of those that were chosen least; each choice makes the next less likely."""
        absent = [one for one in candidates if one.kind == _MISSING]
        others = [one for one in candidates if one.kind != _MISSING]
        if absent and (not others or self._rng.random() < _ABSENT):
            others = absent
        keys = [(operation, one.place, one.kind) for one in others]
        weights = [self._weights.get(key, 1.0) for key in keys]
        heaviest = max(weights)
        least = [at for at, weight in enumerate(weights) if weight >= heaviest]
        index = min(least, key=lambda at: self._place(keys[at]))
        self._weights[keys[index]] = heaviest * _DECAY
        return others[index]

    def _place(self, mistake: tuple[str, str, str]) -> float:
        """Where a mistake stands in the order in which they are made."""
        if mistake not in self._places:
            self._places[mistake] = dice(self._seed, mistake).random()
        return self._places[mistake]

    def _others(self, name: str) -> tuple[Json, ...]:
        """The values that things have in a field of exactly this name."""
        found: list[Json] = []
        for source in self._setting.responses.similar(name):
            if source.field == name:
                found += self._setting.responses.values(source)
        return tuple(found)

    def observe(
        self, mutation: Mutation, status: int, body: Json, content_type: str
    ) -> tuple[Oddity, ...]:
        """What is odd about an answer, and was not known yet."""
        known = self._trials.pop(id(mutation), None)
        if known is not None:
            learner = self._learners[mutation.operation.id]
            learner.observe(known[1], status, body, content_type)
        new = []
        for kind, key, message in self._odd(mutation, status, body, content_type):
            place = (kind, mutation.operation.id, key)
            if place not in self._found:
                one = Oddity(kind, mutation.operation.id, key, status, message, mutation)
                self._found[place] = one
                new.append(one)
        if any(one.kind is OddityKind.CRASH for one in new):
            self._idle = 0
        return tuple(new)

    def _odd(
        self, mutation: Mutation, status: int, body: Json, content_type: str
    ) -> list[tuple[OddityKind, str, str]]:
        if status >= 500:
            keys = self._crashes(mutation, body, content_type)
            return [(OddityKind.CRASH, key, message) for key, message in keys]
        taken = [one for one in mutation.mistakes if one.forbidden and 200 <= status < 300]
        return [(OddityKind.ACCEPTED, str(one), f"{status} for {one}") for one in taken]

    def _crashes(self, mutation: Mutation, body: Json, content_type: str) -> list[tuple[str, str]]:
        """The distinct crashes of an answer; where it says nothing, each place is one."""
        texts = crash_texts(body, content_type)
        if not texts:
            places = [one.place for one in mutation.mistakes] or ["a right call"]
            known = [one for one in places if self._is_known(mutation, f"silent at {one}")]
            return [(f"silent at {(known or places)[0]}", "no message")]
        fragments = self._fragments.setdefault(mutation.operation.id, Fragments())
        fragments.add(texts)
        return [(one, text) for text in texts for one in fragments.inside(text)]

    def _is_known(self, mutation: Mutation, key: str) -> bool:
        return (OddityKind.CRASH, mutation.operation.id, key) in self._found


def _overlaps(one: str, other: str) -> bool:
    """Whether one of two places lies inside the other."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")
