"""A look at the brackets of a formula before it is parsed: pairs that do not match are reported
where they open, and nesting that no person writes is refused."""

from __future__ import annotations

import re

from icepick.errors import Code, ContractError
from icepick.glacier.origin import Origin

MAX_DEPTH = 100
"""How deep brackets, and the nodes of a tree, may nest."""

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_MARKS = re.compile(
    r"""(?:\#|(?<!\S)//)[^\n]*
      | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
      | (?P<mark>["'()\[\]{}])""",
    re.VERBOSE,
)


def check_brackets(origin: Origin) -> None:
    """ContractError where brackets or quotes do not match, or nest too deep."""
    opened: list[tuple[str, int]] = []
    for match in _MARKS.finditer(origin.text):
        mark = match["mark"]
        if mark is None:
            continue
        if mark in _PAIRS:
            opened.append((mark, match.start()))
            if len(opened) > MAX_DEPTH:
                raise too_deep(origin, match.start())
        elif mark in "\"'":
            raise _unclosed_text(origin, match.start())
        else:
            _close(mark, match.start(), opened, origin)
    if opened:
        mark, offset = opened[-1]
        raise origin.error(
            Code.CONTRACT_BRACKETS,
            f"this `{mark}` is never closed",
            offset,
            f"a `{_PAIRS[mark]}` is missing",
        )


def too_deep(origin: Origin, offset: int) -> ContractError:
    """The error for a formula nested deeper than MAX_DEPTH."""
    return origin.error(
        Code.CONTRACT_TOO_DEEP,
        f"the formula is nested more than {MAX_DEPTH} levels deep",
        offset,
        "split it into several clauses",
    )


def _close(mark: str, offset: int, opened: list[tuple[str, int]], origin: Origin) -> None:
    if not opened:
        raise origin.error(
            Code.CONTRACT_BRACKETS,
            f"this `{mark}` closes nothing",
            offset,
            f"remove it, or open it with `{_opening(mark)}` further left",
        )
    opener, _ = opened.pop()
    if _PAIRS[opener] != mark:
        raise origin.error(
            Code.CONTRACT_BRACKETS,
            f"this `{mark}` stands where `{_PAIRS[opener]}` would close `{opener}`",
            offset,
            f"a `{_PAIRS[opener]}` is missing before it",
        )


def _opening(mark: str) -> str:
    return next(opener for opener, closer in _PAIRS.items() if closer == mark)


def _unclosed_text(origin: Origin, offset: int) -> ContractError:
    return origin.error(
        Code.CONTRACT_SYNTAX,
        "this text is never closed",
        offset,
        "a text ends on the line it starts on, with the quote it starts with; write \\n for a "
        "line break",
    )
