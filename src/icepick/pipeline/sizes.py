"""How many values models have where nobody chooses: as many as can be walked in a few minutes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from icepick.explore import Exploration, explore
from icepick.model.derive.derive import Derivation, derive, modelled
from icepick.model.derive.layout import Layout
from icepick.pipeline.models import Described, shrunk

_MOST_TRANSITIONS = 2_000
_MOST_IN_PAIRS = 3_000
_MOST_STATES = 2_000
_NEAREST = 300
"""So many states are planned for where there are more: those nearest to the beginning."""


def fitting(api: Described, derivation: Derivation) -> Derivation:
    """The model with as many values as can be walked in a few minutes."""
    while _transitions(derivation) > _MOST_TRANSITIONS:
        smaller = shrunk(api, derivation)
        if smaller is None:
            return derivation
        derivation = smaller
    return derivation


def explored(derivation: Derivation, symmetry: bool, *, whole: bool) -> Exploration:
    """The states of a model: the `whole` of them where a person chose the bounds.

    Many resources that meet in one have more than anybody waits for, even with one value each.
    """
    most = None if whole else _MOST_STATES
    found = explore(derivation.model, max_states=most, symmetry=symmetry)
    if found.stopped is None:
        return found
    return explore(derivation.model, max_states=_NEAREST, symmetry=symmetry)


def pairs(api: Described, found: Iterable[Derivation]) -> Iterator[Derivation]:
    """Small models with two of what no model has two of: what spreads to a second one shows."""
    sizes = _sizes(found)
    layout, left = Layout.of(modelled(api.resources)), _MOST_IN_PAIRS
    whole = frozenset(sizes)
    names = [one for one, size in sizes.items() if size == 1]
    # Of what nothing needs, each can be there or not.
    vast = 2 ** sum(not any(layout.referring(one)) for one in whole) > _MOST_TRANSITIONS
    widest = {} if vast else {name: _measured(api, layout, name, whole) for name in names}
    # The smallest first: more of them have everything else beside them then, and much shows only
    # where two meet a third.
    for name in names if vast else sorted(names, key=lambda one: widest[one][1]):
        around = frozenset().union(*(layout.needs(one) for one, _ in layout.referring(name)))
        for members in (whole, layout.needs(name) | around, layout.needs(name)):
            known = members == whole
            if known and vast:
                continue
            pair, taken = widest[name] if known else _measured(api, layout, name, members)
            if taken <= min(left, _MOST_TRANSITIONS):
                left -= taken
                yield pair
                break


def _sizes(found: Iterable[Derivation]) -> Counter[str]:
    """How many values of each resource the largest model has."""
    sizes = Counter[str]()
    for derivation in found:
        for resource in derivation.model.resources:
            sizes[resource.name] = max(sizes[resource.name], resource.size)
    return sizes


def _pair(api: Described, layout: Layout, name: str, members: frozenset[str]) -> Derivation:
    """The smallest model of some resources that has two of one of them."""
    bounds = {one: min(2, layout.fewest(one, members)) for one in sorted(members)}
    bounds[name] = 2
    return derive(api.spec, api.resources, api.contracts, bounds, members)


def _measured(
    api: Described, layout: Layout, name: str, members: frozenset[str]
) -> tuple[Derivation, int]:
    """Such a model, and how many transitions it has."""
    pair = _pair(api, layout, name, members)
    return pair, _transitions(pair)


def _transitions(derivation: Derivation) -> int:
    """How many transitions a model has; more than can be walked where there are very many."""
    most = _MOST_TRANSITIONS
    taken = explore(derivation.model, max_states=most, max_transitions=most, graph=False)
    return _MOST_TRANSITIONS + 1 if taken.stopped is not None else taken.found.transitions
