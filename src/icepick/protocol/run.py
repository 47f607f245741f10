"""One run through a model: where it is, what is bound, and whether answers are as they should be.

It sends nothing. A driver asks a policy for a call, has its values made, sends it, and hands the
answer back:

    edge = policy.next_send(run.state)
    call = run.call(edge)
    prepared = maker.prepare(call, run.known)
    run.sent(edge, prepared)
    ...
    judged = run.received(answer, environment)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from icepick.glacier import Answer, Environment, Truth
from icepick.openapi.types import ABSENT, Json, MediaType, Operation, Response
from icepick.openapi.validate import Direction
from icepick.protocol.assertions import Functions, Judgement, judge
from icepick.protocol.automaton import Automaton, Edge, Key
from icepick.protocol.bind import BoundSend, bind_receive, bind_send
from icepick.protocol.semantics import Event, matches
from icepick.protocol.tree import Assertion, Receive, Send, Type
from icepick.protocol.types import Types
from icepick.protocol.values import Prepared, take
from icepick.resources.fields import json_media


class Fault(StrEnum):
    """The three ways in which an answer can break a model."""

    CODE = "response code not expected"
    FORMAT = "body not of the declared format"
    ASSERTION = "assertion violated"


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of an answer: the edge that it takes, or the fault and what it consists in.

    `doubts` are assertions of the taken branch that could not be decided; `broken` is the one that
    was violated.
    """

    edge: Edge | None
    fault: Fault | None = None
    explanation: str = ""
    doubts: tuple[Judgement, ...] = ()
    broken: Assertion | None = None


@dataclass(frozen=True, slots=True)
class Model:
    """An automaton with the document and the functions that it is run beside."""

    automaton: Automaton
    types: Types
    functions: Functions

    def operation(self, name: str) -> Operation:
        """The operation of a call; KeyError where the model was not checked."""
        return self.types.spec.operation(name)


class Run:
    """A run from the initial state; `trace` is what the semantics would see of it."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._validators = model.types.validators
        self._values: dict[tuple[Key, str], Json] = {}
        self._types: dict[tuple[Key, str], Type] = {}
        self.state = 0
        self.trace: list[Event] = []

    @property
    def is_over(self) -> bool:
        """Whether the model is at its end."""
        return self._model.automaton.is_end(self.state)

    @property
    def known(self) -> dict[str, Json]:
        """The variables in force."""
        scope = self._model.automaton.states[self.state].scope
        return {name: self._values[key, name] for name, key in scope}

    def call(self, edge: Edge) -> BoundSend:
        """A call of this state with the places of its arguments."""
        assert isinstance(edge.branch, Send)  # noqa: S101 - policies choose calls
        scope = self._model.automaton.states[self.state].scope
        known = {name: self._types[key, name] for name, key in scope}
        operation = self._model.operation(edge.branch.operation)
        return bind_send(edge.branch, operation, self._model.types, known)

    def sent(self, edge: Edge, prepared: Prepared) -> None:
        """The call was made with these values."""
        assert isinstance(edge.branch, Send)  # noqa: S101 - policies choose calls
        for argument in edge.branch.arguments:
            if argument.variable is not None and argument.type is not None:
                self._bind(edge.key, argument.variable, argument.type, prepared.bound)
        self.trace.append(Event(True, edge.branch.operation, prepared.arguments))
        self.state = edge.target

    def _bind(self, key: Key, name: str, of: Type, values: Mapping[str, Json]) -> None:
        self._values[key, name] = values[name]
        self._types[key, name] = of

    def asserted(
        self, answer: Answer
    ) -> Iterator[tuple[tuple[Assertion, ...], Mapping[str, Json]]]:
        """The assertions of each branch that an answer may take, with the variables in force.

        Whoever has to ask the service for what they need can do so before `received`.
        """
        for edge, receive in self._open(answer):
            operation = self._model.operation(edge.operation or "")
            bound = bind_receive(receive, operation, self._model.types)
            taken = take(bound, answer, self._model.types)
            yield receive.assertions, {**self.known, **taken.bound}

    def _open(self, answer: Answer) -> Iterator[tuple[Edge, Receive]]:
        """The branches that are for such a status."""
        for edge in self._model.automaton.edges_of(self.state):
            if isinstance(edge.branch, Receive) and matches(edge.branch.status, str(answer.status)):
                yield edge, edge.branch

    def received(self, answer: Answer, env: Environment) -> Judged:
        """The answer to the last call: it takes the first branch that it fits in every way."""
        faults: list[Judged] = []
        for edge, receive in self._open(answer):
            judged = self._tried(edge, receive, answer, env)
            if judged.edge is not None:
                return judged
            faults.append(judged)
        if faults:
            # What got furthest says most: the format was right where an assertion failed.
            return max(faults, key=lambda one: one.fault is Fault.ASSERTION)
        awaited = " or ".join(edge.label for edge in self._model.automaton.edges_of(self.state))
        explanation = f"answered with {answer.status} in place of {awaited}"
        return Judged(None, Fault.CODE, explanation)

    def _tried(self, edge: Edge, receive: Receive, answer: Answer, env: Environment) -> Judged:
        operation = self._model.operation(edge.operation or "")
        problem = self._misshapen(operation, answer)
        taken = take(bind_receive(receive, operation, self._model.types), answer, self._model.types)
        if problem is not None or taken.problems:
            reasons = [problem] if problem is not None else []
            return Judged(None, Fault.FORMAT, "; ".join([*reasons, *taken.problems]))
        values = {**self.known, **taken.bound}
        found = [judge(one, env, values, self._model.functions) for one in receive.assertions]
        broken = next((one for one in found if one.value is Truth.FALSE), None)
        if broken is not None:
            return Judged(None, Fault.ASSERTION, broken.explanation, broken=broken.assertion)
        self._take(edge, receive, answer, taken.bound)
        doubts = tuple(one for one in found if one.value is Truth.UNKNOWN)
        return Judged(edge, doubts=doubts)

    def _take(
        self, edge: Edge, receive: Receive, answer: Answer, bound: Mapping[str, Json]
    ) -> None:
        for declared in receive.variables:
            self._bind(edge.key, declared.variable, declared.type, bound)
        values = tuple(bound[declared.variable] for declared in receive.variables)
        self.trace.append(Event(False, str(answer.status), values))
        self.state = edge.target

    def _misshapen(self, operation: Operation, answer: Answer) -> str | None:
        """Why the body breaks the schema that the document has for such an answer."""
        media = _media(operation.response_for(answer.status), answer)
        if media is None:
            return None
        if answer.body is ABSENT:
            return "the body is missing"
        found = self._validators.problems(media.schema, answer.body, Direction.RESPONSE)
        if not found:
            return None
        where = f" at {found[0].pointer}" if found[0].pointer else ""
        return f"the body is not as declared: {found[0].message}{where}"


def _media(response: Response | None, answer: Answer) -> MediaType | None:
    """What the document says of the body: for its own content type, where it has that one."""
    if response is None:
        return None
    kinds = [str(v) for name, v in answer.headers.items() if name.lower() == "content-type"]
    kind = kinds[0].partition(";")[0].strip() if kinds else ""
    return response.content.get(kind) or json_media(response)
