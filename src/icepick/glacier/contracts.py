"""Contracts as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from icepick.errors import Place
from icepick.glacier.tree import Formula
from icepick.resources.types import Provenance

__all__ = ["Clause", "Contracts", "OperationContract", "Provenance", "Role"]


class Role(StrEnum):
    """What a clause is for; also the keyword it stands under."""

    REQUIRES = "requires"
    ENSURES = "ensures"
    INVARIANT = "invariants"


@dataclass(frozen=True, slots=True)
class Clause:
    """One formula of a contract; `confidence` and `reason` are those of who inferred it."""

    formula: Formula
    text: str
    provenance: Provenance
    place: Place
    confidence: float = 1.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OperationContract:
    """What an operation requires and ensures; `operation` is its label, such as POST /players."""

    operation: str
    requires: tuple[Clause, ...] = ()
    ensures: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Contracts:
    """The contracts of a service: by operation label, and what holds at all times."""

    operations: Mapping[str, OperationContract] = field(default_factory=dict)
    invariants: tuple[Clause, ...] = ()

    def of(self, operation: str) -> OperationContract:
        """The contract of an operation, which may be empty."""
        return self.operations.get(operation, OperationContract(operation))

    def clauses(self) -> Iterator[Clause]:
        """Every clause, the invariants first."""
        yield from self.invariants
        for contract in self.operations.values():
            yield from contract.requires
            yield from contract.ensures

    def merged(self, other: Contracts) -> Contracts:
        """These contracts and then those of another source."""
        operations = dict(self.operations)
        for label, contract in other.operations.items():
            own = self.of(label)
            operations[label] = OperationContract(
                label, own.requires + contract.requires, own.ensures + contract.ensures
            )
        return Contracts(operations, self.invariants + other.invariants)
