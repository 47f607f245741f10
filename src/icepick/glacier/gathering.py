"""Compiled lists of what an expression is for the elements of collections that fit."""

from __future__ import annotations

from dataclasses import replace

from icepick.glacier.code import Build, Code, Context, Run, Scope
from icepick.glacier.comparison import distinct
from icepick.glacier.logic import no_collection
from icepick.glacier.tree import Gathered
from icepick.glacier.values import Unknown, settled, truth
from icepick.openapi.types import Json


def compile_gathered(node: Gathered, scope: Scope, build: Build) -> Code:
    """Several ranges are lists inside one another, put together."""
    first, *others = node.ranges
    within = scope.binding(first.names, first.collection)
    collection = build(first.collection, scope)
    if others:
        body = compile_gathered(replace(node, ranges=tuple(others)), within, build)
    else:
        body = _one(node, within, build)
    slots = tuple(within.variables[name].slot for name in first.names)
    run = _over_choices(collection.run, slots, body.run)
    before = collection.before or body.before
    return Code(node, run, (collection, body), slots=slots, before=before)


def _one(node: Gathered, scope: Scope, build: Build) -> Code:
    """The expression for one choice of elements: a list of it, or an empty one."""
    item = build(node.item, scope)
    if node.condition is None:
        return Code(
            node.item, lambda context: _listed(item.run(context)), (item,), before=item.before
        )
    condition = build(node.condition, scope)

    def run(context: Context) -> list[Json] | Unknown:
        fits = truth(condition.run(context))
        if isinstance(fits, Unknown):
            return fits
        return _listed(item.run(context)) if fits else []

    before = condition.before or item.before
    return Code(node.item, run, (condition, item), before=before)


def _listed(value: Json) -> list[Json] | Unknown:
    return settled(value) if isinstance(value, Unknown) else [value]


def _over_choices(collection: Run, slots: tuple[int, ...], body: Run) -> Run:
    def run(context: Context) -> list[Json] | Unknown:
        elements = collection(context)
        if type(elements) is not list:
            return no_collection(elements)
        found: list[Json] = []
        doubt: Unknown | None = None
        # One doubt is enough, but whoever fetches answers wants to know of all that are missing.
        for choice in distinct(elements, len(slots)):
            for slot, element in zip(slots, choice, strict=True):
                context.variables[slot] = element
            values = body(context)
            if isinstance(values, Unknown):
                doubt = doubt or values
            else:
                found += values
        return found if doubt is None else doubt

    return run
