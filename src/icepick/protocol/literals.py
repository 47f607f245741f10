"""Values that stand in the text of a protocol: JSON, with either kind of quotes."""

from __future__ import annotations

import json
import math
import re

from lark import Tree
from lark.lexer import Token

from icepick.errors import Code
from icepick.openapi.types import ABSENT, Json
from icepick.protocol.origin import Origin

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_PLAIN = "\"'\\/"


def read_literal(parsed: Tree[Token] | Token, origin: Origin) -> Json:
    """The value of a literal."""
    if isinstance(parsed, Token):
        return _text(parsed, origin)
    match parsed.data:
        case "text":
            return read_literal(parsed.children[0], origin)
        case "number":
            return _number(parsed, origin)
        case "listing":
            return [read_literal(child, origin) for child in parsed.children]
        case "object":
            members = [child.children for child in parsed.children if isinstance(child, Tree)]
            return {read_literal(k, origin): read_literal(v, origin) for k, v in members}
        case "absent":
            return ABSENT
    return {"true": True, "false": False, "null": None}[parsed.data]


def print_literal(value: Json) -> str:
    """The text of a value."""
    if value is ABSENT:
        return "absent"
    return json.dumps(value, ensure_ascii=_has_half_pairs(value))


def _has_half_pairs(value: Json) -> bool:
    """Halves of surrogate pairs cannot be written to a file as they are."""
    return bool(re.search("[\ud800-\udfff]", json.dumps(value, ensure_ascii=False)))


def _number(parsed: Tree[Token], origin: Origin) -> Json:
    token = parsed.children[0]
    text = str(token)
    try:
        value = int(text) if text.lstrip("-").isdecimal() else float(text)
    except ValueError:  # more digits than Python converts
        value = math.inf
    if abs(value) == math.inf:
        offset = parsed.meta.start_pos
        raise origin.error(Code.PROTOCOL_SYNTAX, "this number is too large", offset)
    return value


def _text(token: Token, origin: Origin) -> str:
    def plain(match: re.Match[str]) -> str:
        mark = match[1]
        if len(mark) == 5:
            return chr(int(mark[1:], 16))
        if mark not in _ESCAPES and mark not in _PLAIN:
            raise origin.error(
                Code.PROTOCOL_SYNTAX,
                f"`\\{mark}` is not an escape",
                (token.start_pos or 0) + 1 + match.start(),
                "a text knows \\n \\t \\r \\b \\f \\\\ \\\" \\' \\/ and \\u with four digits",
            )
        return _ESCAPES.get(mark, mark)

    text = _ESCAPE.sub(plain, token[1:-1])
    # Two escapes may spell one character outside the basic plane.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
