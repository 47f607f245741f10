"""Messages cut into fragments, each about one thing, none inside another (section 4.3.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SHORTEST = 4
_EDGES = " \t\r\n;,.:|-"
_MANY = 400


class Fragments:
    """The fragments of all messages so far; a later message may cut an earlier one."""

    def __init__(self) -> None:
        self._known: list[str] = []

    @property
    def known(self) -> tuple[str, ...]:
        """Every fragment, in the order it was found."""
        return tuple(self._known)

    def add(self, messages: Iterable[str]) -> tuple[str, ...]:
        """Take in messages; gives the fragments that are new."""
        before = set(self._known)
        waiting = [text for message in messages if (text := _trimmed(message))]
        while waiting:
            self._put(waiting.pop(0), waiting)
        return tuple(one for one in self._known if one not in before)

    def inside(self, message: str) -> tuple[str, ...]:
        """The fragments that a message is made of."""
        text = _trimmed(message)
        return tuple(one for one in self._known if one in text)

    def _put(self, text: str, waiting: list[str]) -> None:
        if text in self._known or len(self._known) >= _MANY:
            return
        for known in self._known:
            if known in text:
                waiting += _without(text, known)
                return
        longer = [known for known in self._known if text in known]
        self._known = [known for known in self._known if known not in longer]
        self._known.append(text)
        for known in longer:
            waiting += _without(known, text)


def _without(text: str, part: str) -> list[str]:
    """What is left of a text around a part of it."""
    return [rest for piece in text.split(part) if len(rest := _trimmed(piece)) >= _SHORTEST]


def _trimmed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(_EDGES)
