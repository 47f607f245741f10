"""The tree of a formula. Spans are offsets into its text and play no part in equality."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

Span = tuple[int, int]
"""Where a node starts and ends in its text."""


@dataclass(frozen=True, slots=True)
class Node:
    """What all parts of a formula have in common."""

    span: Span = field(default=(0, 0), compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Null(Node):
    """The literal null."""


@dataclass(frozen=True, slots=True)
class Boolean(Node):
    """A literal truth value."""

    value: bool


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A literal number."""

    value: int | float


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A literal text."""

    value: str


@dataclass(frozen=True, slots=True)
class Listing(Node):
    """A literal list."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class StatusClass(Node):
    """All status codes of one hundred, such as 2xx; only on the right of `in`."""

    hundred: int


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A quantified variable of that name, or else the path parameter of this operation."""

    name: str


@dataclass(frozen=True, slots=True)
class Request(Node):
    """A GET: texts as they stand, and expressions whose values are put between them."""

    parts: tuple[str | Expression, ...]


class Part(StrEnum):
    """What can be read of an exchange, in the spelling that is printed."""

    RES_CODE = "res_code"
    RES_BODY = "res_body"
    RES_HEADER = "res_header"
    REQ_BODY = "req_body"
    REQ_HEADER = "req_header"
    PATH_PARAM = "path_param"
    QUERY_PARAM = "query_param"


@dataclass(frozen=True, slots=True)
class Read(Node):
    """A part of this exchange (`@`), or of a GET where `request` is given."""

    part: Part
    request: Request | None = None


@dataclass(frozen=True, slots=True)
class Field(Node):
    """A field of an object, by name."""

    base: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    """An element of a list, counted from 0."""

    base: Expression
    index: int


class Function(StrEnum):
    """The functions on values."""

    LEN = "len"
    CONTAINS = "contains"
    UNIQUE = "unique"
    SUM = "sum"
    MIN = "min"
    MAX = "max"
    KEYS = "keys"


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A function applied to values; a field to look at, where there is one, is a Text."""

    function: Function
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Prev(Node):
    """The value that an expression had before the call."""

    operand: Expression


class ArithmeticOp(StrEnum):
    """The operators on numbers."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """Two numbers made into one."""

    op: ArithmeticOp
    left: Expression
    right: Expression


class CompareOp(StrEnum):
    """The comparisons."""

    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    IN = "in"


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """Two values compared."""

    op: CompareOp
    left: Expression
    right: Expression | StatusClass


@dataclass(frozen=True, slots=True)
class Strict(Node):
    """An equality or inequality taken exactly, with no allowance for what a server adds."""

    operand: Compare


@dataclass(frozen=True, slots=True)
class Not(Node):
    """The contrary."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class And(Node):
    """All of two or more."""

    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    """At least one of two or more."""

    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Implies(Node):
    """If the left holds, so does the right."""

    left: Expression
    right: Expression


class QuantifierKind(StrEnum):
    """For all, or for at least one."""

    FOR = "for"
    EXISTS = "exists"


@dataclass(frozen=True, slots=True)
class Range(Node):
    """Variables over one collection; several of them stand for distinct elements."""

    names: tuple[str, ...]
    collection: Expression


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    """A statement on the elements of collections; a later range may use earlier variables."""

    kind: QuantifierKind
    ranges: tuple[Range, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class Gathered(Node):
    """The list of what an expression is for the elements of collections that fit."""

    item: Expression
    ranges: tuple[Range, ...]
    condition: Expression | None = None


Expression = (
    Null
    | Boolean
    | Number
    | Text
    | Listing
    | Name
    | Read
    | Field
    | Index
    | Call
    | Prev
    | Arithmetic
    | Compare
    | Strict
    | Not
    | And
    | Or
    | Implies
    | Quantifier
    | Gathered
)
"""Any expression: truth values are values like others, so there is one sort only."""

Formula = Expression
"""An expression that stands for a truth value."""


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside a node, from left to right."""
    match node:
        case Listing(items=nodes) | Call(arguments=nodes) | And(operands=nodes):
            yield from nodes
        case Or(operands=nodes):
            yield from nodes
        case Request(parts=parts):
            yield from (part for part in parts if isinstance(part, Node))
        case Read(request=Request() as request):
            yield request
        case Field(base=base) | Index(base=base):
            yield base
        case Prev(operand=operand) | Strict(operand=operand) | Not(operand=operand):
            yield operand
        case Arithmetic() | Compare() | Implies():
            yield from (node.left, node.right)
        case Range(collection=collection):
            yield collection
        case Quantifier(ranges=ranges, body=body):
            yield from ranges
            yield body
        case Gathered(item=item, ranges=ranges, condition=condition):
            yield from ranges
            yield from () if condition is None else (condition,)
            yield item


def walk(node: Node) -> Iterator[Node]:
    """A node and all nodes inside it, outermost first."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(list(children(current))))


def root(node: Node) -> Node:
    """What fields, elements and earlier values are taken from."""
    while isinstance(node, Field | Index | Prev):
        node = node.operand if isinstance(node, Prev) else node.base
    return node
