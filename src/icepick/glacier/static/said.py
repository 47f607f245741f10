"""Formulas that the document answers already: it says the same, or it says the contrary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from icepick.errors import Code, Severity
from icepick.glacier.comparison import equal
from icepick.glacier.static.api import Setting
from icepick.glacier.static.bounds import bounds_of, within
from icepick.glacier.static.findings import Findings
from icepick.glacier.static.kinds import NUMBER, TEXT, TRUTH, elements
from icepick.glacier.static.names import nearest
from icepick.glacier.static.values import Value
from icepick.glacier.tree import (
    Boolean,
    Call,
    Compare,
    CompareOp,
    Expression,
    Field,
    Function,
    Listing,
    Node,
    Null,
    Number,
    Part,
    Read,
    StatusClass,
    Text,
)
from icepick.glacier.values import describe
from icepick.openapi.shape import Schemas, keyword
from icepick.openapi.types import Json

_FLIPPED = {
    CompareOp.LT: CompareOp.GT,
    CompareOp.GT: CompareOp.LT,
    CompareOp.LE: CompareOp.GE,
    CompareOp.GE: CompareOp.LE,
}


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the document says of a formula: whether it holds, and why, in words."""

    holds: bool
    why: str
    severity: Severity = Severity.WARNING
    hint: str | None = None


class Said:
    """Compares the formulas of one clause with what the document says."""

    def __init__(self, schemas: Schemas, setting: Setting, findings: Findings) -> None:
        self._schemas = schemas
        self._setting = setting
        self._findings = findings

    def of_call(self, node: Call, value: Value) -> Value:
        """The value of a function; `unique` may be no more than the schema says."""
        if node.function is Function.UNIQUE:
            whole = len(node.arguments) == 1
            if whole and keyword(value.schema, "uniqueItems", self._schemas) is True:
                self._report(node, _Answer(True, _schema_says("uniqueItems")))
            return Value(TRUTH)
        if node.function in {Function.MIN, Function.MAX}:
            return Value(elements(value.schema, self._schemas))
        if node.function is Function.KEYS:
            return Value({"type": "array", "items": TEXT})
        return Value(NUMBER, length_of=value.schema if node.function is Function.LEN else None)

    def compared(self, node: Compare, left: Value, right: Value) -> None:
        """Report a comparison that the document decides."""
        found = self._answer(node, left, right)
        if found is not None:
            self._report(node, found)

    def _report(self, node: Compare | Call, answer: _Answer) -> None:
        if answer.holds:
            message = f"by the document this is always true: {answer.why}"
            hint = "leave it out: what the document says is checked anyway"
            self._findings.note(Code.RESTATED_SCHEMA, message, node, hint)
        else:
            message = f"by the document this is never true: {answer.why}"
            at = _constant_side(node)
            self._findings.add(answer.severity, Code.RULED_OUT_BY_SCHEMA, message, at, answer.hint)

    def _answer(self, node: Compare, left: Value, right: Value) -> _Answer | None:
        if isinstance(node.left, Read) and node.left == Read(Part.RES_CODE):
            return self._status(node)
        match node.left, node.right:
            case subject, Null() | Number() | Text() | Boolean() | Listing() as constant:
                return self._constant(node.op, subject, left, constant)
            case Null() | Number() | Text() | Boolean() as constant, subject:
                op = _FLIPPED.get(node.op, node.op)
                usable = op is not CompareOp.IN and not isinstance(subject, StatusClass)
                return self._constant(op, subject, right, constant) if usable else None
        return None

    def _constant(
        self, op: CompareOp, subject: Expression | StatusClass, value: Value, constant: Expression
    ) -> _Answer | None:
        if isinstance(subject, StatusClass | Read | Listing | Null | Number | Text | Boolean):
            return None
        match constant:
            case Null():
                return self._null(op, subject, value)
            case Listing(items=items):
                values = _literals(items)
                listed = values is not None and op is CompareOp.IN
                return self._among(value, values or [], wanted=True) if listed else None
            case Number(value=number):
                found = within(op, number, bounds_of(value, self._schemas))
                return _bounded(*found) if found else self._equal(op, value, number)
            case Text(value="") if op is CompareOp.NE:
                return self._empty(value) or self._equal(op, value, "")
            case Text(value=text):
                return self._equal(op, value, text)
        return None

    def _null(self, op: CompareOp, subject: Expression, value: Value) -> _Answer | None:
        if op not in {CompareOp.EQ, CompareOp.NE}:
            return None
        if not value.is_sure or value.is_null(self._schemas):
            return None
        words = "required" if isinstance(subject, Field) or value.is_wire else "type"
        return _Answer(op is CompareOp.NE, _schema_says(words), Severity.NOTE)

    def _equal(self, op: CompareOp, value: Value, constant: Json) -> _Answer | None:
        if op in {CompareOp.EQ, CompareOp.NE}:
            return self._among(value, [constant], wanted=op is CompareOp.EQ)
        return None

    def _among(self, value: Value, listed: list[Json], *, wanted: bool) -> _Answer | None:
        """Whether all declared values are listed, or none of them is."""
        word, declared = self._declared(value)
        if not declared or value.is_wire:
            return None
        found = [any(equal(one, other) for other in listed) for one in declared]
        if all(found) or not any(found):
            holds = all(found) is wanted
            why = _schema_says(f"{word}: {', '.join(map(describe, declared))}")
            return _Answer(holds, why, hint=_value_hint(listed, declared))
        return None

    def _declared(self, value: Value) -> tuple[str, list[Json]]:
        enum = keyword(value.schema, "enum", self._schemas)
        if isinstance(enum, list):
            return "enum", enum
        const = keyword(value.schema, "const", self._schemas)
        return ("const", [const]) if const is not None else ("", [])

    def _empty(self, value: Value) -> _Answer | None:
        least = keyword(value.schema, "minLength", self._schemas)
        return _Answer(True, _schema_says(f"minLength: {least}")) if least else None

    def _status(self, node: Compare) -> _Answer | None:
        """`res_code(@)` against the declared answers; `default` may be any code."""
        operation = self._setting.operation
        codes = list(operation.responses) if operation else []
        test = _status_test(node)
        if operation is None or test is None or not codes or "default" in codes:
            return None
        results = {test(code) for code in codes}
        if len(results) != 1 or None in results:
            return None
        why = f"{operation.label} declares {', '.join(codes)} only"
        return _Answer(results == {True}, why, Severity.NOTE)


def _constant_side(node: Compare | Call) -> Node:
    """The constant of a comparison, which is what is wrong where the schema rules it out."""
    sides = (node.right, node.left) if isinstance(node, Compare) else ()
    found = (side for side in sides if isinstance(side, Number | Text | Listing))
    return next(found, node)


def _schema_says(words: str) -> str:
    return f"the schema says `{words}`"


def _literals(items: Sequence[Expression]) -> list[Json] | None:
    values: list[Json] = []
    for item in items:
        match item:
            case Number(value=value) | Text(value=value) | Boolean(value=value):
                values.append(value)
            case Null():
                values.append(None)
            case _:
                return None
    return values


def _value_hint(listed: list[Json], declared: list[Json]) -> str | None:
    texts = [value for value in declared if isinstance(value, str)]
    wanted = next((value for value in listed if isinstance(value, str)), None)
    near = nearest(wanted, texts) if wanted is not None else None
    return f'did you mean "{near}"?' if near is not None else None


def _bounded(holds: bool, words: str | None) -> _Answer:
    if words is None:
        return _Answer(holds, "a length is never negative")
    return _Answer(holds, _schema_says(words))


def _status_test(node: Compare) -> Callable[[str], bool | None] | None:
    """What the comparison says of a declared code; a class of codes may hold either."""
    match node:
        case Compare(op=CompareOp.IN, right=StatusClass(hundred=hundred)):
            return lambda code: code.startswith(str(hundred))
        case Compare(op=CompareOp.EQ, right=Number(value=number)):
            return lambda code: int(code) == number if code.isdecimal() else _excluded(code, number)
    return None


def _excluded(code: str, number: float) -> bool | None:
    return False if int(number) // 100 != int(code[0]) else None
