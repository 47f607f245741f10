"""Exploration by TLC: the same state graph from an independent engine."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from icepick.errors import Code, ExploreError
from icepick.explore.dot import DotEdge, DotGraph, read_dot
from icepick.explore.graph import TraceStep, decode, state_text
from icepick.explore.ground import GroundAction
from icepick.explore.layout import Array
from icepick.explore.machine import Machine, compile_model
from icepick.explore.tlc_run import PrintedTrace, Tools, find_tools, run_tlc, write_module
from icepick.explore.tlc_values import StateReader, Value, parse_state
from icepick.explore.types import Edges, Exploration
from icepick.model.tla import tla_text
from icepick.model.tla_names import Names, names_of
from icepick.model.types import Model


@dataclass(frozen=True, slots=True)
class BrokenInvariant:
    """An invariant that TLC found violated, and a shortest way to where it is."""

    invariant: str
    trace: tuple[TraceStep, ...]


@dataclass(frozen=True, slots=True)
class TlcRun:
    """What TLC found: the whole state graph, or the invariant at which it stopped."""

    exploration: Exploration | None
    broken: BrokenInvariant | None


def explore_with_tlc(
    model: Model,
    *,
    tools: Tools | None = None,
    workers: int = 2,
    timeout: float | None = None,
) -> TlcRun:
    """Write the model in TLA+, run TLC on it, and read the state graph back."""
    tools = tools or find_tools()
    machine = compile_model(model)
    with tempfile.TemporaryDirectory(prefix="icepick-") as folder:
        module = write_module(tla_text(model), Path(folder))
        dump = module.with_suffix(".dot")
        printed = run_tlc(tools, module, dump=dump, workers=workers, timeout=timeout)
        if printed is not None:
            return TlcRun(None, _broken(machine, printed))
        return TlcRun(exploration_from_dot(machine, read_dot(dump)), None)


def exploration_from_dot(machine: Machine, graph: DotGraph) -> Exploration:
    """The state graph that TLC dumped for the model's TLA+ text.

    Where a label lacks the arguments of its action, they are those with which the action leads
    from the one state to the other.
    """
    names = names_of(machine.layout.model)
    parsed = {name: parse_state(text) for name, text in graph.states.items()}
    packed = StateReader(machine.layout, names).pack(list(parsed.values()))
    found = _match(machine, names, packed, list(parsed), graph.edges)
    return _assemble(machine, packed, found, list(parsed.values()))


def _match(
    machine: Machine,
    names: Names,
    packed: Array,
    order: list[str],
    edges: Iterable[DotEdge],
) -> Array:
    """The ground transitions (source, action, target) that the edges stand for, as rows."""
    index = {name: i for i, name in enumerate(order)}
    wanted: dict[tuple[int, str, tuple[str, ...], int], DotEdge] = {
        (index[e.source], e.action, _plain(e.arguments), index[e.target]): e for e in edges
    }
    open_edges = dict(wanted)
    rows: list[tuple[int, int, int]] = []
    for source, action, target in _transitions(machine, packed):
        ground = machine.actions[action]
        name = names.actions[ground.action]
        for arguments in ((), _plain(ground.arguments)):
            if (source, name, arguments, target) in wanted:
                rows.append((source, action, target))
                open_edges.pop((source, name, arguments, target), None)
                break
    for edge in open_edges.values():
        raise _disagreement(machine, packed, index, edge)
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def _plain(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """Spaces, quotes, capitals and what is no letter of TLA+ make no difference."""
    bare = ("".join(a.split()).replace('"', "").lower() for a in arguments)
    return tuple(re.sub(r"[^a-z0-9_{},]", "_", a) for a in bare)


def _transitions(machine: Machine, packed: Array) -> Iterable[tuple[int, int, int]]:
    """Every transition of the model between these states."""
    index = {column: i for i, column in enumerate(map(tuple, packed.T.tolist()))}
    asked = machine.evaluation(packed)
    for action in range(len(machine.actions)):
        rows, targets = machine.successors(action, packed, asked)
        for row, target in zip(rows.tolist(), map(tuple, targets.T.tolist()), strict=True):
            if target in index:
                yield row, action, index[target]


def _disagreement(
    machine: Machine, packed: Array, index: dict[str, int], edge: DotEdge
) -> ExploreError:
    before, after = (
        state_text(decode(machine.layout, packed[:, index[name]]))
        for name in (edge.source, edge.target)
    )
    return ExploreError(
        Code.TLC_DISAGREES,
        f"TLC takes {edge.action} from ({before}) to ({after}), which the model does not have",
        hint="Run TLC on the module that icepick wrote, unchanged; if you did, report this.",
    )


def _assemble(
    machine: Machine, packed: Array, found: Array, parsed: list[dict[str, Value]]
) -> Exploration:
    depth = _depths(machine, packed, found)
    order = np.lexsort((*packed[::-1], depth))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    rows = np.stack([number[found[:, 0]], found[:, 1], number[found[:, 2]]])
    rows = rows[:, np.lexsort((rows[1], rows[0]))]
    degrees = np.bincount(rows[0], minlength=len(order))
    finals = [i for i, state in enumerate(parsed) if state.get("final") is True]
    return Exploration(
        machine=machine,
        states=packed[:, order],
        levels=np.concatenate(([0], np.cumsum(np.bincount(depth)))),
        expanded=len(order),
        degrees=degrees,
        taken=np.bincount(rows[1], minlength=len(machine.actions)),
        finals=np.sort(number[finals]),
        edges=Edges(np.concatenate(([0], np.cumsum(degrees))), rows[1], rows[2]),
    )


def _depths(machine: Machine, packed: Array, found: Array) -> Array:
    depth = np.full(packed.shape[1], -1, dtype=np.int64)
    level = (packed == machine.layout.initial()).all(axis=0)
    distance = 0
    while level.any():
        depth[level] = distance
        distance += 1
        reached = np.zeros(len(depth), dtype=bool)
        reached[found[level[found[:, 0]], 2]] = True
        level = reached & (depth < 0)
    return depth


def _broken(machine: Machine, printed: PrintedTrace) -> BrokenInvariant:
    names = names_of(machine.layout.model)
    states = [parse_state(text) for _, text in printed.steps]
    packed = StateReader(machine.layout, names).pack(states)
    original = {text: name for name, text in names.invariants.items()}
    steps = tuple(
        TraceStep(
            _between(machine, names, packed[:, i - 1 : i + 1], printed.steps[i][0]),
            decode(machine.layout, packed[:, i]),
        )
        for i in range(1, len(states))
    )
    return BrokenInvariant(original.get(printed.invariant, printed.invariant), steps)


def _between(machine: Machine, names: Names, pair: Array, name: str) -> GroundAction:
    """The first ground action of that name that leads from the one state to the other."""
    before, after = pair[:, :1], pair[:, 1:]
    asked = machine.evaluation(before)
    for index, ground in enumerate(machine.actions):
        if names.actions[ground.action] == name:
            _, targets = machine.successors(index, before, asked)
            if targets.shape[1] and (targets == after).all():
                return ground
    edge = DotEdge("before", "after", name, ())
    raise _disagreement(machine, pair, {"before": 0, "after": 1}, edge)
