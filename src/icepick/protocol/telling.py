"""Models and what was covered of them, as events that reports understand.

For a report a state is a place where the tester chooses or the session is over, and a transition
is a call together with its response.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from icepick.execute.events import ClauseCounted, Drawing, ModelCovered, ModelPlanned, Noted
from icepick.execute.types import ClauseCount, Judged
from icepick.protocol.automaton import Automaton, Edge
from icepick.protocol.coverage import Coverage
from icepick.protocol.judging import operation_of
from icepick.protocol.passage import Move
from icepick.protocol.printer import print_assertion
from icepick.protocol.run import Fault, Model
from icepick.protocol.tree import Receive

_DRAWN_STATES = 500
_MISSING_SHOWN = 20
_Joint = tuple[int, str, int]


class Stations:
    """The states between a response and the next call, numbered in the order of their depth."""

    def __init__(self, automaton: Automaton) -> None:
        self._automaton = automaton
        self._numbers = {0: 0}
        self._depths = [0]
        self.joints: list[_Joint] = []
        waiting = deque([0])
        while waiting:
            state = waiting.popleft()
            for label, target in _ways(automaton, state):
                if target not in self._numbers:
                    self._numbers[target] = len(self._depths)
                    self._depths.append(self._depths[self._numbers[state]] + 1)
                    waiting.append(target)
                self.joints.append((self._numbers[state], label, self._numbers[target]))

    def __len__(self) -> int:
        return len(self._depths)

    def number(self, state: int) -> int | None:
        """The number of a state of the automaton."""
        return self._numbers.get(state)

    def drawing(self) -> Drawing | None:
        """The graph, unless it is too large to be looked at."""
        if len(self) > _DRAWN_STATES:
            return None
        texts = tuple(_text(self._automaton, state) for state in self._numbers)
        return Drawing(tuple(self._depths), texts, tuple(dict.fromkeys(self.joints)))


def _ways(automaton: Automaton, state: int) -> Iterator[tuple[str, int]]:
    for sent in automaton.edges_of(state):
        for answered in automaton.edges_of(sent.target):
            yield f"{sent.label} {answered.label}", answered.target


def _text(automaton: Automaton, state: int) -> str:
    if automaton.is_end(state):
        return "end"
    return ", ".join(name for name, _ in automaton.states[state].scope) or "start"


def planned(number: int, model: Model, stations: Stations) -> ModelPlanned:
    """A model, as the beginning of a run tells it; how many calls come is not known before."""
    different = len(set(stations.joints))
    return ModelPlanned(
        number, model.automaton.name, {}, len(stations), different, 0, 0,
        {"transition": different}, drawing=stations.drawing(),
    )  # fmt: skip


def placed(move: Move, stations: Stations) -> Judged:
    """A call with the states that it leads from and to."""
    target = stations.number(move.receive.target) if move.receive is not None else None
    return replace(move.judged, source=stations.number(move.send.source), target=target)


class Assertions:
    """How often the assertions of all models held."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], ClauseCount] = {}

    def add(self, move: Move) -> None:
        """Take in a call."""
        ruling = move.ruling
        if ruling is None:
            return
        operation = operation_of(move.send)
        if ruling.edge is None:
            if ruling.fault is Fault.ASSERTION and ruling.broken is not None:
                self._count(operation, print_assertion(ruling.broken)).false += 1
            return
        doubts = {print_assertion(one.assertion): one.explanation for one in ruling.doubts}
        branch = ruling.edge.branch
        for one in branch.assertions if isinstance(branch, Receive) else ():
            count, text = self._count(operation, print_assertion(one)), print_assertion(one)
            if text in doubts:
                count.unknown += 1
                count.reason = doubts[text]
            else:
                count.true += 1

    def _count(self, operation: str, text: str) -> ClauseCount:
        return self._counts.setdefault((operation, text), ClauseCount())

    def counted(self, labels: dict[str, str]) -> Iterator[ClauseCounted]:
        """How each fared; `labels` are those of the operations by id."""
        for (operation, text), count in self._counts.items():
            yield ClauseCounted(
                "assertion", labels.get(operation, operation), text, "written",
                count.true, count.false, count.unknown, count.reason,
            )  # fmt: skip


def covered(number: int, coverage: Coverage) -> ModelCovered:
    """What was taken of a model, as an event."""
    parts = {
        "branches": coverage.branches,
        "responses": coverage.responses,
        "pairs": coverage.pairs,
    }
    return ModelCovered(number, {name: (one.covered, one.total) for name, one in parts.items()})


def missing_notes(name: str, coverage: Coverage) -> Iterator[Noted]:
    """The pairs of branches that were not taken one after the other."""
    shown = coverage.missing[:_MISSING_SHOWN]
    for before, edge in shown:
        yield Noted("not covered", name, _pair(before, edge))
    if len(coverage.missing) > len(shown):
        rest = len(coverage.missing) - len(shown)
        yield Noted("not covered", name, f"and {rest} more pairs of branches")


def _pair(before: Edge | None, edge: Edge) -> str:
    whose = f" to !{edge.operation}" if edge.operation is not None else ""
    if before is None:
        return f"{edge.label} at the start"
    answers = f" to !{before.operation}" if before.operation is not None else ""
    return f"{edge.label}{whose} after {before.label}{answers}"
