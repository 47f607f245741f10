"""GLACIER evaluated the slow and obvious way, from the tree: what the compiled form must agree
with. It works out at run time, value by value, what the compiler works out from the formula."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import permutations
from typing import Any
from urllib.parse import quote

from icepick.glacier import ABSENT, MemoryEnvironment
from icepick.glacier.tree import (
    And,
    Arithmetic,
    Boolean,
    Call,
    Compare,
    Field,
    Gathered,
    Implies,
    Index,
    Listing,
    Name,
    Node,
    Not,
    Null,
    Number,
    Or,
    Part,
    Prev,
    Quantifier,
    Read,
    Request,
    StatusClass,
    Strict,
    Text,
)

TEXTS = {Part.PATH_PARAM, Part.QUERY_PARAM, Part.REQ_HEADER, Part.RES_HEADER}


class DoubtError(Exception):
    """There is no value."""


class MissingError(DoubtError):
    """There is no such field."""


@dataclass(frozen=True)
class Value:
    """A value, and the part of an exchange it was taken from."""

    json: Any
    part: Part | None = None


@dataclass(frozen=True)
class Naive:
    env: MemoryEnvironment
    bound: dict[str, Value]
    before: bool = False

    def truth(self, node: Node) -> bool | None:
        try:
            value = self.value(node).json
        except DoubtError:
            return None
        return value if isinstance(value, bool) else None

    def json(self, node: Node) -> Any:
        """A value of which it no longer matters where it came from."""
        try:
            return self.value(node).json
        except MissingError:
            raise DoubtError from None

    def value(self, node: Node) -> Value:
        match node:
            case Null():
                return Value(None)
            case Boolean(value) | Number(value) | Text(value):
                return Value(value)
            case Listing(items):
                return Value([self.json(item) for item in items])
            case Name(name):
                return self.bound[name] if name in self.bound else self.parameter(name)
            case Read(part, None):
                return Value(self.this(part), part)
            case Read(part, Request(parts)):
                return Value(self.asked(part, "".join(self.hole(p) for p in parts)), part)
            case Field(base, name):
                value = self.value(base)
                return Value(self.field(value, name), value.part)
            case Index(base, index):
                value = self.value(base)
                return Value(self.element(value.json, index), value.part)
            case Prev(operand):
                return Naive(self.env, self.bound, before=True).value(operand)
            case Arithmetic() | Gathered() | Call():
                return Value(self.computed(node))
        return Value(self.decided(self.formula(node)))

    def computed(self, node: Arithmetic | Gathered | Call) -> Any:
        match node:
            case Arithmetic(op, left, right):
                return self.arithmetic(op.value, self.json(left), self.json(right))
            case Gathered(item, ranges, condition):
                return self.gathered(list(ranges), item, condition)
            case Call(function, arguments):
                return self.call(function.value, arguments)

    @staticmethod
    def decided(truth: bool | None) -> bool:
        if truth is None:
            raise DoubtError
        return truth

    def parameter(self, name: str) -> Value:
        if name not in self.env.sent.path:
            raise MissingError
        return Value(self.env.sent.path[name], Part.PATH_PARAM)

    def this(self, part: Part) -> Any:
        sent, answer = self.env.sent, self.env.answer
        if part in {Part.RES_CODE, Part.RES_BODY, Part.RES_HEADER}:
            if answer is None or self.before:
                raise DoubtError
            return self.of_answer(part, answer)
        found = {
            Part.REQ_BODY: sent.body,
            Part.REQ_HEADER: sent.headers,
            Part.PATH_PARAM: sent.path,
            Part.QUERY_PARAM: sent.query,
        }[part]
        if found is ABSENT:
            raise MissingError
        return found

    def of_answer(self, part: Part, answer: Any) -> Any:
        if part is Part.RES_CODE:
            return answer.status
        if part is Part.RES_HEADER:
            return answer.headers
        if answer.body is ABSENT:
            raise MissingError
        return answer.body

    def asked(self, part: Part, path: str) -> Any:
        answer = self.env.get_before(path) if self.before else self.env.get(path)
        if answer is None or (part is Part.RES_BODY and answer.status // 100 != 2):
            raise DoubtError
        return self.of_answer(part, answer)

    def hole(self, part: Any) -> str:
        if isinstance(part, str):
            return part
        value = self.json(part)
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, str) and value:
            return quote(value, safe="")
        if number(value):
            return str(int(value)) if value == int(value) else str(value)
        raise DoubtError

    def field(self, value: Value, name: str) -> Any:
        found = value.json
        if found is None:
            raise MissingError
        if not isinstance(found, dict):
            raise DoubtError
        for key, inner in found.items():
            if key == name:
                return inner
        raise MissingError

    def element(self, value: Any, index: int) -> Any:
        if value is None or (isinstance(value, list) and index >= len(value)):
            raise MissingError
        if not isinstance(value, list):
            raise DoubtError
        return value[index]

    def arithmetic(self, op: str, left: Any, right: Any) -> Any:
        if not (number(left) and number(right)):
            raise DoubtError
        return {"+": left + right, "-": left - right, "*": left * right}[op]

    def call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        first = self.json(arguments[0])
        if name == "contains":
            self.json(arguments[1])
            return self.holds(self.value(arguments[1]), self.value(arguments[0]))
        if name == "len":
            return len(the(first, list, str, dict))
        if name == "keys":
            return list(the(first, dict))
        elements = the(first, list)
        if len(arguments) == 2:
            elements = [taken(e, arguments[1].value) for e in elements]
        if name == "unique":
            known = [e for e in elements if e is not ABSENT]
            if any(exact(a, b) for a, b in permutations(known, 2)):
                return False
            return self.decided(True if len(known) == len(elements) else None)
        if ABSENT in elements:
            raise DoubtError
        if name == "sum":
            return sum(the(e, int, float) for e in elements)
        return self.extreme(elements, 1 if name == "max" else -1)

    def extreme(self, elements: list[Any], sign: int) -> Any:
        if not elements:
            raise DoubtError
        best = elements[0]
        for element in elements:
            if order(element, best) * sign > 0:
                best = element
        return best

    def formula(self, node: Node) -> bool | None:
        match node:
            case Not(operand):
                value = self.truth(operand)
                return None if value is None else not value
            case And(operands):
                return kleene_all([self.truth(o) for o in operands])
            case Or(operands):
                return kleene_any([self.truth(o) for o in operands])
            case Implies(left, right):
                value = self.truth(left)
                return kleene_any([None if value is None else not value, self.truth(right)])
            case Quantifier(kind, ranges, body):
                join = kleene_all if kind.value == "for" else kleene_any
                return self.quantified(join, list(ranges), body)
            case Compare() | Strict():
                return self.compare(node)
        raise AssertionError(node)

    def gathered(self, ranges: list[Any], item: Node, condition: Node | None) -> list[Any]:
        if not ranges:
            fits = True if condition is None else self.decided(self.truth(condition))
            return [self.json(item)] if fits else []
        first, *rest = ranges
        collection = Value(self.json(first.collection), self.value(first.collection).part)
        found = []
        for choice in permutations(the(collection.json, list), len(first.names)):
            names = zip(first.names, choice, strict=True)
            bound = {**self.bound, **{name: Value(e, collection.part) for name, e in names}}
            found += Naive(self.env, bound, self.before).gathered(rest, item, condition)
        return found

    def quantified(self, join: Any, ranges: list[Any], body: Node) -> bool | None:
        if not ranges:
            return self.truth(body)
        first, *rest = ranges
        try:
            collection = self.value(first.collection)
            elements = the(collection.json, list)
        except DoubtError:
            return None
        return join(
            Naive(
                self.env,
                {**self.bound, **{
                    name: Value(e, collection.part)
                    for name, e in zip(first.names, choice, strict=True)
                }},
                self.before,
            ).quantified(join, rest, body)
            for choice in permutations(elements, len(first.names))
        )  # fmt: skip

    def compare(self, node: Compare | Strict) -> bool:
        strict, node = isinstance(node, Strict), getattr(node, "operand", node)
        op = node.op.value
        if op in {"=", "!="} and Null in {type(node.left), type(node.right)}:
            other = node.right if isinstance(node.left, Null) else node.left
            return self.is_null(other) is (op == "=")
        left = Value(self.json(node.left), self.value(node.left).part)
        if isinstance(node.right, StatusClass):
            return the(left.json, int, float) // 100 == node.right.hundred
        right = Value(self.json(node.right), self.value(node.right).part)
        if op in {"=", "!="}:
            same = exact(left.json, right.json) if strict else equal(left, right)
            return same is (op == "=")
        if op == "in":
            return self.holds(left, right)
        a, b = fitted(left, right)
        sign = order(a, b)
        return {"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0}[op]

    def is_null(self, node: Node) -> bool:
        try:
            return self.value(node).json is None
        except MissingError:
            return True

    def holds(self, value: Value, collection: Value) -> bool:
        if isinstance(collection.json, str) and isinstance(value.json, str):
            return value.json in collection.json
        # Only the value may be what was sent, and only the value what travelled as text.
        return any(equal(value, Value(e)) for e in the(collection.json, list))


def the(value: Any, *types: type) -> Any:
    if isinstance(value, bool) or not isinstance(value, types):
        raise DoubtError
    return value


def taken(value: Any, name: str) -> Any:
    return value.get(name, ABSENT) if isinstance(value, dict) else ABSENT


def number(value: Any) -> bool:
    return type(value) in {int, float}


def kleene_all(values: Any) -> bool | None:
    found = list(values)
    return False if False in found else None if None in found else True


def kleene_any(values: Any) -> bool | None:
    found = list(values)
    return True if True in found else None if None in found else False


def instant(text: str) -> Any:
    return datetime.fromisoformat(text) if text.startswith("2024-") else None


def order(left: Any, right: Any) -> int:
    if not (number(left) and number(right)):
        if not (isinstance(left, str) and isinstance(right, str)):
            raise DoubtError
        if instant(left) and instant(right):
            left, right = instant(left), instant(right)
    return -1 if left < right else 1 if left > right else 0


def fitted(left: Value, right: Value) -> tuple[Any, Any]:
    texts = [value.part in TEXTS for value in (left, right)]
    if texts == [True, False]:
        return spelt(left.json, right.json), right.json
    if texts == [False, True]:
        return left.json, spelt(right.json, left.json)
    return left.json, right.json


def spelt(text: Any, other: Any) -> Any:
    if isinstance(text, str) and isinstance(other, bool):
        return {"true": True, "false": False}.get(text, text)
    if isinstance(text, str) and number(other):
        return int(text) if text.isdigit() else text
    if isinstance(other, str) and number(text):
        return str(text)
    return text


def fields(left: Any, right: Any, parts: list[Part | None]) -> Iterator[str]:
    if parts.count(Part.REQ_BODY) == 1:
        yield from (left, right)[parts.index(Part.REQ_BODY)]
    else:
        yield from {*left, *right}


def equal(left: Value, right: Value) -> bool:
    parts = [left.part, right.part]
    a, b = left.json, right.json
    if isinstance(a, dict) and isinstance(b, dict):
        return all(
            equal(Value(a.get(name), left.part), Value(b.get(name), right.part))
            for name in fields(a, b, parts)
        )
    if isinstance(a, list) and isinstance(b, list):
        pairs = zip(a, b, strict=False)
        return len(a) == len(b) and all(
            equal(Value(x, left.part), Value(y, right.part)) for x, y in pairs
        )
    a, b = fitted(left, right)
    if isinstance(a, str) and isinstance(b, str) and instant(a) and instant(b):
        return bool(instant(a) == instant(b))
    return exact(a, b)


def exact(a: Any, b: Any) -> bool:
    if isinstance(a, dict) and isinstance(b, dict):
        return set(a) == set(b) and all(exact(a[n], b[n]) for n in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(exact(x, y) for x, y in zip(a, b, strict=True))
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)
