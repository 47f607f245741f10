"""Infer contracts from resources and roles: what creating, updating and deleting mean."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from icepick.errors import Place
from icepick.glacier.contracts import Clause, Contracts, OperationContract, Provenance
from icepick.glacier.inference.drafts import Draft, Gap, Line
from icepick.glacier.inference.ensures import Ensures
from icepick.glacier.inference.naming import Naming
from icepick.glacier.inference.requires import Requires
from icepick.glacier.inference.views import Views
from icepick.glacier.parser import parse_formula
from icepick.glacier.printer import print_formula
from icepick.openapi.types import ApiSpec, Operation
from icepick.resources.types import ResourceMap


@dataclass(frozen=True, slots=True)
class Inference:
    """The inferred contracts, and per operation what could not be inferred and why."""

    contracts: Contracts
    gaps: Mapping[str, tuple[str, ...]]


def infer_contracts(
    spec: ApiSpec, resources: ResourceMap, *, known: Container[str] = ()
) -> Inference:
    """The contracts of every state-changing operation, from REST conventions alone.

    Operations whose labels are `known` have contracts already and are passed over.
    """
    views = Views(spec, resources.resources)
    operations: dict[str, OperationContract] = {}
    gaps: dict[str, tuple[str, ...]] = {}
    for operation in spec.operations:
        if operation.label in known:
            continue
        contract, missing = _contract(operation, spec, resources, views)
        if contract.requires or contract.ensures:
            operations[operation.label] = contract
        if missing:
            gaps[operation.label] = missing
    return Inference(Contracts(operations), gaps)


def _contract(
    operation: Operation, spec: ApiSpec, resources: ResourceMap, views: Views
) -> tuple[OperationContract, tuple[str, ...]]:
    """What all roles of an operation say together."""
    requires: list[Line] = []
    ensures: list[Line] = []
    for resource, use in resources.uses_of(operation.id):
        named = Naming(spec.schemas, resources, views, resource, use)
        sure = use.evidence.confidence
        requires += (_bounded(line, sure) for line in Requires(named).lines())
        ensures += (_bounded(line, sure) for line in Ensures(named).lines())
    place = Place(spec.source, pointer=operation.pointer)
    contract = OperationContract(
        operation.label, _clauses(requires, place), _clauses(ensures, place)
    )
    missing = [line.reason for line in (*requires, *ensures) if isinstance(line, Gap)]
    if operation.id in resources.standalone and not operation.is_safe:
        missing.append("it belongs to no resource, so its effect is not known")
    return contract, tuple(dict.fromkeys(missing))


def _bounded(line: Line, sure: float) -> Line:
    """A clause is no surer than the role that it comes from."""
    if isinstance(line, Gap):
        return line
    return Draft(line.text, line.reason, round(min(line.confidence, sure), 2))


def _clauses(lines: Iterable[Line], place: Place) -> tuple[Clause, ...]:
    """The clauses in canonical spelling, each once."""
    found: dict[str, Clause] = {}
    for line in lines:
        if isinstance(line, Draft):
            text = print_formula(parse_formula(line.text))
            formula = parse_formula(text)  # again, so that its spans are those of this text
            clause = Clause(formula, text, Provenance.INFERRED, place, line.confidence, line.reason)
            found.setdefault(text, clause)
    return tuple(found.values())
