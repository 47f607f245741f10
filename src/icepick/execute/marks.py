"""How an instance that can still be read says that it is deleted."""

from __future__ import annotations

import re

from icepick.execute.answers import fields_of
from icepick.execute.laws.echo import same
from icepick.glacier import Answer
from icepick.openapi.types import ABSENT

_MARKS = re.compile(
    r"(?i)delet|remov|archiv|trash|cancel|inactiv|active|enabled|disabled|status|state|expir"
)
"""Names of fields that can say of an instance that it is deleted."""


def marked(before: Answer | None, after: Answer | None) -> tuple[str, ...]:
    """The fields that say of an instance that it is deleted: they changed, and are named so."""
    if before is None or after is None or not 200 <= after.status < 300:
        return ()
    was = dict(fields_of(before.body))
    return tuple(
        ".".join(path)
        for path, value in fields_of(after.body)
        if _MARKS.search(path[-1]) and not same(was.get(path, ABSENT), value)
    )
