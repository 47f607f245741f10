"""Correcting what is believed of an API by what its service answers, before models are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from icepick.execute.chains.chains import Chains
from icepick.execute.chains.types import ChainOptions, Outfit
from icepick.execute.events import Event, Noted
from icepick.execute.transport.client import Client
from icepick.glacier import Contracts
from icepick.glacier.contracts import OperationContract, Provenance
from icepick.glacier.inference.infer import infer_contracts
from icepick.inputs import Case, Fresh, Generator, Responses
from icepick.inputs.dice import dice
from icepick.inputs.learn import Learned, Setting
from icepick.openapi.types import ApiSpec
from icepick.pipeline.models import Described
from icepick.pipeline.observed import observations_in, relearned
from icepick.resources.build import build_graph
from icepick.resources.correct import Change, ChangeKind, Observation, correct
from icepick.resources.graph import Edge, PropertyGraph
from icepick.resources.types import Resource, ResourceMap, Role

CORRECTION = "correction"
CORRECT = "correct"
ONCE = "once"
MOST_CALLS = 300
MOST_SECONDS = 60.0

_SURE = 0.7
_BLOCK = 1 << 24
_BLOCKS_EACH = 1 << 12
_TWICE = 2
"""How often operations are to succeed: one match may be chance, two values are not."""

_LISTS = (Role.LIST, Role.SEARCH)


@dataclass(frozen=True, slots=True)
class Met:
    """What chains met with: what the service shows that nobody has made here, and the first input
    of each operation that it fell over."""

    there: Responses = field(default_factory=Responses)
    crashes: Mapping[str, Case] = field(default_factory=dict)


def met_by(chains: Chains, before: Met | None = None) -> Met:
    """What chains met with, after what others did."""
    crashes = {**chains.crashes, **(before.crashes if before is not None else {})}
    return Met(chains.there, crashes)


@dataclass(frozen=True, slots=True)
class Corrected:
    """An API under what was observed, its property graph, and what changed on which evidence."""

    api: Described
    graph: PropertyGraph
    notes: tuple[Noted, ...] = ()
    gaps: tuple[Noted, ...] = ()
    """The operations that never succeeded, and why."""
    calls: int = 0
    met: Met = field(default_factory=Met)


def chain_outfit(
    spec: ApiSpec, client: Client, seed: int, tell: Callable[[Event], None],
    learned: dict[str, Learned] | None = None, there: Responses | None = None,
) -> Outfit:  # fmt: skip
    """What chains work with before there is a run; what they learn is added to what is known."""
    generator = Generator(spec.schemas)
    # Each time others, for what was made with those of before may still be there.
    fresh = Fresh(generator, dice(seed), _BLOCK + next(client.shared.outfits) * _BLOCKS_EACH)
    setting = Setting(spec.schemas, generator, fresh, there or Responses())
    return Outfit(client, setting, dice(seed, CORRECT), tell, {} if learned is None else learned)


def correction_options(max_calls: int | None = None) -> ChainOptions:
    """How far a correction goes."""
    calls = MOST_CALLS if max_calls is None else min(MOST_CALLS, max_calls)
    return ChainOptions(calls, MOST_SECONDS, successes=_TWICE)


def doubts(api: Described) -> tuple[str, ...]:
    """What the document leaves open, so that a look at the service may teach something."""
    found = [text for one in api.resources.resources.values() for text in _doubts_about(one)]
    paths = {operation.id: operation.path for operation in api.spec.operations}
    found += [
        f"{name} belongs to no resource, and takes an identifier"
        for name in api.resources.standalone
        if "{" in paths[name]
    ]
    return tuple(found)


def _doubtful(api: Described) -> list[str]:
    """The operations that may resolve what is left open."""
    found = [
        use.operation
        for one in api.resources.resources.values()
        for use in one.uses
        if _doubts_about(one)
    ]
    paths = {operation.id: operation.path for operation in api.spec.operations}
    return [*dict.fromkeys(found), *(one for one in api.resources.standalone if "{" in paths[one])]


def _doubts_about(resource: Resource) -> list[str]:
    found = []
    identifier = resource.identifier
    if identifier is not None and identifier.property is None:
        found.append(f"{resource.name}: nothing tells where answers have the identifier")
    elif identifier is not None and identifier.evidence.confidence < _SURE:
        found.append(f"{resource.name}: {identifier.evidence.reason}")
    found += [
        f"{resource.name}: nothing tells where {use.operation} has its elements"
        for use in resource.having(*_LISTS)
        if use.response is None or not use.response.many
    ]
    return found


async def corrected(
    api: Described,
    outfit: Outfit,
    options: ChainOptions | None = None,
    stopped: Callable[[], bool] = lambda: False,
    seen: Iterable[Observation] = (),
) -> Corrected:
    """Call the operations of a service and correct what is believed by what they answer.

    Where all of them were called and `seen` before, only what is in doubt still is called again.
    """
    chosen = options or correction_options()
    graph = build_graph(api.spec, api.resources)
    chains = Chains(api.spec, api.resources, graph, outfit, chosen)
    chains.observations.extend(seen)
    correcting = Correcting(api.spec, api.resources, chains)
    names = [one.id for one in api.spec.operations]
    if chains.observations:
        correcting.step()
        names = _doubtful(replace(api, resources=chains.resources))
    await chains.cover(names, stopped, correcting.step)
    notes = tuple(correcting.notes)
    known = redescribed(api, chains.resources, correcting.shown) if correcting.learned else api
    gaps = gaps_of(chains, names)
    return Corrected(known, chains.graph, notes, gaps, chains.calls, met_by(chains))


def gaps_of(
    chains: Chains, names: Iterable[str], before: Mapping[str, str] | None = None
) -> tuple[Noted, ...]:
    """Those of the operations that never succeeded, and why; or why not `before`."""
    reasons = {**(before or {}), **chains.record.reasons}
    return tuple(
        Noted("operation", name, reasons.get(name) or chains.why_not(name))
        for name in names
        if not chains.record.successes[name]
    )


class Correcting:
    """Corrects graph and resources of chains while these go on."""

    def __init__(self, spec: ApiSpec, resources: ResourceMap, chains: Chains) -> None:
        self._spec = spec
        self._resources = resources
        self._chains = chains
        self._seen = 0
        self._added: list[Edge] = []
        self.shown = spec
        self.notes: list[Noted] = []
        self.learned = False
        """Whether the resources are others than the document tells."""

    def step(self) -> None:
        """Take in what was observed since the last time."""
        observations = self._chains.observations
        new, self._seen = observations[self._seen :], len(observations)
        found = correct(self._chains.graph, new)
        graph = found.graph
        for change in found.changes:
            self._note_change(change)
        learned = relearned(self._spec, self._resources, observations)
        for name, text in learned.changes:
            self._note(name, text)
        if learned.resources.resources != self._chains.resources.resources:
            self.shown, self.learned = learned.spec, True
            graph = self._rebuilt(graph, learned.spec, learned.resources)
        self._chains.believe(learned.resources if self.learned else self._chains.resources, graph)

    def _note_change(self, change: Change) -> None:
        """An edge that was dropped and has returned is as it was: nobody need hear of it."""
        subject = str(change.edge)
        if change.kind is ChangeKind.RETURNED:
            gone = f"{ChangeKind.DROPPED.value}: "
            self.notes = [
                one for one in self.notes if one.subject != subject or not one.text.startswith(gone)
            ]
            return
        self._note(subject, f"{change.kind.value}: {change.reason}")
        if change.kind is ChangeKind.ADDED:
            self._added.append(change.edge)

    def _note(self, subject: str, text: str) -> None:
        note = Noted(CORRECTION, subject, text)
        if note not in self.notes:
            self.notes.append(note)

    def _rebuilt(
        self, graph: PropertyGraph, spec: ApiSpec, resources: ResourceMap
    ) -> PropertyGraph:
        """The graph of better resources, with what was learned of the old one."""
        new = build_graph(spec, resources).plus(*self._added)
        for edge in graph.dropped:
            new = new.without(edge)
        return replace(
            new, dropped=graph.dropped, failures=graph.failures, undecided=graph.undecided
        )


def redescribed(api: Described, resources: ResourceMap, shown: ApiSpec) -> Described:
    """The API with other resources: what was inferred of those is inferred anew.

    `shown` is the document with what answers were seen to have.
    """
    touched = _touched(api.resources, resources)
    labels = {operation.label: operation.id for operation in api.spec.operations}
    kept = {
        label: contract
        for label, contract in api.contracts.operations.items()
        if _is_stated(contract) or not touched & _about(labels.get(label, ""), resources)
    }
    inferred = infer_contracts(shown, resources, known=kept).contracts
    contracts = Contracts(kept, api.contracts.invariants).merged(inferred)
    return replace(api, resources=resources, contracts=contracts)


def _touched(before: ResourceMap, now: ResourceMap) -> set[str]:
    """The resources that are others now, and those that contracts know them from."""
    changed = {name for name, one in now.resources.items() if before.resources.get(name) != one}
    around = {
        name
        for name, one in now.resources.items()
        if one.parent in changed or any(r.target in changed for r in one.references)
    }
    return changed | around


def _about(operation: str, resources: ResourceMap) -> set[str]:
    return {resource.name for resource, _ in resources.uses_of(operation)}


def _is_stated(contract: OperationContract) -> bool:
    """Whether a person has had a hand in it."""
    clauses = (*contract.requires, *contract.ensures)
    return any(one.provenance is not Provenance.INFERRED for one in clauses)


def recorrected(api: Described, events: Iterable[Event]) -> Described:
    """The API as a run corrected it, by what its journal shows: for whoever goes on with it."""
    seen = observations_in(api.spec, events, (ONCE, CORRECT))
    found = relearned(api.spec, api.resources, seen)
    if found.resources.resources == api.resources.resources:
        return api
    return redescribed(api, found.resources, found.spec)
