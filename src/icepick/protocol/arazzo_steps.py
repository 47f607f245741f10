"""One step of an Arazzo workflow: its values, its responses, its outputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from icepick.openapi.source import path_of
from icepick.openapi.types import ApiSpec, Json, Operation
from icepick.protocol.bind import said_source
from icepick.protocol.instances import type_of
from icepick.protocol.places import sources
from icepick.protocol.tree import Argument, Declared, Literal, Named, Type
from icepick.resources.fields import success

_INPUT = re.compile(r"\$inputs\.([A-Za-z0-9_.-]+)")
_OUTPUT = re.compile(r"\$steps\.([A-Za-z0-9_-]+)\.outputs\.([A-Za-z0-9_.-]+)")
_BEARER = re.compile(r"Bearer \{(\$[^}]+)\}")
_BODY = re.compile(r"\$response\.body(?:#(/.*)|\.([\w.-]+))?")
_HEADER = re.compile(r"\$response\.header\.([\w-]+)")
_EQUAL = re.compile(r"\$statusCode\s*==\s*([1-5][0-9]{2})")
_FROM = re.compile(r"\$statusCode\s*>=\s*([1-5])00")
_BELOW = re.compile(r"\$statusCode\s*(?:<\s*([2-6])00|<=\s*([1-5])99)")
_PLACE = re.compile(r"[^\W\d][\w$-]*(?:\.[\w$@-]+)*")


@dataclass(slots=True)
class Names:
    """The variables of a workflow: its inputs, which are made once, and the outputs of steps."""

    inputs: Mapping[str, tuple[Type, Named | None]]
    made: dict[str, str] = field(default_factory=dict)
    outputs: dict[tuple[str, str], str] = field(default_factory=dict)

    def new(self, name: str) -> str:
        """A variable that no other value has."""
        plain = re.sub(r"\W", "_", name)
        plain = f"_{plain}" if plain[:1].isdigit() else plain
        taken = {*self.made.values(), *self.outputs.values()}
        found, number = plain, 1
        while found in taken:
            number += 1
            found = f"{plain}{number}"
        return found


class Reader:
    """Reads the values of one step; what has no counterpart is in `lost`."""

    def __init__(
        self, step: Mapping[str, Json], operation: Operation, spec: ApiSpec, names: Names
    ) -> None:
        self._step = step
        self._operation = operation
        self._spec = spec
        self._names = names
        self.lost: list[str] = []

    def arguments(self, parameters: Iterable[Mapping[str, Json]]) -> tuple[Argument, ...]:
        """The arguments of the call: later parameters of one name replace earlier ones."""
        found: dict[str, Argument] = {}
        for one in parameters:
            place = f"{one.get('in') or self._location(str(one.get('name')))}.{one.get('name')}"
            self._add(found, place, one.get("value"))
        body = self._step.get("requestBody") or {}
        if "payload" in body:
            self._payload(found, "body", body["payload"])
        for one in body.get("replacements", ()):
            self._add(found, ".".join(("body", *path_of(one["target"]))), one["value"])
        return tuple(found.values())

    def _location(self, name: str) -> str:
        declared = (one for one in self._operation.parameters if one.name == name)
        return next((one.location.value for one in declared), "query")

    def _payload(self, found: dict[str, Argument], place: str, value: Json) -> None:
        """An object with expressions inside is taken apart, anything else is one value."""
        if isinstance(value, dict) and _has_expressions(value):
            for name, inner in value.items():
                self._payload(found, f"{place}.{name}", inner)
        else:
            self._add(found, place, value)

    def _add(self, found: dict[str, Argument], place: str, value: Json) -> None:
        argument = self._argument(place, value) if _PLACE.fullmatch(place) else None
        if argument is None:
            self.lost.append(f"the value {value!r} at {place}")
        else:
            found[place] = argument

    def _argument(self, place: str, value: Json) -> Argument | None:
        if not _has_expressions(value):
            return Argument(None, None, Literal(value), place)
        if not isinstance(value, str):
            return None
        bearer = _BEARER.fullmatch(value)
        text = bearer[1] if bearer and place.lower() == "header.authorization" else value
        known = _OUTPUT.fullmatch(text)
        if known is not None:
            variable = self._names.outputs.get((known[1], known[2]))
            return None if variable is None else Argument(variable, place=place)
        said = _INPUT.fullmatch(text)
        return self._input(said[1], place) if said is not None else None

    def _input(self, name: str, place: str) -> Argument:
        if name in self._names.made:
            return Argument(self._names.made[name], place=place)
        of, generator = self._names.inputs.get(name, (Type("Any"), None))
        variable = self._names.made[name] = self._names.new(name)
        return Argument(variable, of, generator, place)

    def variables(self, status: str) -> tuple[Declared, ...]:
        """The variables that the response binds."""
        known = sources(self._operation, status, self._spec)
        found: list[Declared] = []
        for name, expression in (self._step.get("outputs") or {}).items():
            place = _place(str(expression))
            source = said_source(place, known) if place is not None else None
            if place is None or source is None:
                self.lost.append(f"the output {name} ({expression})")
                continue
            variable = self._names.new(name)
            self._names.outputs[str(self._step["stepId"]), name] = variable
            found.append(Declared(variable, type_of(source.schema, self._spec), place))
        return tuple(found)


def _place(expression: str) -> str | None:
    """Where in the answer an expression looks."""
    header = _HEADER.fullmatch(expression)
    if header is not None:
        return f"header.{header[1]}"
    body = _BODY.fullmatch(expression)
    if body is None:
        return None
    inner = path_of(body[1]) if body[1] else tuple((body[2] or "").split(".")) if body[2] else ()
    place = ".".join(("body", *inner))
    return place if _PLACE.fullmatch(place) else None


def _has_expressions(value: Json) -> bool:
    if isinstance(value, str):
        return value.startswith("$") or "{$" in value
    return any(_has_expressions(inner) for inner in _members(value))


def _members(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def status_of(step: Mapping[str, Json], operation: Operation) -> tuple[str, list[str]]:
    """The response that a step awaits, and the criteria that say something else."""
    codes, first, last, others = [], None, None, []
    for one in step.get("successCriteria", ()):
        text = str(one["condition"]).strip()
        equal, start, end = (part.fullmatch(text) for part in (_EQUAL, _FROM, _BELOW))
        if equal is not None:
            codes.append(equal[1])
        elif start is not None:
            first = start[1]
        elif end is not None:
            last = end[2] or str(int(end[1]) - 1)
        else:
            others.append(f"the criterion `{text}`")
    if codes:
        return codes[0], others
    if first is not None and first == last:
        return f"{first}XX", others
    declared = success(operation)
    known = declared is not None and declared.status.isdecimal()
    return (declared.status if declared is not None and known else "2XX"), others
