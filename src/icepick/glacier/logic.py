"""Compiled connectives and quantifiers, in Kleene's logic: unknown is neither true nor false, and
what decides is not held up by what is unknown."""

from __future__ import annotations

from dataclasses import replace

from icepick.glacier.code import Build, Code, Context, Run, Scope
from icepick.glacier.comparison import distinct
from icepick.glacier.tree import And, Implies, Not, Or, Quantifier, QuantifierKind
from icepick.glacier.values import Unknown, describe, settled, truth
from icepick.openapi.types import Json


def compile_not(node: Not, scope: Scope, build: Build) -> Code:
    """The contrary."""
    operand = build(node.operand, scope)
    of = operand.run

    def run(context: Context) -> bool | Unknown:
        value = truth(of(context))
        return value if isinstance(value, Unknown) else not value

    return Code(node, run, (operand,), before=operand.before)


def compile_junction(node: And | Or, scope: Scope, build: Build) -> Code:
    """All of several, or one of them: the first operand that decides ends it."""
    parts = tuple(build(operand, scope) for operand in node.operands)
    run = _junction(tuple(part.run for part in parts), decisive=isinstance(node, Or))
    return Code(node, run, parts, before=any(part.before for part in parts))


def _junction(operands: tuple[Run, ...], *, decisive: bool) -> Run:
    indecisive = not decisive

    def run(context: Context) -> bool | Unknown:
        doubt: Unknown | None = None
        for operand in operands:
            value = operand(context)
            if value is decisive:
                return not indecisive
            if doubt is None and value is not indecisive:
                doubt = _doubt(value)
        return indecisive if doubt is None else doubt

    return run


def compile_implies(node: Implies, scope: Scope, build: Build) -> Code:
    """If the left holds, so does the right: unknown on the left leaves it to the right."""
    left, right = build(node.left, scope), build(node.right, scope)

    def run(context: Context) -> bool | Unknown:
        condition = truth(left.run(context))
        if condition is False:
            return True
        value = truth(right.run(context))
        if condition is True or value is True:
            return value
        return condition

    return Code(node, run, (left, right), before=left.before or right.before)


def compile_quantifier(node: Quantifier, scope: Scope, build: Build) -> Code:
    """Several ranges are quantifiers inside one another."""
    first, *others = node.ranges
    inner = replace(node, ranges=tuple(others)) if others else node.body
    within = scope.binding(first.names, first.collection)
    collection, body = build(first.collection, scope), build(inner, within)
    slots = tuple(within.variables[name].slot for name in first.names)
    decisive = node.kind is QuantifierKind.EXISTS
    if len(slots) == 1:
        run = _over_elements(collection.run, slots[0], body.run, decisive=decisive)
    else:
        run = _over_choices(collection.run, slots, body.run, decisive=decisive)
    one = replace(node, ranges=(first,), body=inner)
    before = collection.before or body.before
    return Code(one, run, (collection, body), slots=slots, before=before)


def _over_elements(collection: Run, slot: int, body: Run, *, decisive: bool) -> Run:
    indecisive = not decisive

    def run(context: Context) -> bool | Unknown:
        elements = collection(context)
        if type(elements) is not list:
            return no_collection(elements)
        variables = context.variables
        doubt: Unknown | None = None
        for element in elements:
            variables[slot] = element
            value = body(context)
            if value is decisive:
                return not indecisive
            if doubt is None and value is not indecisive:
                doubt = _doubt(value)
        return indecisive if doubt is None else doubt

    return run


def _over_choices(collection: Run, slots: tuple[int, ...], body: Run, *, decisive: bool) -> Run:
    def run(context: Context) -> bool | Unknown:
        elements = collection(context)
        if type(elements) is not list:
            return no_collection(elements)
        doubt: Unknown | None = None
        for choice in distinct(elements, len(slots)):
            for slot, element in zip(slots, choice, strict=True):
                context.variables[slot] = element
            value = truth(body(context))
            if value is decisive:
                return decisive
            if doubt is None and isinstance(value, Unknown):
                doubt = value
        return (not decisive) if doubt is None else doubt

    return run


def _doubt(value: Json) -> Unknown | None:
    found = truth(value)
    return found if isinstance(found, Unknown) else None


def no_collection(value: Json) -> Unknown:
    """Why nothing can be said on the elements of a value."""
    if isinstance(value, Unknown):
        return settled(value)
    return Unknown(f"{describe(value)} is not a collection")
