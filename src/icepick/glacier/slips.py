"""The mistakes in formulas that are common enough to be known by sight."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")
_LAST_WORD = re.compile(r"(\w+)\s*\Z")
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}

_WORDS = {
    "and": "write && for `and`",
    "or": "write || for `or`",
    "not": "write ! for `not`",
    "implies": "write => for `implies`",
    "then": "write `a => b` for `if a then b`",
    "if": "write `a => b` for `if a then b`",
    "forall": "write `for x in collection :- ...`",
    "foreach": "write `for x in collection :- ...`",
    "all": "write `for x in collection :- ...`",
    "every": "write `for x in collection :- ...`",
    "any": "write `exists x in collection :- ...`",
    "some": "write `exists x in collection :- ...`",
    "exist": "write `exists x in collection :- ...`",
    "where": "a quantifier's body comes after `:-`",
    "is": "write = for `is`",
}
_SIGNS = {
    "=<": "write <= for `=<`",
    "<>": "write != for `<>`",
    "===": "write = (or strict(a = b) for exact equality)",
    "!==": "write != (or strict(a != b) for exact inequality)",
    "&": "write && for `&`",
    "|": "write || for `|`",
    "->": "write => for `->`",
    "==>": "write => for `==>`",
    "/": "there is no division; multiply the other side instead",
    "%": "there is no remainder",
    "~": "write ! for `~`",
    ":=": "write = for `:=`",
}


def slip(text: str, offset: int, expected: set[str]) -> str | None:
    """What was most likely meant where a formula cannot be read on."""
    return (
        _slip_in_words(text, offset)
        or _slip_in_signs(text, offset)
        or _slip_in_shape(text, offset, expected)
    )


def _slip_in_words(text: str, offset: int) -> str | None:
    here = _WORD.match(text, offset)
    before = _LAST_WORD.search(text, 0, offset)
    for word in (here[0] if here else "", before[1] if before else ""):
        if word.lower() in _WORDS:
            return _WORDS[word.lower()]
        if word.upper() in _METHODS:
            return _request_hint(word.upper(), stands_alone=text.startswith("/", offset))
    return None


def _request_hint(method: str, *, stands_alone: bool) -> str:
    if stands_alone:
        return f"say what of the answer: res_code({method} /path) or res_body({method} /path)"
    return f"a request is written {method} /path: its path starts with a slash"


def _slip_in_signs(text: str, offset: int) -> str | None:
    for start in (offset, offset - 1, offset - 2):
        for sign in sorted(_SIGNS, key=len, reverse=True):
            if start >= 0 and text.startswith(sign, start) and start + len(sign) > offset:
                return _SIGNS[sign]
    return None


def _slip_in_shape(text: str, offset: int, expected: set[str]) -> str | None:
    if "_SUCH_THAT" in expected:
        return "a quantifier needs `:-` between its collection and its body"
    if re.match(r"[=<>!≤≥≠]", text[offset:]) and "_AND" in expected and "EQ" not in expected:
        return "comparisons do not chain; write `a < b && b < c`"
    return None
