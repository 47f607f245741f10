"""Formulas whose truth does not depend on any answer."""

from __future__ import annotations

from collections.abc import Iterator

from icepick.errors import Code
from icepick.glacier.compile import compile_formula
from icepick.glacier.environment import MemoryEnvironment
from icepick.glacier.evaluate import Truth, truth_of
from icepick.glacier.static.findings import Findings
from icepick.glacier.tree import (
    And,
    Compare,
    CompareOp,
    Expression,
    Formula,
    Implies,
    Listing,
    Name,
    Not,
    Or,
    Quantifier,
    QuantifierKind,
    Read,
    StatusClass,
    Strict,
    walk,
)

_SAME = {
    CompareOp.EQ: True,
    CompareOp.LE: True,
    CompareOp.GE: True,
    CompareOp.NE: False,
    CompareOp.LT: False,
    CompareOp.GT: False,
}
_CONTRARY = {
    CompareOp.EQ: CompareOp.NE,
    CompareOp.NE: CompareOp.EQ,
    CompareOp.LT: CompareOp.GE,
    CompareOp.GE: CompareOp.LT,
    CompareOp.GT: CompareOp.LE,
    CompareOp.LE: CompareOp.GT,
}


def check_constants(formula: Formula, findings: Findings) -> None:
    """Report the outermost formulas that are always true or always false."""
    value = fold(formula)
    if value is True:
        message = "this clause is always true, so it checks nothing"
        findings.note(Code.CONSTANT_FORMULA, message, formula, "leave it out")
    elif value is False:
        message = "this clause is always false, so nothing can meet it"
        findings.note(Code.CONSTANT_FORMULA, message, formula, "say what was meant")
    else:
        for node in _constant_parts(formula):
            truth = "true" if fold(node) else "false"
            message = f"`{findings.shown(node)}` is always {truth}"
            findings.note(Code.CONSTANT_FORMULA, message, node, "leave it out")


def _constant_parts(node: Formula) -> Iterator[Formula]:
    for part in _formulas(node):
        if fold(part) is None:
            yield from _constant_parts(part)
        else:
            yield part


def _formulas(node: Expression) -> tuple[Expression, ...]:
    """The formulas directly inside a formula."""
    match node:
        case And(operands=operands) | Or(operands=operands):
            return operands
        case Implies(left=left, right=right):
            return (left, right)
        case Not(operand=operand):
            return (operand,)
        case Quantifier(body=body):
            return (body,)
    return ()


def fold(node: Expression) -> bool | None:
    """The truth value that a formula has whatever is answered; None where that depends."""
    match node:
        case Not(operand=operand):
            value = fold(operand)
            return None if value is None else not value
        case And(operands=operands):
            return _junction(operands, decisive=False)
        case Or(operands=operands):
            return _junction(operands, decisive=True)
        case Implies(left=left, right=right):
            return _junction((Not(left), right), decisive=True)
        case Quantifier():
            return _quantifier(node)
        case Strict(operand=operand):
            return fold(operand)
        case Compare(op=op, left=left, right=right) if left == right:
            return _SAME.get(op)
    return _literal(node)


def _junction(operands: tuple[Expression, ...], *, decisive: bool) -> bool | None:
    values = [fold(operand) for operand in operands]
    if decisive in values or _has_contraries(operands):
        return decisive
    return None if None in values else not decisive


def _has_contraries(operands: tuple[Expression, ...]) -> bool:
    known = set(operands)
    return any(contrary(operand) in known for operand in operands)


def contrary(node: Expression) -> Expression:
    """The formula that is true where this one is false."""
    match node:
        case Not(operand=operand):
            return operand
        case Compare(op=op, left=left, right=right) if op in _CONTRARY:
            return Compare(_CONTRARY[op], left, right)
    return Not(node)


def _quantifier(node: Quantifier) -> bool | None:
    """Over nothing all is true; over something, what is true of anything is true of each."""
    for_all = node.kind is QuantifierKind.FOR
    if any(part.collection == Listing(()) for part in node.ranges):
        return for_all
    return for_all if fold(node.body) is for_all else None


def _literal(node: Expression) -> bool | None:
    """The value of a formula without names and answers, from the evaluator itself."""
    if any(isinstance(part, Read | Name) for part in walk(node)):
        return None
    match node:
        case Compare(right=StatusClass()):
            return None
    value = truth_of(compile_formula(node), MemoryEnvironment())
    return None if value is Truth.UNKNOWN else value is Truth.TRUE
