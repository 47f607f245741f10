"""What all clients of one run share: whatever was done through one counts for the next."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from icepick.execute.chains.pool import Thing
from icepick.execute.chains.turns import Turns
from icepick.execute.staying import IN_ALL, Staying
from icepick.execute.stopped import Stopped
from icepick.execute.transport.attempts import Attempts
from icepick.execute.transport.envelopes import Envelopes
from icepick.openapi.shape import Schemas
from icepick.openapi.types import Operation


@dataclass(frozen=True, slots=True)
class Shared:
    """What a run has done to a service and has learned of how it answers."""

    attempts: Attempts
    """Sign-ins that were refused."""
    staying: Staying
    """What it leaves there because nothing removes it."""
    stopped: Stopped
    """What worked and stopped working."""
    envelopes: Envelopes = field(default_factory=Envelopes)
    """The fields by which the service says yes and no."""
    kept: dict[str, Thing] = field(default_factory=dict)
    """What chains made that stays for good, by resource."""
    outfits: Iterator[int] = field(default_factory=itertools.count)
    """Numbers for what chains work with, so that each makes other new values."""
    lags: dict[str, float] = field(default_factory=dict)
    """By operation the seconds after which what it did shows for sure."""
    turns: Turns = field(default_factory=Turns)
    """The kinds of things that operations took where several are possible."""


def shared(schemas: Schemas, most: int = IN_ALL, operations: Iterable[Operation] = ()) -> Shared:
    """What a run begins with; `most` of each resource may stay for now."""
    return Shared(Attempts(schemas), Staying(most), Stopped(operations))
