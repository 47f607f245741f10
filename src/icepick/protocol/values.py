"""The values of messages: made for a call, and taken from an answer."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from urllib.parse import unquote, urlsplit

from icepick.glacier import Answer
from icepick.inputs import Fresh, Generator, Made, NotMade, Result
from icepick.inputs.case import Slot
from icepick.inputs.types import Given
from icepick.openapi.types import ABSENT, Absent, Json
from icepick.openapi.validate import Direction
from icepick.protocol.assertions import BROKEN_CODE, Functions
from icepick.protocol.bind import BoundReceive, BoundSend
from icepick.protocol.places import Origins, Source, Target
from icepick.protocol.tree import Argument, Declared, Literal, Named
from icepick.protocol.types import Types
from icepick.resources.types import Location, Path

FRESH = "fresh"
"""The generator of values that no call of the run has used; one in `gen.py` goes before it."""

ANY = "any"
"""The generator that is taken where none is named."""

BUILT_IN = (FRESH, ANY)


@dataclass(frozen=True, slots=True)
class Prepared:
    """The values of a call.

    `arguments` are those of the message in order, `given` is what the rest of the request is made
    around, `extra` are headers and the like that the operation does not declare (credentials), and
    `bound` are the variables that the message binds.
    """

    arguments: tuple[Json, ...]
    given: Mapping[Slot, Json]
    extra: Mapping[Slot, str]
    bound: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Taken:
    """The variables of a response, and why the answer is not of the declared format, if it is
    not."""

    bound: Mapping[str, Json]
    problems: tuple[str, ...] = ()


class Maker:
    """Makes the values of calls: all chance is in `rng`."""

    def __init__(
        self, generator: Generator, fresh: Fresh, functions: Functions, rng: Random
    ) -> None:
        self._generator = generator
        self._fresh = fresh
        self._functions = functions
        self._rng = rng

    def prepare(self, call: BoundSend, known: Mapping[str, Json]) -> Prepared | NotMade:
        """The values of a call after others; the whole body comes last, around what it holds."""
        pairs = list(zip(call.send.arguments, call.targets, strict=True))
        order = sorted(range(len(pairs)), key=lambda index: _is_body(pairs[index][1]))
        values: dict[int, Json] = {}
        inside: dict[Path, Json] = {}
        for index in order:
            argument, target = pairs[index]
            made = self._value(argument, target, known, inside)
            if isinstance(made, NotMade):
                return NotMade(made.reason, (argument.variable or "value", *made.path))
            values[index] = made.value
            if target is not None and target.slot[0] is Location.BODY:
                inside[target.path] = made.value
        ordered = [(*pairs[index], values[index]) for index in range(len(pairs))]
        return _prepared(ordered)

    def _value(
        self, argument: Argument, target: Target | None, known: Mapping[str, Json], inside: Given
    ) -> Result:
        if argument.type is None and argument.variable is not None:
            value = known.get(argument.variable, ABSENT)
            return NotMade("it is not bound") if value is ABSENT else Made(value)
        made = self._made(argument, target, known, inside if _is_body(target) else {})
        if isinstance(made, Made) and _is_body(target) and inside:
            return Made(_filled(made.value, inside))
        return made

    def _made(
        self, argument: Argument, target: Target | None, known: Mapping[str, Json], inside: Given
    ) -> Result:
        match argument.made:
            case Literal(value=value):
                return Made(value)
            case Named(name=name) if name in self._functions:
                return _called(name, self._functions[name], self._rng, known)
            case Named(name=name) if name not in BUILT_IN:
                return NotMade(f"there is no generator {name}")
            case Named(name="fresh") if target is not None:
                return self._fresh.value(target.schema, target.path[-1] if target.path else "")
        if target is None:
            return NotMade("it has no place in the request")
        name = target.path[-1] if target.path else ""
        return self._generator.value(target.schema, self._rng, given=inside, name=name)


def _is_body(target: Target | None) -> bool:
    return target is not None and target.slot == (Location.BODY, ())


def _prepared(values: list[tuple[Argument, Target | None, Json]]) -> Prepared:
    given: dict[Slot, Json] = {}
    extra: dict[Slot, str] = {}
    bound: dict[str, Json] = {}
    for argument, target, value in values:
        if argument.variable is not None and argument.type is not None:
            bound[argument.variable] = value
        if target is None:
            continue
        if target.extra and value is not ABSENT:
            extra[target.slot] = f"{target.prefix}{value}"
        elif not target.extra:
            given[target.slot] = value
    return Prepared(tuple(value for _, _, value in values), given, extra, bound)


def _filled(body: Json, inside: Given) -> Json:
    """A body with given values put in, where a function made it without knowing them."""
    whole = deepcopy(body)
    for path, value in inside.items():
        at = whole
        for part in path[:-1]:
            at = at.setdefault(part, {}) if isinstance(at, dict) else None
        if isinstance(at, dict) and value is ABSENT:
            at.pop(path[-1], None)
        elif isinstance(at, dict):
            at[path[-1]] = value
    return whole


def _called(
    name: str, function: Callable[..., object], rng: Random, known: Mapping[str, Json]
) -> Result:
    """A generator of `gen.py`: it may take the source of chance, and the bound variables."""
    try:
        size = len(inspect.signature(function).parameters)
        value = function(*(rng, known)[:size])
        json.dumps(value)
    except (*BROKEN_CODE, AssertionError) as error:
        return NotMade(f"{name} raised {type(error).__name__}: {error}")
    return Made(value)


def take(response: BoundReceive, answer: Answer, types: Types) -> Taken:
    """The variables of a response; what is missing or of another type is a problem."""
    bound: dict[str, Json] = {}
    problems: list[str] = []
    for declared, source in zip(response.receive.variables, response.sources, strict=True):
        value = value_at(source, answer) if source is not None else ABSENT
        if value is ABSENT:
            problems.append(f"{declared.variable}: {source or 'its place'} is missing")
            continue
        bound[declared.variable] = _typed(value, declared, source, types)
        problem = types.problem(declared.type, bound[declared.variable], Direction.RESPONSE)
        if problem is not None:
            problems.append(f"{declared.variable}: {problem}")
    return Taken(bound, tuple(problems))


def _typed(value: Json, declared: Declared, source: Source | None, types: Types) -> Json:
    """Headers are text, also where the text is a number."""
    wanted = types.kinds(declared.type)
    is_text = source is not None and source.part is not Origins.BODY and isinstance(value, str)
    if is_text and "integer" in wanted and value.isdecimal() and len(value) < 20:
        return int(value)
    return value


def value_at(source: Source, answer: Answer) -> Json | Absent:
    """What stands at a place of an answer; ABSENT where there is nothing."""
    if source.part is Origins.BODY:
        return _inside(answer.body, source.path)
    name = "location" if source.part is Origins.LOCATION else source.path[0].lower()
    found = [value for key, value in answer.headers.items() if key.lower() == name]
    if not found:
        return ABSENT
    if source.part is Origins.LOCATION:
        return unquote(urlsplit(str(found[0])).path.rstrip("/").rpartition("/")[2])
    return found[0]


def _inside(body: Json, path: Path) -> Json | Absent:
    for part in path:
        if isinstance(body, Mapping) and part in body:
            body = body[part]
        elif isinstance(body, list) and part.isdecimal() and int(part) < len(body):
            body = body[int(part)]
        else:
            return ABSENT
    return body
