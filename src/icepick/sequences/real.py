"""Sequences over representatives, with the values that they really have."""

from __future__ import annotations

import numpy as np

from icepick.model.types import Model
from icepick.sequences.calls import Calls
from icepick.sequences.orbits import Exchange, Orbits
from icepick.sequences.types import NO_EDGE, Argument, Batch, Call


def made_real(batch: Batch, orbits: Orbits, calls: Calls, model: Model) -> Batch:
    """The same sequences, each call with its values exchanged as the calls before it ask."""
    table = calls.table
    starts = set(batch.offsets[:-1].tolist())
    exchange = orbits.identity
    found: list[int] = []
    for place, (number, edge) in enumerate(
        zip(batch.calls.tolist(), batch.edges.tolist(), strict=True)
    ):
        if place in starts:
            exchange = orbits.identity
        found.append(calls.add(_exchanged(table[number], exchange, model)))
        if edge != NO_EDGE:
            exchange = orbits.after(exchange, edge)
    real = np.array(found, dtype=np.int64)
    return Batch(batch.offsets, real, batch.states, batch.edges)


def _exchanged(call: Call, exchange: Exchange, model: Model) -> Call:
    images: dict[str, str] = {}
    order: dict[str, int] = {}
    for resource in model.resources:
        for value, image in enumerate(exchange[resource.name]):
            images[resource.value_name(value)] = resource.value_name(image)
            order[resource.value_name(value)] = value
    arguments: list[Argument] = [
        images.get(argument, argument)
        if isinstance(argument, str)
        else tuple(sorted((images[member] for member in argument), key=order.__getitem__))
        for argument in call.arguments
    ]
    return Call(call.kind, call.operation, tuple(arguments), call.action, call.input, call.violated)
