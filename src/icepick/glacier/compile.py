"""From tree to closures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from icepick.glacier.code import Build, Code, Context, Run, Scope
from icepick.glacier.functions import (
    added,
    keys,
    largest,
    length,
    multiplied,
    smallest,
    subtracted,
    total,
    unique,
)
from icepick.glacier.gathering import compile_gathered
from icepick.glacier.logic import (
    compile_implies,
    compile_junction,
    compile_not,
    compile_quantifier,
)
from icepick.glacier.reading import compile_field, compile_index, compile_name, compile_read
from icepick.glacier.relations import both_known, compile_compare, compile_strict, membership
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
    Prev,
    Quantifier,
    Range,
    Read,
    Strict,
    Text,
    walk,
)
from icepick.glacier.values import Unknown, settled
from icepick.openapi.types import Json


@dataclass(frozen=True, slots=True)
class Compiled:
    """A formula ready to be evaluated any number of times.

    `first` is the GET that each evaluation begins with, where it is always the same.
    """

    formula: Formula
    code: Code
    slots: int
    first: str | None = None


def compile_formula(formula: Formula) -> Compiled:
    """Closures for a formula."""
    ranges = [node for node in walk(formula) if isinstance(node, Range)]
    code = _build(formula, Scope())
    return Compiled(formula, code, sum(len(part.names) for part in ranges), _first(code))


def _first(code: Code) -> str | None:
    """The first part of a node is what is evaluated first, whatever comes of it."""
    while code.parts:
        code = code.parts[0]
    node = code.node
    if not isinstance(node, Read) or node.request is None or code.earlier:
        return None
    return "".join(part for part in node.request.parts if isinstance(part, str))


def _build(node: Expression, scope: Scope) -> Code:
    return _COMPILERS[type(node)](node, scope, _build)


def _null(node: Null, _scope: Scope, _build: Build) -> Code:
    return Code(node, lambda _context: None)


def _literal(node: Boolean | Number | Text, _scope: Scope, _build: Build) -> Code:
    value = node.value
    return Code(node, lambda _context: value)


def _listing(node: Listing, scope: Scope, build: Build) -> Code:
    parts = tuple(build(item, scope) for item in node.items)
    runs = tuple(part.run for part in parts)

    def run(context: Context) -> Json:
        values = [item(context) for item in runs]
        doubts = (settled(value) for value in values if type(value) is Unknown)
        return next(doubts, values)

    return Code(node, run, parts, before=any(part.before for part in parts))


def _prev(node: Prev, scope: Scope, build: Build) -> Code:
    operand = build(node.operand, scope.earlier())
    return Code(node, operand.run, (operand,), before=operand.before)


_ARITHMETIC: dict[ArithmeticOp, Callable[[Json, Json], Json]] = {
    ArithmeticOp.ADD: added,
    ArithmeticOp.SUBTRACT: subtracted,
    ArithmeticOp.MULTIPLY: multiplied,
}


def _arithmetic(node: Arithmetic, scope: Scope, build: Build) -> Code:
    left, right = build(node.left, scope), build(node.right, scope)
    apply = _ARITHMETIC[node.op]
    run = both_known(left.run, right.run, lambda _context, a, b: apply(a, b))
    return Code(node, run, (left, right), before=left.before or right.before)


_OF_ONE: dict[Function, Callable[[Json], Json]] = {Function.LEN: length, Function.KEYS: keys}
_OF_FIELD: dict[Function, Callable[[Json, str | None], Json]] = {
    Function.UNIQUE: unique,
    Function.SUM: total,
    Function.MIN: smallest,
    Function.MAX: largest,
}


def _call(node: Call, scope: Scope, build: Build) -> Code:
    if node.function is Function.CONTAINS:
        return _contains(node, scope, build)
    operand = build(node.arguments[0], scope)
    run = _of_known(operand.run, _function(node))
    return Code(node, run, (operand,), before=operand.before)


def _function(node: Call) -> Callable[[Json], Json]:
    if node.function in _OF_ONE:
        return _OF_ONE[node.function]
    apply = _OF_FIELD[node.function]
    match node.arguments:
        case (_, Text(value=path)):
            return lambda value: apply(value, path)
    return lambda value: apply(value, None)


def _contains(node: Call, scope: Scope, build: Build) -> Code:
    collection, value = node.arguments
    relation = membership(value, collection, scope, build)
    parts = tuple(build(argument, scope) for argument in node.arguments)
    run = both_known(parts[0].run, parts[1].run, lambda context, a, b: relation(context, b, a))
    return Code(node, run, parts, before=any(part.before for part in parts))


def _of_known(operand: Run, apply: Callable[[Json], Json]) -> Run:
    def run(context: Context) -> Json:
        value = operand(context)
        if type(value) is Unknown:
            return settled(value)
        try:
            return apply(value)
        except RecursionError:
            return Unknown("the value is nested too deep")

    return run


_COMPILERS: dict[type[Expression], Callable[[Any, Scope, Build], Code]] = {
    Null: _null,
    Boolean: _literal,
    Number: _literal,
    Text: _literal,
    Listing: _listing,
    Name: compile_name,
    Read: compile_read,
    Field: compile_field,
    Index: compile_index,
    Call: _call,
    Prev: _prev,
    Arithmetic: _arithmetic,
    Compare: compile_compare,
    Strict: compile_strict,
    Not: compile_not,
    And: compile_junction,
    Or: compile_junction,
    Implies: compile_implies,
    Quantifier: compile_quantifier,
    Gathered: compile_gathered,
}
