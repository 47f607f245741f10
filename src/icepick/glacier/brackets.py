"""A look at the brackets of a text before it is parsed: pairs that do not match are reported where
they open, and nesting that no person writes is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lark import Tree
from lark.lexer import Token

from icepick.errors import Code, IcepickError
from icepick.glacier.origin import Pointing

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_OPENERS = {closer: opener for opener, closer in _PAIRS.items()}


@dataclass(frozen=True, slots=True)
class Bracketing:
    """What a language says of brackets and texts.

    `subject` is what a whole text of it is called, `comment` the pattern of what is passed over,
    `earlier` where a missing opener would stand. Brackets nest to `depth`, trees to `levels`.
    """

    subject: str
    comment: str
    earlier: str
    depth: int
    levels: int
    brackets: Code
    unclosed_text: Code
    too_deep: Code
    too_deep_hint: str
    text_hint: str = "a text ends on the line it starts on, with the quote it starts with"

    def marks(self) -> re.Pattern[str]:
        """Comments and whole texts, or a `mark` that needs another one."""
        return re.compile(
            rf"""{self.comment}
              | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
              | (?P<mark>["'()\[\]{{}}])""",
            re.VERBOSE,
        )


def check_brackets(origin: Pointing, rules: Bracketing) -> None:
    """An error where brackets or quotes do not match, or nest too deep."""
    opened: list[tuple[str, int]] = []
    for match in rules.marks().finditer(origin.text):
        mark = match["mark"]
        if mark is None:
            continue
        if mark in _PAIRS:
            opened.append((mark, match.start()))
            if len(opened) > rules.depth:
                raise _too_deep(origin, match.start(), rules)
        elif mark in _OPENERS:
            _close(mark, match.start(), opened, origin, rules)
        else:
            message = "this text is never closed"
            raise origin.error(rules.unclosed_text, message, match.start(), rules.text_hint)
    if opened:
        mark, offset = opened[-1]
        hint = f"a `{_PAIRS[mark]}` is missing"
        raise origin.error(rules.brackets, f"this `{mark}` is never closed", offset, hint)


def check_depth(tree: Tree[Token], origin: Pointing, rules: Bracketing) -> None:
    """Level by level: a text can nest without brackets, and recursion would not survive it."""
    level = [tree]
    for _ in range(rules.levels):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if not level:
            return
    raise _too_deep(origin, level[0].meta.start_pos, rules)


def _too_deep(origin: Pointing, offset: int, rules: Bracketing) -> IcepickError:
    message = f"the {rules.subject} is nested more than {rules.depth} levels deep"
    return origin.error(rules.too_deep, message, offset, rules.too_deep_hint)


def _close(
    mark: str, offset: int, opened: list[tuple[str, int]], origin: Pointing, rules: Bracketing
) -> None:
    if not opened:
        hint = f"remove it, or open it with `{_OPENERS[mark]}` {rules.earlier}"
        raise origin.error(rules.brackets, f"this `{mark}` closes nothing", offset, hint)
    opener, _ = opened.pop()
    wanted = _PAIRS[opener]
    if wanted != mark:
        message = f"this `{mark}` stands where `{wanted}` would close `{opener}`"
        raise origin.error(rules.brackets, message, offset, f"a `{wanted}` is missing before it")
