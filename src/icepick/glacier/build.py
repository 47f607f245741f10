"""From the parser's tree to the tree of a formula: spellings made one, misuse reported."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from lark import Tree
from lark.lexer import Token

from icepick.errors import Code, ContractError
from icepick.glacier.calls import CallBuilder, This, field
from icepick.glacier.language import as_token, span_of, start_of, token_at
from icepick.glacier.origin import Origin
from icepick.glacier.spelling import COMPARISONS, LENGTHS, PARTS, RESERVED
from icepick.glacier.tree import (
    And,
    Arithmetic,
    ArithmeticOp,
    Boolean,
    Call,
    Compare,
    CompareOp,
    Expression,
    Field,
    Function,
    Gathered,
    Implies,
    Index,
    Listing,
    Name,
    Not,
    Null,
    Number,
    Or,
    Quantifier,
    QuantifierKind,
    Range,
    Read,
    Request,
    Span,
    StatusClass,
    Text,
)

Parsed = Tree[Token]

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_PLAIN_ESCAPES = "\"'\\/"


class Builder:
    """Builds the nodes of one formula."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._calls = CallBuilder(origin)
        self._by_rule: dict[str, Callable[[Parsed], Expression]] = {
            "implies": lambda tree: Implies(*self._pair(tree), span=span_of(tree)),
            "either": lambda tree: Or(self._all(tree), span=span_of(tree)),
            "both": lambda tree: And(self._all(tree), span=span_of(tree)),
            "negated": lambda tree: Not(self.build(tree.children[0]), span=span_of(tree)),
            "listing": lambda tree: Listing(self._all(tree), span=span_of(tree)),
            "name": self._name,
            "true": lambda tree: Boolean(True, span=span_of(tree)),
            "false": lambda tree: Boolean(False, span=span_of(tree)),
            "null": lambda tree: Null(span=span_of(tree)),
            "text": lambda tree: Text(self._text(token_at(tree, 0)), span=span_of(tree)),
            "number": self._number,
            "quantifier": self._quantifier,
            "gathered": self._gathered,
            "compared": self._compared,
            "member": self._member,
            "arithmetic": self._arithmetic,
            "dotted": self._dotted,
            "method": self._method,
            "braced": self._braced,
            "subscript": self._subscript,
            "call": self._call,
            "this": self._lone_this,
        }

    def build(self, tree: Parsed | Token) -> Expression:
        """The node of a parsed expression."""
        if isinstance(tree, Token):
            raise TypeError(f"{tree!r} is not an expression")
        return self._by_rule[tree.data](tree)

    def _all(self, tree: Parsed) -> tuple[Expression, ...]:
        return tuple(self.build(child) for child in tree.children)

    def _pair(self, tree: Parsed) -> tuple[Expression, Expression]:
        return self.build(tree.children[0]), self.build(tree.children[-1])

    def _error(self, code: Code, message: str, at: int, hint: str | None = None) -> ContractError:
        return self._origin.error(code, message, at, hint)

    def _name(self, tree: Parsed) -> Expression:
        return Name(str(tree.children[0]), span=span_of(tree))

    def _lone_this(self, tree: Parsed) -> Expression:
        raise self._error(
            Code.MISUSED_FUNCTION,
            "`@` (or `this`) is the exchange as a whole, not a value",
            span_of(tree)[0],
            "say which part of it: res_code(@), res_body(@), req_body(@), header(@), "
            "path_param(@) or query_param(@)",
        )

    def _number(self, tree: Parsed) -> Expression:
        token = token_at(tree, -1)
        try:
            value = int(token) if token.isdecimal() else float(token)
        except ValueError:  # more digits than Python converts
            value = math.inf
        if value == math.inf:
            raise self._error(Code.CONTRACT_SYNTAX, "this number is too large", start_of(token))
        negative = len(tree.children) == 2
        return Number(-value if negative else value, span=span_of(tree))

    def _text(self, token: Token) -> str:
        def plain(match: re.Match[str]) -> str:
            mark = match[1]
            if len(mark) == 5:
                return chr(int(mark[1:], 16))
            if mark not in _ESCAPES and mark not in _PLAIN_ESCAPES:
                raise self._error(
                    Code.CONTRACT_SYNTAX,
                    f"`\\{mark}` is not an escape",
                    start_of(token) + 1 + match.start(),
                    "a text knows \\n \\t \\r \\b \\f \\\\ \\\" \\' \\/ and \\u with four digits",
                )
            return _ESCAPES.get(mark, mark)

        text = _ESCAPE.sub(plain, token[1:-1])
        # Two escapes may spell one character outside the basic plane.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

    def _quantifier(self, tree: Parsed) -> Expression:
        word = token_at(tree, 0)
        kind = QuantifierKind.FOR if word.type in {"FOR", "ALL"} else QuantifierKind.EXISTS
        ranges = tuple(self._range(child) for child in tree.children[1:-1])
        return Quantifier(kind, ranges, self.build(tree.children[-1]), span=span_of(tree))

    def _gathered(self, tree: Parsed) -> Expression:
        item, *others = [child for child in tree.children if isinstance(child, Tree)]
        ranges = tuple(self._range(child) for child in others if child.data == "range")
        condition = self.build(others[-1]) if len(others) > len(ranges) else None
        return Gathered(self.build(item), ranges, condition, span=span_of(tree))

    def _range(self, tree: Parsed | Token) -> Range:
        assert isinstance(tree, Tree)  # noqa: S101 - the grammar says so
        names = [token_at(tree, index) for index in range(len(tree.children) - 1)]
        for index, name in enumerate(names):
            if name in RESERVED:
                message = f"`{name}` is a word of the language, not a name"
                raise self._error(
                    Code.CONTRACT_SYNTAX, message, start_of(name), "choose another name"
                )
            if name in names[:index]:
                message = f"`{name}` stands twice among the variables"
                raise self._error(Code.CONTRACT_SYNTAX, message, start_of(name))
        collection = self.build(tree.children[-1])
        return Range(tuple(map(str, names)), collection, span=span_of(tree))

    def _compared(self, tree: Parsed) -> Expression:
        op = COMPARISONS[token_at(tree, 1)]
        left, right = self._pair(tree)
        return Compare(op, left, right, span=span_of(tree))

    def _member(self, tree: Parsed) -> Expression:
        left, right = tree.children[0], tree.children[-1]
        span = span_of(tree)
        if isinstance(right, Token):
            of_class = StatusClass(int(right[0]), span=(start_of(right), right.end_pos or 0))
            return Compare(CompareOp.IN, self.build(left), of_class, span=span)
        return Compare(CompareOp.IN, self.build(left), self.build(right), span=span)

    def _arithmetic(self, tree: Parsed) -> Expression:
        left, right = self._pair(tree)
        return Arithmetic(ArithmeticOp(token_at(tree, 1)), left, right, span=span_of(tree))

    def _dotted(self, tree: Parsed) -> Expression:
        base = self.build(tree.children[0])
        name = str(tree.children[1])
        if name in LENGTHS:
            return Call(Function.LEN, (base,), span=span_of(tree))
        return Field(base, name, span=span_of(tree))

    def _method(self, tree: Parsed) -> Expression:
        base, name, *arguments = tree.children
        values = [self.build(base), *self._arguments(arguments)]
        return self._calls.build(as_token(name), values, span_of(tree))

    def _braced(self, tree: Parsed) -> Expression:
        base = self.build(tree.children[0])
        return _with_fields(base, tree.children[1:], span_of(tree))

    def _subscript(self, tree: Parsed) -> Expression:
        base, key = self.build(tree.children[0]), token_at(tree, 1)
        if key.type == "STRING":
            return Field(base, self._text(key), span=span_of(tree))
        if not key.isdecimal() or len(key) > 9:
            message = f"`{key}` cannot number an element"
            raise self._error(
                Code.CONTRACT_SYNTAX, message, start_of(key), "elements are numbered from 0"
            )
        return Index(base, int(key), span=span_of(tree))

    def _call(self, tree: Parsed) -> Expression:
        name, *arguments = tree.children
        return self._calls.build(as_token(name), self._arguments(arguments), span_of(tree))

    def _arguments(self, trees: Sequence[Parsed | Token]) -> list[Expression | Request | This]:
        return [self._argument(tree) for tree in trees if isinstance(tree, Tree)]

    def _argument(self, tree: Parsed) -> Expression | Request | This:
        if tree.data == "request":
            return self._request(tree)
        if tree.data == "this":
            return This(span=span_of(tree))
        inner = tree.children[0] if tree.data == "subscript" else None
        if isinstance(inner, Tree) and inner.data == "this":
            return This(self._text(token_at(tree, 1)), span=span_of(tree))
        return self.build(tree)

    def _request(self, tree: Parsed) -> Request:
        method = token_at(tree, 0)
        if method.upper() != "GET":
            raise self._error(
                Code.NOT_A_GET,
                f"a contract asks with GET only, not with {method.upper()}",
                start_of(method),
                "looking must not change the service; say what a GET shows before and after",
            )
        self._check_spaces(tree)
        parts = tuple(self._path_part(child) for child in tree.children[1:])
        return Request(parts, span=span_of(tree))

    def _check_spaces(self, tree: Parsed) -> None:
        spans = [span_of(child) for child in tree.children[1:]]
        for (_, end), (start, _) in pairwise(spans):
            if end != start:
                message = "a path has no spaces"
                raise self._error(
                    Code.CONTRACT_SYNTAX, message, end, "close the gap, or write %20 for a space"
                )

    def _path_part(self, tree: Parsed | Token) -> str | Expression:
        if isinstance(tree, Token):
            return str(tree)
        if tree.data == "hole":
            return self.build(tree.children[0])
        name = token_at(tree, 0)
        tokens = [child for child in tree.children[1:] if isinstance(child, Token)]
        base: Expression = Read(PARTS[name], span=span_of(tree))
        for key in [token for token in tokens if token.type == "STRING"]:
            base = Field(base, self._text(key), span=span_of(tree))
        return _with_fields(base, [t for t in tokens if t.type == "FIELD"], span_of(tree))


def _with_fields(base: Expression, names: Sequence[Parsed | Token], span: Span) -> Expression:
    for name in names:
        base = field(base, str(name), span)
    return base
