"""From the parser's tree to the tree of a protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lark import Tree
from lark.lexer import Token

from icepick.errors import Code, ProtocolError
from icepick.glacier.language import span_of, start_of, token_at
from icepick.glacier.spelling import RESERVED
from icepick.protocol.assertions import read_assertions
from icepick.protocol.literals import read_literal
from icepick.protocol.origin import Origin
from icepick.protocol.tree import (
    Argument,
    Assertion,
    Declared,
    Definition,
    End,
    External,
    Include,
    Internal,
    Literal,
    Named,
    Receive,
    Recursion,
    Reference,
    Send,
    Session,
    Text,
    Type,
)

Parsed = Tree[Token]

_LARGEST_BOUND = 1000


class Builder:
    """Builds the nodes of one file."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._by_rule: dict[str, Callable[[Parsed], Session]] = {
            "internal": self._internal,
            "external": lambda tree: External(
                tuple(self._receive(child) for child in _trees(tree)), span=span_of(tree)
            ),
            "single_send": lambda tree: Internal(
                (self._send(_child(tree)),), span=span_of(_child(tree))
            ),
            "single_receive": lambda tree: External(
                (self._receive(_child(tree)),), span=span_of(_child(tree))
            ),
            "recursion": self._recursion,
            "end": lambda tree: End(span=span_of(tree)),
            "reference": lambda tree: Reference(str(token_at(tree, 0)), span=span_of(tree)),
        }

    def build(self, tree: Parsed) -> Text:
        """The node of a whole file."""
        includes, definitions = [], []
        for child in _trees(tree):
            if child.data == "include":
                path = read_literal(token_at(child, 0), self._origin)
                includes.append(Include(path, span=span_of(child)))
            else:
                definitions.append(self._definition(child))
        return Text(tuple(includes), tuple(definitions), span=(0, len(self._origin.text)))

    def _definition(self, tree: Parsed) -> Definition:
        name = token_at(tree, 0)
        body = self._session(_child(tree))
        return Definition(str(name), body, self._origin.source, span=span_of(name))

    def _session(self, tree: Parsed) -> Session:
        return self._by_rule[tree.data](tree)

    def _internal(self, tree: Parsed) -> Session:
        sends = tuple(self._weighted(child) for child in _trees(tree))
        abridged = [child for child in tree.children if isinstance(child, Token)]
        if not sends:
            raise self._error("a choice needs at least one branch", start_of(abridged[0]))
        return Internal(sends, bool(abridged), span=span_of(tree))

    def _weighted(self, tree: Parsed) -> Send:
        numbers = [child for child in tree.children if isinstance(child, Token)]
        if not numbers:
            return self._send(_child(tree))
        text = str(numbers[0])
        weight = int(text) if text.isdecimal() and len(text) < 10 else float(text)
        if not 0 < weight < 10**9:
            message = f"`{text}` is no weight"
            hint = "a weight says how often a branch is taken beside the others: a number above 0"
            raise self._error(message, start_of(numbers[0]), hint)
        return self._send(_child(tree), weight)

    def _send(self, tree: Parsed, weight: float = 1) -> Send:
        name = token_at(tree, 0)
        operation = read_literal(name, self._origin) if name.type == "STRING" else str(name)
        arguments = tuple(self._argument(child) for child in _ruled(tree, "argument"))
        span = (span_of(tree)[0], name.end_pos or 0)
        return Send(operation, arguments, self._session(_child(tree)), weight, span=span)

    def _receive(self, tree: Parsed) -> Receive:
        status = token_at(tree, 0)
        variables = tuple(self._declared(child) for child in _ruled(tree, "declared"))
        code = status.removeprefix("C").upper()
        span = (span_of(tree)[0], status.end_pos or 0)
        then = self._session(_child(tree))
        return Receive(code, variables, self._assertions(tree), then, span=span)

    def _assertions(self, tree: Parsed) -> tuple[Assertion, ...]:
        tokens = [child for child in tree.children if isinstance(child, Token)]
        found = [token for token in tokens if token.type == "ASSERTION"]
        return read_assertions(found[0], self._origin) if found else ()

    def _argument(self, tree: Parsed) -> Argument:
        tokens = [child for child in tree.children if isinstance(child, Token)]
        place = str(tokens[0]) if tokens else None
        inner, span = _child(tree), span_of(tree)
        if inner.data == "earlier":
            return Argument(str(token_at(inner, 0)), place=place, span=span)
        if inner.data != "made":
            return Argument(None, None, self._literal(inner), place, span=span)
        self._check_name(token_at(inner, 0))
        made = [child for child in _trees(inner) if child.data != "type"]
        return Argument(
            str(token_at(inner, 0)),
            self._type(next(_ruled(inner, "type"))),
            self._made(made[0]) if made else None,
            place,
            span=span,
        )

    def _made(self, tree: Parsed) -> Named | Literal:
        if tree.data == "generator":
            return Named(str(token_at(tree, 0)), span=span_of(tree))
        return self._literal(tree)

    def _literal(self, tree: Parsed) -> Literal:
        return Literal(read_literal(tree, self._origin), span=span_of(tree))

    def _declared(self, tree: Parsed) -> Declared:
        tokens = [str(child) for child in tree.children if isinstance(child, Token)]
        place = tokens[1] if len(tokens) == 2 else None
        self._check_name(token_at(tree, 0))
        return Declared(tokens[0], self._type(_child(tree)), place, span=span_of(tree))

    def _check_name(self, name: Token) -> None:
        """A variable that assertions would read as something else is refused."""
        if name in RESERVED:
            message = f"`{name}` is a word of GLACIER, not a name"
            raise self._error(message, start_of(name), "choose another name for the variable")

    def _type(self, tree: Parsed) -> Type:
        return Type(str(token_at(tree, 0)), len(tree.children) == 2, span=span_of(tree))

    def _recursion(self, tree: Parsed) -> Session:
        tokens = [child for child in tree.children if isinstance(child, Token)]
        bound = int(tokens[1]) if len(tokens) == 2 and len(tokens[1]) < 10 else None
        if len(tokens) == 2 and not (bound and bound <= _LARGEST_BOUND):
            message = f"`{tokens[1]}` cannot bound a recursion"
            raise self._error(
                message, start_of(tokens[1]), f"give a number from 1 to {_LARGEST_BOUND}"
            )
        body = self._session(_child(tree))
        return Recursion(str(tokens[0]), body, bound, span=span_of(tree))

    def _error(self, message: str, offset: int, hint: str | None = None) -> ProtocolError:
        return self._origin.error(Code.PROTOCOL_SYNTAX, message, offset, hint)


def _trees(tree: Parsed) -> list[Parsed]:
    return [child for child in tree.children if isinstance(child, Tree)]


def _ruled(tree: Parsed, rule: str) -> Iterator[Parsed]:
    return (child for child in _trees(tree) if child.data == rule)


def _child(tree: Parsed) -> Parsed:
    """The last tree inside one: how a session goes on stands at the end of its prefix."""
    return _trees(tree)[-1]
