"""What looks wrong, gathered by kind: four hundred calls that fail alike are one suspicion."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from icepick.execute.agreement import VIEW
from icepick.execute.blame import INVARIANT
from icepick.execute.chance import Origin
from icepick.execute.frame import FRAME
from icepick.execute.types import Complaint, Judged, Verdict
from icepick.sequences.types import Step

Key = tuple[str, str, str, str]
"""Check, what it is about, the action or operation to blame, and the class of the status."""

ABOUT_STATES = frozenset({FRAME, VIEW, INVARIANT})
"""Checks that look at what is there: which call is to blame is known when each is looked at."""

_GRAVEST = {Verdict.ERR: 0, Verdict.WARN: 1}


@dataclass(frozen=True, slots=True)
class Example:
    """A sequence whose last call gave rise to a complaint."""

    course: int
    steps: tuple[Step, ...]
    judged: Judged
    complaint: Complaint
    origin: Origin | None = None
    """Where its inputs come from."""


class Suspicion:
    """A kind of complaint with the shortest and the longest example of each action that gave rise
    to it: the longest has most of what may have led to it."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.seen = 0
        self._shortest: dict[str, Example] = {}
        self._longest: dict[str, Example] = {}

    def add(self, example: Example) -> None:
        """One more complaint of this kind."""
        self.seen += 1
        action = f"{example.judged.kind} {example.judged.action}"
        length = len(example.steps)
        if length < len(self._shortest.setdefault(action, example).steps):
            self._shortest[action] = example
        if length > len(self._longest.setdefault(action, example).steps):
            self._longest[action] = example

    @property
    def examples(self) -> list[Example]:
        """The shortest of each action, the shortest first."""
        return sorted(self._shortest.values(), key=lambda one: len(one.steps))

    @property
    def longer(self) -> list[Example]:
        """The longest of each action where it is another one, the longest first."""
        others = [one for one in self._longest.values() if one not in self._shortest.values()]
        return sorted(others, key=lambda one: -len(one.steps))


class Suspicions:
    """All suspicions of a run, in the order in which they arose."""

    def __init__(self) -> None:
        self._by_key: dict[Key, Suspicion] = {}

    def add(
        self, course: int, steps: tuple[Step, ...], judged: Judged, origin: Origin | None = None
    ) -> None:
        """Take in a call with complaints, the last of these steps."""
        for key, complaint in principal(judged):
            known = self._by_key.setdefault(key, Suspicion(key))
            known.add(Example(course, steps, judged, complaint, origin))

    def all(self) -> list[Suspicion]:
        """Every suspicion."""
        return list(self._by_key.values())

    def __len__(self) -> int:
        return len(self._by_key)


def principal(judged: Judged) -> Iterator[tuple[Key, Complaint]]:
    """The gravest complaint about each operation that a call complains of."""
    groups: dict[str, list[Complaint]] = {}
    for one in judged.complaints:
        blamed = one.operation if one.operation not in {None, judged.operation} else ""
        groups.setdefault(blamed or "", []).append(one)
    for blamed, complaints in groups.items():
        chosen = min(complaints, key=lambda one: _GRAVEST.get(one.level, 2))
        yield key_of(judged, chosen, blamed), chosen


def key_of(judged: Judged, complaint: Complaint, blamed: str = "") -> Key:
    """What tells one fault from another."""
    if blamed:
        return (complaint.check, complaint.about, blamed, "")
    if complaint.check in ABOUT_STATES:
        return (complaint.check, complaint.about, "", "")
    status = judged.status
    return (
        complaint.check,
        complaint.about,
        f"{judged.kind} {judged.action}",
        f"{status // 100}xx" if status is not None else "none",
    )


def fingerprint(key: Key) -> str:
    """A short name of a fault that stays the same from run to run."""
    return hashlib.sha256("\0".join(key).encode()).hexdigest()[:8]
