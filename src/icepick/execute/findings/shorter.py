"""Ways to leave calls out of a sequence and keep its last one, the most promising first."""

from __future__ import annotations

from collections.abc import Iterator

from icepick.sequences.types import Call

Calls = tuple[Call, ...]


def shorter(calls: Calls) -> Iterator[Calls]:
    """Shorter sequences with the same last call; whether they make sense, the model says."""
    if len(calls) < 2:
        return
    rest, last = calls[:-1], calls[-1]
    wanted = _needed(rest, _values(last))
    yield from _new(calls, tuple(one for one in rest if _values(one) & wanted), last)
    # All that is needed, made once: what was deleted and made again before does not count.
    yield from _new(calls, _latest(rest, wanted), last)
    for value in sorted({value for one in rest for value in _values(one)} - _values(last)):
        yield from _new(calls, tuple(one for one in rest if value not in _values(one)), last)
    for position in range(len(rest) - 1, -1, -1):
        yield (*rest[:position], *rest[position + 1 :], last)


def _new(calls: Calls, rest: Calls, last: Call) -> Iterator[Calls]:
    if len(rest) + 1 < len(calls):
        yield (*rest, last)


def _values(call: Call) -> frozenset[str]:
    found: set[str] = set()
    for one in call.arguments:
        found |= {one} if isinstance(one, str) else set(one)
    # Numbers are arguments too, but nothing that exists.
    return frozenset(value for value in found if not value.isdigit())


def _needed(rest: Calls, wanted: frozenset[str]) -> frozenset[str]:
    """The values that the wanted ones were made with, and so on."""
    found = set(wanted)
    for call in reversed(rest):
        values = _values(call)
        first = call.arguments[0] if call.arguments else None
        if first in found:
            found |= values
    return frozenset(found)


def _latest(rest: Calls, wanted: frozenset[str]) -> Calls:
    """For each wanted value the last call that begins with it, in the order of the sequence."""
    kept: list[Call] = []
    seen: set[object] = set()
    for call in reversed(rest):
        first = call.arguments[0] if call.arguments else None
        if first in wanted and first not in seen:
            seen.add(first)
            kept.append(call)
    return tuple(reversed(kept))
