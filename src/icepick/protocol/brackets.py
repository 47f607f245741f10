"""A look at the brackets of a protocol before it is parsed, so that one that is missing is
reported where it was opened and not at the end of the file."""

from __future__ import annotations

import re

from icepick.errors import Code
from icepick.protocol.origin import Origin, ProtocolError

MAX_DEPTH = 200
"""How deep brackets, and the nodes of a tree, may nest."""

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_OPENERS = {closer: opener for opener, closer in _PAIRS.items()}
_MARKS = re.compile(
    r"""(?:\#|//)[^\n]*
      | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
      | (?P<mark>["'()\[\]{}])""",
    re.VERBOSE,
)


def check_brackets(origin: Origin) -> None:
    """ProtocolError where brackets or quotes do not match, or nest too deep."""
    opened: list[tuple[str, int]] = []
    for match in _MARKS.finditer(origin.text):
        mark = match["mark"]
        if mark is None:
            continue
        if mark in _PAIRS:
            opened.append((mark, match.start()))
            if len(opened) > MAX_DEPTH:
                raise too_deep(origin, match.start())
        elif mark in _OPENERS:
            _close(mark, match.start(), opened, origin)
        else:
            hint = "a text ends on the line it starts on, with the quote it starts with"
            raise _error(origin, "this text is never closed", match.start(), hint)
    if opened:
        mark, offset = opened[-1]
        hint = f"a `{_PAIRS[mark]}` is missing"
        raise _error(origin, f"this `{mark}` is never closed", offset, hint)


def too_deep(origin: Origin, offset: int) -> ProtocolError:
    """The error for a protocol nested deeper than MAX_DEPTH."""
    return origin.error(
        Code.PROTOCOL_TOO_DEEP,
        f"the protocol is nested more than {MAX_DEPTH} levels deep",
        offset,
        "give its parts names, and use the names",
    )


def _close(mark: str, offset: int, opened: list[tuple[str, int]], origin: Origin) -> None:
    if not opened:
        hint = f"remove it, or open it with `{_OPENERS[mark]}` further up"
        raise _error(origin, f"this `{mark}` closes nothing", offset, hint)
    opener, _ = opened.pop()
    wanted = _PAIRS[opener]
    if wanted != mark:
        message = f"this `{mark}` stands where `{wanted}` would close `{opener}`"
        raise _error(origin, message, offset, f"a `{wanted}` is missing before it")


def _error(origin: Origin, message: str, offset: int, hint: str) -> ProtocolError:
    return origin.error(Code.PROTOCOL_BRACKETS, message, offset, hint)
