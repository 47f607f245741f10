"""What a formula tells of its values before it runs: the message each is taken from, whether it
travelled as text, and where its schema is."""

from __future__ import annotations

from collections.abc import Callable

from icepick.glacier.code import Build, Context, Run, Scope
from icepick.glacier.comparison import Rules, SentSide
from icepick.glacier.tree import Expression, Field, Index, Name, Part, Prev, Read, root
from icepick.openapi.shape import items, properties
from icepick.openapi.types import Schema

SchemaOf = Callable[[Context], Schema | None]

_TEXTS = {Part.PATH_PARAM, Part.QUERY_PARAM, Part.RES_HEADER, Part.REQ_HEADER}


def source(node: Expression, scope: Scope) -> Part | None:
    """The part that a value is taken from, through variables and the collections they go over."""
    base = root(node)
    if isinstance(base, Name):
        variable = scope.variables.get(base.name)
        return source(variable.collection, variable.scope) if variable else Part.PATH_PARAM
    return base.part if isinstance(base, Read) else None


def travels_as_text(node: Expression, scope: Scope) -> bool:
    """Whether a value comes from a path, a query or a header."""
    return source(node, scope) in _TEXTS


def sent_side(left: Expression, right: Expression, scope: Scope) -> SentSide:
    """Which side is what the request sent; neither, where both are."""
    sent = [source(node, scope) is Part.REQ_BODY for node in (left, right)]
    if sent == [True, False]:
        return SentSide.LEFT
    return SentSide.RIGHT if sent == [False, True] else SentSide.NEITHER


def rules_for(
    left: Expression, right: Expression, scope: Scope, build: Build
) -> Callable[[Context], Rules]:
    """How two values are to be compared, as far as the environment has schemas for them."""
    sent = sent_side(left, right, scope)
    finders = [schema_of(node, scope, build) for node in (left, right)]

    def rules(context: Context) -> Rules:
        found = [finder(context) for finder in finders if finder is not None]
        return Rules(sent, tuple(s for s in found if s is not None), context.env.schemas)

    return rules


def schema_of(node: Expression, scope: Scope, build: Build) -> SchemaOf | None:
    """How to find the schema of a value, where the formula shows the body it is taken from."""
    match node:
        case Read(part=Part.REQ_BODY | Part.RES_BODY as part):
            return _schema_of_body(part, build(node, scope).path)
        case Field(base=base, name=name):
            return _inside(schema_of(base, scope, build), name)
        case Index(base=base):
            return _inside(schema_of(base, scope, build), None)
        case Prev(operand=operand):
            return schema_of(operand, scope, build)
        case Name(name=name) if name in scope.variables:
            variable = scope.variables[name]
            return _inside(schema_of(variable.collection, variable.scope, build), None)
    return None


def _schema_of_body(part: Part, path: Run | None) -> SchemaOf:
    def find(context: Context) -> Schema | None:
        where = path(context) if path is not None else None
        if where is not None and not isinstance(where, str):
            return None
        return context.env.schema(part, where)

    return find


def _inside(outer: SchemaOf | None, name: str | None) -> SchemaOf | None:
    """The schema of a field, or of the elements where no name is given."""
    if outer is None:
        return None

    def find(context: Context) -> Schema | None:
        schema = outer(context)
        if schema is None:
            return None
        if name is None:
            return items(schema, context.env.schemas)
        found = properties(schema, context.env.schemas).get(name)
        return found.schema if found is not None else None

    return find
