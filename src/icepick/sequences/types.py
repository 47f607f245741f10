"""Plans: which calls are made in which order, and what that covers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from icepick.explore.layout import Array

NO_EDGE = -1


class Kind(StrEnum):
    """What a call is for."""

    TRANSITION = "transition"
    UPDATE = "update"
    READ = "read"
    ACTION = "action"
    REFUSAL = "refusal"


class Strategy(StrEnum):
    """What is covered, and how."""

    PAPER = "paper"
    TOUR = "tour"
    STATES = "states"


class Refusals(StrEnum):
    """Which forbidden calls are tried: one of each group, each of them, or none."""

    ONE = "one"
    EACH = "each"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Options:
    """What a plan is asked for. `max_length` is for tours; the paper's paths are as they are."""

    strategy: Strategy = Strategy.TOUR
    max_length: int = 50
    max_calls: int | None = None
    refusals: Refusals = Refusals.NONE
    transition_identity: bool = True
    seed: int = 0


Argument = str | tuple[str, ...]
"""A model value, or the members of a set of them."""


@dataclass(frozen=True, slots=True)
class Call:
    """An operation with model values for its arguments.

    `action` is the model's action behind a transition or a refusal. `input` tells the inputs of
    updates apart: two updates with the same number send the same. `violated` are the parts of
    the guard because of which a refusal is expected.
    """

    kind: Kind
    operation: str
    arguments: tuple[Argument, ...]
    action: str | None = None
    input: int = 0
    violated: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """A label that no other call of the plan has."""
        base = f"{self.action or self.operation}({', '.join(map(_text, self.arguments))})"
        if self.kind is Kind.REFUSAL:
            return f"refused {base}" + "".join(f" [{part}]" for part in self.violated)
        return f"{base} #{self.input}" if self.input else base


def _text(argument: Argument) -> str:
    return argument if isinstance(argument, str) else "{" + ", ".join(argument) + "}"


@dataclass(frozen=True, slots=True)
class Step:
    """A call, and the number of the state that it leads to."""

    call: Call
    state: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """Calls from the initial state."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Many sequences as columns: sequence i is the elements offsets[i] to offsets[i + 1].

    `calls` are indices of calls, `states` the numbers of the states they lead to, `edges` the
    transitions they take, or `NO_EDGE` for calls of a loop, which end where they begin.
    """

    offsets: Array
    calls: Array
    states: Array
    edges: Array

    def sequences(self, calls: tuple[Call, ...]) -> Iterator[Sequence]:
        """The same as single values."""
        bounds = self.offsets.tolist()
        columns = list(zip(self.calls.tolist(), self.states.tolist(), strict=True))
        for start, stop in pairwise(bounds):
            yield Sequence(tuple(Step(calls[c], state) for c, state in columns[start:stop]))


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of something a plan covers."""

    covered: int
    total: int

    @property
    def percent(self) -> float:
        """In percent; nothing to cover is covered."""
        return 100.0 * self.covered / self.total if self.total else 100.0


@dataclass(frozen=True, slots=True)
class Gap:
    """Transitions or other calls that a plan leaves out: how many of which, and why."""

    what: str
    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The numbers of a plan; lengths are in calls."""

    paths: int
    calls: int
    shortest: int
    longest: int
    states: Coverage
    transitions: Coverage
    updates: Coverage
    reads: Coverage
    actions: Coverage
    refusals: Coverage
    gaps: tuple[Gap, ...]

    @property
    def mean(self) -> float:
        """Calls per sequence."""
        return self.calls / self.paths if self.paths else 0.0
