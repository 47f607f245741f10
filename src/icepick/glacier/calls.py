"""What a word in front of parentheses means, and whether it is given what it takes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lark.lexer import Token

from icepick.errors import Code, ContractError
from icepick.glacier.origin import Origin
from icepick.glacier.spelling import FUNCTIONS, PARTS, PREV, STRICT, nearest
from icepick.glacier.tree import (
    Call,
    Compare,
    CompareOp,
    Expression,
    Field,
    Function,
    Index,
    Name,
    Node,
    Part,
    Prev,
    Read,
    Request,
    Span,
    Strict,
    Text,
)

_INDEX = re.compile(r"[0-9]{1,9}")
_TAKES_FIELD = {Function.UNIQUE, Function.SUM, Function.MIN, Function.MAX}
_OF_RESPONSES = {Part.RES_CODE, Part.RES_BODY, Part.RES_HEADER}


@dataclass(frozen=True, slots=True)
class This(Node):
    """`@` or `this` as an argument; `key` is set where it was written this["key"]."""

    key: str | None = None


Argument = Expression | Request | This


def field(base: Expression, name: str, span: Span) -> Expression:
    """What a name in braces selects: a field, or an element where it is a number."""
    if _INDEX.fullmatch(name):
        return Index(base, int(name), span=span)
    return Field(base, name, span=span)


class CallBuilder:
    """Builds the calls of one formula."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin

    def build(self, name: Token, arguments: Sequence[Argument], span: Span) -> Expression:
        """The node that a call stands for."""
        word = str(name)
        if word in PARTS:
            return self._read(name, arguments, span)
        values = self._values(name, arguments)
        if word in PREV:
            return Prev(self._only(name, values), span=span)
        if word == STRICT:
            return self._strict(name, values, span)
        if word in FUNCTIONS:
            return self._function(name, values, span)
        raise self._unknown(name)

    def _error(
        self, name: Token, message: str, hint: str, code: Code = Code.MISUSED_FUNCTION
    ) -> ContractError:
        return self._origin.error(code, message, name.start_pos or 0, hint)

    def _read(self, name: Token, arguments: Sequence[Argument], span: Span) -> Expression:
        part = PARTS[name]
        match arguments:
            case [This(key=None)]:
                return Read(part, span=span)
            case [This(key=str(key))]:
                return Field(Read(part, span=span), key, span=span)
            case [Request() as request] if part in _OF_RESPONSES:
                return Read(part, request, span=span)
            case [Request()]:
                raise self._error(
                    name,
                    f"`{name}` belongs to the request of this operation, not to a GET",
                    f"write {name}(@), or res_body(GET /path) for what the GET answers",
                )
        raise self._error(
            name,
            f"`{name}` takes an exchange: `@`, or a GET with its path",
            f"write {name}(@)" + (f" or {name}(GET /path)" if part in _OF_RESPONSES else ""),
        )

    def _values(self, name: Token, arguments: Sequence[Argument]) -> list[Expression]:
        values: list[Expression] = []
        for argument in arguments:
            if isinstance(argument, Request | This):
                raise self._exchange(name, argument)
            values.append(argument)
        return values

    def _exchange(self, name: Token, argument: Request | This) -> ContractError:
        if not _known(name):
            return self._unknown(name)
        what = "`@`" if isinstance(argument, This) else "a request"
        return self._error(
            name, f"`{name}` cannot take {what} as it is", "write res_body(...) around it"
        )

    def _unknown(self, name: Token) -> ContractError:
        near = nearest(name)
        return self._error(
            name,
            f"there is no function `{name}`",
            f"did you mean `{near}`?" if near else f"the functions are {_listed()}",
            Code.UNKNOWN_FUNCTION,
        )

    def _only(self, name: Token, values: list[Expression]) -> Expression:
        if len(values) != 1:
            message = f"`{name}` takes one value, not {len(values)}"
            raise self._error(name, message, f"write {name}(value)")
        return values[0]

    def _strict(self, name: Token, values: list[Expression], span: Span) -> Expression:
        match values:
            case [Compare(op=CompareOp.EQ | CompareOp.NE) as compare]:
                return Strict(compare, span=span)
        raise self._error(
            name, "`strict` takes one equality", "write strict(a = b) or strict(a != b)"
        )

    def _function(self, name: Token, values: list[Expression], span: Span) -> Expression:
        function = FUNCTIONS[name]
        if function is Function.CONTAINS:
            if len(values) != 2:
                message = f"`contains` takes a collection and a value, not {len(values)} values"
                raise self._error(name, message, "write contains(collection, value)")
            return Call(function, tuple(values), span=span)
        if function in _TAKES_FIELD and len(values) == 2:
            path = _field_path(values[1])
            if path is None:
                message = f"the second argument of `{name}` is the name of a field"
                raise self._error(name, message, f'write {name}(collection, "field")')
            return Call(function, (values[0], Text(path, span=values[1].span)), span=span)
        return Call(function, (self._only(name, values),), span=span)


def _field_path(node: Expression) -> str | None:
    """The names of `a.b` or of the text "a.b"."""
    if isinstance(node, Text | Name):
        return node.value if isinstance(node, Text) else node.name
    if isinstance(node, Field):
        base = _field_path(node.base)
        return f"{base}.{node.name}" if base is not None else None
    return None


def _known(name: str) -> bool:
    return name in FUNCTIONS or name in PREV or name == STRICT


def _listed() -> str:
    return ", ".join([*(part.value for part in Part), *Function, "prev", STRICT])
