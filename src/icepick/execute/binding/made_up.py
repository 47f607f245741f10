"""Identifiers of things that never were, of the same kind as those of things that are."""

from __future__ import annotations

import re
import string
from random import Random
from uuid import UUID

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ESCAPED = re.compile(r"%[0-9a-fA-F]{2}|.", re.DOTALL)
_KINDS = (string.ascii_lowercase, string.ascii_uppercase)
_LONG = 9


def never_was(path: str, rng: Random) -> str:
    """The same path with an identifier of the same form that nothing has."""
    bare = path.rstrip("/")
    start, _, last = bare.rpartition("/")
    return f"{start}/{_alike(last, rng)}{path[len(bare) :]}"


def _alike(identifier: str, rng: Random) -> str:
    if re.fullmatch(r"\d+", identifier):
        return str(rng.randrange(10 ** (_LONG - 1), 10**_LONG))
    if _UUID.fullmatch(identifier):
        return str(UUID(int=rng.getrandbits(128), version=4))
    return "".join(_other(one, rng) for one in _ESCAPED.findall(identifier))


def _other(text: str, rng: Random) -> str:
    """Another character of the same kind: what has a pattern is refused for another reason."""
    if text.isdigit():
        return rng.choice(string.digits)
    return next((rng.choice(kind) for kind in _KINDS if text in kind), text)
