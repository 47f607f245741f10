"""The plans of a run: models, the calls that cover them, and what is told of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat

from icepick.execute.events import Drawing, ModelPlanned
from icepick.explore import Exploration, decode
from icepick.model.derive.derive import Derivation
from icepick.pipeline.models import Described, models
from icepick.pipeline.settings import RunSettings
from icepick.pipeline.sizes import explored, fitting, pairs
from icepick.pipeline.upkeep import upkeep
from icepick.sequences import Options as PlanOptions
from icepick.sequences import Plan, Summary, carried_out, plan
from icepick.sequences.types import Kind

_DRAWN_STATES = 500
_DRAWN_EDGES = 3_000


@dataclass(frozen=True, slots=True)
class Planned:
    """A model with its plan."""

    derivation: Derivation
    exploration: Exploration
    plan: Plan
    summary: Summary


def planned(
    api: Described, settings: RunSettings, is_late: Callable[[], bool] = bool
) -> tuple[Planned, ...]:
    """The plans of a run, one for each model; one at least, and no more once it is late."""
    found: list[Planned] = []
    for one in _chosen(api, settings):
        if found and is_late():
            break
        found.append(_planned(api, one, settings))
    return tuple(found)


def _chosen(api: Described, settings: RunSettings) -> Iterator[Derivation]:
    """The models of a run, each made when it is wanted."""
    if settings.bounds:
        yield from models(api, settings.bounds)
        return
    found: list[Derivation] = []
    for one in models(api, {}):
        found.append(fitting(api, one))
        yield found[-1]
    yield from pairs(api, found)


def _planned(api: Described, derivation: Derivation, settings: RunSettings) -> Planned:
    exploration = explored(derivation, settings.symmetry, whole=bool(settings.bounds))
    options = PlanOptions(
        strategy=settings.strategy,
        max_length=settings.max_length,
        refusals=settings.refusals,
        seed=settings.seed,
    )
    beside = upkeep(api, derivation.model) if settings.updates else ()
    made = plan(exploration, options, beside)
    return Planned(derivation, exploration, made, carried_out(made))


def model_planned(number: int, one: Planned) -> ModelPlanned:
    """What a plan holds, as an event."""
    model, summary = one.exploration.model, one.summary
    totals = one.exploration.found
    wanted = {"transition": summary.transitions.total, **_beside(one.plan)}
    return ModelPlanned(
        number,
        model.name,
        {resource.name: resource.size for resource in model.resources},
        totals.states,
        totals.transitions,
        summary.paths,
        summary.calls,
        wanted,
        tuple((gap.what, gap.number, gap.reason) for gap in summary.gaps),
        _drawing(one.exploration),
    )


def _beside(plan: Plan) -> dict[str, int]:
    """How many different calls beside transitions there are, by kind."""
    different = {
        (call, state)
        for loop in (*plan.loops, *plan.endings)
        for call, state in zip(loop.calls, loop.states or repeat(loop.state), strict=False)
    }
    kinds = Counter(plan.calls[call].kind for call, _ in different)
    return {kind.value: kinds[kind] for kind in Kind if kind is not Kind.TRANSITION}


def _drawing(exploration: Exploration) -> Drawing | None:
    totals, edges = exploration.found, exploration.edges
    # Of states that were not expanded nobody knows where they lead.
    if (
        edges is None
        or exploration.stopped is not None
        or totals.states > _DRAWN_STATES
        or totals.transitions > _DRAWN_EDGES
    ):
        return None
    layout = exploration.machine.layout
    texts = []
    for state in range(totals.states):
        found = decode(layout, exploration.states[:, state])
        texts.append(", ".join(_instances(found)) or "nothing")
    drawn = []
    for state in range(totals.states):
        for edge in range(int(edges.offsets[state]), int(edges.offsets[state + 1])):
            name = exploration.actions[int(edges.actions[edge])].name
            drawn.append((state, name, int(edges.targets[edge])))
    depths = tuple(exploration.depth(state) for state in range(totals.states))
    return Drawing(depths, tuple(texts), tuple(drawn))


def _instances(state: Mapping[str, Mapping[str, Mapping[str, str]]]) -> Iterator[str]:
    for instances in state.values():
        for name, fields in instances.items():
            inside = ", ".join(f"{field}={value}" for field, value in fields.items())
            yield f"{name}({inside})" if inside else name
