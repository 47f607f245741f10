"""How closely a call is looked at: the first time with everything, later only in passing.

A way to somewhere else is walked many times. Its calls were judged by their contracts when they
were made for the first time in that state; after that, what they answer is enough. Invariants are
about states: they are evaluated where an action first leads to a state, and when a sequence ends.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

_T = TypeVar("_T")
_MOST_VIEWED = 500


class Judge(StrEnum):
    """Which calls are judged by their whole contracts."""

    NEW = "new"
    EVERY = "every"


class Care:
    """Remembers what was looked at closely, in a whole run."""

    def __init__(self, judge: Judge) -> None:
        self._every = judge is Judge.EVERY
        self._calls: set[tuple[int, int, str]] = set()
        self._entries: set[tuple[int, int, str]] = set()
        self._states: set[tuple[int, int]] = set()
        self.broken_before: frozenset[str] = frozenset()
        """The invariants that did not hold before the run did anything."""

    def for_call(self, model: int, source: int, call: str) -> bool:
        """Whether a call in a state is judged by its contract."""
        return self._every or _is_new(self._calls, (model, source, call))

    def for_invariants(self, model: int, target: int, action: str) -> bool:
        """Whether invariants are evaluated after an action that leads to a state."""
        return self._every or _is_new(self._entries, (model, target, action))

    def for_views(self, model: int, state: int) -> bool:
        """Whether all views of a state are compared; of a large model, those of some states."""
        if self._every:
            return True
        return len(self._states) < _MOST_VIEWED and _is_new(self._states, (model, state))


def _is_new(known: set[_T], one: _T) -> bool:
    new = one not in known
    known.add(one)
    return new
