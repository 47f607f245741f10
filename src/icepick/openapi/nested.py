"""The values inside a value, however deep."""

from __future__ import annotations

from collections.abc import Iterator

from icepick.openapi.types import Json


def leaves(value: Json, most: int) -> Iterator[tuple[str, Json]]:
    """What is neither an object nor a list, with the name of the field that it is in, the
    outermost first; once so many values were found, the rest is left."""
    waiting: list[tuple[str, Json]] = [("", value)]
    for name, one in waiting:
        if isinstance(one, dict):
            waiting += [(str(key), inner) for key, inner in one.items()]
        elif isinstance(one, list):
            waiting += [(name, inner) for inner in one]
        else:
            yield name, one
        if len(waiting) > most:
            return
