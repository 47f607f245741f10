"""A clause as Python text, for tests that run without icepick. What has no plain form is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
    QuantifierKind,
    Range,
    Read,
    Request,
    StatusClass,
    Text,
)


@dataclass(frozen=True, slots=True)
class Check:
    """GETs to make before and after the call (variable and path), and what must hold then.

    With `required` it is about what had to hold before the call.
    """

    before: tuple[tuple[str, str], ...]
    after: tuple[tuple[str, str], ...]
    condition: str
    uses_sent: bool
    required: bool = False


class _UntranslatableError(Exception):
    """Part of a clause has no plain form in Python."""


def translated(
    formula: Formula, answer: str, parameters: Mapping[str, str], lost: str = ""
) -> Check | None:
    """The clause of a call whose answer is in the variable `answer`.

    `parameters` are the path parameters of the call, as Python text. `lost` is a field that was
    sent and did not come back: which others need not, only the document says.
    """
    translator = _Translator(answer, parameters, lost)
    try:
        condition = translator.text(formula)
    except _UntranslatableError:
        return None
    return Check(
        tuple((name, path) for path, name in translator.before.items()),
        tuple((name, path) for path, name in translator.after.items()),
        condition,
        translator.uses_sent,
    )


class _Translator:
    """Collects the GETs that a formula asks for while it is written as Python."""

    def __init__(self, answer: str, parameters: Mapping[str, str], lost: str) -> None:
        self.before: dict[str, str] = {}
        self.after: dict[str, str] = {}
        self.uses_sent = False
        self._answer = answer
        self._parameters = parameters
        self._lost = lost
        self._bound: list[str] = []
        self._earlier = False

    def text(self, node: Expression) -> str:
        """An expression as Python."""
        match node:
            case Null():
                return "None"
            case Boolean(value=value) | Number(value=value) | Text(value=value):
                return repr(value)
            case Listing(items=items):
                return f"[{', '.join(map(self.text, items))}]"
            case Name() | Read() | Field() | Index() | Prev():
                return self._value(node)
        return self._operation(node)

    def _value(self, node: Name | Read | Field | Index | Prev) -> str:
        match node:
            case Name(name=name):
                return f"each_{name}" if name in self._bound else self._parameter(name)
            case Read():
                return self._read(node)
            case Field(base=Read(part=Part.PATH_PARAM, request=None), name=name):
                return self._parameter(name)
            case Field(base=base, name=name):
                return f"field({self.text(base)}, {name!r})"
            case Index(base=base, index=index):
                return f"field({self.text(base)}, {index})"
            case Prev(operand=operand):
                return self._prev(operand)

    def _operation(self, node: Expression) -> str:
        match node:
            case Call(function=Function.LEN | Function.SUM as function, arguments=(value,)):
                return f"{function.value}({self.text(value)})"
            case Arithmetic(op=op, left=left, right=right):
                return f"({self.text(left)} {op.value} {self.text(right)})"
            case Compare():
                return self._compare(node)
            case Not(operand=operand):
                return f"not ({self.text(operand)})"
            case And(operands=operands):
                return " and ".join(f"({self.text(each)})" for each in operands)
            case Or(operands=operands):
                return " or ".join(f"({self.text(each)})" for each in operands)
            case Implies(left=left, right=right):
                return f"not ({self.text(left)}) or ({self.text(right)})"
            case Quantifier() | Gathered():
                return self._elements(node)
        raise _UntranslatableError

    def _elements(self, node: Quantifier | Gathered) -> str:
        if isinstance(node, Gathered):
            return f"[{self._over(node.ranges, node.item, node.condition)}]"
        word = "all" if node.kind is QuantifierKind.FOR else "any"
        return f"{word}({self._over(node.ranges, node.body, None)})"

    def _parameter(self, name: str) -> str:
        if name not in self._parameters:
            raise _UntranslatableError
        return self._parameters[name]

    def _read(self, node: Read) -> str:
        if node.request is None and node.part is Part.REQ_BODY:
            self.uses_sent = True
            return "sent"
        if node.part not in {Part.RES_CODE, Part.RES_BODY}:
            raise _UntranslatableError
        if node.request is None and self._earlier:
            raise _UntranslatableError
        source = self._answer if node.request is None else self._get(node.request)
        return f"{source}.status" if node.part is Part.RES_CODE else f"{source}.json()"

    def _get(self, request: Request) -> str:
        """The variable that holds the answer, or a call where it depends on a quantifier."""
        parts = [repr(p) if isinstance(p, str) else f"part({self.text(p)})" for p in request.parts]
        path = " + ".join(parts)
        if any(f"each_{name}" in path for name in self._bound):
            if self._earlier:
                raise _UntranslatableError
            return f"service.get({path})"
        if self._earlier and self._answer in path:
            raise _UntranslatableError
        asked, kind = (self.before, "before") if self._earlier else (self.after, "after")
        return asked.setdefault(path, f"{kind}_{len(asked) + 1}")

    def _prev(self, operand: Expression) -> str:
        self._earlier, outer = True, self._earlier
        try:
            return self.text(operand)
        finally:
            self._earlier = outer

    def _compare(self, node: Compare) -> str:
        left = self.text(node.left)
        if isinstance(node.right, StatusClass):
            return f"{left} // 100 == {node.right.hundred}"
        right = self.text(node.right)
        match node.op:
            case CompareOp.EQ if _is_number(node.left) or _is_number(node.right):
                return f"{left} == {right}"
            case CompareOp.EQ:
                return f"same({left}, {right})" + self._not_lost(left, right)
            case CompareOp.NE:
                return f"not same({left}, {right})"
            case CompareOp.IN:
                return f"any(same({left}, item) for item in {right})"
        return f"{left} {node.op.value} {right}"

    def _not_lost(self, left: str, right: str) -> str:
        if not self._lost or "sent" not in {left, right}:
            return ""
        other = right if left == "sent" else left
        return f" and field({other}, {self._lost!r}) is not None"

    def _over(
        self, ranges: tuple[Range, ...], item: Expression, condition: Expression | None
    ) -> str:
        """What an expression is for the elements of collections, as the inside of a generator."""
        loops, depth = [], len(self._bound)
        for each in ranges:
            if len(each.names) != 1 or not each.names[0].isidentifier():
                raise _UntranslatableError
            loops.append(f"for each_{each.names[0]} in {self.text(each.collection)}")
            self._bound.append(each.names[0])
        body = self.text(item)
        loops += [] if condition is None else [f"if {self.text(condition)}"]
        del self._bound[depth:]
        return f"{body} {' '.join(loops)}"


def _is_number(node: Expression | StatusClass) -> bool:
    match node:
        case Number() | Arithmetic() | Call(function=Function.LEN) | Read(part=Part.RES_CODE):
            return True
        case Prev(operand=operand):
            return _is_number(operand)
    return False
