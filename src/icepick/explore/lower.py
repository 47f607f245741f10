"""Expressions of the model, with all variables bound, as nodes of a circuit."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from icepick.explore.circuit import Circuit
from icepick.explore.ground import Bound
from icepick.explore.layout import DANGLING, NULL, Layout, encode_constant
from icepick.model.expressions import (
    And,
    Comparator,
    Compare,
    Constant,
    Count,
    CountDistinct,
    Every,
    Exists,
    Expression,
    FieldOf,
    Implies,
    Not,
    Null,
    Or,
    Range,
    Some,
    Term,
    ValuesOf,
    Var,
)

Binding = Mapping[str, Bound]

_EQUALITY = (Comparator.EQUAL, Comparator.UNEQUAL)


class Lowering:
    """Turns terms and conditions into nodes."""

    def __init__(self, layout: Layout, circuit: Circuit) -> None:
        self.layout = layout
        self.circuit = circuit
        self._fields: dict[tuple[int, str], int] = {}
        self._positions = {r.name: layout.positions(r.name) for r in layout.model.resources}

    def position(self, resource: str, value: int) -> int:
        """Where a value's digit is."""
        return self._positions[resource][value]

    def values(self, resource: str) -> range:
        """The indices of a resource's values."""
        return range(len(self._positions[resource]))

    def is_present(self, digit: int) -> int:
        """The digit, given as a node, is not 0."""
        return self.circuit.negate(self.circuit.equals(digit, 0))

    def field(self, resource: str, position: int, name: str) -> int:
        """The encoded field of the record at a position; meaningless while it is absent."""
        found = self._fields.get((position, name))
        if found is None:
            found = self._fields[position, name] = self._field(resource, position, name)
        return found

    def _field(self, resource: str, position: int, name: str) -> int:
        place = self.layout.field(resource, name)
        digits = np.arange(self.layout.places[position].radix) - 1
        values = np.array(place.values)[digits // place.weight % len(place.values)]
        values[0] = values[-1]
        return self.circuit.table(position, values)

    def condition(self, expression: Expression, binding: Binding) -> int:
        """A condition: 0 or 1."""
        match expression:
            case Exists(resource, instance):
                return self._exists(resource, instance, binding)
            case Compare():
                return self._compare(expression, binding)
            case And(parts):
                return self.circuit.all([self.condition(part, binding) for part in parts])
            case Or(parts):
                return self.circuit.any([self.condition(part, binding) for part in parts])
            case Not(part):
                return self.circuit.negate(self.condition(part, binding))
            case Implies(left, right):
                unless = self.circuit.negate(self.condition(left, binding))
                return self.circuit.any([unless, self.condition(right, binding)])
            case Every(variable, over, inner):
                return self.circuit.all(self._for_each(variable, over, inner, binding))
            case Some(variable, over, inner):
                return self.circuit.any(self._for_each(variable, over, inner, binding))

    def term(self, term: Term, binding: Binding) -> tuple[int, int]:
        """A term: its value, and the condition under which it has one."""
        match term:
            case Var(name):
                bound = binding[name]
                assert isinstance(bound, int)  # noqa: S101 (the check of the model saw to it)
                return self.circuit.number(bound), self.circuit.true
            case Constant(value):
                return self._constant(encode_constant(value, self.layout.symbols))
            case Null():
                return self._constant(NULL)
            case FieldOf(resource, instance, name):
                return self._field_of(resource, instance, name, binding)
            case Count(resource, variable, inner):
                found = self._instances(resource, variable, inner, binding)
                return self.circuit.total(found), self.circuit.true
            case CountDistinct():
                return self._count_distinct(term, binding), self.circuit.true

    def _constant(self, value: int) -> tuple[int, int]:
        return self.circuit.number(value), self.circuit.true

    def _for_each(
        self, variable: str, over: Range, inner: Expression, binding: Binding
    ) -> list[int]:
        if isinstance(over, ValuesOf):
            values = tuple(self.values(over.resource))
        else:
            bound = binding[over.parameter]
            values = bound if isinstance(bound, tuple) else (bound,)
        return [self.condition(inner, {**binding, variable: value}) for value in values]

    def _exists(self, resource: str, instance: Term, binding: Binding) -> int:
        value, defined = self.term(instance, binding)
        found = [
            self.circuit.all([self.circuit.equals(value, v), self._present(resource, v)])
            for v in self._candidates(resource, value)
        ]
        return self.circuit.all([defined, self.circuit.any(found)])

    def _candidates(self, resource: str, value: int) -> range:
        """The values that a node can stand for: a bound variable is one of them only."""
        node = self.circuit.nodes[value]
        return range(max(node.low, 0), min(node.high + 1, len(self._positions[resource])))

    def _present(self, resource: str, value: int) -> int:
        return self.is_present(self.circuit.digit(self.position(resource, value)))

    def _field_of(
        self, resource: str, instance: Term, name: str, binding: Binding
    ) -> tuple[int, int]:
        value, _ = self.term(instance, binding)
        found = self.circuit.number(0)
        for v in self._candidates(resource, value):
            here = self.field(resource, self.position(resource, v), name)
            found = self.circuit.choose(self.circuit.equals(value, v), here, found)
        return found, self._exists(resource, instance, binding)

    def _instances(
        self, resource: str, variable: str, inner: Expression, binding: Binding
    ) -> list[int]:
        return [
            self.circuit.all(
                [self._present(resource, v), self.condition(inner, {**binding, variable: v})]
            )
            for v in self.values(resource)
        ]

    def _count_distinct(self, term: CountDistinct, binding: Binding) -> int:
        found = self._instances(term.resource, term.variable, term.condition, binding)
        fields = [
            self.field(term.resource, self.position(term.resource, v), term.field)
            for v in self.values(term.resource)
        ]
        seen = [
            self.circuit.any(
                self.circuit.all([here, self.circuit.equals(field, value)])
                for here, field in zip(found, fields, strict=True)
            )
            for value in self.layout.field(term.resource, term.field).values
            if value not in (NULL, DANGLING)
        ]
        return self.circuit.total(seen)

    def _compare(self, comparison: Compare, binding: Binding) -> int:
        left, left_defined = self.term(comparison.left, binding)
        right, right_defined = self.term(comparison.right, binding)
        parts = [left_defined, right_defined]
        if comparison.comparator not in _EQUALITY:
            floor = self.circuit.number(DANGLING)
            parts += [self.circuit.compare(Comparator.GREATER, s, floor) for s in (left, right)]
        parts.append(self.circuit.compare(comparison.comparator, left, right))
        return self.circuit.all(parts)
