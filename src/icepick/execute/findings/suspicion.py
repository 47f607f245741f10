"""What looks wrong, gathered by kind: four hundred calls that fail alike are one suspicion."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from icepick.execute.binding.chance import Origin
from icepick.execute.judging.blame import ACCEPTED, INVARIANT
from icepick.execute.judging.inspect import (
    BROKEN_JSON,
    CONTENT_TYPE,
    MISSING_HEADER,
    RESPONSE_SCHEMA,
    SERVER_ERROR,
    UNDOCUMENTED_STATUS,
)
from icepick.execute.laws.agreement import VIEW
from icepick.execute.laws.frame import FRAME
from icepick.execute.types import Complaint, Judged, Verdict
from icepick.sequences.types import Kind, Step

Key = tuple[str, str, str, str]
"""Check, what it is about, the action or operation to blame, and the class of the status."""

ABOUT_STATES = frozenset({FRAME, VIEW, INVARIANT})
"""Checks that look at what is there: which call is to blame is known when each is looked at."""

UNREADABLE = "unreadable-body"
"""A server error that comes of bytes that are no proper body."""

ACCEPTED_WRONG = "accepted-wrong"
"""A wrong input that is taken; what it is about are bytes that are no proper body."""

ANYWHERE = frozenset({UNDOCUMENTED_STATUS, RESPONSE_SCHEMA, UNREADABLE})
"""Checks whose faults are no operation's own: one wherever they show."""

OF_DOCUMENT = frozenset({*ANYWHERE, CONTENT_TYPE, MISSING_HEADER})
"""Checks of one answer against its document; what they find has little to do with each other."""

OF_OPERATION = frozenset({CONTENT_TYPE, MISSING_HEADER, BROKEN_JSON})
"""Checks of one answer whose faults are an operation's own, whatever it was called for."""

_LONGEST = 2
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

    @property
    def order(self) -> tuple[bool, tuple[int, int, int]]:
        """Its place among others: that in the plan, whichever of them came first this time."""
        if self.origin is None:
            return True, (0, 0, 0)
        course, number, attempt = self.origin
        return False, (number, course, attempt)


class Suspicion:
    """A kind of complaint with the shortest example of each action that gave rise to it, made for
    the first time or again, and some of the longest: those have most of what may have led to it.

    Where the fault is one wherever it shows, there are examples of each operation that shows it.
    """

    def __init__(self, key: Key) -> None:
        self.key = key
        self.seen = 0
        self._shortest: dict[str, Example] = {}
        self._longest: dict[str, list[Example]] = {}

    def add(self, example: Example) -> None:
        """One more complaint of this kind."""
        self.seen += 1
        action = _place(example)
        known = self._shortest.setdefault(action, example)
        self._shortest[action] = min(known, example, key=lambda one: (len(one.steps), one.order))
        longest = self._longest.setdefault(action, [])
        longest.append(example)
        longest.sort(key=lambda one: (-len(one.steps), one.order))
        del longest[_LONGEST:]

    @property
    def examples(self) -> list[Example]:
        """The shortest of each action, the shortest first."""
        return sorted(self._shortest.values(), key=lambda one: (len(one.steps), one.order))

    @property
    def longer(self) -> list[Example]:
        """The longest of each action where they are others, the longest first."""
        others = [one for some in self._longest.values() for one in some]
        known = list(self._shortest.values())
        left = (one for one in others if one not in known)
        return sorted(left, key=lambda one: (-len(one.steps), one.order))

    @property
    def order(self) -> tuple[bool, tuple[int, int, int]]:
        """Its place among others."""
        return min(one.order for one in self.examples)


def _place(example: Example) -> str:
    if example.complaint.check in ANYWHERE:
        return example.complaint.operation or example.judged.operation
    *before, last = (one.call for one in example.steps)
    # What a call does the second time may be another matter, which no shorter way shows.
    again = " again" if last in before else ""
    return f"{example.judged.kind} {example.judged.action}{again}"


class Suspicions:
    """All suspicions of a run, in the order of the sequences that gave rise to them: which of
    those came first differs from run to run."""

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
        return sorted(self._by_key.values(), key=lambda one: one.order)

    def __len__(self) -> int:
        return len(self._by_key)


def principal(judged: Judged) -> Iterator[tuple[Key, Complaint]]:
    """The gravest complaint about each operation that a call complains of.

    Others are most likely aspects of the same fault. Where nothing is wrong but that an answer
    does not keep to its document, each way in which it does not is a fault of its own.
    """
    groups: dict[str, list[Complaint]] = {}
    for one in judged.complaints:
        blamed = one.operation if one.operation not in {None, judged.operation} else ""
        groups.setdefault(blamed or "", []).append(one)
    for blamed, complaints in groups.items():
        chosen = min(complaints, key=lambda one: _GRAVEST.get(one.level, 2))
        alike = [one for one in complaints if one.check in OF_DOCUMENT]
        for one in alike if chosen.check in OF_DOCUMENT else [chosen]:
            yield key_of(judged, one, blamed), one


def key_of(judged: Judged, complaint: Complaint, blamed: str = "") -> Key:
    """What tells one fault from another."""
    if complaint.check in ANYWHERE or (complaint.check == ACCEPTED_WRONG and complaint.about):
        return (complaint.check, complaint.about, "", "")
    if complaint.check in OF_OPERATION:
        return (complaint.check, complaint.about, complaint.operation or judged.operation, "")
    if complaint.check == SERVER_ERROR:
        crashed = blamed or complaint.operation or judged.operation
        refused = judged.kind == Kind.REFUSAL and crashed == judged.operation
        return crash_key(crashed, complaint.about, refused=refused)
    if blamed:
        return (complaint.check, complaint.about, blamed, "")
    if complaint.check in ABOUT_STATES:
        return (complaint.check, complaint.about, "", "")
    status = judged.status
    # What must not be accepted is the same whether it was tried on purpose or on the way.
    blame = judged.action if complaint.check == ACCEPTED else f"{judged.kind} {judged.action}"
    return (
        complaint.check,
        complaint.about,
        blame,
        f"{status // 100}xx" if status is not None else "none",
    )


def crash_key(operation: str, about: str = "", *, refused: bool = False) -> Key:
    """A server error is the same whatever the call was for, unless it had to be refused."""
    return (SERVER_ERROR, about, f"refusal {operation}" if refused else operation, "5xx")


def fingerprint(key: Key) -> str:
    """A short name of a fault that stays the same from run to run."""
    return hashlib.sha256("\0".join(key).encode()).hexdigest()[:8]
