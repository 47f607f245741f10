"""From linear protocols to Arazzo workflows.

A variable that a call makes is an input of the workflow, one that a response binds is an output of
its step. What a request must have and the protocol leaves to the generators becomes an input too,
so that the workflow can be run by others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import yaml

from icepick.errors import Code, Diagnostic, Severity
from icepick.openapi.shape import types as json_types
from icepick.openapi.source import pointer
from icepick.openapi.types import ABSENT, ApiSpec, Json, Schema
from icepick.protocol.arazzo_format import ASSERTIONS_KEY, GENERATOR_KEY, TYPE_KEY, VERSION
from icepick.protocol.automaton import Automaton, Edge, Key, automaton_of
from icepick.protocol.bind import BoundReceive, BoundSend, bind_receive, bind_send
from icepick.protocol.load import Protocols
from icepick.protocol.places import Origins, Source, Target, targets
from icepick.protocol.printer import print_assertion
from icepick.protocol.tree import Argument, Declared, Literal, Named, Receive, Send, Type
from icepick.protocol.types import Types
from icepick.resources.fields import json_media
from icepick.resources.types import Location, Path

Flow = list[tuple[Edge, Edge]]
"""Calls with their responses."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The Arazzo description, None where no model is linear; and what could not be said in it."""

    document: dict[str, Json] | None
    diagnostics: tuple[Diagnostic, ...] = ()

    def text(self) -> str:
        """The description as YAML."""
        return str(yaml.safe_dump(self.document, sort_keys=False, allow_unicode=True, width=100))


def to_arazzo(protocols: Protocols, spec: ApiSpec, url: str | None = None) -> Exported:
    """A workflow for each linear model; `url` says where others find the OpenAPI document.

    The protocols must be free of errors (`check_protocols`).
    """
    diagnostics: list[Diagnostic] = []
    workflows = []
    for name in protocols.models:
        flow = linear(automaton_of(name, protocols.definitions))
        if isinstance(flow, Edge) or not flow:
            diagnostics.append(_not_linear(protocols, name, flow or None))
            continue
        writer = _Writer(protocols, spec, name)
        workflows.append(writer.workflow(flow))
        diagnostics += writer.diagnostics
    if not workflows:
        return Exported(None, tuple(diagnostics))
    document = {
        "arazzo": VERSION,
        "info": {"title": f"{spec.title or 'API'}: flows", "version": spec.version or "1.0.0"},
        "sourceDescriptions": [
            {"name": _plain(spec.title or "api"), "url": url or spec.source, "type": "openapi"}
        ],
        "workflows": workflows,
    }
    return Exported(document, tuple(diagnostics))


def linear(automaton: Automaton) -> Flow | Edge | None:
    """The one way through a model; the edge at which there are others, None where there is none."""
    flow: Flow = []
    state, seen = 0, {0}
    while not automaton.is_end(state):
        pair: list[Edge] = []
        for _ in range(2):
            edges = automaton.edges_of(state)
            if len(edges) != 1:
                return edges[1] if edges else None
            pair.append(edges[0])
            state = edges[0].target
        if state in seen:
            return pair[1]
        seen.add(state)
        flow.append((pair[0], pair[1]))
    return flow


def _not_linear(protocols: Protocols, name: str, edge: Edge | list[Any] | None) -> Diagnostic:
    at = edge if isinstance(edge, Edge) else None
    origin = protocols.origin(str(at.key[0]) if at is not None else name)
    offset = at.branch.span[0] if at is not None else protocols.definitions[name].span[0]
    message = f"`{name}` branches, loops or has no calls, and is left out"
    hint = "Arazzo has linear flows only; write the one that is meant as a model of its own"
    return origin.diagnostic(Code.NOT_LINEAR, Severity.ERROR, message, offset, hint)


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "x"


class _Writer:
    """Writes one workflow."""

    def __init__(self, protocols: Protocols, spec: ApiSpec, name: str) -> None:
        self._protocols = protocols
        self._spec = spec
        self._types = Types(spec)
        self._name = name
        self._inputs: dict[str, Schema] = {}
        self._values: dict[tuple[Key, str], Json] = {}
        self._known: dict[str, tuple[Key, Type]] = {}
        self._steps: list[str] = []
        self.diagnostics: list[Diagnostic] = []

    def workflow(self, flow: Flow) -> dict[str, Json]:
        """The workflow of a flow."""
        steps = [self._step(sent, received) for sent, received in flow]
        inputs = {"inputs": {"type": "object", "properties": self._inputs}} if self._inputs else {}
        return {"workflowId": _plain(self._name), **inputs, "steps": steps}

    def _step(self, sent: Edge, received: Edge) -> dict[str, Json]:
        send, receive = sent.branch, received.branch
        assert isinstance(send, Send)  # noqa: S101 - a linear flow alternates
        assert isinstance(receive, Receive)  # noqa: S101 - a linear flow alternates
        operation = self._spec.operation(send.operation)
        known = {name: of for name, (_, of) in self._known.items()}
        call = bind_send(send, operation, self._types, known)
        step_id = self._step_id(send.operation)
        step: dict[str, Json] = {"stepId": step_id, "operationId": send.operation}
        values = [self._value(argument, sent.key, call) for argument in send.arguments]
        placed = self._placed(call, values, step_id)
        step |= _parameters(placed)
        step |= _body(placed, call)
        step |= {"successCriteria": _criteria(receive.status)}
        step |= self._outputs(bind_receive(receive, operation, self._types), received, step_id)
        if receive.assertions:
            step[ASSERTIONS_KEY] = [print_assertion(one) for one in receive.assertions]
        return step

    def _step_id(self, operation: str) -> str:
        plain = _plain(operation)
        count = self._steps.count(plain)
        self._steps.append(plain)
        return plain if not count else f"{plain}-{count + 1}"

    def _value(self, argument: Argument, key: Key, call: BoundSend) -> Json:
        if isinstance(argument.made, Literal) and _looks_dynamic(argument.made.value):
            self._lost(
                argument, key, "Arazzo takes the text for an expression", "write another one"
            )
        if argument.variable is None:
            return argument.made.value if isinstance(argument.made, Literal) else None
        if argument.type is None:
            bound = self._known.get(argument.variable)
            return self._values[bound[0], argument.variable] if bound is not None else None
        self._known[argument.variable] = (key, argument.type)
        if isinstance(argument.made, Literal):
            value = argument.made.value
        else:
            target = call.targets[call.send.arguments.index(argument)]
            schema = target.schema if target is not None else {}
            value = self._input(argument.variable, schema, argument)
        self._values[key, argument.variable] = value
        return value

    def _input(self, name: str, schema: Schema, argument: Argument | None = None) -> str:
        """A new input of the workflow, and the expression for it."""
        found, number = name, 1
        while found in self._inputs:
            number += 1
            found = f"{name}_{number}"
        kinds = sorted(json_types(schema, self._spec.schemas))
        described: dict[str, Json] = (
            {"type": kinds[0] if len(kinds) == 1 else kinds} if kinds else {}
        )
        if argument is not None and argument.type is not None:
            described[TYPE_KEY] = str(argument.type)
        if argument is not None and isinstance(argument.made, Named):
            described[GENERATOR_KEY] = argument.made.name
        self._inputs[found] = described
        return f"$inputs.{found}"

    def _placed(self, call: BoundSend, values: list[Json], step: str) -> list[tuple[Target, Json]]:
        """Every value with its place, and inputs for what is required and not said."""
        said = [(t, v) for t, v in zip(call.targets, values, strict=True) if t is not None]
        slots = {target.slot for target, _ in said}
        whole = (Location.BODY, ()) in slots
        for target in targets(call.operation, self._spec):
            is_inner = target.slot[0] is Location.BODY
            if target.slot in slots or not target.required or target.read_only or not target.path:
                continue
            covered = is_inner and (whole or _is_around(target.path, slots))
            if not covered and (not is_inner or len(target.path) == 1):
                said.append((target, self._input(f"{step}_{target.path[-1]}", target.schema)))
        return [(target, value) for target, value in said if value is not ABSENT]

    def _outputs(self, answer: BoundReceive, edge: Edge, step: str) -> dict[str, Json]:
        outputs: dict[str, Json] = {}
        for declared, source in zip(answer.receive.variables, answer.sources, strict=True):
            if source is None:
                continue
            if source.part is Origins.LOCATION:
                message = f"`{declared.variable}` is the whole Location in Arazzo"
                hint = "Arazzo has no way to take a part of a header"
                self._lost(declared, edge.key, message, hint)
            outputs[declared.variable] = _expression(source)
            self._known[declared.variable] = (edge.key, declared.type)
            value = f"$steps.{step}.outputs.{declared.variable}"
            self._values[edge.key, declared.variable] = value
        return {"outputs": outputs} if outputs else {}

    def _lost(self, part: Argument | Declared, key: Key, message: str, hint: str) -> None:
        origin = self._protocols.origin(str(key[0]))
        code, severity = Code.LOST_IN_EXCHANGE, Severity.WARNING
        self.diagnostics.append(origin.diagnostic(code, severity, message, part.span[0], hint))


def _looks_dynamic(value: Json) -> bool:
    return isinstance(value, str) and (value.startswith("$") or "{$" in value)


def _is_around(path: Path, slots: Iterable[tuple[Location, Path]]) -> bool:
    """Whether something inside a field is said already."""
    return any(place is Location.BODY and other[: len(path)] == path for place, other in slots)


def _parameters(placed: list[tuple[Target, Json]]) -> dict[str, Json]:
    found = [
        {"name": target.path[0], "in": target.slot[0].value, "value": _prefixed(target, value)}
        for target, value in placed
        if target.slot[0] is not Location.BODY
    ]
    return {"parameters": found} if found else {}


def _prefixed(target: Target, value: Json) -> Json:
    if not target.prefix:
        return value
    is_expression = isinstance(value, str) and value.startswith("$")
    return f"{target.prefix}{{{value}}}" if is_expression else f"{target.prefix}{value}"


def _body(placed: list[tuple[Target, Json]], call: BoundSend) -> dict[str, Json]:
    inside = {target.path: value for target, value in placed if not target.is_text}
    media = json_media(call.operation.request_body)
    if not inside or media is None:
        return {}
    content: dict[str, Json] = {"contentType": media.content_type}
    if () in inside:
        whole = inside.pop(())
        content["payload"] = whole
        if inside:
            content["replacements"] = [
                {"target": pointer(path), "value": value} for path, value in inside.items()
            ]
        return {"requestBody": content}
    payload: dict[str, Json] = {}
    for path, value in inside.items():
        at = payload
        for part in path[:-1]:
            at = at.setdefault(part, {})
        at[path[-1]] = value
    return {"requestBody": {**content, "payload": payload}}


def _criteria(status: str) -> list[dict[str, str]]:
    if not status.endswith("XX"):
        return [{"condition": f"$statusCode == {status}"}]
    first = int(status[0])
    return [
        {"condition": f"$statusCode >= {first}00"},
        {"condition": f"$statusCode < {first + 1}00"},
    ]


def _expression(source: Source) -> str:
    match source.part:
        case Origins.BODY:
            return f"$response.body#{pointer(source.path)}" if source.path else "$response.body"
        case Origins.HEADER:
            return f"$response.header.{source.path[0]}"
    return "$response.header.Location"
