"""The values of a circuit's nodes for one block of states."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from icepick.explore.circuit import COMPARE, Circuit, Node, Op
from icepick.explore.layout import Array, Layout

_MOST_RUNS = 8


class Evaluation:
    """Computes each node at most once for the states of one block."""

    def __init__(self, circuit: Circuit, layout: Layout, states: Array) -> None:
        self._nodes = circuit.nodes
        self._runs = circuit.runs
        self._layout = layout
        self._states = states
        self._digits: dict[int, Array] = {}
        self._values: dict[int, Array] = {}

    def digit(self, position: int) -> Array:
        """That digit of every state."""
        found = self._digits.get(position)
        if found is None:
            found = self._digits[position] = self._layout.digit(self._states, position)
        return found

    def truth(self, node: int) -> Array:
        """A condition, as a boolean per state."""
        if self._nodes[node].op is Op.NUMBER:
            return np.full(self._states.shape[1], bool(self._nodes[node].table[0]))
        return self.value(node).astype(bool, copy=False)

    def value(self, node: int) -> Array:
        """A number or condition per state; a single element for a constant."""
        found = self._values.get(node)
        if found is None:
            found = self._values[node] = self._compute(node, self._nodes[node])
        return found

    def _compute(self, number: int, node: Node) -> Array:
        match node.op:
            case Op.NUMBER:
                return node.table.astype(_dtype(node.low, node.high))
            case Op.TABLE:
                return self._look_up(number, node)
            case Op.ALL:
                return self._join(np.logical_and, node)
            case Op.ANY:
                return self._join(np.logical_or, node)
            case Op.NOT:
                return np.logical_not(self.value(node.parts[0]))
            case Op.SUM:
                return self._sum(node)
            case Op.CHOOSE:
                return self._choose(node)
            case Op.COMPARE:
                return self._compare(node)

    def _look_up(self, number: int, node: Node) -> Array:
        assert node.position is not None  # noqa: S101 (a table always stands on a digit)
        digit = self.digit(node.position)
        if node.low < 0 or node.high > 1:
            return np.take(node.table.astype(_dtype(node.low, node.high)), digit)
        runs = self._runs(number)
        if len(runs) > _MOST_RUNS:
            return np.take(node.table != 0, digit)
        found = _within(digit, *runs[0], len(node.table) - 1)
        for run in runs[1:]:
            found |= _within(digit, *run, len(node.table) - 1)
        return found

    def _join(self, junction: np.ufunc, node: Node) -> Array:
        first, second, *rest = [self.value(part) for part in node.parts]
        joined: Array = junction(first, second)
        for value in rest:
            junction(joined, value, out=joined)
        return joined

    def _sum(self, node: Node) -> Array:
        parts = [self._nodes[part] for part in node.parts]
        low = min(node.low, *(p.low for p in parts))
        dtype = _dtype(low, max(node.high, *(p.high for p in parts)))
        total = np.zeros(self._states.shape[1], dtype=dtype)
        for part in node.parts:
            total += self.value(part)
        return total

    def _choose(self, node: Node) -> Array:
        condition, yes, no = (self.value(part) for part in node.parts)
        dtype = _dtype(node.low, node.high)
        return np.where(condition, yes.astype(dtype, copy=False), no.astype(dtype, copy=False))

    def _compare(self, node: Node) -> Array:
        left, right = (self.value(part) for part in node.parts)
        assert node.comparator is not None  # noqa: S101 (a comparison always has one)
        compared: Array = COMPARE[node.comparator](left, right)
        return compared


def _dtype(low: int, high: int) -> npt.DTypeLike:
    for dtype in (np.int8, np.int16, np.int32):
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return dtype
    return np.int64


def _within(digit: Array, first: int, last: int, largest: int) -> Array:
    """Comparisons are many times as fast as looking up one element after another."""
    found: Array
    if first == last:
        found = digit == first
    elif first == 0:
        found = digit <= last
    elif last == largest:
        found = digit >= first
    else:
        found = (digit - digit.dtype.type(first)) <= last - first
    return found
