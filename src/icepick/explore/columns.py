"""Columns that grow, and blocks of states that are collected in them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from icepick.explore.layout import Array


class Column:
    """A growing array. It grows by an eighth, so that large columns waste little memory."""

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self._data: Array = np.zeros(1024, dtype=dtype)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    @property
    def nbytes(self) -> int:
        """The memory it holds."""
        return int(self._data.nbytes)

    @property
    def view(self) -> Array:
        """What was written so far; valid until the column grows."""
        return self._data[: self._used]

    def grow(self, number: int) -> Array:
        """Room for that many more elements, to be written by the caller at once."""
        start, self._used = self._used, self._used + number
        if self._used > len(self._data):
            self._resize(max(self._used, len(self._data) + len(self._data) // 8))
        return self._data[start : self._used]

    def append(self, values: Array) -> None:
        """Write these at the end."""
        self.grow(len(values))[:] = values

    def finish(self) -> Array:
        """The whole column, without slack; the column itself is empty afterwards."""
        self._resize(self._used)
        data = self._data
        self._data, self._used = np.zeros(0, dtype=data.dtype), 0
        return data

    def _resize(self, size: int) -> None:
        # In place: the system moves large arrays by remapping their pages, without a copy.
        self._data.resize(size, refcheck=False)


def chosen_dtype(largest: int) -> npt.DTypeLike:
    """The smallest unsigned type that holds numbers up to this one."""
    return next(
        dtype
        for dtype in (np.uint8, np.uint16, np.uint32, np.uint64)
        if largest <= np.iinfo(dtype).max
    )
