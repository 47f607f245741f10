"""One of each group: the nearest to the initial state, and by seed among those equally near."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from icepick.explore import Exploration
from icepick.explore.layout import Array

BLOCK = 1 << 16

Group = tuple[str, int]
"""An operation, and what tells its groups apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """States in the order in which they are looked at, and where in that order they begin."""

    start: int
    numbers: Array
    states: Array


def blocks(exploration: Exploration, seed: int) -> Iterator[Block]:
    """All states, level by level, within a level in an order that the seed decides."""
    rng = np.random.default_rng(seed)
    bounds = exploration.levels.tolist()
    order = np.concatenate([rng.permutation(np.arange(a, b)) for a, b in pairwise(bounds)])
    for start in range(0, len(order), BLOCK):
        numbers = order[start : start + BLOCK]
        yield Block(start, numbers, exploration.states[:, numbers])


@dataclass(slots=True)
class Groups:
    """The first member of each group that was offered."""

    _best: dict[Group, tuple[int, int, int]] = field(default_factory=dict)

    def offer(self, block: Block, rows: Array, keys: Array, who: str, member: int) -> None:
        """The states in these rows belong to the groups (who, key), each by way of the member."""
        found, first = np.unique(keys, return_index=True)
        for key, row in zip(found.tolist(), rows[first].tolist(), strict=True):
            known = self._best.get((who, key))
            if known is None or block.start + row < known[0]:
                state = int(block.numbers[row])
                self._best[who, key] = (block.start + row, state, member)

    def chosen(self) -> Iterator[tuple[Group, int, int]]:
        """Each group with its state and its member, in the order in which groups were found."""
        for group, (_, state, member) in self._best.items():
            yield group, state, member
