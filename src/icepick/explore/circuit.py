"""Conditions and numbers over the digits of a state, shared and folded before they are evaluated.

A node is a number in a list; equal nodes are one node, so that what many actions ask is computed
once per block of states. Whatever depends on a single digit is folded into a table over that
digit's values, however deep the expression was that it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import reduce
from typing import Any

import numpy as np

from icepick.explore.layout import Array
from icepick.model.expressions import (
    Comparator,
)


class Op(Enum):
    """What a node computes."""

    NUMBER = auto()
    TABLE = auto()
    ALL = auto()
    ANY = auto()
    NOT = auto()
    COMPARE = auto()
    SUM = auto()
    CHOOSE = auto()


COMPARE: dict[Comparator, Callable[[Any, Any], Any]] = {
    Comparator.EQUAL: np.equal,
    Comparator.UNEQUAL: np.not_equal,
    Comparator.LESS: np.less,
    Comparator.AT_MOST: np.less_equal,
    Comparator.GREATER: np.greater,
    Comparator.AT_LEAST: np.greater_equal,
}


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One operation; `table` holds the values of a TABLE by digit, or the one of a NUMBER."""

    op: Op
    parts: tuple[int, ...]
    table: Array
    comparator: Comparator | None = None
    position: int | None = None
    low: int = 0
    high: int = 1


_NO_TABLE = np.zeros(0, dtype=np.int64)


class Circuit:
    """Builds nodes over digits with the given radices."""

    def __init__(self, radices: Sequence[int]) -> None:
        self._radices = tuple(radices)
        self._known: dict[tuple[Any, ...], int] = {}
        self._made: dict[tuple[Any, ...], int] = {}
        self._runs: dict[int, list[tuple[int, int]]] = {}
        self.nodes: list[Node] = []
        self._digits = [self.table(i, np.arange(radix)) for i, radix in enumerate(radices)]
        self.false = self.number(0)
        self.true = self.number(1)

    def number(self, value: int) -> int:
        """A constant; conditions are 0 and 1."""
        found = self._known.get((Op.NUMBER, value))
        if found is None:
            table = np.array([value], dtype=np.int64)
            node = Node(Op.NUMBER, (), table, low=value, high=value)
            found = self._intern((Op.NUMBER, value), node)
        return found

    def table(self, position: int, values: Array) -> int:
        """A number that depends on one digit only."""
        values = values.astype(np.int64)
        low, high = int(values.min()), int(values.max())
        if low == high:
            return self.number(low)
        node = Node(Op.TABLE, (), values, position=position, low=low, high=high)
        return self._intern((Op.TABLE, position, values.tobytes()), node)

    def digit(self, position: int) -> int:
        """The digit itself."""
        return self._digits[position]

    def all(self, parts: Iterable[int]) -> int:
        """Every part is true."""
        return self._junction(Op.ALL, parts, neutral=self.true, decisive=self.false)

    def any(self, parts: Iterable[int]) -> int:
        """Some part is true."""
        return self._junction(Op.ANY, parts, neutral=self.false, decisive=self.true)

    def negate(self, part: int) -> int:
        """The part is false."""
        if self.nodes[part].op is Op.NOT:
            return self.nodes[part].parts[0]
        return self._make(Op.NOT, (part,), 0, 1)

    def compare(self, comparator: Comparator, left: int, right: int) -> int:
        """The two numbers compared."""
        return self._make(Op.COMPARE, (left, right), 0, 1, comparator)

    def equals(self, left: int, value: int) -> int:
        """The number is this constant."""
        return self.compare(Comparator.EQUAL, left, self.number(value))

    def total(self, parts: Sequence[int]) -> int:
        """The sum of numbers or conditions."""
        if not parts:
            return self.number(0)
        if len(parts) == 1:
            return parts[0]
        low = sum(self.nodes[p].low for p in parts)
        return self._make(Op.SUM, tuple(parts), low, sum(self.nodes[p].high for p in parts))

    def choose(self, condition: int, yes: int, no: int) -> int:
        """One number or the other."""
        if yes == no or condition == self.true:
            return yes
        if condition == self.false:
            return no
        low = min(self.nodes[yes].low, self.nodes[no].low)
        high = max(self.nodes[yes].high, self.nodes[no].high)
        return self._make(Op.CHOOSE, (condition, yes, no), low, high)

    def image(self, value: int, images: Mapping[int, int]) -> int:
        """The image of a number; 0 for one that has none."""
        node = self.nodes[value]
        if node.op in (Op.NUMBER, Op.TABLE):
            table = np.array([images.get(int(v), 0) for v in node.table], dtype=np.int64)
            return (
                self.number(int(table[0]))
                if node.position is None
                else self.table(node.position, table)
            )
        found = self.number(0)
        for number, target in images.items():
            found = self.choose(self.equals(value, number), self.number(target), found)
        return found

    def allowed(self, condition: int) -> dict[int, Array]:
        """For single digits, the values (as a mask) without which the condition is false."""
        node = self.nodes[condition]
        parts = node.parts if node.op is Op.ALL else (condition,)
        tables = [self.nodes[p] for p in parts if self.nodes[p].op is Op.TABLE]
        return {t.position: t.table != 0 for t in tables if t.position is not None}

    def runs(self, table: int) -> list[tuple[int, int]]:
        """Where a table is not 0: intervals, both ends included."""
        found = self._runs.get(table)
        if found is None:
            padded = np.concatenate(([0], (self.nodes[table].table != 0).astype(np.int8), [0]))
            edges = np.flatnonzero(np.diff(padded)).tolist()
            found = [
                (first, after - 1) for first, after in zip(edges[::2], edges[1::2], strict=True)
            ]
            self._runs[table] = found
        return found

    def _junction(self, op: Op, parts: Iterable[int], *, neutral: int, decisive: int) -> int:
        flat = self._flatten(op, parts)
        if decisive in flat:
            return decisive
        by_digit: dict[int | None, list[int]] = {}
        for part in flat:
            if part != neutral:
                by_digit.setdefault(self.nodes[part].position, []).append(part)
        others = by_digit.pop(None, [])
        merged = [self._make(op, tuple(same), 0, 1) for same in by_digit.values()]
        if decisive in merged:
            return decisive
        kept = tuple(sorted({p for p in (*merged, *others) if p != neutral}))
        if not kept:
            return neutral
        return kept[0] if len(kept) == 1 else self._make(op, kept, 0, 1)

    def _flatten(self, op: Op, parts: Iterable[int]) -> list[int]:
        flat: list[int] = []
        for part in parts:
            flat.extend(self.nodes[part].parts if self.nodes[part].op is op else (part,))
        return flat

    def _make(
        self,
        op: Op,
        parts: tuple[int, ...],
        low: int,
        high: int,
        comparator: Comparator | None = None,
    ) -> int:
        key = (op, comparator, parts)
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = self._fold_or_keep(op, parts, low, high, comparator)
        return found

    def _fold_or_keep(
        self,
        op: Op,
        parts: tuple[int, ...],
        low: int,
        high: int,
        comparator: Comparator | None,
    ) -> int:
        nodes = [self.nodes[part] for part in parts]
        supports = {n.position for n in nodes if n.op is not Op.NUMBER}
        if not supports or (len(supports) == 1 and None not in supports):
            return self._fold(op, nodes, comparator, supports)
        self.nodes.append(Node(op, parts, _NO_TABLE, comparator, low=low, high=high))
        return len(self.nodes) - 1

    def _fold(
        self, op: Op, nodes: list[Node], comparator: Comparator | None, supports: set[int | None]
    ) -> int:
        values = np.atleast_1d(apply(op, comparator, [node.table for node in nodes]))
        if not supports:
            return self.number(int(values[0]))
        position = next(iter(supports))
        assert position is not None  # noqa: S101 (a single digit was asked for above)
        return self.table(position, np.broadcast_to(values, self._radices[position]))

    def _intern(self, key: tuple[Any, ...], node: Node) -> int:
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self.nodes)
            self.nodes.append(node)
        return found


def apply(op: Op, comparator: Comparator | None, values: list[Array]) -> Array:
    """One operation on numbers that are already known, conditions being 0 and 1."""
    match op:
        case Op.ALL:
            return reduce(np.minimum, values)
        case Op.ANY:
            return reduce(np.maximum, values)
        case Op.NOT:
            return np.asarray(1 - values[0])
        case Op.SUM:
            return reduce(np.add, values)
        case Op.CHOOSE:
            return np.where(values[0] != 0, values[1], values[2])
        case _:
            assert comparator is not None  # noqa: S101 (numbers and tables are never applied)
            return np.asarray(COMPARE[comparator](values[0], values[1]))
