"""Which part of an API a run is about, and the contracts that come from beside its document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from icepick.errors import Code, UsageError
from icepick.glacier import Contracts, contracts_of, load_contracts
from icepick.glacier.contracts import Clause, OperationContract
from icepick.glacier.inference.infer import infer_contracts
from icepick.glacier.static.routes import Routes
from icepick.glacier.tree import Request, walk
from icepick.openapi.types import ApiSpec, Operation
from icepick.pipeline.models import Described
from icepick.resources.danger import LOGOUT, dangerous
from icepick.resources.find import find_resources


class Trait(StrEnum):
    """What a filter looks at."""

    PATH = "path"
    METHOD = "method"
    TAG = "tag"
    OPERATION_ID = "operation-id"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One condition: the trait is this text, or the expression is found in it."""

    trait: Trait
    text: str
    regex: bool = False

    def fits(self, operation: Operation) -> bool:
        """Whether the operation has it."""
        found = _traits(operation, self.trait)
        if self.regex:
            return any(re.search(self.text, text) for text in found)
        wanted = self.text.upper() if self.trait is Trait.METHOD else self.text
        return wanted in found


@dataclass(frozen=True, slots=True)
class Filters:
    """Which operations a run may call.

    Of several patterns for one trait one must fit; a pattern of each trait that is asked for.
    """

    include: tuple[Pattern, ...] = ()
    exclude: tuple[Pattern, ...] = ()
    read_only: bool = False
    dangerous: bool = False
    """Whether operations that look dangerous are called although nobody names them."""

    def names(self, operation: Operation) -> bool:
        """Whether the operation is asked for by its own path or id, and not as one of many."""
        own = (Trait.PATH, Trait.OPERATION_ID)
        named = (one for one in self.include if one.trait in own and not one.regex)
        return any(one.fits(operation) for one in named)

    def keep(self, operation: Operation) -> bool:
        """Whether the operation may be called."""
        if self.read_only and not operation.is_safe:
            return False
        asked: dict[Trait, bool] = {}
        for one in self.include:
            asked[one.trait] = asked.get(one.trait, False) or one.fits(operation)
        return all(asked.values()) and not any(one.fits(operation) for one in self.exclude)


def _traits(operation: Operation, trait: Trait) -> tuple[str, ...]:
    match trait:
        case Trait.PATH:
            return (operation.path,)
        case Trait.METHOD:
            return (operation.method,)
        case Trait.TAG:
            return operation.tags
    return (operation.id,)


def selected(spec: ApiSpec, filters: Filters) -> ApiSpec:
    """The document without what the filters leave out; UsageError where nothing is left."""
    kept = tuple(operation for operation in spec.operations if filters.keep(operation))
    if not kept:
        raise UsageError(
            Code.NOTHING_SELECTED,
            f"none of the {len(spec.operations)} operations passes the filters",
            hint="loosen --include-*, --exclude-* or --read-only",
        )
    return spec if len(kept) == len(spec.operations) else replace(spec, operations=kept)


def described(
    whole: ApiSpec, filters: Filters | None = None, contract_files: Iterable[str] = ()
) -> Described:
    """What is known of the selected part of an API, with the contracts of these files too.

    A clause that would have to ask an operation that is left out is left out with it.
    """
    wanted = filters or Filters(dangerous=True)
    asked = selected(whole, wanted)
    spec, left_out = _harmless(asked, wanted)
    written = contracts_of(spec).contracts
    for file in contract_files:
        written = written.merged(load_contracts(file, whole).contracts)
    if spec is not whole:
        written = _askable(written, whole, spec)
    resources = find_resources(spec)
    inferred = infer_contracts(spec, resources, known=written.operations).contracts
    return Described(spec, resources, written.merged(inferred), left_out, _ways_out(asked, spec))


def _ways_out(asked: ApiSpec, spec: ApiSpec) -> tuple[Operation, ...]:
    left_out = [one for one in asked.operations if one not in spec.operations]
    looks = dangerous(asked) if left_out else {}
    return tuple(one for one in left_out if looks[one.id] == LOGOUT)


def _harmless(spec: ApiSpec, filters: Filters) -> tuple[ApiSpec, tuple[tuple[str, str], ...]]:
    """The document without what looks dangerous and was not named, and what that is."""
    if filters.dangerous:
        return spec, ()
    looks = dangerous(spec)
    out = [one for one in spec.operations if one.id in looks and not filters.names(one)]
    if len(out) == len(spec.operations):
        raise UsageError(
            Code.NOTHING_SELECTED,
            "every operation that passes the filters looks dangerous",
            hint="name one with --include-path or --include-operation-id, or --include-dangerous",
        )
    kept = tuple(one for one in spec.operations if one not in out)
    reasons = tuple((one.label, f"looks dangerous ({looks[one.id]})") for one in out)
    return (replace(spec, operations=kept) if out else spec), reasons


def _askable(contracts: Contracts, whole: ApiSpec, spec: ApiSpec) -> Contracts:
    routes = Routes(whole)
    kept = {operation.id for operation in spec.operations}
    labels = {operation.label for operation in spec.operations}

    def askable(clause: Clause) -> bool:
        asked = (routes.find(node) for node in walk(clause.formula) if isinstance(node, Request))
        return all(one.operation is None or one.operation.id in kept for one in asked)

    def all_of(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
        return tuple(clause for clause in clauses if askable(clause))

    operations: Mapping[str, OperationContract] = {
        label: replace(one, requires=all_of(one.requires), ensures=all_of(one.ensures))
        for label, one in contracts.operations.items()
        if label in labels
    }
    return Contracts(operations, all_of(contracts.invariants))
