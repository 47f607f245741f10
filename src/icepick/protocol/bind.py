"""Arguments to parameters and body fields; variables of responses to parts of the answer.

Where a message says the place (`petId = id`, `id: Int = body.id`), that is it. Otherwise the place
is found by name; then by the name of a schema (`c: Customer` is the body that is a Customer); then
by a name that is shortened or longer (`custId` for `customerId` or `id`); then by type, where only
one place of the path, one credential or one part of the answer is left. Nothing is guessed between
two places: that is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from icepick.errors import Code
from icepick.openapi.shape import types as json_types
from icepick.openapi.types import Operation
from icepick.protocol.likeness import alike, only, outermost, same
from icepick.protocol.places import Origins, Source, Target, sources, targets
from icepick.protocol.tree import Argument, Declared, Literal, Receive, Send, Span, Type
from icepick.protocol.types import Types, overlap
from icepick.resources.types import Location, Path

_SCALARS = frozenset({"string", "integer", "number", "boolean"})


@dataclass(frozen=True, slots=True)
class Misfit:
    """What is wrong with one argument or variable."""

    code: Code
    message: str
    span: Span
    hint: str


@dataclass(frozen=True, slots=True)
class BoundSend:
    """A call with the place of each of its arguments; None where there is none."""

    send: Send
    operation: Operation
    targets: tuple[Target | None, ...]
    misfits: tuple[Misfit, ...] = ()


@dataclass(frozen=True, slots=True)
class BoundReceive:
    """A response with the place of each of its variables; None where there is none."""

    receive: Receive
    operation: Operation
    sources: tuple[Source | None, ...]
    misfits: tuple[Misfit, ...] = ()


def bind_send(
    send: Send, operation: Operation, types: Types, known: Mapping[str, Type] | None = None
) -> BoundSend:
    """Where the arguments of a call go; `known` are the types of variables bound earlier."""
    binder = _Sending(operation, types, known or {})
    found = binder.place(send.arguments)
    misfits: list[Misfit] = []
    for index, argument in enumerate(send.arguments):
        misfits += binder.misfits(argument, found[index], found[:index])
    return BoundSend(send, operation, found, tuple(misfits))


class _Sending:
    """The places of one operation that are still free, and who takes them."""

    def __init__(self, operation: Operation, types: Types, known: Mapping[str, Type]) -> None:
        self._operation = operation
        self._types = types
        self._known = known
        self._all = targets(operation, types.spec)

    def place(self, arguments: Sequence[Argument]) -> tuple[Target | None, ...]:
        found: dict[int, Target] = {}
        for rule in (self._said, self._same, self._typed, self._alike, self._left):
            for index, argument in enumerate(arguments):
                if index in found or (argument.place is not None and rule != self._said):
                    continue
                target = rule(argument, self._free(found.values()))
                if target is not None:
                    found[index] = target
        return tuple(found.get(index) for index in range(len(arguments)))

    def _free(self, taken: Iterable[Target]) -> list[Target]:
        slots = {target.slot for target in taken}
        return [one for one in self._all if one.slot not in slots and not one.read_only]

    def _said(self, argument: Argument, _free: list[Target]) -> Target | None:
        return None if argument.place is None else said_target(argument.place, self._all)

    def _same(self, argument: Argument, free: list[Target]) -> Target | None:
        name = argument.variable
        if name is None:
            return None
        named = (one for one in free if same(name, one.path))
        return next(named, None) or next((one for one in free if _is_alias(name, one)), None)

    def _typed(self, argument: Argument, free: list[Target]) -> Target | None:
        of = self._type(argument)
        return next((one for one in free if of and self._types.is_named(of, one.schema)), None)

    def _alike(self, argument: Argument, free: list[Target]) -> Target | None:
        name = argument.variable
        if name is None:
            return None
        close = [one for one in free if alike(name, one.path) and self._may_hold(one, argument)]
        return only(close) or only(outermost(close, lambda one: one.path))

    def _left(self, argument: Argument, free: list[Target]) -> Target | None:
        """By type alone: an object is the body, anything else a gap in the path or a credential."""
        fitting = [one for one in free if self._may_hold(one, argument)]
        if self._kinds(argument) == {"object"}:
            body = next((one for one in fitting if one.slot == (Location.BODY, ())), None)
            if body is not None:
                return body
        holes = [one for one in fitting if one.slot[0] is Location.PATH]
        return only(holes) or only([one for one in fitting if one.extra])

    def _type(self, argument: Argument) -> Type | None:
        if argument.type is not None or argument.variable is None:
            return argument.type
        return self._known.get(argument.variable)

    def _kinds(self, argument: Argument) -> frozenset[str]:
        of = self._type(argument)
        if of is not None:
            return self._types.kinds(of)
        return _kinds_of(argument.made) if isinstance(argument.made, Literal) else frozenset()

    def _may_hold(self, target: Target, argument: Argument) -> bool:
        kinds = self._kinds(argument)
        wanted = json_types(target.schema, self._types.spec.schemas)
        if target.is_text and "string" in wanted and kinds & _SCALARS:
            return True
        return overlap(kinds, wanted)

    def misfits(
        self, argument: Argument, target: Target | None, before: Iterable[Target | None]
    ) -> list[Misfit]:
        if target is None:
            return [self._unplaced(argument)]
        if any(other is not None and other.slot == target.slot for other in before):
            message = f"{target} is given twice"
            return [Misfit(Code.SAID_TWICE, message, argument.span, "remove one of them")]
        if argument.type is not None and not self._may_hold(target, argument):
            return [self._clash(argument, target, str(argument.type))]
        earlier = self._known.get(argument.variable or "")
        if argument.type is None and earlier and not self._may_hold(target, argument):
            return [self._clash(argument, target, str(earlier))]
        return []

    def _clash(self, argument: Argument, target: Target, of: str) -> Misfit:
        wanted = " or ".join(sorted(json_types(target.schema, self._types.spec.schemas)))
        message = f"`{argument.variable}` is of type {of}, but {target} is of type {wanted}"
        hint = "correct the type, or say another place for it"
        return Misfit(Code.VALUE_MISFIT, message, argument.span, hint)

    def _unplaced(self, argument: Argument) -> Misfit:
        name = argument.variable or "this value"
        what = f"`{name}`" if argument.variable else name
        if argument.place is not None:
            message = f"{self._operation.id} has no place {argument.place}"
            return Misfit(Code.UNKNOWN_ARGUMENT, message, argument.span, self._offer())
        close = [one for one in self._all if alike(name, one.path)]
        message = f"{what} fits no place of {self._operation.id}"
        if len(close) > 1:
            message = f"{what} may be {' or '.join(map(str, close[:3]))}"
        hint = f"say which: `place = {argument.variable or 'value'}`; {self._offer()}"
        return Misfit(Code.UNKNOWN_ARGUMENT, message, argument.span, hint)

    def _offer(self) -> str:
        names = [str(one) for one in self._all if not one.read_only][:8]
        return f"the places are {', '.join(names)}" if names else "the operation takes no values"


def _is_alias(name: str, target: Target) -> bool:
    """Whether a name is one of those of a credential: `accessToken` is a token."""
    return any(alike(name, (alias,)) for alias in target.aliases)


def _kinds_of(literal: Literal) -> frozenset[str]:
    match literal.value:
        case bool():
            return frozenset({"boolean"})
        case int():
            return frozenset({"integer"})
        case float():
            return frozenset({"number"})
        case str():
            return frozenset({"string"})
        case list():
            return frozenset({"array"})
        case dict():
            return frozenset({"object"})
        case None:
            return frozenset({"null"})
    return frozenset()


def said_target(place: str, known: Iterable[Target]) -> Target | None:
    """The target that a place names: with its location, or by the name alone."""
    found = list(known)
    for target in found:
        if str(target).lower() == place.lower():
            return target
    parts = tuple(place.split("."))
    return next((one for one in found if one.path == parts), None)


def bind_receive(receive: Receive, operation: Operation, types: Types) -> BoundReceive:
    """Where the variables of a response come from."""
    known = sources(operation, receive.status, types.spec)
    found: list[Source | None] = []
    misfits: list[Misfit] = []
    for declared in receive.variables:
        source = _source(declared, known, types)
        found.append(source)
        if source is None:
            misfits.append(_unfound(declared, receive, operation, known))
        elif not types.may_be(declared.type, source.schema):
            misfits.append(_wrong(declared, source, types))
    return BoundReceive(receive, operation, tuple(found), tuple(misfits))


def _source(declared: Declared, known: Sequence[Source], types: Types) -> Source | None:
    if declared.place is not None:
        return said_source(declared.place, known)
    name, of = declared.variable, declared.type
    for source in known:
        if same(name, source.path):
            return source
    for source in known:
        if types.is_named(of, source.schema):
            return source
    fitting = [one for one in known if types.may_be(of, one.schema)]
    close = outermost([one for one in fitting if alike(name, one.path)], _path)
    return only(close) or (None if close else _by_type(fitting))


def _by_type(fitting: Sequence[Source]) -> Source | None:
    """The body itself where it can be meant, the one field of that type, or the Location."""
    bodies = [one for one in fitting if one.part is Origins.BODY]
    whole = [one for one in bodies if not one.path]
    location = [one for one in fitting if one.part is Origins.LOCATION]
    return only(whole) or only(outermost(bodies, _path)) or only(location)


def said_source(place: str, known: Iterable[Source]) -> Source | None:
    """The source that a place names; every header may be named, declared or not."""
    found = list(known)
    for source in found:
        if str(source).lower() == place.lower():
            return source
    part, *rest = place.split(".")
    if part == "location" and not rest:
        return Source(Origins.LOCATION, (), {})
    if part == "header" and len(rest) == 1:
        return Source(Origins.HEADER, (rest[0],), {"type": "string"})
    if part == "body" and rest and any(one.isdecimal() for one in rest):
        # Elements of lists are not among the known places.
        return Source(Origins.BODY, tuple(rest), {})
    bodies = (one for one in found if one.part is Origins.BODY)
    return next((one for one in bodies if one.path == (part, *rest)), None)


def _path(source: Source) -> Path:
    return source.path


def _unfound(
    declared: Declared, receive: Receive, operation: Operation, known: Sequence[Source]
) -> Misfit:
    names = ", ".join(map(str, known[:8])) or "nothing"
    where = declared.place or f"`{declared.variable}`"
    message = f"{where} is no part of the answer {receive.status} to {operation.id}"
    hint = f"say where it is: `{declared.variable}: {declared.type} = place`; there is {names}"
    return Misfit(Code.UNKNOWN_ANSWER_PART, message, declared.span, hint)


def _wrong(declared: Declared, source: Source, types: Types) -> Misfit:
    wanted = " or ".join(sorted(json_types(source.schema, types.spec.schemas)))
    message = f"`{declared.variable}` is of type {declared.type}, but {source} is of type {wanted}"
    return Misfit(Code.VALUE_MISFIT, message, declared.span, "correct the type or the place")
