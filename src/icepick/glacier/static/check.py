"""Check contracts against the document they are about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches

from icepick.errors import Code, ContractError, Diagnostic, Place, Severity
from icepick.glacier.contracts import Clause, Contracts, OperationContract, Provenance, Role
from icepick.glacier.parser import parse_formula
from icepick.glacier.static.api import Api, Setting, setting_of, without_hole_names
from icepick.glacier.static.constants import check_constants
from icepick.glacier.static.examine import examine
from icepick.glacier.static.findings import Findings
from icepick.glacier.static.placement import check_placement
from icepick.glacier.static.places import place_of
from icepick.glacier.static.routes import Routes
from icepick.glacier.static.variables import check_variables
from icepick.openapi.types import ApiSpec, Operation


def check_contracts(contracts: Contracts, spec: ApiSpec) -> tuple[Diagnostic, ...]:
    """Everything that is wrong or idle in the contracts, as far as the document tells.

    An error cannot work, a warning most likely is not what was meant, a note could be left out.
    """
    api = Api(spec, Routes(spec))
    found: list[Diagnostic] = []
    for clause in contracts.invariants:
        found += _check_clause(clause, api, Setting(Role.INVARIANT), None)
    for contract in contracts.operations.values():
        found += _check_operation(contract, api)
    return tuple(found)


def _check_operation(contract: OperationContract, api: Api) -> Iterator[Diagnostic]:
    label = contract.operation
    operation = _operation(label, api.spec)
    if label not in api.spec.left_out and (operation is None or operation.label != label):
        yield _unknown(contract, operation, api.spec)
    for role, clauses in (
        (Role.REQUIRES, contract.requires),
        (Role.ENSURES, contract.ensures),
    ):
        setting = setting_of(role, label, operation)
        for clause in clauses:
            yield from _check_clause(clause, api, setting, label)


def _operation(label: str, spec: ApiSpec) -> Operation | None:
    """The operation of a label, or else the one that differs in the names of parameters only."""
    plain = without_hole_names(label)
    near = [o for o in spec.operations if without_hole_names(o.label) == plain]
    same = [o for o in near if o.label == label]
    return next(iter([*same, *near]), None)


def _unknown(contract: OperationContract, operation: Operation | None, spec: ApiSpec) -> Diagnostic:
    label = contract.operation
    first = next(iter([*contract.requires, *contract.ensures]), None)
    place = place_of(first, 0) if first else Place(spec.source)
    hint = f"the document calls it {operation.label}" if operation else _meant(label, spec)
    message = f"the document has no operation {label}"
    return Diagnostic(Code.UNKNOWN_OPERATION, Severity.ERROR, message, place, hint, label)


def _meant(label: str, spec: ApiSpec) -> str | None:
    """The methods of the path where it has others only, or else the path that looks most alike."""
    method, _, path = without_hole_names(label).partition(" ")
    plain = [(o, without_hole_names(o.path)) for o in spec.operations]
    methods = [o.method for o, own in plain if own == path]
    if methods:
        return f"{label.partition(' ')[2]} has {', '.join(methods)} only"
    alike = {own: o.label for o, own in reversed(plain) if o.method == method}
    near = get_close_matches(path, list(alike), n=1, cutoff=0.7)
    return f"did you mean `{alike[near[0]]}`?" if near else None


def _check_clause(
    clause: Clause, api: Api, setting: Setting, label: str | None
) -> tuple[Diagnostic, ...]:
    clause = _with_own_spans(clause)
    formula, findings = clause.formula, Findings(clause, label)
    check_variables(formula, setting, findings)
    check_placement(formula, setting.role, findings)
    examine(formula, api, setting, findings)
    check_constants(formula, findings)
    return findings.diagnostics()


def _with_own_spans(clause: Clause) -> Clause:
    """A clause that a program made may have been parsed from another spelling than its text."""
    if clause.provenance is Provenance.WRITTEN:
        return clause
    try:
        return replace(clause, formula=parse_formula(clause.text))
    except ContractError:
        return clause
