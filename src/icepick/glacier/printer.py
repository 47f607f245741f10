"""From tree to text: one spelling, the paper's in ASCII, with no parentheses to spare."""

from __future__ import annotations

import json
import re

from icepick.glacier.spelling import LENGTHS
from icepick.glacier.tree import (
    And,
    Arithmetic,
    ArithmeticOp,
    Boolean,
    Call,
    Compare,
    Expression,
    Field,
    Formula,
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
    Part,
    Prev,
    Quantifier,
    Range,
    Read,
    Request,
    StatusClass,
    Strict,
    Text,
)

_IMPLIES, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _TERM = range(8)

_DOTTED = re.compile(r"[^\W\d]\w*")
_BRACED = re.compile(r"(?![0-9]+\Z)[\w$@-]+")
_EMBEDDABLE = frozenset(Part) - {Part.RES_CODE}


def print_formula(formula: Formula) -> str:
    """The canonical text of a formula: parsing it gives the same tree."""
    return _print(formula, _IMPLIES, last=True)


def _print(node: Expression, level: int, *, last: bool = True) -> str:
    """The text of a node where `level` binds, in parentheses if it binds less.

    A quantifier takes everything to its right, so that it needs parentheses wherever it is not the
    last thing printed.
    """
    own = _level(node)
    if own < level or (isinstance(node, Quantifier) and not last):
        return f"({_bare(node, last=True)})"
    return _bare(node, last=last)


def _level(node: Expression) -> int:
    match node:
        case Implies():
            return _IMPLIES
        case Or():
            return _OR
        case And():
            return _AND
        case Not() | Quantifier():
            return _NOT
        case Compare():
            return _COMPARE
        case Arithmetic(op=op):
            return _PRODUCT if op is ArithmeticOp.MULTIPLY else _SUM
    return _TERM


def _bare(node: Expression, *, last: bool) -> str:
    match node:
        case Implies(left=left, right=right):
            return f"{_print(left, _OR, last=False)} => {_print(right, _IMPLIES, last=last)}"
        case Or(operands=operands):
            return _joined(operands, " || ", _AND, last=last)
        case And(operands=operands):
            return _joined(operands, " && ", _NOT, last=last)
        case Not(operand=operand):
            return f"!{_print(operand, _NOT, last=last)}"
        case Quantifier():
            return _quantifier(node)
    return _value(node)


def _joined(operands: tuple[Expression, ...], sign: str, level: int, *, last: bool) -> str:
    *others, final = operands
    texts = [_print(operand, level, last=False) for operand in others]
    return sign.join([*texts, _print(final, level, last=last)])


def _quantifier(node: Quantifier) -> str:
    return f"{node.kind.value} {_ranges(node.ranges)} :- {_print(node.body, _IMPLIES)}"


def _gathered(node: Gathered) -> str:
    condition = "" if node.condition is None else f" :- {_print(node.condition, _IMPLIES)}"
    return f"[{_print(node.item, _IMPLIES)} for {_ranges(node.ranges)}{condition}]"


def _ranges(ranges: tuple[Range, ...]) -> str:
    return ", ".join(
        f"{', '.join(part.names)} in {_print(part.collection, _SUM)}" for part in ranges
    )


def _value(node: Expression) -> str:
    match node:
        case Compare(op=op, left=left, right=right):
            other = _class(right) if isinstance(right, StatusClass) else _print(right, _SUM)
            return f"{_print(left, _SUM)} {op.value} {other}"
        case Arithmetic(op=op, left=left, right=right):
            own = _level(node)
            return f"{_print(left, own)} {op.value} {_print(right, own + 1)}"
        case Field() | Index() | Call(function=Function.LEN):
            return _suffixed(node)
    return _primary(node)


def _primary(node: Expression) -> str:
    match node:
        case Call(function=function, arguments=arguments):
            return f"{function.value}({', '.join(_print(a, _IMPLIES) for a in arguments)})"
        case Prev(operand=operand):
            return f"prev({_print(operand, _IMPLIES)})"
        case Strict(operand=operand):
            return f"strict({_print(operand, _IMPLIES)})"
        case Read(part=part, request=request):
            return f"{part.value}({'@' if request is None else print_request(request)})"
        case Listing(items=items):
            return f"[{', '.join(_print(item, _IMPLIES) for item in items)}]"
        case Gathered():
            return _gathered(node)
    return _literal(node)


def _literal(node: Expression) -> str:
    match node:
        case Name(name=name):
            return name
        case Text(value=text):
            return quoted(text)
        case Number(value=number):
            return repr(number)
        case Boolean(value=truth):
            return "true" if truth else "false"
        case Null():
            return "null"
    raise TypeError(f"{node!r} is not an expression")


def _class(node: StatusClass) -> str:
    return f"{node.hundred}xx"


def quoted(text: str) -> str:
    """A text in quotes; halves of surrogate pairs cannot be written to a file as they are."""
    whole = text.isascii() or not re.search("[\ud800-\udfff]", text)
    return json.dumps(text, ensure_ascii=not whole)


def _suffixed(node: Expression) -> str:
    """Fields, elements and lengths, on what they are taken from."""
    suffixes: list[Expression] = []
    while True:
        match node:
            case Field(base=base) | Index(base=base) | Call(Function.LEN, (base,)):
                suffixes.append(node)
                node = base
            case _:
                break
    suffixes.reverse()
    names = _braced_names(node, suffixes)
    text = _print(node, _TERM) + (f"{{{'.'.join(names)}}}" if names else "")
    return text + "".join(_suffix(suffix) for suffix in suffixes[len(names) :])


def _braced_names(root: Expression, suffixes: list[Expression]) -> list[str]:
    """The fields that are printed in braces, as the paper does on parts of an exchange."""
    names: list[str] = []
    if isinstance(root, Read):
        for suffix in suffixes:
            if not isinstance(suffix, Field) or not _BRACED.fullmatch(suffix.name):
                break
            names.append(suffix.name)
    return names


def _suffix(node: Expression) -> str:
    match node:
        case Field(name=name):
            plain = _DOTTED.fullmatch(name) and name not in LENGTHS
            return f".{name}" if plain else f"[{quoted(name)}]"
        case Index(index=index):
            return f"[{index}]"
    return ".len"


def print_request(request: Request) -> str:
    """A GET with its path: `GET /players/{p.pid}`."""
    text = "GET "
    for part in request.parts:
        text += part if isinstance(part, str) else _hole(part, text)
    return text


def _hole(node: Expression, before: str) -> str:
    """An expression inside a path: without braces of its own where it reads as in the paper."""
    text = _print(node, _TERM)
    base = node
    while isinstance(base, Field) and _BRACED.fullmatch(base.name):
        base = base.base
    match base:
        case Read(part=part, request=None) if base is not node and part in _EMBEDDABLE:
            return f"{{{text}}}" if re.search(r"\w\Z", before) else text
    return f"{{{text}}}"
