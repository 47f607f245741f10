"""What happened to the inputs of one operation, and what the counts say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from icepick.inputs.case import Slot
from icepick.inputs.learn.fragments import Fragments
from icepick.inputs.learn.knowledge import Knowledge
from icepick.inputs.learn.messages import complaints
from icepick.inputs.learn.names import with_names
from icepick.inputs.learn.suspicion import Ran, invalid
from icepick.inputs.learn.types import Blocked, Choice, Complaint, Invalid, Learned, Trial
from icepick.inputs.merge import contains
from icepick.inputs.types import Drawn, Fixed, Strategy, Why
from icepick.openapi.types import ABSENT, Json
from icepick.resources.types import Location

_KEPT = 5
_RUNS = 2_000
_RECENT = 20
_SOME = 10
_IN_VAIN = 3
"""So many values that were made up are refused before others are taken for the only ones."""


class Diary:
    """Counts calls and keeps what each of them brought."""

    def __init__(self, operation: str) -> None:
        self._operation = operation
        self.calls = 0
        self.successes = 0
        self.fragments = Fragments()
        self.good: list[Choice] = []
        self._runs: list[tuple[Choice, tuple[str, ...]]] = []
        self._about: dict[str, tuple[Slot, ...]] = {}
        self._worked: dict[Slot, tuple[Json, ...]] = {}
        self._taken: dict[Slot, Strategy] = {}
        self._free: dict[Slot, None] = {}
        self._in_vain: Counter[Slot] = Counter()
        self._last: list[Blocked] = []
        self._answers: set[tuple[int, frozenset[str]]] = set()
        self._unchanged = 0
        self._beyond = 0
        self._cut: tuple[str, ...] = ()
        self._held: dict[tuple[str, ...], frozenset[str]] = {}
        self._refusals = 0
        self._counted = (-1, -1)
        self._invalid: tuple[Invalid, ...] = ()

    def recall(self, learned: Learned) -> None:
        """Count on from what was learned before."""
        self._free |= dict.fromkeys(learned.free)
        self._in_vain.update(learned.vain)

    def taken(self, trial: Trial) -> None:
        """An input was taken."""
        self.successes += 1
        self._runs.append((trial.choice, ()))
        if trial.choice not in self.good:
            self.good = [*self.good, trial.choice][-_KEPT:]
        self._taken = dict(_as_taken(trial))
        self._free |= dict.fromkeys(_made_up(trial))
        for slot, value in trial.values.items():
            kept = self._worked.get(slot, ())
            if value is not ABSENT and not contains(list(kept), value):
                self._worked[slot] = (*kept, value)[-_KEPT:]

    def refused(
        self, trial: Trial, status: int, about: list[tuple[Complaint, tuple[Slot, ...]]]
    ) -> None:
        """An input was refused, for these reasons."""
        self._refusals += 1
        texts = [with_names(one.text, trial.values) for one, _ in about]
        self.fragments.add(texts)
        for text, (complaint, slots) in zip(texts, about, strict=True):
            for fragment in self.fragments.inside(text):
                self._about.setdefault(fragment, slots)
                self._last.append(Blocked(status, fragment, slots, complaint.text))
        if not about:
            self._last.append(Blocked(status, "", (), ""))
        foreign = any(complaint.names and not slots for complaint, slots in about)
        self._beyond = self._beyond + 1 if foreign else 0
        del self._last[:-_RECENT]
        named = {slot for _, slots in about for slot in slots}
        self._in_vain.update(one for one in _made_up(trial) if not named or one in named)
        self._note(status, tuple(texts))
        self._runs.append((trial.choice, tuple(texts)))
        del self._runs[:-_RUNS]

    def _note(self, status: int, texts: tuple[str, ...]) -> None:
        answer = (status, frozenset(texts))
        self._unchanged = self._unchanged + 1 if answer in self._answers else 0
        self._answers.add(answer)

    def unchanged(self) -> int:
        """How many refusals there were since one that was new."""
        return self._unchanged

    def beyond(self) -> int:
        """How many answers in a row were about no input, or about one that nobody declared."""
        return min(self._beyond, self._unchanged)

    def crashed(self, trial: Trial) -> None:
        """The service fell over an input, whatever it says."""
        self._in_vain.update(_made_up(trial))

    def in_vain(self, slot: Slot) -> bool:
        """Whether values that are made up have been of no use for an input."""
        return self._in_vain[slot] > 1 and slot not in self._free

    def put_off(self, status: int, body: Json, content_type: str) -> None:
        """The answer was not about the input."""
        texts = [one.text for one in complaints(body, content_type)]
        self._last.append(Blocked(status, "", (), texts[0] if texts else ""))
        self._note(status, ())
        self._beyond += 1
        del self._last[:-_RECENT]

    def invalid(self) -> tuple[Invalid, ...]:
        """The combinations of strategies that bring about errors."""
        # Successes only take suspicion away, and slowly: not each of them is worth a count.
        now = (self._refusals, self.successes // _SOME)
        if self._counted != now:
            if self._cut != self.fragments.known:
                self._cut, self._held = self.fragments.known, {}
            runs = [Ran(choice, self._inside(texts)) for choice, texts in self._runs]
            known = set(self._cut)
            about = {text: slots for text, slots in self._about.items() if text in known}
            self._counted, self._invalid = now, invalid(runs, about)
        return self._invalid

    def _inside(self, texts: tuple[str, ...]) -> frozenset[str]:
        if texts not in self._held:
            found = (one for text in texts for one in self.fragments.inside(text))
            self._held[texts] = frozenset(found)
        return self._held[texts]

    def blocked(self) -> Blocked | None:
        """What stood in the way most often of late; None once an input was taken."""
        if self.successes or not self._last:
            return None
        counts = Counter((one.status, one.fragment) for one in self._last)
        most = max(counts.values())
        last = [one for one in self._last if counts[one.status, one.fragment] == most]
        return max(last, key=lambda one: (len(one.slots) > 0, len(one.message)))

    def _picky(self, known: Knowledge) -> dict[Slot, tuple[Json, ...]]:
        """The inputs that took what was seen elsewhere, and nothing that was made up."""
        vain = [slot for slot, times in self._in_vain.items() if times >= _IN_VAIN]
        found = {
            slot: self._worked[slot]
            for slot in vain
            if slot in self._worked and slot[0] is not Location.PATH and slot not in known.unique
        }
        both = {**known.picky, **found}
        return {slot: some for slot, some in both.items() if slot not in self._free}

    def learned(self, known: Knowledge) -> Learned:
        """All of it as one value."""
        return Learned(
            operation=self._operation,
            hints=dict(known.hints),
            relations=tuple(known.relations),
            unique=tuple(known.unique),
            existing=tuple(known.existing),
            forbidden=tuple(known.forbidden),
            undeclared={slot: one.schema for slot, one in known.undeclared.items()},
            examples=dict(known.examples),
            invalid=self.invalid(),
            worked=dict(self._worked),
            picky=self._picky(known),
            taken=dict(self._taken),
            free=tuple(self._free),
            vain={slot: some for slot, some in self._in_vain.items() if slot not in self._free},
            blocked=self.blocked(),
            heard=tuple(known.heard),
            calls=self.calls,
            successes=self.successes,
        )


def _made_up(trial: Trial) -> Iterable[Slot]:
    """The inputs that nobody knew a value for."""
    return [
        slot
        for slot, strategy in trial.choice.items()
        if isinstance(strategy, Drawn) and trial.values.get(slot, ABSENT) is not ABSENT
    ]


def _as_taken(trial: Trial) -> Iterator[tuple[Slot, Strategy]]:
    """How to make another input of the kind: what was made up may be so again, the rest stays."""
    for slot, value in trial.values.items():
        strategy = trial.choice.get(slot)
        if value is not ABSENT:
            yield slot, strategy if isinstance(strategy, Drawn) else Fixed(value, Why.EXAMPLE)
