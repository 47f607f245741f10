"""How an instance that can still be read says that it is deleted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from icepick.execute.laws.echo import same
from icepick.glacier import Answer
from icepick.openapi.types import ABSENT, Json

_MARKS = re.compile(
    r"(?i)delet|remov|archiv|trash|cancel|inactiv|active|enabled|disabled|status|state|expir"
)
"""Names of fields that can say of an instance that it is deleted."""


def marked(before: Answer | None, after: Answer | None) -> tuple[str, ...]:
    """The fields that say of an instance that it is deleted: they changed, and are named so."""
    if before is None or after is None or not 200 <= after.status < 300:
        return ()
    was = dict(_leaves(before.body))
    return tuple(
        path
        for path, value in _leaves(after.body)
        if _MARKS.search(path.rpartition(".")[2]) and not same(was.get(path, ABSENT), value)
    )


def _leaves(body: Json, start: str = "") -> Iterator[tuple[str, Json]]:
    if not isinstance(body, dict):
        yield start, body
        return
    for name, value in body.items():
        yield from _leaves(value, f"{start}.{name}" if start else name)
