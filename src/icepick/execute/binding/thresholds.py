"""Inputs at the threshold of what an operation requires: what is just allowed must be taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from icepick.execute.answers import at
from icepick.glacier import Check, Environment
from icepick.glacier.code import Context
from icepick.glacier.tree import Compare, CompareOp, Expression, Field, Part, Read
from icepick.inputs import Case
from icepick.inputs.learn.mutate import put
from icepick.openapi.types import Json
from icepick.resources.types import Path

_TURNED = {
    CompareOp.GE: CompareOp.LE,
    CompareOp.LE: CompareOp.GE,
    CompareOp.GT: CompareOp.LT,
    CompareOp.LT: CompareOp.GT,
}
_BEYOND = {CompareOp.GE: 0, CompareOp.LE: 0, CompareOp.GT: 1, CompareOp.LT: -1}
"""How far the last number that is allowed is from the bound."""


def at_threshold(case: Case, requires: tuple[Check, ...], env: Environment) -> Case:
    """The call with each whole number of its body that a clause bounds at the last one allowed;
    what the clauses ask for must have been read."""
    body = case.body
    for check in requires:
        for path, value in _bounds(check, env):
            if _is_whole(at(body, path)):
                body = put(body, path, value)
    return replace(case, body=body)


def _bounds(check: Check, env: Environment) -> Iterator[tuple[Path, int]]:
    code = check.compiled.code
    node = code.node
    if not isinstance(node, Compare) or node.op not in _TURNED or len(code.parts) != 2:
        return
    context = Context(env, check.compiled.slots)
    sides = (
        (node.left, code.parts[1], node.op),
        (node.right, code.parts[0], _TURNED[node.op]),
    )
    for side, other, op in sides:
        path = _input(side) if isinstance(side, Expression) else None
        bound = other.run(context) if path else None
        if path and isinstance(bound, int) and _is_whole(bound):
            yield path, bound + _BEYOND[op]


def _input(node: Expression) -> Path | None:
    """The place in the body of the request that an expression is; None where it is none."""
    path: Path = ()
    while isinstance(node, Field):
        path = (node.name, *path)
        node = node.base
    return path if node == Read(Part.REQ_BODY) else None


def _is_whole(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
