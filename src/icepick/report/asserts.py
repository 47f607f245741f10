"""What a test asserts of the answers that it got, as lines of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

from icepick.execute.types import Exchange, Response
from icepick.report.literals import Names, body_literal, value_literal
from icepick.report.promises import (
    Answered,
    Different,
    Header,
    Parsed,
    Promise,
    ReadsBack,
    Statuses,
    Typed,
)
from icepick.report.text import parsed

Variable = Callable[[Exchange], str]
"""The variable that holds the answer to an exchange."""

_LARGEST = 4_000
_PYTHON = {
    "string": "str",
    "integer": "int",
    "number": "(int, float)",
    "boolean": "bool",
    "array": "list",
    "object": "dict",
    "null": "type(None)",
}


def asserted(promise: Promise, variable: Variable, names: Names) -> Iterator[str]:
    """The lines; clauses are not among them."""
    match promise:
        case Answered(exchange=exchange):
            yield f"assert {variable(exchange)}.status < 500, {variable(exchange)}.body[:500]"
        case Statuses(exchange=exchange, allowed=allowed):
            yield from _status(variable(exchange), exchange, allowed)
        case Typed(exchange=exchange, path=path, types=types):
            yield from _type(variable(exchange), ", ".join(map(repr, path)), types)
        case Header(exchange=exchange, name=name, allowed=allowed):
            yield from _header(variable(exchange), name, allowed)
        case Parsed(exchange=exchange):
            yield f"json.loads({variable(exchange)}.body)"
        case ReadsBack(exchange=exchange, sent=sent):
            yield "# Checked: the fields that were sent. Not checked: whether one is missing."
            yield sent_line(sent, names)
            yield f"assert same(sent, {variable(exchange)}.json()), {variable(exchange)}.body"
        case Different(exchanges=exchanges):
            yield from _different(exchanges, variable, names)


def sent_line(body: bytes, names: Names) -> str:
    """What was sent, as a value."""
    literal = body_literal(body, names, 8)
    return f"sent = json.loads({literal})" if literal.startswith("b") else f"sent = {literal}"


def _status(name: str, exchange: Exchange, allowed: Sequence[str]) -> Iterator[str]:
    tests = [
        f"{name}.status // 100 == {code[0]}" if code.endswith("xx") else f"{name}.status == {code}"
        for code in dict.fromkeys(allowed)
    ]
    yield f"# The answer was {exchange.status}, and should have been {' or '.join(allowed)}."
    yield f"assert {' or '.join(tests)}, ({name}.status, {name}.body[:500])"


def _header(name: str, header: str, allowed: Sequence[str]) -> Iterator[str]:
    yield f"value = {name}.headers.get({header!r})"
    yield "assert value is not None"
    if allowed:
        kinds = [kind.split(";")[0].strip().lower() for kind in allowed]
        yield f'assert value.split(";")[0].strip().lower() in {kinds!r}, value'


def _type(name: str, path: str, types: Sequence[str]) -> Iterator[str]:
    yield "# Checked: the field that did not fit its schema. Not checked: the rest of the schema."
    yield f"assert {name}.has({path}), {name}.body[:500]"
    known = [_PYTHON[each] for each in types if each in _PYTHON]
    if known:
        kinds = known[0] if len(known) == 1 else f"({', '.join(known)})"
        yield f"assert isinstance({name}.at({path}), {kinds}), {name}.at({path})"
    if {"integer", "number"} & set(types) and "boolean" not in types:
        yield f"assert not isinstance({name}.at({path}), bool)"


def _different(exchanges: Sequence[Exchange], variable: Variable, names: Names) -> Iterator[str]:
    yield "# Checked: that these answers are not what they were when the fault was found."
    yield "# Not checked: the promise itself; the fault may also show in other values."
    yield "seen = ["
    yield from (f"    {_seen(exchange, names)}," for exchange in exchanges)
    yield "]"
    now = [f"{variable(e)}.{'digest' if _is_long(e) else 'seen'}()" for e in exchanges]
    yield f"assert [{', '.join(now)}] != seen"


def _is_long(exchange: Exchange) -> bool:
    return isinstance(exchange.reply, Response) and len(exchange.reply.body) > _LARGEST


def _seen(exchange: Exchange, names: Names) -> str:
    """Status and body as Python text; None where there was no answer."""
    if not isinstance(exchange.reply, Response):
        return "None"
    body = exchange.reply.body
    if _is_long(exchange):
        return repr((exchange.reply.status, sha256(body).hexdigest()))
    value = parsed(body)
    text = repr(body) if value is None else value_literal(value, names, 12)
    return f"({exchange.reply.status}, {text})"
