"""Follow a formula with the schemas of the document: paths, fields, parameters and types."""

from __future__ import annotations

from collections.abc import Mapping

from icepick.glacier.static.api import Api, Setting
from icepick.glacier.static.findings import Findings
from icepick.glacier.static.kinds import NUMBER, TRUTH, either, elements
from icepick.glacier.static.reads import Reads
from icepick.glacier.static.said import Said
from icepick.glacier.static.uses import Uses
from icepick.glacier.static.values import UNKNOWN, Value, constant
from icepick.glacier.tree import (
    And,
    Arithmetic,
    Boolean,
    Call,
    Compare,
    CompareOp,
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
    Part,
    Prev,
    Quantifier,
    Range,
    Read,
    StatusClass,
    Strict,
    Text,
    walk,
)

Scope = Mapping[str, Value]
"""The variables in force."""

_ORDER = {CompareOp.LT, CompareOp.LE, CompareOp.GT, CompareOp.GE}


def examine(formula: Formula, api: Api, setting: Setting, findings: Findings) -> None:
    """Report what the document does not have, and what the types do not allow."""
    _Examiner(formula, api, setting, findings).formula(formula, {})


class _Examiner:
    """One clause on its way through the schemas."""

    def __init__(self, formula: Formula, api: Api, setting: Setting, findings: Findings) -> None:
        self._schemas = api.schemas
        self._findings = findings
        self._uses = Uses(api.schemas, findings)
        self._said = Said(api.schemas, setting, findings)
        # A clause that looks at the status may well speak of an answer that is no success.
        every = Read(Part.RES_CODE) in walk(formula)
        self._reads = Reads(api, setting, findings, every=every)

    def formula(self, node: Formula, scope: Scope) -> None:
        """A node that must be true or false."""
        self._uses.truth(node, self._value(node, scope))

    def _value(self, node: Expression, scope: Scope) -> Value:
        match node:
            case Null():
                return constant(None)
            case Boolean(value=value) | Number(value=value) | Text(value=value):
                return constant(value)
            case Listing(items=items):
                inside = either([self._value(item, scope).schema for item in items])
                return Value({"type": "array", "items": inside}, is_sure=True)
            case Name() | Read() | Field() | Index() | Prev():
                return self._taken(node, scope)
            case Gathered():
                return self._gathered(node, scope)
            case Call():
                return self._call(node, scope)
            case Arithmetic(left=left, right=right):
                for side in (left, right):
                    self._uses.number(side, self._value(side, scope))
                return Value(NUMBER)
        self._truth(node, scope)
        return Value(TRUTH)

    def _taken(self, node: Name | Read | Field | Index | Prev, scope: Scope) -> Value:
        match node:
            case Name(name=name):
                return scope[name] if name in scope else self._reads.path_parameter(name)
            case Read():
                return self._read(node, scope)
            case Field(base=Read(part=Part.PATH_PARAM | Part.QUERY_PARAM as part)):
                return self._reads.parameter(part, node)
            case Field(base=base):
                return self._reads.field(node, self._value(base, scope))
            case Index(base=base):
                return self._reads.index(node, self._value(base, scope))
            case Prev(operand=operand):
                return self._value(operand, scope)
        return UNKNOWN

    def _read(self, node: Read, scope: Scope, *, optional: bool = False) -> Value:
        for part in node.request.parts if node.request else ():
            if not isinstance(part, str):
                self._uses.hole(part, self._value(part, scope))
        return self._reads.part(node, optional=optional)

    def _call(self, node: Call, scope: Scope) -> Value:
        first, *others = node.arguments
        value = self._value(first, scope)
        match node.function, others:
            case Function.CONTAINS, [other]:
                self._uses.function(node.function, first, value)
                self._uses.membership(other, self._value(other, scope), value)
                return Value(TRUTH)
            case _, [Text(value=path) as name] if "array" in self._uses.kinds(value):
                inside = Value(elements(value.schema, self._schemas))
                for part in path.split("."):
                    inside = self._reads.field(Field(first, part, span=name.span), inside)
                value = Value({"type": "array", "items": inside.schema})
        self._uses.function(node.function, first, value)
        return self._said.of_call(node, value)

    def _truth(self, node: Expression, scope: Scope) -> None:
        match node:
            case Compare():
                self._compare(node, scope)
            case Strict(operand=operand):
                self._compare(operand, scope)
            case Not(operand=operand):
                self.formula(operand, scope)
            case And(operands=operands) | Or(operands=operands):
                for operand in operands:
                    self.formula(operand, scope)
            case Implies(left=left, right=right):
                self.formula(left, scope)
                self.formula(right, scope)
            case Quantifier():
                self._quantifier(node, scope)

    def _quantifier(self, node: Quantifier, scope: Scope) -> None:
        self.formula(node.body, self._within(node.ranges, scope))

    def _gathered(self, node: Gathered, scope: Scope) -> Value:
        inner = self._within(node.ranges, scope)
        if node.condition is not None:
            self.formula(node.condition, inner)
        return Value({"type": "array", "items": self._value(node.item, inner).schema})

    def _within(self, ranges: tuple[Range, ...], scope: Scope) -> Scope:
        inner = dict(scope)
        for part in ranges:
            value = self._value(part.collection, inner)
            self._uses.collection(part.collection, value)
            inside = elements(value.schema, self._schemas)
            element = Value(inside, is_sure=True, is_wire=value.is_wire)
            inner |= dict.fromkeys(part.names, element)
        return inner

    def _compare(self, node: Compare, scope: Scope) -> None:
        if isinstance(node.right, StatusClass):
            self._uses.status(node.left, self._value(node.left, scope))
            self._said.compared(node, UNKNOWN, UNKNOWN)
            return
        beside_null = isinstance(node.left, Null) or isinstance(node.right, Null)
        left = self._operand(node.left, scope, beside_null=beside_null)
        right = self._operand(node.right, scope, beside_null=beside_null)
        if node.op is CompareOp.IN:
            self._uses.function(Function.CONTAINS, node.right, right)
            self._uses.membership(node.left, left, right)
        elif node.op in _ORDER:
            self._uses.order(node, left, right)
        elif not beside_null:
            self._uses.equality(node, left, right)
        self._said.compared(node, left, right)

    def _operand(self, node: Expression, scope: Scope, *, beside_null: bool) -> Value:
        """A side of a comparison; beside null, a body may as well not be there."""
        match node:
            case Prev(operand=operand):
                return self._operand(operand, scope, beside_null=beside_null)
            case Read() if beside_null:
                return self._read(node, scope, optional=True)
        return self._value(node, scope)
