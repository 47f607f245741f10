"""Why a formula is false: the values of its variables, and the comparison that decided.

The formula has been evaluated in the same context, so that nothing is asked for a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from icepick.glacier.code import Code, Context
from icepick.glacier.comparison import difference, distinct
from icepick.glacier.printer import print_formula
from icepick.glacier.tree import (
    And,
    Compare,
    CompareOp,
    Expression,
    Field,
    Implies,
    Index,
    Name,
    Node,
    Not,
    Or,
    Quantifier,
    QuantifierKind,
    StatusClass,
    Strict,
    children,
    root,
)
from icepick.glacier.values import Unknown, describe, truth
from icepick.openapi.types import Json

_LONGEST_BODY = 80

Bindings = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The variables in force where it was decided, and what decided it, in words."""

    bindings: Bindings
    text: str


def explain(code: Code, context: Context) -> Explanation:
    """Why a formula that was just evaluated to false is false."""
    return _why(code, context, {}, value=False)


def _why(code: Code, context: Context, bound: Bindings, *, value: bool) -> Explanation:
    """Why a formula has the truth value that it has."""
    match code.node:
        case Not():
            return _why(code.parts[0], context, bound, value=not value)
        case And() | Or():
            return _junction(code, context, bound, value=value)
        case Implies() if not value:
            return _why(code.parts[1], context, bound, value=False)
        case Quantifier():
            return _quantifier(code, context, bound, value=value)
    text = f"{_statement(code, context)} is {'true' if value else 'false'}"
    return Explanation(bound, _with_bindings(code.node, bound, text))


def _junction(code: Code, context: Context, bound: Bindings, *, value: bool) -> Explanation:
    """One operand decides that a conjunction is false; all of them, that a disjunction is."""
    if value is isinstance(code.node, Or):
        for part in code.parts:
            if truth(part.run(context)) is value:
                return _why(part, context, bound, value=value)
    found = [_why(part, context, bound, value=value) for part in code.parts]
    return Explanation(bound, " and ".join(explanation.text for explanation in found))


def _quantifier(code: Code, context: Context, bound: Bindings, *, value: bool) -> Explanation:
    node = code.node
    assert isinstance(node, Quantifier)  # noqa: S101 - the caller matched it
    if value is (node.kind is QuantifierKind.EXISTS):
        for inner in _choices(code, context, bound):
            if truth(code.parts[1].run(context)) is value:
                return _why(code.parts[1], context, inner, value=value)
    names = ", ".join(node.ranges[0].names)
    quantity = "every" if value else "no"
    text = f"{quantity} {names} of {_count(code, context)} fits: {_short(node.body)}"
    return Explanation(bound, _with_bindings(node, bound, text))


def _choices(code: Code, context: Context, bound: Bindings) -> Iterator[Bindings]:
    """Sets the variables of a quantifier to each choice of elements in turn."""
    node = code.node
    assert isinstance(node, Quantifier)  # noqa: S101 - the caller matched it
    elements = code.parts[0].run(context)
    for choice in distinct(elements, len(code.slots)) if isinstance(elements, list) else ():
        for slot, element in zip(code.slots, choice, strict=True):
            context.variables[slot] = element
        yield {**bound, **dict(zip(node.ranges[0].names, choice, strict=True))}


def _count(code: Code, context: Context) -> str:
    elements = code.parts[0].run(context)
    return f"{len(elements)}" if isinstance(elements, list) else describe(elements)


def _statement(code: Code, context: Context) -> str:
    match code.node:
        case Compare(right=StatusClass(hundred=hundred)):
            return f"{describe(code.parts[0].run(context))} in {hundred}xx"
        case Compare() as node:
            return _compared(node, code, context)
        case Strict(operand=operand):
            return f"strict({_compared(operand, code, context)})"
    return _short(code.node)


def _compared(node: Compare, code: Code, context: Context) -> str:
    left, right = (part.run(context) for part in code.parts)
    both = isinstance(left, dict | list) and isinstance(right, dict | list)
    if both and node.op is CompareOp.EQ and code.rules is not None:
        differs = difference(left, right, code.rules(context))
        return _short(node) if differs is None else f"{_short(node)} ({differs})"
    return f"{_shown(left)} {node.op.value} {_shown(right)}"


def _shown(value: Json) -> str:
    """A value in a comparison; only beside null can one be missing there."""
    return "nothing" if isinstance(value, Unknown) else describe(value)


def _short(node: Expression) -> str:
    text = print_formula(node)
    return text if len(text) <= _LONGEST_BODY else f"{text[: _LONGEST_BODY - 3]}..."


def _with_bindings(node: Node, bound: Bindings, text: str) -> str:
    """The text, after the values of what it uses of the variables: `t.tid = 7: ...`."""
    used = dict.fromkeys(_uses(node, bound))
    given = ", ".join(f"{print_formula(use)} = {describe(_taken(use, bound))}" for use in used)
    return f"{given}: {text}" if given else text


def _uses(node: Node, bound: Bindings) -> Iterator[Expression]:
    """The variables in a formula, each with the fields that are taken of it."""
    if isinstance(node, Name | Field | Index):
        base = root(node)
        if isinstance(base, Name) and base.name in bound:
            yield node
            return
    for child in children(node):
        yield from _uses(child, bound)


def _taken(node: Node, bound: Bindings) -> Json:
    match node:
        case Name(name=name):
            return bound[name]
        case Field(base=base, name=name):
            value = _taken(base, bound)
            return value.get(name) if isinstance(value, dict) else None
        case Index(base=base, index=index):
            value = _taken(base, bound)
            return value[index] if isinstance(value, list) and index < len(value) else None
    return None
