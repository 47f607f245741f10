"""The state graph as a drawing: a row per depth, few crossings, each edge with its own line."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from icepick.execute.events import Drawing
from icepick.report.text import line
from icepick.report.types import ModelRecord

MOST_STATES, MOST_EDGES = 500, 3_000
RADIUS = 11
_MARGIN, _SWEEPS, _WIDEST = 44, 8, 1_160
_LABELLED_GAP = 120
_MANY_EDGES = 250

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StateView:
    """A state on the page; `caption` stands below it where there is room."""

    number: int
    text: str
    x: float
    y: float
    caption: str
    failing: bool
    visited: bool


@dataclass(frozen=True, slots=True)
class EdgeView:
    """A transition on the page; `kind` is covered, open or failing."""

    source: int
    target: int
    action: str
    kind: str
    times: int
    path: str


@dataclass(frozen=True, slots=True)
class DepthRow:
    """A depth of a graph that is too large to be drawn."""

    depth: int
    states: int
    transitions: int
    covered: int
    failing: int


@dataclass(frozen=True, slots=True)
class GraphView:
    """A graph that is drawn, or counted by depth where `states` is empty."""

    width: float
    height: float
    states: tuple[StateView, ...]
    edges: tuple[EdgeView, ...]
    depths: tuple[DepthRow, ...]
    radius: int = RADIUS

    @property
    def dense(self) -> bool:
        """Whether lines have to be thin, because there are many."""
        return len(self.edges) > _MANY_EDGES


def graph_view(model: ModelRecord) -> GraphView | None:
    """How to show the state graph of a model; None where the run kept none."""
    drawing = model.drawing
    if drawing is None or not drawing.depths:
        return None
    depths = tuple(_depth_rows(drawing, model))
    if len(drawing.depths) > MOST_STATES or len(drawing.edges) > MOST_EDGES:
        return GraphView(0, 0, (), (), depths)
    rows = _ordered(drawing)
    gap = _gap(rows)
    places = _places(rows, gap)
    edges = _edges(drawing, model, places)
    states = _states(drawing, edges, places, gap)
    width = max(x for x, _ in places.values()) + _MARGIN
    height = max(y for _, y in places.values()) + _MARGIN
    return GraphView(max(width, 320), height, states, edges, depths)


def _depth_rows(drawing: Drawing, model: ModelRecord) -> list[DepthRow]:
    states = Counter(drawing.depths)
    leaving: Counter[int] = Counter()
    covered: Counter[int] = Counter()
    failing: Counter[int] = Counter()
    for number, (source, _, _) in enumerate(drawing.edges):
        depth = drawing.depths[source]
        leaving[depth] += 1
        covered[depth] += number in model.covered
        failing[depth] += number in model.failed
    return [
        DepthRow(depth, states[depth], leaving[depth], covered[depth], failing[depth])
        for depth in sorted(states)
    ]


def _ordered(drawing: Drawing) -> list[list[int]]:
    """The states of each depth, beside one another what leads to the same states."""
    rows: dict[int, list[int]] = defaultdict(list)
    for state, depth in enumerate(drawing.depths):
        rows[depth].append(state)
    order = [rows[depth] for depth in sorted(rows)]
    above, below = _neighbours(drawing)
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        around = above if down else below
        spots = {s: (i + 0.5) / len(row) for row in order for i, s in enumerate(row)}
        for row in order if down else reversed(order):
            _sort_row(row, around, spots)
    return order


def _neighbours(drawing: Drawing) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Of each state those that it is linked with one depth above, and one below."""
    above: dict[int, list[int]] = defaultdict(list)
    below: dict[int, list[int]] = defaultdict(list)
    for source, _, target in drawing.edges:
        one, other = sorted((source, target), key=drawing.depths.__getitem__)
        if drawing.depths[one] < drawing.depths[other]:
            above[other].append(one)
            below[one].append(other)
    return above, below


def _sort_row(row: list[int], around: Mapping[int, list[int]], spots: dict[int, float]) -> None:
    """Each state goes to the middle of its neighbours."""

    def middle(state: int) -> float:
        near = around.get(state)
        return sum(spots[n] for n in near) / len(near) if near else spots[state]

    row.sort(key=lambda state: (middle(state), state))
    spots.update({state: (i + 0.5) / len(row) for i, state in enumerate(row)})


def _gap(rows: Sequence[Sequence[int]]) -> float:
    return min(max(_WIDEST / max(map(len, rows)), 3.2 * RADIUS), 210)


def _places(rows: Sequence[Sequence[int]], gap: float) -> dict[int, Point]:
    widest = max(map(len, rows))
    inner = max((widest - 1) * gap, 4 * _LABELLED_GAP if widest > 1 else 240)
    step = min(max(inner / 1.9 / len(rows), 104), 420)
    places: dict[int, Point] = {}
    for depth, row in enumerate(rows):
        start = _MARGIN + 40 + (inner - (len(row) - 1) * gap) / 2
        for i, state in enumerate(row):
            places[state] = (round(start + i * gap, 1), round(_MARGIN + depth * step, 1))
    return places


def _states(
    drawing: Drawing, edges: Sequence[EdgeView], places: Mapping[int, Point], gap: float
) -> tuple[StateView, ...]:
    failing = {edge.source for edge in edges if edge.kind == "failing"}
    taken = [edge for edge in edges if edge.times]
    visited = {end for edge in taken for end in (edge.source, edge.target)}
    room = int(gap / 7) if gap >= _LABELLED_GAP else 0
    return tuple(
        StateView(
            number=state,
            text=line(text),
            x=places[state][0],
            y=places[state][1],
            caption=line(text, room) if room else "",
            failing=state in failing,
            visited=state in visited,
        )
        for state, text in enumerate(drawing.texts)
    )


def _edges(
    drawing: Drawing, model: ModelRecord, places: Mapping[int, Point]
) -> tuple[EdgeView, ...]:
    parallel: Counter[tuple[int, int]] = Counter()
    found = []
    for number, (source, action, target) in enumerate(drawing.edges):
        times = model.covered.get(number, 0)
        kind = "failing" if number in model.failed else "covered" if times else "open"
        path = _path(places[source], places[target], parallel[source, target])
        parallel[source, target] += 1
        found.append(EdgeView(source, target, line(action), kind, times, path))
    return tuple(found)


def _path(start: Point, end: Point, number: int) -> str:
    """A line bent to its right, so that the way back and parallel ones lie beside it."""
    (x1, y1), (x2, y2) = start, end
    if start == end:
        return _loop(start, number)
    dx, dy = x2 - x1, y2 - y1
    length = hypot(dx, dy)
    bend = (0.28 * length if y1 == y2 else 10) + 11 * number
    cx, cy = (x1 + x2) / 2 - dy / length * bend, (y1 + y2) / 2 + dx / length * bend
    ax, ay = _towards(start, (cx, cy), RADIUS)
    bx, by = _towards(end, (cx, cy), RADIUS + 3)
    return f"M{ax:.1f} {ay:.1f}Q{cx:.1f} {cy:.1f} {bx:.1f} {by:.1f}"


def _loop(at: Point, number: int) -> str:
    x, y = at
    reach = 24 + 8 * number
    left, right = (x + RADIUS - 3, y - 8), (x + RADIUS, y + 5)
    return (
        f"M{left[0]:.1f} {left[1]:.1f}C{x + reach:.1f} {y - reach:.1f} "
        f"{x + reach + 8:.1f} {y + reach / 2:.1f} {right[0] + 2:.1f} {right[1]:.1f}"
    )


def _towards(start: Point, end: Point, distance: float) -> Point:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    return start[0] + dx / length * distance, start[1] + dy / length * distance
