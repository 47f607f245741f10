"""Names that a person most likely meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

_MOST = 6


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name that a misspelt word most likely means."""
    plain = {_plain(name): name for name in reversed(list(names))}
    wanted = _plain(word)
    found = get_close_matches(wanted, list(plain), n=1, cutoff=0.6)
    begun = [name for name in plain if name.startswith(wanted) or wanted.startswith(name)]
    return plain[(found or begun)[0]] if found or begun else None


def did_you_mean(word: str, names: Iterable[str], owner: str) -> str | None:
    """A hint with the nearest name, or else with all of them; None where there are none."""
    known = list(dict.fromkeys(names))
    near = nearest(word, known)
    if near is not None:
        return f"did you mean `{near}`?"
    return f"{owner} has {listed(known)}" if known else None


def listed(names: list[str]) -> str:
    """Names in a row, cut where there are many: `a`, `b` and 3 more."""
    shown = [f"`{name}`" for name in names[:_MOST]]
    more = [f"{len(names) - _MOST} more"] if len(names) > _MOST else []
    *first, last = shown + more
    return f"{', '.join(first)} and {last}" if first else last


def _plain(name: str) -> str:
    """A name without what people spell differently."""
    return re.sub(r"[_\W]", "", name).lower() or name
