"""Where in its file a part of a clause stands."""

from __future__ import annotations

import re
from dataclasses import replace

from icepick.errors import Place
from icepick.glacier.contracts import Clause
from icepick.glacier.origin import Origin
from icepick.glacier.tree import Field, Index, Range, Request

_FIELD = re.compile(r"[\w$@-]+")


def place_of(clause: Clause, offset: int) -> Place:
    """The place of a character of a clause; in the line of the file where that is known."""
    known = clause.place
    inside = Origin(clause.text, known.source, known.line or 1).place(offset)
    own = inside.excerpt or ""
    at = (known.excerpt or "").find(own.strip()) if own.strip() else -1
    if at >= 0 and inside.column is not None:
        shift = at - (len(own) - len(own.lstrip()))
        return replace(known, column=inside.column + shift)
    line = inside.line if known.line is not None else None
    return replace(known, line=line, column=inside.column, excerpt=inside.excerpt)


def field_offset(text: str, node: Field | Index) -> int:
    """Where the name of a field stands; the fields of one pair of braces share their span."""
    start, end = node.span
    closing = text[end - 1 : end]
    if closing == "}":
        return _in_braces(text, node)
    if closing == "]":
        return max(text.rfind("[", start, end) + 1, start)
    if closing == ")":  # path_param(this["id"])
        return max(text.find("[", start, end) + 1, start)
    return max(text.rfind(node.name, start, end), start) if isinstance(node, Field) else start


def _in_braces(text: str, node: Field | Index) -> int:
    start, end = node.span
    opening = text.rfind("{", start, end) + 1
    names = list(_FIELD.finditer(text, opening, end - 1))
    position = _position(node)
    if 0 <= position < len(names):
        return names[position].start()
    return opening or start


def _position(node: Field | Index) -> int:
    """How many fields of the same braces come before."""
    count, base = 0, node.base
    while isinstance(base, Field | Index) and base.span == node.span:
        count, base = count + 1, base.base
    return count


def variable_offset(text: str, node: Range, name: str) -> int:
    """Where a quantifier names a variable."""
    start, _ = node.span
    found = re.compile(rf"\b{re.escape(name)}\b").search(text, start)
    return found.start() if found else start


def path_offset(text: str, node: Request) -> int:
    """Where the path of a request starts."""
    start, end = node.span
    return max(text.find("/", start, end), start)


def path_text(text: str, node: Request) -> str:
    """The path of a request as it is written, without its query."""
    return text[path_offset(text, node) : node.span[1]].partition("?")[0]


def query_offset(text: str, node: Request, name: str) -> int:
    """Where a request names a query parameter."""
    start, end = node.span
    found = re.compile(rf"[?&]({re.escape(name)})(?![\w-])").search(text, start, end)
    return found.start(1) if found else start
