"""From Arazzo workflows to linear protocols.

An input of a workflow is a variable that is made where it is first used, an output of a step one
that its response binds. What a protocol cannot say is left out and told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from icepick.errors import (
    Code,
    ContractError,
    Diagnostic,
    DocumentError,
    Place,
    ProtocolError,
    Severity,
)
from icepick.openapi.options import ReadOptions
from icepick.openapi.source import Source, path_of, unescaped
from icepick.openapi.syntax import parse
from icepick.openapi.types import ApiSpec, Json, Operation
from icepick.protocol.arazzo_format import ASSERTIONS_KEY, GENERATOR_KEY, TYPE_KEY, problems
from icepick.protocol.arazzo_steps import Names, Reader, status_of
from icepick.protocol.assertions import read_assertions
from icepick.protocol.origin import Origin
from icepick.protocol.tree import (
    Assertion,
    Definition,
    End,
    External,
    Internal,
    Named,
    Receive,
    Send,
    Session,
    Text,
    Type,
)

_JUMPS = ("onSuccess", "onFailure", "successActions", "failureActions", "dependsOn")
_PATH = re.compile(r"#/paths/([^/]+)/([a-z]+)$")
_TYPE = re.compile(r"([^\W\d][\w.-]*?)(\[\])?")


@dataclass(frozen=True, slots=True)
class Imported:
    """The definitions, and what was left out."""

    text: Text
    diagnostics: tuple[Diagnostic, ...] = ()


def from_arazzo(text: str, name: str, spec: ApiSpec) -> Imported:
    """A definition for each workflow; ProtocolError where the text is no Arazzo 1.0 description."""
    try:
        source = parse(text, name, ReadOptions())
    except DocumentError as error:
        raise ProtocolError(
            Code.NOT_ARAZZO, error.message, place=error.place, hint=error.hint
        ) from None
    for where, why in problems(source.content):
        raise ProtocolError(
            Code.NOT_ARAZZO,
            f"{name} is not an Arazzo 1.0 description: {why}",
            place=source.place(path_of(where)),
            hint="icepick reads versions 1.0.x of the specification",
        )
    diagnostics: list[Diagnostic] = []
    definitions = []
    for index, workflow in enumerate(source.content["workflows"]):
        reader = _Workflow(source, spec, workflow, ("workflows", str(index)))
        definitions.append(reader.definition())
        diagnostics += reader.diagnostics
    return Imported(Text((), tuple(definitions)), tuple(diagnostics))


class _Workflow:
    """Reads one workflow."""

    def __init__(
        self, source: Source, spec: ApiSpec, workflow: Mapping[str, Json], path: tuple[str, ...]
    ) -> None:
        self._source = source
        self._spec = spec
        self._workflow = workflow
        self._path = path
        self._names = Names(_input_types(workflow, source.content))
        self.diagnostics: list[Diagnostic] = []

    def definition(self) -> Definition:
        """The workflow as a definition."""
        self._jumps(self._workflow, self._path)
        messages = [message for message in self._messages() if message is not None]
        body: Session = End()
        for send, receive in reversed(messages):
            answer = Receive(receive.status, receive.variables, receive.assertions, body)
            body = Internal((Send(send.operation, send.arguments, External((answer,))),))
        name = re.sub(r"\W", "_", self._workflow["workflowId"])
        name = f"_{name}" if name[:1].isdigit() else name
        return Definition(name, body, self._source.name)

    def _messages(self) -> Iterator[tuple[Send, Receive] | None]:
        for index, step in enumerate(self._workflow["steps"]):
            yield self._step(step, (*self._path, "steps", str(index)))

    def _step(self, step: Mapping[str, Json], path: tuple[str, ...]) -> tuple[Send, Receive] | None:
        operation = self._operation(step)
        if operation is None:
            what = step.get("workflowId") or step.get("operationId") or step.get("operationPath")
            self._lost(f"the step {step['stepId']} calls {what}, which is no operation", path)
            return None
        self._jumps(step, path)
        reader = Reader(step, operation, self._spec, self._names)
        shared = [*self._shared(self._workflow), *self._shared(step)]
        arguments = reader.arguments(shared)
        status, others = status_of(step, operation)
        variables = reader.variables(status)
        for part in (*reader.lost, *others):
            self._lost(f"{part} of the step {step['stepId']} has no counterpart", path)
        asserted = self._assertions(step, path)
        then = End()
        return Send(operation.id, arguments, then), Receive(status, variables, asserted, then)

    def _shared(self, holder: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
        """Parameters, those of `components` in place of references to them."""
        for one in holder.get("parameters", ()):
            reference = one.get("reference")
            if reference is None:
                yield one
                continue
            name = str(reference).removeprefix("$components.parameters.")
            known = (self._source.content.get("components") or {}).get("parameters") or {}
            if isinstance(known.get(name), dict):
                yield {**known[name], **({"value": one["value"]} if "value" in one else {})}

    def _operation(self, step: Mapping[str, Json]) -> Operation | None:
        said = step.get("operationId")
        if said is not None:
            name = str(said).rpartition(".")[2] if str(said).startswith("$source") else said
            return next((one for one in self._spec.operations if one.id == name), None)
        match = _PATH.search(str(step.get("operationPath", "")))
        if match is None:
            return None
        label = f"{match[2].upper()} {unescaped(match[1])}"
        return next((one for one in self._spec.operations if one.label == label), None)

    def _assertions(self, step: Mapping[str, Json], path: tuple[str, ...]) -> tuple[Assertion, ...]:
        found: list[Assertion] = []
        for text in step.get(ASSERTIONS_KEY, ()):
            whole = f"<{text}>"
            try:
                found += read_assertions(whole, Origin(whole, self._source.name), 0)
            except ContractError as error:
                self._lost(f"the assertion `{text}` ({error.message})", path)
        return tuple(found)

    def _jumps(self, holder: Mapping[str, Json], path: tuple[str, ...]) -> None:
        for key in _JUMPS:
            if holder.get(key):
                self._lost(f"`{key}` has no counterpart in a linear flow", path)

    def _lost(self, message: str, path: tuple[str, ...]) -> None:
        place: Place = self._source.place(path)
        hint = "write it by hand in the protocol"
        code, severity = Code.LOST_IN_EXCHANGE, Severity.WARNING
        self.diagnostics.append(Diagnostic(code, severity, f"{message}; left out", place, hint))


def _input_types(
    workflow: Mapping[str, Json], content: Mapping[str, Json]
) -> dict[str, tuple[Type, Named | None]]:
    """The inputs of a workflow: their types, and the generators that an export remembered."""
    inputs = workflow.get("inputs")
    reference = inputs.get("$ref") if isinstance(inputs, dict) else None
    if isinstance(reference, str):
        name = reference.rpartition("/")[2]
        inputs = ((content.get("components") or {}).get("inputs") or {}).get(name)
    properties = inputs.get("properties") if isinstance(inputs, dict) else None
    found: dict[str, tuple[Type, Named | None]] = {}
    for name, schema in (properties or {}).items():
        described = schema if isinstance(schema, dict) else {}
        generator = described.get(GENERATOR_KEY)
        made = Named(generator) if isinstance(generator, str) else None
        found[name] = (_type(described), made)
    return found


def _type(schema: Mapping[str, Json]) -> Type:
    said = schema.get(TYPE_KEY)
    match = _TYPE.fullmatch(said) if isinstance(said, str) else None
    if match is not None:
        return Type(match[1], bool(match[2]))
    kind = schema.get("type")
    names = {"integer": "Int", "number": "Number", "string": "String", "boolean": "Bool"}
    names |= {"object": "Object", "array": "List"}
    return Type(names.get(kind, "Any") if isinstance(kind, str) else "Any")
