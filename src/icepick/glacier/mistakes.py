"""From what a parser could not read to what a person should change."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from icepick.errors import Code, IcepickError
from icepick.glacier.origin import Pointing


@dataclass(frozen=True, slots=True)
class Wording:
    """How the mistakes of a language are told.

    `subject` is what a whole text of it is called, `found` the pattern of what is quoted, `wanted`
    the words for terminals that can stand somewhere, `slip` knows common mistakes by sight.
    """

    subject: str
    code: Code
    found: re.Pattern[str]
    wanted: tuple[tuple[str, str], ...]
    slip: Callable[[str, int, set[str]], str | None]


def explain(failure: UnexpectedInput, origin: Pointing, wording: Wording) -> IcepickError:
    """The error that tells a person what to change."""
    text = origin.text
    offset, expected = _position(failure, text)
    found = wording.found.match(text, offset)
    if found is None:
        offset = len(text.rstrip())
        ends = "ends too early" if text.strip() else "is empty"
        message = f"the {wording.subject} {ends}"
    else:
        message = f"`{found[0]}` cannot stand here"
    hint = wording.slip(text, offset, expected)
    hint = hint or f"expected {_listed(wording.wanted, expected)}"
    return origin.error(wording.code, message, offset, hint)


def _position(failure: UnexpectedInput, text: str) -> tuple[int, set[str]]:
    if isinstance(failure, UnexpectedToken):
        ends = failure.token.type == "$END"
        offset = len(text) if ends else failure.token.start_pos
        return offset or 0, set(failure.accepts or failure.expected)
    if isinstance(failure, UnexpectedCharacters):
        return failure.pos_in_stream or 0, set(failure.allowed or ())
    return len(text), set()


def _listed(wanted: tuple[tuple[str, str], ...], expected: set[str]) -> str:
    rest = set(expected)
    names = []
    for terminals, words in wanted:
        group = set(terminals.split())
        if group <= rest:
            names.append(words)
            rest -= group
    if not names:
        return "something else"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
