"""Conditions without parts that say nothing."""

from __future__ import annotations

from icepick.model.expressions import And, Every, Expression, Implies, Not, Or, Some


def simplified(expression: Expression) -> Expression:
    """The same condition with constants and single parts folded."""
    match expression:
        case And(parts=parts):
            return _all(tuple(simplified(part) for part in parts))
        case Or(parts=parts):
            return _any(tuple(simplified(part) for part in parts))
        case Not(part=Not(part=part)):
            return simplified(part)
        case Not(part=part):
            return Not(simplified(part))
        case Implies(left=left, right=right):
            left = simplified(left)
            return simplified(right) if left == And(()) else Implies(left, simplified(right))
        case Every(variable=variable, over=over, condition=condition):
            return Every(variable, over, simplified(condition))
        case Some(variable=variable, over=over, condition=condition):
            return Some(variable, over, simplified(condition))
    return expression


def _all(parts: tuple[Expression, ...]) -> Expression:
    flat: list[Expression] = []
    for part in parts:
        flat += part.parts if isinstance(part, And) else (part,)
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def _any(parts: tuple[Expression, ...]) -> Expression:
    return parts[0] if len(parts) == 1 else Or(parts)
