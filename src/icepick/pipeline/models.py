"""From a document to models of a size that can be explored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from icepick.glacier import Contracts, contracts_of
from icepick.glacier.inference.infer import infer_contracts
from icepick.model.derive.derive import Derivation, derive, modelled
from icepick.model.derive.layout import Layout
from icepick.model.types import Choice, Domain, Flag, Model, Numbers, Reference
from icepick.openapi.types import ApiSpec, Operation
from icepick.resources.find import find_resources
from icepick.resources.patches import fields_for_patches
from icepick.resources.types import ResourceMap

MOST_SLOTS = 10_000_000
"""How many states a model may have room for, reachable or not, where nobody chooses its bounds."""


@dataclass(frozen=True, slots=True)
class Described:
    """An API with its resources and its contracts."""

    spec: ApiSpec
    resources: ResourceMap
    contracts: Contracts
    left_out: tuple[tuple[str, str], ...] = ()
    """Operations that are not called although nobody excluded them, by label, and why."""
    ways_out: tuple[Operation, ...] = ()
    """Those of them that sign out: they do no harm to credentials that were got for it."""


def describe(spec: ApiSpec) -> Described:
    """What is known of an API: an operation without a contract gets the inferred one."""
    resources = find_resources(spec)
    known = fields_for_patches(spec, resources)
    if known is not spec:
        spec, resources = known, find_resources(known)
    written = contracts_of(spec).contracts
    inferred = infer_contracts(spec, resources, known=written.operations).contracts
    return Described(spec, resources, written.merged(inferred))


def models(api: Described, bounds: Mapping[str, int]) -> tuple[Derivation, ...]:
    """One model of the whole API where it is small enough, else one per neighbourhood.

    With bounds it is one model: whoever chooses them knows what they want.
    """
    whole = _derive(api, bounds)
    if bounds or slots(whole.model) <= MOST_SLOTS:
        return (whole,)
    return tuple(_neighbourhood(api, members) for members in neighbourhoods(api))


def _derive(
    api: Described, bounds: Mapping[str, int], only: frozenset[str] | None = None
) -> Derivation:
    return derive(api.spec, api.resources, api.contracts, bounds, only)


def _neighbourhood(api: Described, members: frozenset[str]) -> Derivation:
    """The model of a neighbourhood with two values each, or one where that is too many."""
    found = _derive(api, dict.fromkeys(sorted(members), 2), members)
    while slots(found.model) > MOST_SLOTS:
        smaller = shrunk(api, found)
        if smaller is None:
            break
        found = smaller
    return found


def shrunk(api: Described, derivation: Derivation) -> Derivation | None:
    """The same model with fewest values of the resource that takes most room; None at the end."""
    model = derivation.model
    several = [one for one in model.resources if one.size > _fewest(model, one.name)]
    if not several:
        return None
    largest = max(several, key=lambda one: (_room(model, one.name), one.name))
    fewest = _fewest(model, largest.name)
    sizes = {one.name: fewest if one is largest else one.size for one in model.resources}
    return _derive(api, sizes, frozenset(sizes))


def _fewest(model: Model, name: str) -> int:
    """One value, or as many as one instance refers to: a rule wants two different features."""
    referring = (
        sum(field.domain == Reference(name) for field in one.fields) for one in model.resources
    )
    return max(1, *referring)


def neighbourhoods(api: Described) -> tuple[frozenset[str], ...]:
    """Groups of resources that can influence one another: one, what it needs, what refers to it.

    Where too many refer to one, each of them is a neighbour of its own.
    """
    known = modelled(api.resources)
    layout = Layout.of(known)
    found: list[frozenset[str]] = []
    for name in known:
        own = layout.needs(name)
        around = [layout.needs(other) for other, _ in layout.referring(name)]
        together = own.union(*around)
        small = slots(_derive(api, dict.fromkeys(together, 1), together).model) <= MOST_SLOTS
        found += [together] if small else [own | one for one in around]
    kept = [group for group in found if not any(group < other for other in found)]
    return tuple(dict.fromkeys(kept))


def slots(model: Model) -> int:
    """How many states a model has room for."""
    return prod(_room(model, resource.name) for resource in model.resources)


def _room(model: Model, name: str) -> int:
    resource = model.resource(name)
    records = prod(_values(model, field.domain) + field.optional for field in resource.fields)
    return int((1 + records) ** resource.size)


def _values(model: Model, domain: Domain) -> int:
    match domain:
        case Numbers(low=low, high=high):
            return high - low + 1
        case Choice(values=values):
            return len(values)
        case Flag():
            return 2
    return model.resource(domain.resource).size
