"""From how a service was seen to do things to what it is judged by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from icepick.execute.calibration.calibrate import CASCADE, Calibration, Tie
from icepick.execute.calibration.manners import Departure, Manners
from icepick.execute.chains.chains import Chains
from icepick.execute.chains.types import ChainOptions, Outfit
from icepick.execute.events import DEVIATION, Event, Noted, ResourceSeen
from icepick.glacier import Contracts, parse_formula
from icepick.glacier.contracts import Clause, OperationContract, Provenance
from icepick.inputs.dice import dice
from icepick.model.derive.derive import modelled
from icepick.model.derive.layout import Layout
from icepick.openapi.places import HOLE
from icepick.openapi.types import ApiSpec, Json
from icepick.pipeline.models import Described
from icepick.resources.build import build_graph
from icepick.resources.types import Resource

CALIBRATE = "calibrate"
_CALLS = 600
_SECONDS = 90.0
_KEY = r"(?:\{[^{}]*\}|\w+\(@\)(?:\{[^{}]*\}|\[[^\]]*\])*)"
"""How a clause writes a value inside a path."""


@dataclass(frozen=True, slots=True)
class Known:
    """The manners of a service's resources, and the document they belong to."""

    manners: Mapping[str, Manners] = field(default_factory=dict)
    document: str = ""

    @property
    def marked(self) -> frozenset[str]:
        """The resources whose instances stay readable and say that they are deleted."""
        found = (name for name, one in self.manners.items() if one.departure is Departure.MARKED)
        return frozenset(found)


async def calibrated(
    api: Described, outfit: Outfit, settle: float, seed: int, is_over: Callable[[], bool]
) -> tuple[dict[str, Manners], Chains]:
    """How the service treats its resources, and the chains that saw it."""
    graph = build_graph(api.spec, api.resources)
    options = ChainOptions(_CALLS, _SECONDS)
    chains = Chains(api.spec, api.resources, graph, outfit, options)
    chains.stop_when(is_over)
    operations = {operation.id: operation for operation in api.spec.operations}
    looking = Calibration(
        chains, outfit.client, operations, dice(seed, CALIBRATE), settle
    )  # fmt: skip
    found = await looking.look(tuple(ties(api)), chains.is_over)
    await chains.settle()
    return found, chains


def ties(api: Described) -> Iterator[Tie]:
    """The references between resources that a model has."""
    for name, links in Layout.of(modelled(api.resources)).links.items():
        for link in links:
            yield Tie(name, link.field, link.target, link.path or None)


def digest(spec: ApiSpec) -> str:
    """Tells whether a document is the one that something was learned with."""
    lines = [spec.version]
    for operation in spec.operations:
        names = sorted(one.name for one in operation.parameters)
        lines.append(f"{operation.label} {names} {sorted(operation.responses)}")
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


def notes(manners: Mapping[str, Manners], before: Mapping[str, Manners]) -> Iterator[Event]:
    """What was seen, what of it is unusual, and what has changed since the last time."""
    for name, one in manners.items():
        yield ResourceSeen(one)
        for text in one.deviations():
            yield Noted(DEVIATION, name, text)
        for text in one.consequences():
            yield Noted("on delete", name, text)
        known = before.get(name)
        if known is not None and known != replace(one, slow=known.slow):
            said = "; ".join((*known.deviations(), *known.consequences())) or "nothing unusual"
            yield Noted("changed", name, f"an earlier run saw another behaviour: {said}")


def mannered(api: Described, manners: Mapping[str, Manners]) -> Described:
    """The API as its service does things: inferred clauses give way, written ones stay."""
    if not manners:
        return api
    spec = _with_consequences(api, manners)
    contracts = api.contracts
    for name, one in manners.items():
        resource = api.resources.resources.get(name)
        if resource is not None and {one.says_absent, one.says_gone} != {404}:
            contracts = _reworded(contracts, resource, one)
    return replace(api, spec=spec, contracts=contracts)


def _with_consequences(api: Described, manners: Mapping[str, Manners]) -> ApiSpec:
    """What goes with what is deleted, unless the document says so itself.

    References that are left to nothing are no habit: the model keeps forbidding them.
    """
    known = {f"{tie.resource}.{tie.field}" for tie in ties(api)}
    seen = {
        name: what
        for one in manners.values()
        for name, what in one.on_delete.items()
        if what == CASCADE and name in known
    }
    extension = api.spec.extensions.get("x-glacier")
    own: dict[str, Json] = dict(extension) if isinstance(extension, Mapping) else {}
    stated = own.get("on_delete")
    together = {**seen, **(stated if isinstance(stated, Mapping) else {})}
    if not seen:
        return api.spec
    extensions = {**api.spec.extensions, "x-glacier": {**own, "on_delete": together}}
    return replace(api.spec, extensions=extensions)


def _reworded(contracts: Contracts, resource: Resource, manners: Manners) -> Contracts:
    path = "".join(
        _KEY if index % 2 else re.escape(part)
        for index, part in enumerate(HOLE.split(resource.item_path or ""))
    )
    wanted = re.compile(rf"(res_code\(GET {path}\)) = 404")

    def said(clause: Clause, status: int) -> Clause:
        text = wanted.sub(rf"\1 = {status}", clause.text)
        if clause.provenance is not Provenance.INFERRED or text == clause.text:
            return clause
        formula = parse_formula(text)
        return replace(clause, text=text, formula=formula, provenance=Provenance.LEARNED)

    def of(contract: OperationContract) -> OperationContract:
        return replace(
            contract,
            requires=tuple(said(one, manners.says_absent) for one in contract.requires),
            ensures=tuple(said(one, manners.says_gone) for one in contract.ensures),
        )

    return replace(
        contracts, operations={label: of(one) for label, one in contracts.operations.items()}
    )


def seen_in(events: Iterator[Event]) -> dict[str, Manners]:
    """What a run saw, by its journal."""
    return {one.manners.resource: one.manners for one in events if isinstance(one, ResourceSeen)}
