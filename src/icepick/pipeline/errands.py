"""The ways to states that hold several instances of a resource."""

from __future__ import annotations

from functools import cache, partial

from icepick.execute.binding.bind import Binder
from icepick.execute.binding.subject import Subject
from icepick.execute.kit import Course
from icepick.execute.laws.errands import Errand, Find, Spread
from icepick.execute.ways import existing, replay_of
from icepick.explore import Exploration, decode, explore
from icepick.model.derive.derive import derive, modelled
from icepick.model.derive.layout import Layout
from icepick.model.types import Reference
from icepick.pipeline.models import Described
from icepick.sequences.calls import Calls

_SEVERAL = 3
_ERRAND_STATES = 5_000


def errand_finder(api: Described, subject: Subject, number: int) -> Find:
    """Finds the way to a state with several instances of a resource; models begin at a number."""
    layout = Layout.of(modelled(api.resources))

    @cache
    def find(resource: str, spread: Spread) -> Errand | None:
        if resource not in layout.resources:
            return None
        needed = layout.needs(resource)
        beside = {link.target for link in layout.links[resource]}
        if spread is Spread.TOGETHER:
            beside = {one for one in beside if layout.fewest(one, needed) > 1}
        bounds = {name: 1 + (name in beside) for name in sorted(needed)}
        bounds[resource] = _SEVERAL
        derivation = derive(api.spec, api.resources, api.contracts, bounds, needed)
        exploration = explore(derivation.model, max_states=_ERRAND_STATES)
        state = max(range(exploration.found.states), key=partial(_variety, exploration, resource))
        calls = Calls(exploration.machine.layout, exploration.actions).table
        course = Course(number, Binder(subject, derivation), existing(exploration))
        return Errand(course, replay_of(exploration, calls).way(state) or ())

    return find


def _variety(exploration: Exploration, resource: str, state: int) -> tuple[int, int, int, int]:
    """How many instances a state has, how many of them name nothing twice, how many differ from
    one another, and by how many fields some are alike and others not.

    Many a service refuses what is tied to the same thing at both ends, and what is there already.
    """
    layout = exploration.machine.layout
    found = list(decode(layout, exploration.states[:, state])[resource].values())
    fields = layout.model.resource(resource).fields
    ties = [one.name for one in fields if isinstance(one.domain, Reference)]
    loose = sum(_names_nothing_twice([one[name] for name in ties]) for one in found)
    columns = [{one[field.name] for one in found} for field in fields]
    alike = sum(1 < len(values) < len(found) for values in columns)
    return len(found), loose, len({tuple(one.values()) for one in found}), alike


def _names_nothing_twice(names: list[str]) -> bool:
    named = [one for one in names if one != "null"]
    return len(set(named)) == len(named)
