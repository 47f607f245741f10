"""What a broken clause is about, told by its tree."""

from __future__ import annotations

from icepick.errors import ContractError
from icepick.glacier.parser import parse_formula
from icepick.glacier.tree import (
    Compare,
    CompareOp,
    Expression,
    Formula,
    Implies,
    Node,
    Null,
    Number,
    Part,
    Read,
    Request,
    root,
)


def forbids_what_is_there(clause: str) -> bool:
    """Whether a clause says that what the body of a call names must not be there yet."""
    try:
        formula = parse_formula(clause)
    except ContractError:
        return False
    match formula:
        case Implies(Compare(CompareOp.NE, name, Null()), right) if _is_sent(name):
            return _is_absence(right)
        case _:
            return _is_absence(formula)


def _is_absence(formula: Formula) -> bool:
    match formula:
        case Compare(CompareOp.EQ, Read(Part.RES_CODE, Request(parts)), Number(status)):
            return 400 <= status < 500 and any(_is_sent(part) for part in parts)
        case _:
            return False


def _is_sent(part: str | Expression) -> bool:
    """Whether a part of a path is a field of the body of the call."""
    return isinstance(part, Node) and part != root(part) == Read(Part.REQ_BODY)
