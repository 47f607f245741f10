"""Plans as lines of JSON: first what the calls mean, then a sequence per line.

Whole blocks are put into text at once: every call and every number of a state is looked up in a
table of byte strings of one width, and the padding is taken out at the end.
"""

from __future__ import annotations

import json
from typing import Any, BinaryIO

import numpy as np

from icepick.explore.layout import Array
from icepick.sequences.types import Batch, Call

ROWS = 1 << 12


class Writer:
    """Writes the batches of a plan with so many states to a file as they come."""

    def __init__(
        self, file: BinaryIO, calls: tuple[Call, ...], states: int, about: dict[str, Any]
    ) -> None:
        self._file = file
        self._calls = _table([json.dumps(call.name, ensure_ascii=False) for call in calls])
        self._states = _numbers(states)
        header = {**about, "calls": [call_json(call) for call in calls]}
        self._file.write(json.dumps(header, ensure_ascii=False).encode() + b"\n")

    def write(self, batch: Batch) -> None:
        """Add a line per sequence: the names of its calls, and the states that it comes by."""
        number = len(batch.offsets) - 1
        for start in range(0, number, ROWS):
            self._write(batch, start, min(start + ROWS, number))

    def _write(self, batch: Batch, start: int, stop: int) -> None:
        offsets = batch.offsets[start : stop + 1]
        part = slice(int(offsets[0]), int(offsets[-1]))
        there = np.arange(int(np.diff(offsets).max())) < np.diff(offsets)[:, np.newaxis]
        calls = _joined(self._calls, there, batch.calls[part])
        # The first comma of a row is padding too.
        calls[:, :1] = 0
        states = _joined(self._states, there, batch.states[part])
        self._file.write(_text((b'{"calls":[', calls, b'],"states":[0', states, b"]}\n")))


def call_json(call: Call) -> dict[str, Any]:
    """A call in values that `json` can write."""
    found: dict[str, Any] = {
        "name": call.name,
        "kind": call.kind.value,
        "operation": call.operation,
        "arguments": [a if isinstance(a, str) else list(a) for a in call.arguments],
    }
    if call.action is not None:
        found["action"] = call.action
    if call.input:
        found["input"] = call.input
    if call.violated:
        found["violated"] = list(call.violated)
    return found


def _table(texts: list[str]) -> Array:
    """Row 0 is nothing; text i is row i + 1, padded with zero bytes."""
    return np.array([b"", *(b"," + text.encode() for text in texts)])


def _numbers(number: int) -> Array:
    """The same for the texts of all numbers below this one."""
    digits = len(str(max(number - 1, 1)))
    found = np.zeros((number + 1, digits + 1), dtype=np.uint8)
    found[1:, 0] = ord(",")
    rest = np.arange(number)
    for place in range(digits, 0, -1):
        shown = (rest > 0) | (place == digits)
        found[1:, place] = np.where(shown, ord("0") + rest % 10, 0)
        rest //= 10
    return found.view(f"S{digits + 1}")[:, 0]


def _joined(table: Array, there: Array, rows: Array) -> Array:
    """The bytes of each sequence: what the table says of each element, nothing past the end."""
    cells = np.zeros(there.shape, dtype=np.int64)
    cells[there] = rows
    cells += there
    return table.take(cells).view(np.uint8).reshape(len(there), -1)


def _text(pieces: tuple[bytes | Array, ...]) -> bytes:
    rows = max(len(piece) for piece in pieces if not isinstance(piece, bytes))
    columns = [
        np.broadcast_to(np.frombuffer(piece, dtype=np.uint8), (rows, len(piece)))
        if isinstance(piece, bytes)
        else piece
        for piece in pieces
    ]
    return np.concatenate(columns, axis=1).tobytes().translate(None, b"\0")
