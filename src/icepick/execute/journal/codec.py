"""Events as plain JSON values and back, driven by the types of their fields.

Fields that have their default value are left out. A body is its text, or base64 where it is no
UTF-8; a long one is cut. In a judged call, exchanges stand by their numbers: they were events of
their own before.
"""

from __future__ import annotations

import json
import math
import re
import types
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from hashlib import sha256
from typing import Any, Union, get_args, get_origin, get_type_hints

from icepick.execute.events import CallJudged, Event
from icepick.execute.types import Exchange, Judged, Response
from icepick.openapi.types import ABSENT, Json

LONGEST_BODY = 65_536
_LARGEST_BITS = 10_000
# Two halves of a pair that Python keeps apart and JSON would join to one character.
_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_TEXT = json.JSONEncoder(separators=(",", ":"), check_circular=False)

Encoder = Callable[[Any], Json]
Exchanges = Mapping[int, Exchange]
Decoder = Callable[[Any, Exchanges], Any]


def encode(event: Event) -> dict[str, Json]:
    """An event as plain JSON values."""
    kind: type = type(event)
    return {"event": _tag(kind), **_record_encoder(kind, kind is CallJudged)(event)}


def decode(value: Mapping[str, Json], exchanges: Exchanges | None = None) -> Event:
    """The event that was encoded; ValueError where it is none.

    `exchanges` are those that a judged call may refer to; one that is not there is left out.
    """
    try:
        kind = _kinds()[value["event"]]
        event: Event = _record_decoder(kind, kind is CallJudged)(value, exchanges or {})
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"this is no event: {type(error).__name__}: {error}") from error
    return event


def dumps(event: Event) -> str:
    """An event as one line of JSON in ASCII."""
    value = encode(event)
    text = _TEXT.encode(value)
    return _TEXT.encode(_apart(value)) if "\\ud" in text else text


def loads(line: bytes, exchanges: Exchanges | None = None) -> Event:
    """The event of a line; ValueError where it is none."""
    try:
        value = json.loads(line)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return decode(_together(value) if b'"$$' in line else value, exchanges)


@cache
def _tag(kind: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


@cache
def _kinds() -> Mapping[str, type]:
    return {_tag(kind): kind for kind in get_args(Event)}


def _default(one: Field[Any]) -> Any:
    if one.default_factory is not MISSING:
        return one.default_factory()
    return one.default


def _parts(kind: type) -> list[tuple[str, Any, Any]]:
    """Name, type and default of each field."""
    hints = get_type_hints(kind)
    return [(one.name, hints[one.name], _default(one)) for one in fields(kind)]


@cache
def _record_encoder(kind: type, by_number: bool = False) -> Encoder:
    plan = [(name, _encoder(hint, by_number), default) for name, hint, default in _parts(kind)]

    def encoded(value: Any) -> Json:
        result = {}
        for name, encoder, default in plan:
            item = getattr(value, name)
            if item != default:
                result[name] = item if encoder is None else encoder(item)
        return result

    return encoded


@cache
def _record_decoder(kind: type, by_number: bool = False) -> Decoder:
    plan = [(name, _decoder(hint, by_number)) for name, hint, _ in _parts(kind)]

    def decoded(value: Any, exchanges: Exchanges) -> Any:
        found = {name: read(value[name], exchanges) for name, read in plan if name in value}
        if kind is Response and isinstance(value.get("body"), dict) and "length" in value["body"]:
            found["truncated"] = True
        return kind(**found)

    return decoded


@cache
def _encoder(hint: Any, by_number: bool) -> Encoder | None:  # noqa: PLR0911 (one for each type)
    """How a value of a type is encoded; None where it is JSON already."""
    origin, options = get_origin(hint), get_args(hint)
    if hint in {str, int, float, bool}:
        return None
    if hint is Any:
        return _value
    if hint is bytes:
        return _body
    if origin is tuple:
        return _sequence_encoder(options, by_number)
    if origin is not None and issubclass(_class(origin), Mapping):
        inner = _encoder(options[1], by_number)
        return lambda value: _object(value, inner)
    if origin in {Union, types.UnionType}:
        return _union_encoder(tuple(o for o in options if o is not type(None)), by_number)
    if by_number and hint is Exchange:
        return lambda exchange: exchange.number
    if is_dataclass(hint):
        return _record_encoder(_class(hint), by_number and hint is Judged)
    if issubclass(_class(hint), Enum):
        return lambda value: value.value
    raise TypeError(f"events cannot have fields of type {hint}")


def _class(hint: Any) -> type:
    return hint if isinstance(hint, type) else object


def _sequence_encoder(options: tuple[Any, ...], by_number: bool) -> Encoder:
    inner = [_encoder(option, by_number) for option in options if option is not Ellipsis]
    if all(encoder is None for encoder in inner):
        return list
    first = inner[0]
    if options[-1] is not Ellipsis or first is None:
        return lambda value: [e(v) if e else v for e, v in zip(inner, value, strict=True)]
    return lambda value: [first(item) for item in value]


def _union_encoder(options: tuple[Any, ...], by_number: bool) -> Encoder:
    if len(options) == 1:
        one = _encoder(options[0], by_number)
        return lambda value: value if value is None or one is None else one(value)

    def encoded(value: Any) -> Json:
        kind: type = type(value)
        return {"type": _tag(kind), **_record_encoder(kind)(value)}

    return encoded


@cache
def _decoder(hint: Any, by_number: bool) -> Decoder:  # noqa: PLR0911 (one for each type)
    origin, options = get_origin(hint), get_args(hint)
    if hint in {str, int, float, bool}:
        return lambda value, _: value
    if hint is Any:
        return lambda value, _: _unvalue(value)
    if hint is bytes:
        return lambda value, _: _unbody(value)
    if origin is tuple:
        return _sequence_decoder(options, by_number)
    if origin is not None and issubclass(_class(origin), Mapping):
        inner = _decoder(options[1], by_number)
        return lambda value, known: _unobject(value, lambda item: inner(item, known))
    if origin in {Union, types.UnionType}:
        return _union_decoder(tuple(o for o in options if o is not type(None)), by_number)
    if by_number and hint is Exchange:
        return lambda number, known: known.get(number)
    if is_dataclass(hint):
        return _record_decoder(_class(hint), by_number and hint is Judged)
    return lambda value, _: hint(value)  # an enum


def _sequence_decoder(options: tuple[Any, ...], by_number: bool) -> Decoder:
    inner = [_decoder(option, by_number) for option in options if option is not Ellipsis]
    if options[-1] is not Ellipsis:
        return lambda value, known: tuple(
            read(item, known) for read, item in zip(inner, value, strict=True)
        )
    first = inner[0]
    if by_number and options[0] is Exchange:
        return lambda value, known: tuple(known[number] for number in value if number in known)
    return lambda value, known: tuple(first(item, known) for item in value)


def _union_decoder(options: tuple[Any, ...], by_number: bool) -> Decoder:
    if len(options) == 1:
        one = _decoder(options[0], by_number)
        return lambda value, known: None if value is None else one(value, known)
    kinds = {_tag(kind): kind for kind in options}
    return lambda value, known: _record_decoder(kinds[value["type"]])(value, known)


def _body(body: bytes) -> Json:
    whole = body if len(body) <= LONGEST_BODY else body[:LONGEST_BODY]
    try:
        text = whole.decode()
    except UnicodeDecodeError as error:
        # A cut may go through the middle of a character.
        if whole is body or error.start < len(whole) - 3:
            found: dict[str, Json] = {"base64": b64encode(whole).decode()}
        else:
            found = {"text": whole[: error.start].decode()}
    else:
        if whole is body:
            return text
        found = {"text": text}
    if whole is not body:
        found |= {"length": len(body), "sha256": sha256(body).hexdigest()}
    return found


def _unbody(value: Json) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if "text" in value:
        return _unbody(value["text"])
    return b64decode(value["base64"], validate=True)


def _value(value: Any) -> Json:  # noqa: PLR0911 (one for each type)
    """Any value that can be bound to a variable; what JSON lacks is an object with a `$` name."""
    kind = type(value)
    if value is None or kind is str or kind is bool:
        return value
    if kind is int:
        return value if value.bit_length() <= _LARGEST_BITS else {"$int": hex(value)}
    if kind is float:
        return value if math.isfinite(value) else {"$float": repr(value)}
    if kind is list:
        return [_value(item) for item in value]
    if isinstance(value, Mapping):
        return _object(value, _value)
    if kind is tuple:
        return {"$tuple": [_value(item) for item in value]}
    if isinstance(value, frozenset | set):
        return {"$set": sorted((_value(item) for item in value), key=_TEXT.encode)}
    if kind is bytes:
        return {"$bytes": b64encode(value).decode()}
    if value is ABSENT:
        return {"$absent": True}
    return _value(value.value) if isinstance(value, Enum) else str(value)


def _unvalue(value: Json) -> Any:
    if isinstance(value, list):
        return [_unvalue(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((name, inner),) = value.items()
        if name.startswith("$"):
            return _special(name, inner, _unvalue)
    return {key: _unvalue(item) for key, item in value.items()}


def _special(name: str, inner: Json, read: Callable[[Json], Any]) -> Any:
    readers: dict[str, Callable[[Json], Any]] = {
        "$absent": lambda _: ABSENT,
        "$bytes": partial(b64decode, validate=True),
        "$float": float,
        "$int": lambda text: int(text, 16),
        "$object": lambda pairs: {read(key): read(item) for key, item in pairs},
        "$set": lambda items: frozenset(read(item) for item in items),
        "$tuple": lambda items: tuple(read(item) for item in items),
    }
    return readers[name](inner)


def _object(value: Mapping[Any, Any], encoder: Encoder | None) -> Json:
    """A mapping; as pairs where its keys are no texts, or could be taken for marks."""
    if all(type(key) is str and not key.startswith("$") for key in value):
        if encoder is None:
            return dict(value)
        return {key: encoder(item) for key, item in value.items()}
    pairs = ((_value(key), encoder(item) if encoder else item) for key, item in value.items())
    return {"$object": [[key, item] for key, item in pairs]}


def _unobject(value: Json, read: Callable[[Json], Any]) -> dict[Any, Any]:
    if value.keys() == {"$object"}:
        return {_unvalue(key): read(item) for key, item in value["$object"]}
    return {key: read(item) for key, item in value.items()}


def _apart(value: Json) -> Json:
    """The value with texts marked that JSON would not give back as they are."""
    if isinstance(value, str):
        if not _HALVES.search(value):
            return value
        return {"$$text": b64encode(value.encode("utf-8", "surrogatepass")).decode()}
    if isinstance(value, list):
        return [_apart(item) for item in value]
    if not isinstance(value, dict):
        return value
    if any(_HALVES.search(key) for key in value):
        return {"$$object": [[_apart(key), _apart(item)] for key, item in value.items()]}
    return {key: _apart(item) for key, item in value.items()}


def _together(value: Json) -> Json:
    if isinstance(value, list):
        return [_together(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$$text"}:
        return b64decode(value["$$text"]).decode("utf-8", "surrogatepass")
    if value.keys() == {"$$object"}:
        return {_together(key): _together(item) for key, item in value["$$object"]}
    return {key: _together(item) for key, item in value.items()}
