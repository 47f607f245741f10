"""The contracts of a run, compiled once, and how each clause fares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace

from icepick.execute.events import ClauseCounted
from icepick.execute.types import ClauseCount, Complaint, Provenance, Verdict
from icepick.glacier import Check, Clause, Contracts, Outcome, Role, Truth, prepare
from icepick.glacier import Provenance as Source
from icepick.openapi.types import Operation


@dataclass(frozen=True, slots=True)
class Promise:
    """What one operation requires and ensures; `is_written`: a person said what it requires."""

    requires: tuple[Check, ...] = ()
    ensures: tuple[Check, ...] = ()
    is_written: bool = False


@dataclass(slots=True)
class _Entry:
    role: Role
    operation: str | None
    clause: Clause
    count: ClauseCount = field(default_factory=ClauseCount)


class Promises:
    """Every clause of a service, ready to be evaluated and counted.

    What a clause says of the state after a call may be judged only where nobody else is at work:
    those that are `shared` are part of `alone`, and left out otherwise.
    """

    def __init__(
        self, contracts: Contracts, shared: Callable[[Clause], bool] = lambda _: False
    ) -> None:
        self._entries: dict[int, _Entry] = {}
        self._shared = shared
        self.invariants = self._prepared(contracts.invariants, Role.INVARIANT, None)
        self._of: dict[str, Promise] = {}
        for label, contract in contracts.operations.items():
            self._of[label] = Promise(
                self._prepared(contract.requires, Role.REQUIRES, label),
                self._prepared(contract.ensures, Role.ENSURES, label),
                any(clause.provenance is Source.WRITTEN for clause in contract.requires),
            )
        self.alone = copy(self)
        self.invariants = self._beside(self.invariants)
        self._of = {
            label: replace(promise, ensures=self._beside(promise.ensures))
            for label, promise in self._of.items()
        }

    def _beside(self, checks: tuple[Check, ...]) -> tuple[Check, ...]:
        return tuple(one for one in checks if not self._shared(one.clause))

    def waits(self, operation: Operation) -> bool:
        """Whether something about an operation can only be judged alone."""
        whole = len(self.alone.of(operation).ensures) + len(self.alone.invariants)
        return len(self.of(operation).ensures) + len(self.invariants) < whole

    def _prepared(
        self, clauses: Iterable[Clause], role: Role, label: str | None
    ) -> tuple[Check, ...]:
        checks = tuple(prepare(clause) for clause in clauses)
        for check in checks:
            self._entries[id(check.clause)] = _Entry(role, label, check.clause)
        return checks

    def of(self, operation: Operation) -> Promise:
        """What an operation promises, which may be nothing."""
        return self._of.get(operation.label, _NOTHING)

    def count(self, outcomes: Iterable[Outcome]) -> None:
        """Note how clauses fared in one call."""
        for outcome in outcomes:
            entry = self._entries.get(id(outcome.clause))
            if entry is None:
                continue
            if outcome.value is Truth.TRUE:
                entry.count.true += 1
            elif outcome.value is Truth.FALSE:
                entry.count.false += 1
            else:
                entry.count.unknown += 1
                entry.count.reason = outcome.reason

    def counted(self) -> Iterator[ClauseCounted]:
        """How every clause fared so far."""
        for entry in self._entries.values():
            count = entry.count
            yield ClauseCounted(
                entry.role.value, entry.operation, entry.clause.text,
                entry.clause.provenance.value, count.true, count.false, count.unknown,
                count.reason,
            )  # fmt: skip


_NOTHING = Promise()


def broken(outcome: Outcome, check: str, level: Verdict, exchanges: Iterable[int]) -> Complaint:
    """The complaint about a clause that is false."""
    clause = outcome.clause
    return Complaint(
        check, level, clause.text, outcome.explanation, Provenance(clause.provenance.value),
        about=clause.text, bindings=dict(outcome.bindings), exchanges=tuple(exchanges),
    )  # fmt: skip
