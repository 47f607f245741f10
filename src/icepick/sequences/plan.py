"""Plans for a coverage criterion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from icepick.explore import Exploration
from icepick.explore.layout import Array
from icepick.sequences.budget import budgeted
from icepick.sequences.calls import Calls
from icepick.sequences.gaps import gaps
from icepick.sequences.graph import Graph, graph_of, one_per_pair
from icepick.sequences.orbits import Orbits
from icepick.sequences.pack import cut, packed
from icepick.sequences.paper import paper_batches
from icepick.sequences.real import made_real
from icepick.sequences.refusals import refusal_loops
from icepick.sequences.tally import Tally, Worth
from icepick.sequences.tour import NO_GOAL, Loop, Tour, each_state, each_transition
from icepick.sequences.types import (
    Batch,
    Call,
    Kind,
    Options,
    Refusals,
    Sequence,
    Strategy,
    Summary,
)
from icepick.sequences.upkeep import Upkeep, refused_upkeep, upkeep_loops
from icepick.sequences.write import Writer


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The sequences chosen for a model; they are made while they are read, each time anew."""

    exploration: Exploration
    options: Options
    graph: Graph
    loops: tuple[Loop, ...]
    endings: tuple[Loop, ...]
    worth: Worth | None
    calls: tuple[Call, ...]
    real: tuple[Batch, ...] | None = None

    def batches(self) -> Iterator[Batch]:
        """All sequences, many at a time."""
        if self.real is not None:
            return iter(self.real)
        return _batches(self)

    def sequences(self) -> Iterator[Sequence]:
        """All sequences, one at a time."""
        for batch in self.batches():
            yield from batch.sequences(self.calls)


def plan(exploration: Exploration, options: Options, operations: tuple[Upkeep, ...] = ()) -> Plan:
    """The plan for an explored model; `operations` are calls beside it that get a place in it.

    An action comes last in a sequence of its own, since nobody knows what it leaves behind.

    If the exploration was made with symmetry, so is the plan: of all transitions that differ by
    an exchange of values one is taken.
    """
    graph = graph_of(exploration)
    calls = Calls(exploration.machine.layout, exploration.actions)
    actions = tuple(one for one in operations if one.kind is Kind.ACTION)
    others = tuple(one for one in operations if one.kind is not Kind.ACTION)
    loops = upkeep_loops(exploration, others, calls, options.seed)
    loops += refusal_loops(exploration, calls, options.refusals, options.seed)
    if options.refusals is not Refusals.NONE:
        loops += refused_upkeep(exploration, operations, calls, options.seed)
    endings = upkeep_loops(exploration, actions, calls, options.seed)
    made = Plan(exploration, options, graph, loops, endings, None, calls.table)
    if exploration.orbits is None:
        return made
    orbits = Orbits(exploration)
    made = replace(made, worth=_worth(exploration, graph, orbits))
    # Which real calls there are is known only when all of them are made.
    real = tuple(made_real(one, orbits, calls, exploration.model) for one in made.batches())
    return replace(made, real=real, calls=calls.table)


def carried_out(plan: Plan, writer: Writer | None = None) -> Summary:
    """Go through a plan once: write it where asked, and count what it covers."""
    tally = Tally(plan.graph, plan.worth)
    for batch in plan.batches():
        tally.add(batch)
        if writer is not None:
            writer.write(batch)
    placed = (*plan.loops, *plan.endings)
    wanted = Counter(plan.calls[call].kind for loop in placed for call in loop.calls)
    left: dict[Kind, int] = {
        kind: wanted[kind] - tally.made(plan.calls)[kind]
        for kind in wanted
        if kind is not Kind.TRANSITION
    }
    found = gaps(plan.exploration, plan.options, plan.graph, tally, left)
    return tally.summary(plan.calls, wanted, tuple(found))


def _batches(plan: Plan) -> Iterator[Batch]:
    batches = chain(
        _chosen(plan.exploration, plan.options, plan.graph, plan.loops, plan.worth),
        _ended(plan.graph, plan.endings, plan.options),
    )
    limit = plan.options.max_calls
    return batches if limit is None else cut(batches, limit)


def _ended(graph: Graph, endings: tuple[Loop, ...], options: Options) -> Iterator[Batch]:
    """A sequence for each ending: the shortest way to its state, and then its call."""
    for one in endings:
        walk = Tour(graph, np.full(graph.edges, NO_GOAL), (one,), options.max_length)
        yield from packed(graph, (one,), walk.sequences())


def _chosen(
    exploration: Exploration,
    options: Options,
    graph: Graph,
    loops: tuple[Loop, ...],
    worth: Worth | None,
) -> Iterator[Batch]:
    if options.strategy is Strategy.PAPER:
        yield from paper_batches(graph, transition_identity=options.transition_identity)
        if loops:
            rest = Tour(graph, np.full(graph.edges, NO_GOAL), loops, options.max_length)
            yield from packed(graph, loops, rest.sequences())
        return
    found: Iterable[list[int]]
    if options.strategy is Strategy.STATES:
        found = Tour(graph, each_state(graph), loops, options.max_length).sequences()
    elif options.max_calls is None:
        goals = _goals(options, graph, worth)
        found = Tour(graph, goals, loops, options.max_length).sequences()
    else:
        goals = _goals(options, graph, worth)
        found = budgeted(exploration, graph, goals, loops, options.max_length)
    yield from packed(graph, loops, found)


def _goals(options: Options, graph: Graph, worth: Worth | None) -> Array:
    if worth is not None:
        return worth.classes
    if options.transition_identity:
        return each_transition(graph)
    return one_per_pair(graph, graph.sources())


def _worth(exploration: Exploration, graph: Graph, orbits: Orbits) -> Worth:
    assert exploration.orbits is not None  # noqa: S101 (asked before)
    return Worth(exploration.orbits, exploration.orbits[graph.sources()], orbits.classes())
