"""A contract file is YAML, but a clause need not be: `- !(a = b)` would be a tag there, and
`- for x in c : b` a mapping. Clauses are put in quotes before YAML sees them; no line moves."""

from __future__ import annotations

import re

_HEAD = re.compile(r"(?P<indent>\s*)(?P<mark>-\s+|(?:requires|ensures|invariants)\s*:\s+(?!\[))")
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*(\#.*)?""")
_BLOCK = re.compile(r"[|>][-+0-9]*\s*(#.*)?")
_PARTS = re.compile(
    r"""(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<comment>\#.*|(?<!\S)//.*)"""
)


def quote_clauses(text: str) -> str:
    """The text with every clause that stands bare in single quotes, comments left out."""
    lines = text.splitlines()
    index = 0
    while index < len(lines):
        head = _HEAD.match(lines[index])
        rest = lines[index][head.end() :] if head else ""
        end = index + 1
        if head and _is_bare(rest):
            end = _item_end(lines, index, len(head["indent"]))
            lines[index:end] = _quoted(lines[index:end], head.end())
        elif head and _BLOCK.fullmatch(rest):
            end = _item_end(lines, index, len(head["indent"]))
        index = end
    return "\n".join(lines) + "\n"


def _is_bare(text: str) -> bool:
    if not text.strip() or text.lstrip().startswith("#"):
        return False
    return not (_QUOTED.fullmatch(text) or _BLOCK.fullmatch(text))


def _item_end(lines: list[str], start: int, indent: int) -> int:
    """The line after an item: what is indented further than its start belongs to it."""
    end = start + 1
    while end < len(lines) and _indent(lines[end]) > indent:
        end += 1
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else -1


def _quoted(lines: list[str], head: int) -> list[str]:
    """A comment would swallow the lines after it once YAML has folded them into one."""
    clean = [lines[0][:head], *(_without_comment(line) for line in [lines[0][head:], *lines[1:]])]
    first, *rest = (part.replace("'", "''") for part in clean[1:])
    result = [f"{clean[0]}'{first}", *rest]
    result[-1] += "'"
    return result


def _without_comment(line: str) -> str:
    return _PARTS.sub(lambda match: match["text"] or "", line).rstrip()
