"""Compiled comparisons."""

from __future__ import annotations

from collections.abc import Callable

from icepick.glacier.code import Build, Code, Context, Run, Scope
from icepick.glacier.comparison import (
    PLAIN,
    Rules,
    SentSide,
    contains,
    equal,
    identical,
    order,
    unwired,
)
from icepick.glacier.sides import rules_for, schema_of, sent_side, source, travels_as_text
from icepick.glacier.tree import (
    Compare,
    CompareOp,
    Expression,
    Null,
    Number,
    Part,
    StatusClass,
    Strict,
    Text,
)
from icepick.glacier.values import Unknown, describe, is_number, settled
from icepick.openapi.shape import items
from icepick.openapi.types import Json

Relation = Callable[[Context, Json, Json], bool | Unknown]
Fitting = Callable[[Json, Json], tuple[Json, Json]]

_TOO_DEEP = Unknown("the values are nested too deep to compare")
_ORDERED: dict[CompareOp, Callable[[int], bool]] = {
    CompareOp.LT: lambda sign: sign < 0,
    CompareOp.LE: lambda sign: sign <= 0,
    CompareOp.GT: lambda sign: sign > 0,
    CompareOp.GE: lambda sign: sign >= 0,
}


def compile_compare(node: Compare, scope: Scope, build: Build) -> Code:
    """Two values compared; unknown where either is."""
    left = build(node.left, scope)
    if isinstance(node.right, StatusClass):
        run = _in_class(left.run, node.right.hundred)
        return Code(node, run, (left,), before=left.before)
    right = build(node.right, scope)
    before = left.before or right.before
    if node.op in {CompareOp.EQ, CompareOp.NE}:
        rules = rules_for(node.left, node.right, scope, build)
        fit = _fitting(node.left, node.right, scope)
        wanted = node.op is CompareOp.EQ
        bare = Rules(sent_side(node.left, node.right, scope))
        run = _equality(node, left.run, right.run, _equal(fit, bare, rules, wanted=wanted))
        return Code(node, run, (left, right), rules=rules, before=before)
    if node.op is CompareOp.IN:
        relation = membership(node.left, node.right, scope, build)
    else:
        relation = _ordering(node.op, _fitting(node.left, node.right, scope))
    return Code(node, both_known(left.run, right.run, relation), (left, right), before=before)


def compile_strict(node: Strict, scope: Scope, build: Build) -> Code:
    """Exact equality or inequality."""
    inner = build(node.operand, scope)
    run = inner.run
    if not _beside_null(node.operand):
        wanted = node.operand.op is CompareOp.EQ
        left, right = inner.parts
        run = both_known(left.run, right.run, lambda _context, a, b: identical(a, b) is wanted)
    return Code(node, run, inner.parts, before=inner.before)


def both_known(left: Run, right: Run, relation: Relation) -> Run:
    """A relation of two known values; the right is not asked for where the left is unknown."""

    def run(context: Context) -> bool | Unknown:
        a = left(context)
        if type(a) is Unknown:
            return settled(a)
        b = right(context)
        if type(b) is Unknown:
            return settled(b)
        try:
            return relation(context, a, b)
        except RecursionError:
            return _TOO_DEEP

    return run


def _equality(node: Compare, left: Run, right: Run, relation: Relation) -> Run:
    wanted = node.op is CompareOp.EQ
    if _beside_null(node):
        return _null(right if isinstance(node.left, Null) else left, wanted=wanted)
    if isinstance(node.right, Number | Text):
        return _with_constant(left, node.right.value, relation, wanted=wanted)
    return both_known(left, right, relation)


def _beside_null(node: Compare) -> bool:
    return isinstance(node.left, Null) or isinstance(node.right, Null)


def _null(operand: Run, *, wanted: bool) -> Run:
    """Beside null, a missing field counts as null."""

    def run(context: Context) -> bool | Unknown:
        value = operand(context)
        if type(value) is Unknown and not value.missing:
            return value
        return (value is None or type(value) is Unknown) is wanted

    return run


def _with_constant(left: Run, constant: Json, relation: Relation, *, wanted: bool) -> Run:
    """The commonest clause of all, such as `res_code(...) = 404`, without detours."""
    quick = int if type(constant) is int else None

    def run(context: Context) -> bool | Unknown:
        a = left(context)
        if type(a) is quick:
            return (a == constant) is wanted
        return settled(a) if type(a) is Unknown else relation(context, a, constant)

    return run


def _equal(
    fit: Fitting, bare: Rules, rules: Callable[[Context], Rules], *, wanted: bool
) -> Relation:
    def relation(context: Context, a: Json, b: Json) -> bool:
        if isinstance(a, dict | list) and isinstance(b, dict | list):
            # Schemas only forgive differences, and it takes longer to find them than to compare.
            return (equal(a, b, bare) or equal(a, b, rules(context))) is wanted
        return equal(*fit(a, b), PLAIN) is wanted

    return relation


def _ordering(op: CompareOp, fit: Fitting) -> Relation:
    holds = _ORDERED[op]

    def relation(_context: Context, a: Json, b: Json) -> bool | Unknown:
        if type(a) is int and type(b) is int:
            return holds(a - b)
        sign = order(*fit(a, b))
        return sign if isinstance(sign, Unknown) else holds(sign)

    return relation


def membership(value: Expression, collection: Expression, scope: Scope, build: Build) -> Relation:
    """Whether a collection (on the right) holds a value (on the left)."""
    sent = SentSide.LEFT if source(value, scope) is Part.REQ_BODY else SentSide.NEITHER
    as_text = travels_as_text(value, scope)
    find = schema_of(collection, scope, build)

    def rules(context: Context) -> Rules:
        schema = find(context) if find is not None else None
        found = items(schema, context.env.schemas) if schema is not None else None
        return Rules(sent, () if found is None else (found,), context.env.schemas)

    def relation(context: Context, a: Json, b: Json) -> bool | Unknown:
        if as_text and isinstance(b, list):
            return any(equal(unwired(a, element), element) for element in b)
        return contains(b, a, rules(context) if isinstance(a, dict | list) else PLAIN)

    return relation


def _in_class(left: Run, hundred: int) -> Run:
    def run(context: Context) -> bool | Unknown:
        status = left(context)
        if type(status) is Unknown:
            return settled(status)
        if not is_number(status):
            return Unknown(f"{describe(status)} is not a status code")
        return bool(hundred * 100 <= status < hundred * 100 + 100)

    return run


def _fitting(left: Expression, right: Expression, scope: Scope) -> Fitting:
    """What travelled as text takes the type of the other side; two such texts stay texts."""
    as_text = (travels_as_text(left, scope), travels_as_text(right, scope))
    if as_text == (True, False):
        return lambda a, b: (unwired(a, b), b)
    if as_text == (False, True):
        return lambda a, b: (a, unwired(b, a))
    return lambda a, b: (a, b)
