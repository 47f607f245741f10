"""What was covered of a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from icepick.execute.events import Drawing, ModelPlanned
from icepick.execute.types import Judged, Verdict
from icepick.report.types import ModelRecord, Part

_PLURALS = {"refusal": "refusals", "update": "updates", "read": "reads", "action": "actions"}

Edge = tuple[int | None, str, int | None]


class ModelTally:
    """Counts the different calls of each kind that were answered, and the states they touched."""

    def __init__(self, planned: ModelPlanned) -> None:
        self.planned = planned
        self._labels: dict[str, int] = {}
        self._seen: dict[str, set[tuple[int, int, int]]] = {}
        self._states: set[int] = set()
        self._edges = _numbered(planned.drawing)
        self._taken: Counter[int] = Counter()
        self._failed: set[int] = set()
        self._measured: dict[str, Part] = {}

    def measured(self, parts: Mapping[str, tuple[int, int]]) -> None:
        """What the run itself says was covered; the last word counts."""
        self._measured |= {name: Part(*part) for name, part in parts.items()}

    def add(self, judged: Judged) -> None:
        """A call that was made."""
        ends = (judged.source, judged.target)
        self._states.update(end for end in ends if end is not None)
        label = self._labels.setdefault(judged.label, len(self._labels))
        source, target = (-1 if end is None else end for end in ends)
        self._seen.setdefault(judged.kind, set()).add((label, source, target))
        edge = self._edges.get((judged.source, judged.label, judged.target))
        if edge is not None:
            self._taken[edge] += 1
            if judged.verdict is Verdict.ERR:
                self._failed.add(edge)

    @property
    def states(self) -> Part:
        """How many states were touched."""
        return Part(len(self._states), self.planned.states)

    @property
    def transitions(self) -> Part:
        """How many transitions were taken, of all that there are."""
        return Part(len(self._seen.get("transition", ())), self.planned.transitions)

    def _parts(self) -> Iterator[tuple[str, Part]]:
        yield "states", self.states
        yield "transitions", self.transitions
        for kind, name in _PLURALS.items():
            covered = len(self._seen.get(kind, ()))
            yield name, Part(covered, max(self.planned.wanted.get(kind, 0), covered))
        yield from self._measured.items()

    def record(self) -> ModelRecord:
        """What was covered so far."""
        return ModelRecord(
            name=self.planned.name,
            sizes=dict(self.planned.sizes),
            parts=dict(self._parts()),
            gaps=self.planned.gaps,
            drawing=self.planned.drawing,
            covered=dict(sorted(self._taken.items())),
            failed=frozenset(self._failed),
        )


def _numbered(drawing: Drawing | None) -> dict[Edge, int]:
    """The number of each edge that is drawn; of equal ones, the first."""
    found: dict[Edge, int] = {}
    for number, edge in enumerate(drawing.edges if drawing else ()):
        found.setdefault(edge, number)
    return found
