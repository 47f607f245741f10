"""The automaton of a model: a labelled multigraph whose states know which variables are in force.

A state is a place in the text together with what surrounds it: the recursions and definitions
that lead there, how often a bounded one may still be gone through, and the variables in scope.
Scopes are those of section 3.1: a recursion variable leads back to the scope that its `rec` had.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from icepick.protocol.tree import (
    Definition,
    End,
    External,
    Internal,
    Receive,
    Recursion,
    Reference,
    Send,
    Session,
)

Key = tuple[str | int, ...]
"""Where a branch stands: the definition, and the way down from it."""

Scope = tuple[tuple[str, Key], ...]
"""The variables in force, each with the branch that bound it, ordered by name."""


class Kind(StrEnum):
    """Who acts in a state."""

    CHOOSE = "choose"
    AWAIT = "await"
    END = "end"
    STUCK = "stuck"
    """An unguarded recursion or an unknown name: nothing can happen."""


@dataclass(frozen=True, slots=True)
class State:
    """A state: `pending` is the branch whose response is awaited."""

    kind: Kind
    scope: Scope
    pending: Key | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A branch taken from one state to another; `key` is the same wherever the branch is."""

    number: int
    source: int
    target: int
    key: Key
    branch: Send | Receive = field(compare=False, repr=False)
    operation: str | None
    """Of a response, the operation that it answers."""

    @property
    def label(self) -> str:
        """How messages name it."""
        if isinstance(self.branch, Send):
            return f"!{self.branch.operation}"
        return f"?C{self.branch.status}"


@dataclass(frozen=True, slots=True)
class Automaton:
    """States by number, 0 the initial one, and edges ordered by source."""

    name: str
    states: tuple[State, ...]
    edges: tuple[Edge, ...]
    first: tuple[int, ...]
    """The edges of state s are those from first[s] to first[s + 1]."""

    def edges_of(self, state: int) -> tuple[Edge, ...]:
        """The edges that leave a state."""
        return self.edges[self.first[state] : self.first[state + 1]]

    def is_end(self, state: int) -> bool:
        """Whether a session is over in a state."""
        return self.states[state].kind is Kind.END

    @property
    def triples(self) -> tuple[tuple[int, str, int], ...]:
        """The bare graph: source, label, target."""
        return tuple((edge.source, edge.label, edge.target) for edge in self.edges)


@dataclass(frozen=True, slots=True)
class _Frame:
    """A recursion or a definition on the way to a place."""

    name: str
    body: Session
    key: Key
    scope: Scope
    left: int | None
    is_definition: bool

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Frame) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    @property
    def identity(self) -> tuple[str, Key, Scope, int | None, bool]:
        """All but the body, which the key decides: comparing trees would take long."""
        return self.name, self.key, self.scope, self.left, self.is_definition


@dataclass(frozen=True, slots=True)
class _Spot:
    """A choice or an end, with what surrounds it."""

    session: Session
    key: Key
    frames: tuple[_Frame, ...]
    scope: Scope
    pending: Key | None
    operation: str | None

    @property
    def identity(self) -> tuple[object, ...]:
        if isinstance(self.session, End):
            # One end is as good as another.
            return (End,)
        return self.key, self.frames, self.scope, self.pending


def automaton_of(name: str, definitions: Mapping[str, Definition]) -> Automaton:
    """The automaton of one definition."""
    return _Explorer(definitions).explore(name)


class _Explorer:
    """Numbers the states breadth-first."""

    def __init__(self, definitions: Mapping[str, Definition]) -> None:
        self._definitions = definitions
        self._numbers: dict[tuple[object, ...], int] = {}
        self._spots: list[_Spot] = []
        self._waiting: deque[_Spot] = deque()

    def explore(self, name: str) -> Automaton:
        start = _Spot(Reference(name), (), (), (), None, None)
        self._number(start)
        edges: list[Edge] = []
        first = [0]
        while self._waiting:
            source, spot = len(first) - 1, self._waiting.popleft()
            for key, branch in _branches(spot):
                target = self._number(_after(spot, key, branch))
                edges.append(Edge(len(edges), source, target, key, branch, spot.operation))
            first.append(len(edges))
        states = tuple(_state(spot) for spot in self._spots)
        return Automaton(name, states, tuple(edges), tuple(first))

    def _number(self, spot: _Spot) -> int:
        spot = self._settled(spot)
        number = self._numbers.setdefault(spot.identity, len(self._spots))
        if number == len(self._spots):
            self._spots.append(spot)
            self._waiting.append(spot)
        return number

    def _settled(self, spot: _Spot) -> _Spot:
        """Follow names and recursions to a choice or an end; a stuck spot stays a reference."""
        seen: set[tuple[object, ...]] = set()
        while isinstance(spot.session, Recursion | Reference):
            identity = spot.identity
            following = self._step(spot)
            if following is None or identity in seen:
                return replace(spot, session=Reference("")) if following else spot
            seen.add(identity)
            spot = following
        return spot

    def _step(self, spot: _Spot) -> _Spot | None:
        match spot.session:
            case Recursion(name=name, body=body, bound=bound):
                frame = _Frame(name, body, (*spot.key, name), spot.scope, bound, False)
                return _entered(spot, spot.frames, frame)
            case Reference(name=name):
                return self._referred(spot, name)
        return None

    def _referred(self, spot: _Spot, name: str) -> _Spot | None:
        found = _frame_of(spot.frames, name)
        if found is not None:
            return _again(spot, found)
        definition = self._definitions.get(name)
        if definition is None:
            return None
        frame = _Frame(name, definition.body, (name,), spot.scope, None, True)
        return _entered(spot, spot.frames, frame)


def _frame_of(frames: tuple[_Frame, ...], name: str) -> int | None:
    """The innermost recursion of that name in the same definition, or else the definition."""
    for index in range(len(frames) - 1, -1, -1):
        if frames[index].is_definition:
            break
        if frames[index].name == name:
            return index
    for index, frame in enumerate(frames):
        if frame.is_definition and frame.name == name:
            return index
    return None


def _again(spot: _Spot, index: int) -> _Spot:
    """Back at a recursion, in the scope that it had; over, where its bound is reached."""
    frame = spot.frames[index]
    if frame.left is not None and frame.left <= 1:
        return replace(spot, session=End())
    left = None if frame.left is None else frame.left - 1
    return _entered(spot, spot.frames[:index], replace(frame, left=left))


def _entered(spot: _Spot, around: tuple[_Frame, ...], frame: _Frame) -> _Spot:
    return replace(
        spot, session=frame.body, key=frame.key, frames=(*around, frame), scope=frame.scope
    )


def _branches(spot: _Spot) -> Iterator[tuple[Key, Send | Receive]]:
    match spot.session:
        case Internal(branches=sends):
            yield from (((*spot.key, index), one) for index, one in enumerate(sends))
        case External(branches=receives):
            yield from (((*spot.key, index), one) for index, one in enumerate(receives))


def _after(spot: _Spot, key: Key, branch: Send | Receive) -> _Spot:
    scope = _binding(spot.scope, key, bound_by(branch))
    if isinstance(branch, Send):
        return _Spot(branch.then, key, spot.frames, scope, key, branch.operation)
    return _Spot(branch.then, key, spot.frames, scope, None, None)


def bound_by(branch: Send | Receive) -> tuple[str, ...]:
    """The variables that a message binds."""
    if isinstance(branch, Receive):
        return tuple(one.variable for one in branch.variables)
    return tuple(
        one.variable
        for one in branch.arguments
        if one.variable is not None and one.type is not None
    )


def _binding(scope: Scope, key: Key, names: tuple[str, ...]) -> Scope:
    return tuple(sorted({**dict(scope), **dict.fromkeys(names, key)}.items()))


def _state(spot: _Spot) -> State:
    match spot.session:
        case Internal():
            return State(Kind.CHOOSE, spot.scope, spot.pending)
        case External():
            return State(Kind.AWAIT, spot.scope, spot.pending)
        case End():
            return State(Kind.END, ())
    return State(Kind.STUCK, spot.scope, spot.pending)
