"""The set of states seen so far: a bit per integer while that fits, else a hash table.

A set hands out a handle for every state it is given: an unsigned 32-bit integer that stands for
the state until the exploration is over and states get their numbers.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from icepick.explore.columns import Column
from icepick.explore.layout import SMALL_SPACE, Array, Layout

_MARK = np.uint32(2**31)
_ROOM = 3


class StateSet(Protocol):
    """What exploration needs of a set of states."""

    @property
    def nbytes(self) -> int:
        """The memory it holds."""

    def add(self, states: Array) -> tuple[Array, Array]:
        """Add a block of packed states: their handles, and those that are new, each once."""

    def number(self, states: Array) -> None:
        """From now on the states are known by their place in this block, which has them all."""

    def numbers(self, handles: Array) -> Array:
        """The numbers of the states with these handles."""


def state_set(layout: Layout) -> StateSet:
    """The set that suits the layout."""
    return FlatSet(layout.slots) if layout.slots <= SMALL_SPACE else HashedSet(layout.words)


class FlatSet:
    """A bit per integer; the handle of a state is the state itself."""

    def __init__(self, slots: int) -> None:
        self._bits = np.zeros((slots + 63) // 64 * 8, dtype=np.uint8)
        self._before: Array = np.zeros(0, dtype=np.uint32)
        self._numbers: Array = np.zeros(0, dtype=np.uint32)

    @property
    def nbytes(self) -> int:
        """The memory it holds."""
        return int(self._bits.nbytes + self._before.nbytes + self._numbers.nbytes)

    def add(self, states: Array) -> tuple[Array, Array]:
        """Add states; new ones come back in ascending order."""
        (word,) = states
        here = self._bits.take(word >> np.uint32(3))
        here >>= (word & np.uint32(7)).astype(np.uint8)
        here &= np.uint8(1)
        fresh = word[here == 0]
        if len(fresh) > 1 and not (fresh[1:] > fresh[:-1]).all():
            fresh = np.unique(fresh)
        self._mark(fresh)
        return word, fresh[np.newaxis]

    def _mark(self, fresh: Array) -> None:
        if len(fresh) == 0:
            return
        places = fresh >> np.uint32(3)
        bits = np.uint8(1) << (fresh & np.uint32(7)).astype(np.uint8)
        starts = np.flatnonzero(np.concatenate(([True], places[1:] != places[:-1])))
        self._bits[places[starts]] |= np.bitwise_or.reduceat(bits, starts)

    def number(self, states: Array) -> None:
        """Count the bits before each 64-bit word, and keep the number of the n-th set bit."""
        counts = np.bitwise_count(self._bits.view(np.uint64))
        self._before = np.cumsum(counts, dtype=np.uint32)
        self._before -= counts
        self._numbers = np.empty(states.shape[1], dtype=np.uint32)
        for start in range(0, states.shape[1], 1 << 20):
            block = states[0, start : start + (1 << 20)]
            self._numbers[self._rank(block)] = np.arange(start, start + len(block), dtype=np.uint32)

    def numbers(self, handles: Array) -> Array:
        """The numbers of the states with these handles."""
        return self._numbers.take(self._rank(handles))

    def _rank(self, handles: Array) -> Array:
        places = (handles >> np.uint32(6)).astype(np.intp)
        below = (np.uint64(1) << (handles & np.uint32(63)).astype(np.uint64)) - np.uint64(1)
        below &= self._bits.view(np.uint64).take(places)
        rank: Array = self._before.take(places) + np.bitwise_count(below)
        return rank


class HashedSet:
    """An open-addressing table; the handle of a state is its place in order of arrival."""

    def __init__(self, words: int) -> None:
        self._keys = [Column(np.uint64) for _ in range(words)]
        self._table: Array = np.zeros(1 << 16, dtype=np.uint32)
        self._numbers: Array = np.zeros(0, dtype=np.uint32)

    @property
    def nbytes(self) -> int:
        """The memory it holds."""
        keys = sum(column.nbytes for column in self._keys)
        return int(keys + self._table.nbytes + self._numbers.nbytes)

    def add(self, states: Array) -> tuple[Array, Array]:
        """Add states; new ones come back in order of arrival."""
        number = len(self._keys[0])
        if _ROOM * (number + states.shape[1]) > len(self._table):
            self._rebuild(number + states.shape[1])
        handles = self._insert(states)
        return handles, np.stack([column.view[number:] for column in self._keys])

    def _rebuild(self, number: int) -> None:
        size = len(self._table)
        while size < 2 * _ROOM * number:
            size *= 2
        self._table = np.zeros(size, dtype=np.uint32)
        pending = np.arange(len(self._keys[0]), dtype=np.uint32)
        slots = self._slots(np.stack([column.view for column in self._keys]))
        step = 0
        while len(pending):
            step += 1
            empty = np.flatnonzero(self._table.take(slots) == 0)
            winners = empty[self._claim(slots[empty])]
            self._table[slots[winners]] = pending[winners] + np.uint32(1)
            lost = self._table.take(slots) != pending + np.uint32(1)
            pending, slots = pending[lost], self._next(slots[lost], step)

    def _insert(self, states: Array) -> Array:
        """Find or make a place for each state."""
        handles = np.zeros(states.shape[1], dtype=np.uint32)
        pending = np.arange(states.shape[1], dtype=np.uint32)
        slots = self._slots(states)
        step = 0
        while len(pending):
            step += 1
            found = self._table.take(slots)
            empty = np.flatnonzero(found == 0)
            if len(empty):
                winners = empty[self._claim(slots[empty])]
                self._keep(states, pending[winners], slots[winners])
                found[empty] = self._table.take(slots[empty])
            found -= np.uint32(1)
            same = self._equal(states, pending, found)
            handles[pending[same]] = found[same]
            other = np.flatnonzero(~same)
            pending, slots = pending[other], self._next(slots[other], step)
        return handles

    def _slots(self, states: Array) -> Array:
        slots: Array = _hash(states) & np.uint64(len(self._table) - 1)
        return slots.astype(np.intp)

    def _next(self, slots: Array, step: int) -> Array:
        """Growing steps come by every slot of a table whose size is a power of two."""
        following: Array = (slots + step) & (len(self._table) - 1)
        return following

    def _claim(self, slots: Array) -> Array:
        """Of several states that want a slot exactly one gets it."""
        marks = np.arange(len(slots), dtype=np.uint32) | _MARK
        self._table[slots] = marks
        won: Array = self._table.take(slots) == marks
        return won

    def _keep(self, states: Array, winners: Array, slots: Array) -> None:
        start = len(self._keys[0]) + 1
        self._table[slots] = np.arange(start, start + len(winners), dtype=np.uint32)
        for column, word in zip(self._keys, states, strict=True):
            column.append(word.take(winners))

    def _equal(self, states: Array, pending: Array, found: Array) -> Array:
        same = np.ones(len(pending), dtype=bool)
        for column, word in zip(self._keys, states, strict=True):
            same &= column.view.take(found) == word.take(pending)
        return same

    def number(self, states: Array) -> None:
        """Find every state's handle once more, in the order of the numbers."""
        self._numbers = np.empty(states.shape[1], dtype=np.uint32)
        for start in range(0, states.shape[1], 1 << 20):
            block = states[:, start : start + (1 << 20)]
            handles, _ = self.add(block)
            self._numbers[handles] = np.arange(start, start + block.shape[1], dtype=np.uint32)

    def numbers(self, handles: Array) -> Array:
        """The numbers of the states with these handles."""
        return self._numbers.take(handles)


def _hash(states: Array) -> Array:
    mixed = np.zeros(states.shape[1], dtype=np.uint64)
    for word in states:
        mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
        mixed *= np.uint64(0xD6E8FEB86659FD93)
        mixed ^= mixed >> np.uint64(29)
    return mixed
