"""Whether the types of values allow what a formula does with them."""

from __future__ import annotations

from collections.abc import Mapping

from icepick.errors import Code
from icepick.glacier.static.findings import Findings
from icepick.glacier.static.kinds import ORDERED, SCALARS, Kinds, elements, kind_of, kinds, named
from icepick.glacier.static.values import Value
from icepick.glacier.tree import (
    Boolean,
    Compare,
    CompareOp,
    Expression,
    Field,
    Function,
    Node,
    Number,
    Part,
    Prev,
    Read,
    Text,
)
from icepick.openapi.shape import Schemas, properties

_LIST: Kinds = frozenset({"array"})
_WITH_LENGTH: Kinds = frozenset({"array", "string", "object"})
_TAKEN: Mapping[Function, tuple[Kinds, str]] = {
    Function.LEN: (_WITH_LENGTH, "has no length"),
    Function.KEYS: (frozenset({"object"}), "has no fields"),
    Function.CONTAINS: (frozenset({"array", "string"}), "is neither a list nor a text"),
    Function.UNIQUE: (_LIST, "is not a list"),
    Function.SUM: (_LIST, "is not a list"),
    Function.MIN: (_LIST, "is not a list"),
    Function.MAX: (_LIST, "is not a list"),
}
_OF_ELEMENTS: Mapping[Function, tuple[Kinds, str]] = {
    Function.SUM: (frozenset({"number"}), "cannot be added up"),
    Function.MIN: (ORDERED, "have no order"),
    Function.MAX: (ORDERED, "have no order"),
}


class Uses:
    """Reports uses that types do not allow, in one clause."""

    def __init__(self, schemas: Schemas, findings: Findings) -> None:
        self._schemas = schemas
        self._findings = findings

    def kinds(self, value: Value) -> Kinds:
        """The JSON types of a value."""
        return value.kinds(self._schemas)

    def _clash(self, message: str, at: Node, hint: str | None) -> None:
        self._findings.error(Code.TYPE_CLASH, message, at, hint)

    def _is(self, node: Node, value: Value) -> str:
        return f"`{self._findings.shown(node)}` is {self._named(value)}"

    def _named(self, value: Value) -> str:
        """The types of a value as the document has them."""
        return named(kinds(value.schema, self._schemas))

    def truth(self, node: Expression, value: Value) -> None:
        """A formula must be true or false."""
        if "boolean" not in self.kinds(value):
            message = f"{self._is(node, value)}, not something true or false"
            shown = self._findings.shown(node)
            hint = None if _is_literal(node) else f"compare it: {shown} = ..."
            self._findings.error(Code.NOT_A_TRUTH_VALUE, message, node, hint)

    def number(self, node: Expression, value: Value) -> None:
        """Only numbers can be added, subtracted and multiplied."""
        if "number" not in self.kinds(value):
            self._clash(
                f"{self._is(node, value)}, and only numbers can be reckoned with",
                node,
                self._length_hint(node, value),
            )

    def collection(self, node: Expression, value: Value) -> None:
        """A quantifier goes over a list."""
        found = self.kinds(value)
        if "array" not in found:
            inside = self._field_with(value, _LIST) if "object" in found else None
            hint = f"its field `{inside}` is a list" if inside else None
            self._clash(f"{self._is(node, value)}, not a list to go over", node, hint)

    def hole(self, node: Expression, value: Value) -> None:
        """What stands in a path is a single value."""
        found = self.kinds(value)
        if not found & SCALARS:
            inside = self._field_with(value, SCALARS) if "object" in found else None
            hint = f"take a field of it: {self._findings.shown(node)}.{inside}" if inside else None
            self._clash(f"{self._is(node, value)} and cannot be a part of a path", node, hint)

    def function(self, function: Function, node: Expression, value: Value) -> None:
        """A function takes values of some types only."""
        taken, complaint = _TAKEN[function]
        if not self.kinds(value) & taken:
            self._clash(f"{self._is(node, value)}, which {complaint}", node, None)
            return
        wanted = _OF_ELEMENTS.get(function)
        if wanted is not None:
            self._elements(node, value, wanted)

    def _elements(self, node: Expression, value: Value, wanted: tuple[Kinds, str]) -> None:
        found = kinds(elements(value.schema, self._schemas), self._schemas)
        if not found & wanted[0]:
            shown = self._findings.shown(node)
            message = f"the elements of `{shown}` are each {named(found)}: they {wanted[1]}"
            self._clash(message, node, None)

    def equality(self, node: Compare, left: Value, right: Value) -> None:
        """Values of different types are never equal."""
        if not self.kinds(left) & self.kinds(right):
            never = "never" if node.op is CompareOp.EQ else "always"
            result = "equal" if node.op is CompareOp.EQ else "different"
            self._compared(node, left, right, f"they are {never} {result}")

    def order(self, node: Compare, left: Value, right: Value) -> None:
        """Numbers have an order, and so have texts."""
        for side, value in ((node.left, left), (node.right, right)):
            if not self.kinds(value) & ORDERED:
                hint = self._length_hint(side, value)
                self._clash(f"{self._is(side, value)}, which has no order", side, hint)
                return
        if not self.kinds(left) & self.kinds(right) & ORDERED:
            self._compared(node, left, right, "they have no order")

    def membership(self, member: Expression, value: Value, collection: Value) -> None:
        """A list holds values of the types of its elements, a text holds texts."""
        found = self.kinds(collection)
        if "array" not in found or ("string" in found and "string" in self.kinds(value)):
            return
        inside = Value(elements(collection.schema, self._schemas), is_wire=collection.is_wire)
        if not self.kinds(inside) & self.kinds(value):
            shown = self._findings.shown(member)
            message = (
                f"the elements are each {self._named(inside)}, and `{shown}` is "
                f"{self._named(value)}: it is never among them"
            )
            self._clash(message, member, None)

    def status(self, node: Expression, value: Value) -> None:
        """Status codes have classes, other values do not."""
        if "number" not in self.kinds(value):
            message = f"{self._is(node, value)}, not a status code"
            self._clash(message, node, "write res_code(...) in 2xx")
        elif not _is_status(node):
            message = f"`{self._findings.shown(node)}` is not a status code"
            hint = "write res_code(...) in 2xx"
            self._findings.warning(Code.TYPE_CLASH, message, node, hint)

    def _compared(self, node: Compare, left: Value, right: Value, result: str) -> None:
        message = f"{self._named(left)} is compared with {self._named(right)}: {result}"
        literal = next((side for side in (node.right, node.left) if _is_literal(side)), None)
        hint = self._literal_hint(node, literal, left, right) if literal is not None else None
        hint = hint or self._length_hint_of_two(node, left, right)
        self._clash(message, node if literal is None else literal, hint)

    def _literal_hint(self, node: Compare, literal: Node, left: Value, right: Value) -> str | None:
        """The literal in the type of the other side, where it can be read as one."""
        wanted = self.kinds(left if literal is node.right else right)
        match literal:
            case Text(value=text) if "number" in wanted and _spells_number(text):
                return f"write {text} without quotes"
            case Text(value="true" | "false" as text) if "boolean" in wanted:
                return f"write {text} without quotes"
            case Number() | Boolean() if wanted - {"null"} == {"string"}:
                return f'write "{self._findings.shown(literal)}"'
        return None

    def _length_hint_of_two(self, node: Compare, left: Value, right: Value) -> str | None:
        if "number" in self.kinds(right):
            return self._length_hint(node.left, left)
        return self._length_hint(node.right, right) if "number" in self.kinds(left) else None

    def _length_hint(self, node: Node, value: Value) -> str | None:
        if self.kinds(value) - {"null"} == _LIST:
            return f"take its length: {self._findings.shown(node)}.len"
        return None

    def _field_with(self, value: Value, wanted: Kinds) -> str | None:
        """The first field of an object that is of some type; required ones count first."""
        declared = properties(value.schema, self._schemas).values()
        for part in sorted(declared, key=lambda part: not part.required):
            if kinds(part.schema, self._schemas) <= wanted:
                return part.name
        return None


def _is_literal(node: Node) -> bool:
    return isinstance(node, Text | Number | Boolean)


def _spells_number(text: str) -> bool:
    return kind_of(text) == "string" and text.removeprefix("-").isdecimal()


def _is_status(node: Expression) -> bool:
    """Whether a value is a status code, or a field that by its name holds one."""
    while isinstance(node, Prev):
        node = node.operand
    match node:
        case Read(part=Part.RES_CODE):
            return True
        case Field(name=name):
            return name.lower().endswith(("status", "code"))
    return False
