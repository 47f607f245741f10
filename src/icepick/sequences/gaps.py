"""What a plan leaves out, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from icepick.explore import Exploration
from icepick.explore.layout import Array
from icepick.sequences.graph import Graph
from icepick.sequences.tally import Tally
from icepick.sequences.types import Gap, Kind, Options, Strategy


def gaps(
    exploration: Exploration,
    options: Options,
    graph: Graph,
    tally: Tally,
    left: Mapping[Kind, int],
) -> Iterator[Gap]:
    """Each kind of thing that is left out."""
    if exploration.stopped is not None:
        beyond = graph.states - exploration.expanded
        yield Gap("states that were not expanded", beyond, exploration.stopped)
    states = tally.uncovered_states
    near = graph.depths()[states] <= options.max_length
    yield from _gap("states", int(near.sum()), _reason(options))
    yield from _gap("states", int((~near).sum()), _too_far(options))
    yield from _transitions(exploration, options, graph, tally.uncovered_edges)
    for kind, number in left.items():
        yield from _gap(f"{kind.value}s", number, _reason(options, Strategy.TOUR))


def _transitions(
    exploration: Exploration, options: Options, graph: Graph, uncovered: Array
) -> Iterator[Gap]:
    """By action, the rarest first."""
    near = graph.depths()[graph.sources()[uncovered]] < options.max_length
    for edges, reason in (
        (uncovered[near], _reason(options)),
        (uncovered[~near], _too_far(options)),
    ):
        counted: dict[str, int] = {}
        numbers = np.bincount(graph.calls[edges], minlength=len(exploration.actions))
        for ground, number in zip(exploration.actions, numbers.tolist(), strict=True):
            counted[ground.action] = counted.get(ground.action, 0) + number
        for name, number in sorted(counted.items(), key=lambda pair: pair[1]):
            yield from _gap(f"transitions of {name}", number, reason)


def _gap(what: str, number: int, reason: str) -> Iterator[Gap]:
    if number:
        yield Gap(what, number, reason)


def _too_far(options: Options) -> str:
    return f"further from the initial state than {options.max_length} calls"


def _reason(options: Options, strategy: Strategy | None = None) -> str:
    if options.max_calls is not None:
        return f"the budget of {options.max_calls} calls is spent"
    if (strategy or options.strategy) is Strategy.STATES:
        return "only states were asked for"
    if not options.transition_identity:
        return "parallel to a transition that is covered"
    return _too_far(options)
