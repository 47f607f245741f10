"""What looks wrong, gathered by kind: four hundred calls that fail alike are one suspicion."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from icepick.execute.frame import FRAME
from icepick.execute.types import Complaint, Judged, Verdict
from icepick.sequences.types import Step

Key = tuple[str, str, str, str]
"""Check, what it is about, the action or operation to blame, and the class of the status."""

_GRAVEST = {Verdict.ERR: 0, Verdict.WARN: 1}


@dataclass(slots=True)
class Suspicion:
    """A kind of complaint with the shortest example of it."""

    key: Key
    course: int
    steps: tuple[Step, ...]
    judged: Judged
    complaint: Complaint
    seen: int = 1


class Suspicions:
    """All suspicions of a run, in the order in which they arose."""

    def __init__(self) -> None:
        self._by_key: dict[Key, Suspicion] = {}

    def add(self, course: int, steps: tuple[Step, ...], judged: Judged) -> None:
        """Take in a call with complaints, the last of these steps."""
        for key, complaint in principal(judged):
            new = Suspicion(key, course, steps, judged, complaint)
            known = self._by_key.get(key)
            if known is None:
                self._by_key[key] = new
                continue
            known.seen += 1
            if len(steps) < len(known.steps):
                new.seen = known.seen
                self._by_key[key] = new

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
    if complaint.check == FRAME:
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
