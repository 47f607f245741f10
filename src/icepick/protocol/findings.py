"""From what looks wrong in a run to a finding: repeated alone, as short as it gets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterator
from dataclasses import dataclass

from icepick.execute.findings.confirm import title_of
from icepick.execute.findings.suspicion import Key as FaultKey
from icepick.execute.findings.suspicion import fingerprint, key_of, principal
from icepick.execute.types import Complaint, Finding, Judged, Unconfirmed, Verdict
from icepick.protocol.automaton import Automaton, Key
from icepick.protocol.judging import OF_MODEL
from icepick.protocol.passage import Move
from icepick.protocol.scripts import Choice, Script, labelled, shorter, shortest

_MOST_RUNS = 40
"""How often a run is made to make it shorter."""

_REPEATS = 2

Again = Callable[[Script], Awaitable[tuple[Move, ...]]]
"""Makes a run again, alone and with fresh values."""


@dataclass(slots=True)
class Suspicion:
    """A kind of complaint with the shortest run that showed it.

    It is tainted where something was wrong earlier in that run: the service may only suffer from
    that.
    """

    key: FaultKey
    model: int
    script: Script
    judged: Judged
    complaint: Complaint
    tainted: bool
    seen: int = 1


class Suspicions:
    """All suspicions of all runs, in the order in which they arose."""

    def __init__(self) -> None:
        self._by_key: dict[FaultKey, Suspicion] = {}

    def add(self, model: int, moves: tuple[Move, ...], *, tainted: bool) -> None:
        """Take in a run up to a call with complaints."""
        for key, complaint in blamed(moves[-1].judged):
            new = Suspicion(key, model, script_of(moves), moves[-1].judged, complaint, tainted)
            known = self._by_key.get(key)
            if known is None:
                self._by_key[key] = new
                continue
            known.seen += 1
            if (tainted, len(new.script)) < (known.tainted, len(known.script)):
                new.seen = known.seen
                self._by_key[key] = new

    def all(self) -> list[Suspicion]:
        """Every suspicion, those beyond doubt first."""
        return sorted(self._by_key.values(), key=lambda one: one.tainted)

    def __len__(self) -> int:
        return len(self._by_key)


def script_of(moves: tuple[Move, ...]) -> Script:
    """What a run chose."""
    return tuple(
        Choice(move.send.key, move.receive.key if move.receive is not None else None)
        for move in moves
    )


def blamed(judged: Judged) -> Iterator[tuple[FaultKey, Complaint]]:
    """The gravest complaint about each operation; faults of the model are told apart by branch."""
    for key, complaint in principal(judged):
        yield _own(key, judged, complaint), complaint


def _own(key: FaultKey, judged: Judged, complaint: Complaint) -> FaultKey:
    if complaint.check in OF_MODEL:
        return (complaint.check, complaint.about, judged.action, "")
    return key


async def confirmed(
    suspicion: Suspicion, automaton: Automaton, seen: Collection[Key], again: Again
) -> Finding | Unconfirmed | None:
    """A finding with the shortest run that shows it; None where it is a mere aftermath.

    `seen` are the branches that the service was seen to take.
    """
    attempts = 0
    for script in _candidates(suspicion, automaton, seen):
        attempts += 1
        shown = _shown(await again(script), suspicion.key)
        if shown is not None:
            return _finding(suspicion, await _shortened(suspicion.key, shown, automaton, again))
    if suspicion.tainted:
        return None
    complaint = suspicion.complaint
    return Unconfirmed(
        fingerprint(suspicion.key), title_of(suspicion.judged, complaint),
        suspicion.judged.operation, suspicion.judged.label, complaint, attempts, suspicion.seen,
    )  # fmt: skip


def _candidates(
    suspicion: Suspicion, automaton: Automaton, seen: Collection[Key]
) -> Iterator[Script]:
    script = suspicion.script
    straight = shortest(automaton, script[-1].send, seen)
    if straight is not None and len(straight) < len(script):
        yield straight
    for _ in range(_REPEATS):
        yield script


def _shown(moves: tuple[Move, ...], key: FaultKey) -> tuple[Move, ...] | None:
    """The run up to the first call that shows the same fault."""
    for index, move in enumerate(moves):
        found = [one for one, _ in blamed(move.judged)]
        found += [key_of(move.judged, one) for one in move.judged.complaints]
        if key in found:
            return moves[: index + 1]
    return None


async def _shortened(
    key: FaultKey, moves: tuple[Move, ...], automaton: Automaton, again: Again
) -> tuple[Move, ...]:
    """Leave out as much as can be left out, as long as the fault shows."""
    runs = 0
    ways = shorter(automaton, script_of(moves))
    while runs < _MOST_RUNS and (script := next(ways, None)) is not None:
        runs += 1
        shown = _shown(await again(script), key)
        if shown is not None:
            moves = shown
            ways = shorter(automaton, script_of(moves))
    return moves


def _finding(suspicion: Suspicion, moves: tuple[Move, ...]) -> Finding:
    last = moves[-1].judged
    complaint = _same(last, suspicion.key)
    return Finding(
        fingerprint(suspicion.key), 0, complaint.level, title_of(last, complaint), last.operation,
        last.label, last.action, last.status, complaint, tuple(move.judged for move in moves),
        len(suspicion.script), suspicion.seen,
    )  # fmt: skip


def _same(judged: Judged, key: FaultKey) -> Complaint:
    for one, complaint in blamed(judged):
        if one == key:
            return complaint
    return next(one for one in judged.complaints if key_of(judged, one) == key)


def is_tainted(moves: tuple[Move, ...]) -> bool:
    """Whether something was wrong for sure in these calls."""
    return any(one.level is Verdict.ERR for move in moves for one in move.judged.complaints)


def way_to(finding: Finding, automaton: Automaton) -> Script | None:
    """The choices that a finding's calls are; None where the model does not have them."""
    complaint = finding.complaint
    last = complaint.about if complaint.check in OF_MODEL else ""
    return labelled(automaton, [step.label for step in finding.steps], last)


def shows(judged: Judged, finding: Finding) -> bool:
    """Whether a call shows the fault of a finding."""
    keys = [key for key, _ in blamed(judged)]
    keys += [key_of(judged, one) for one in judged.complaints]
    return finding.id in map(fingerprint, keys)
