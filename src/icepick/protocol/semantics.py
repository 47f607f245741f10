"""The denotational semantics of section 3.1 of the COTS paper, as an acceptor of traces.

The equations of Figure 4 are followed one by one, for one trace: is the rest of it in `[[S, rho]]`
under the values substituted so far? For a recursion the intersection of all pre-fixed points is the
least fixed point, and a trace is in it if unfolding the recursion finds it there; an unfolding that
consumes nothing adds nothing. With a bound n, `[[rec X[n].S]]` is the n-th power of S applied to
{empty trace}: the last X is `end`.

Which values a generator may give and inhabit a type, and which assertions hold, is asked of a
`Domain`. A definition is an abbreviation, and a recursion where it is used inside itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from icepick.openapi.types import Json
from icepick.protocol.tree import (
    Argument,
    Assertion,
    Declared,
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

Values = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Event:
    """A message: `name` is an operationId or a status, `values` are its parameters in order."""

    is_sent: bool
    name: str
    values: tuple[Json, ...] = ()

    def __str__(self) -> str:
        shown = ", ".join(map(repr, self.values))
        return f"{'!' if self.is_sent else '?C'}{self.name}({shown})"


class Domain(Protocol):
    """What the semantics asks of data."""

    def generates(self, argument: Argument, value: Json, /) -> bool:
        """Whether a value is in the codomain of an argument's generator."""

    def inhabits(self, declared: Declared, value: Json, /) -> bool:
        """Whether a value is of the type of a variable."""

    def holds(self, assertion: Assertion, values: Values, /) -> bool:
        """Whether an assertion evaluates to true."""


class Anything:
    """The domain in which every value fits and every assertion holds."""

    def generates(self, _argument: Argument, _value: Json, /) -> bool:
        """Every value may be generated."""
        return True

    def inhabits(self, _declared: Declared, _value: Json, /) -> bool:
        """Every value is of every type."""
        return True

    def holds(self, _assertion: Assertion, _values: Values, /) -> bool:
        """Every assertion holds."""
        return True


def accepts(
    name: str,
    definitions: Mapping[str, Definition],
    trace: Sequence[Event],
    domain: Domain | None = None,
    *,
    prefix: bool = False,
) -> bool:
    """Whether a trace is one of a model; with `prefix`, whether it is the beginning of a run.

    A run may go on for ever, so a prefix need not be one of a trace that ends.
    """
    acceptor = _Acceptor(definitions, tuple(trace), domain or Anything())
    return acceptor.accepts(name, prefix=prefix)


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a name stands for: a body with its surroundings, to be unfolded on demand.

    `at` is the position in the trace at which it was unfolded last, `left` how often a bounded one
    may still be.
    """

    name: str
    body: Session
    rho: _Rho
    values: Values
    is_definition: bool
    left: int | None = None
    at: int = -1


@dataclass(frozen=True, slots=True)
class _Rho:
    """What names stand for: recursion variables of this definition, and definitions."""

    variables: Mapping[str, _Meaning] = field(default_factory=dict)
    definitions: Mapping[str, _Meaning] = field(default_factory=dict)

    def plus(self, meaning: _Meaning) -> _Rho:
        """With one more name; a definition sees no recursion variables but its own."""
        if meaning.is_definition:
            return _Rho({}, {**self.definitions, meaning.name: meaning})
        return _Rho({**self.variables, meaning.name: meaning}, self.definitions)


@dataclass(frozen=True, slots=True)
class _Goal:
    """Whether the trace from `at` on is in [[session, rho]] under a substitution."""

    session: Session
    rho: _Rho
    values: Values
    at: int


class _Acceptor:
    """One trace against the equations."""

    def __init__(
        self, definitions: Mapping[str, Definition], trace: tuple[Event, ...], domain: Domain
    ) -> None:
        self._definitions = definitions
        self._trace = trace
        self._domain = domain

    def accepts(self, name: str, *, prefix: bool) -> bool:
        """Whether one of the goals that the first one comes down to is met.

        All unions of the equations are over branches, so that a list of goals does for recursion,
        and traces may be long.
        """
        goals = [_Goal(Reference(name), _Rho(), {}, 0)]
        while goals:
            goal = goals.pop()
            at_end = goal.at == len(self._trace)
            if at_end and (prefix or isinstance(goal.session, End)):
                return True
            goals += self._below(goal)
        return False

    def _below(self, goal: _Goal) -> Iterator[_Goal]:
        match goal.session:
            case Internal(branches=sends):
                yield from (found for one in sends for found in self._sent(one, goal))
            case External(branches=receives):
                yield from (found for one in receives for found in self._received(one, goal))
            case Recursion(name=name, body=body, bound=bound):
                meaning = _Meaning(name, body, goal.rho, goal.values, False, bound)
                yield _unfolded(meaning, goal.at)
            case Reference(name=name):
                yield from self._referred(name, goal)

    def _sent(self, send: Send, goal: _Goal) -> Iterator[_Goal]:
        event = self._event(goal.at, len(send.arguments))
        if event is None or not event.is_sent or event.name != send.operation:
            return
        after = dict(goal.values)
        for argument, value in zip(send.arguments, event.values, strict=True):
            if not self._fits(argument, value, goal.values):
                return
            if argument.variable is not None and argument.type is not None:
                after[argument.variable] = value
        yield _Goal(send.then, goal.rho, after, goal.at + 1)

    def _fits(self, argument: Argument, value: Json, values: Values) -> bool:
        if argument.variable is not None and argument.type is None:
            return argument.variable in values and bool(values[argument.variable] == value)
        return self._domain.generates(argument, value)

    def _received(self, receive: Receive, goal: _Goal) -> Iterator[_Goal]:
        event = self._event(goal.at, len(receive.variables))
        if event is None or event.is_sent or not matches(receive.status, event.name):
            return
        after = dict(goal.values)
        for declared, value in zip(receive.variables, event.values, strict=True):
            if not self._domain.inhabits(declared, value):
                return
            after[declared.variable] = value
        if all(self._domain.holds(one, after) for one in receive.assertions):
            yield _Goal(receive.then, goal.rho, after, goal.at + 1)

    def _event(self, at: int, size: int) -> Event | None:
        if at >= len(self._trace) or len(self._trace[at].values) != size:
            return None
        return self._trace[at]

    def _referred(self, name: str, goal: _Goal) -> Iterator[_Goal]:
        meaning = goal.rho.variables.get(name) or goal.rho.definitions.get(name)
        if meaning is None:
            definition = self._definitions.get(name)
            if definition is not None:
                new = _Meaning(name, definition.body, goal.rho, goal.values, True)
                yield _unfolded(new, goal.at)
        elif meaning.left is None:
            # Unfolded where it was unfolded before, it adds nothing to the least fixed point.
            if meaning.at != goal.at:
                yield _unfolded(meaning, goal.at)
        elif meaning.left == 1:
            yield _Goal(End(), goal.rho, goal.values, goal.at)
        else:
            yield _unfolded(replace(meaning, left=meaning.left - 1), goal.at)


def _unfolded(meaning: _Meaning, at: int) -> _Goal:
    inner = meaning.rho.plus(replace(meaning, at=at))
    return _Goal(meaning.body, inner, meaning.values, at)


def matches(status: str, code: str) -> bool:
    """Whether a code is the one that a branch awaits, or one of its class."""
    return status == code or (status.endswith("XX") and status[0] == code[:1])
