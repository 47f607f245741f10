"""How a formula names an instance: by a value of the call, inside a path or by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from icepick.openapi.places import HOLE, holes
from icepick.resources.types import Location, Path

_PLAIN = re.compile(r"[^\W\d]\w*")
_FIELD = re.compile(r"[\w$@-]+")


def access(base: str, path: Path) -> str:
    """A value inside another: `req_body(@){author.id}`."""
    if not path:
        return base
    if all(_FIELD.fullmatch(part) for part in path):
        return f"{base}{{{'.'.join(path)}}}"
    return base + "".join(f'["{part}"]' for part in path)


@dataclass(frozen=True, slots=True)
class Key:
    """The text of a value: `inside` a request path, and `alone` as an expression."""

    inside: str
    alone: str

    @classmethod
    def parameter(cls, name: str) -> Key:
        """A path parameter of this operation."""
        text = access("path_param(@)", (name,))
        return cls(f"{{{name}}}" if _PLAIN.fullmatch(name) else text, text)

    @classmethod
    def of_call(cls, part: str, path: Path) -> Key:
        """A value of the call itself: `part` is req_body, res_body or query_param."""
        text = access(f"{part}(@)", path)
        return cls(text, text)

    @classmethod
    def of_variable(cls, variable: str, path: Path) -> Key:
        """A value of a quantified variable."""
        text = ".".join((variable, *path))
        return cls(f"{{{text}}}", text)


Keys = Mapping[str, Key]
"""The value of each parameter of a path."""


def filled(path: str, keys: Keys) -> str | None:
    """A path with its parameters replaced by values; None where one of them is not known."""
    missing = [name for name in holes(path) if name not in keys]
    if missing:
        return None
    return HOLE.sub(lambda match: keys[match.group(1)].inside, path)


def key_of(location: Location, path: Path) -> Key | None:
    """The key that travels in a part of the call; None for headers and cookies."""
    if location is Location.PATH:
        return Key.parameter(path[0])
    parts = {Location.BODY: "req_body", Location.QUERY: "query_param"}
    return Key.of_call(parts[location], path) if location in parts else None
