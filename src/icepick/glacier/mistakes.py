"""From what the parser could not read to what a person should change."""

from __future__ import annotations

import re

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from icepick.errors import Code, ContractError
from icepick.glacier.origin import Origin

_WORD = re.compile(r"\w+")
_LAST_WORD = re.compile(r"(\w+)\s*\Z")
_FOUND = re.compile(r"\w+|[=<>!&|:~?^/%+*-]+|\S", re.DOTALL)
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
_WANTED = (
    ("NAME STRING NUMBER LPAR", "a value such as res_code(@), a name, a number or a text"),
    ("FIELD", "the name of a field"),
    ("NAME", "a name"),
    ("STRING", "a text in quotes"),
    ("EQ", "a comparison (= != < <= > >= in)"),
    ("_AND", "&&, || or =>"),
    ("_SUCH_THAT", "`:-`"),
    ("IN", "`in`"),
    ("COMMA", "`,`"),
    ("RPAR", "`)`"),
    ("RSQB", "`]`"),
    ("RBRACE", "`}`"),
    ("LPAR", "`(`"),
    ("$END", "the end of the formula"),
)


def explain(failure: UnexpectedInput, origin: Origin) -> ContractError:
    """The error that tells a person what to change."""
    offset, expected = _position(failure, origin.text)
    text = origin.text
    found = _FOUND.match(text, offset)
    if found is None:
        before = len(text.rstrip())
        message = "the formula is empty" if not text.strip() else "the formula ends too early"
        return origin.error(Code.CONTRACT_SYNTAX, message, before, _hint(text, before, expected))
    message = f"`{found[0]}` cannot stand here"
    return origin.error(Code.CONTRACT_SYNTAX, message, offset, _hint(text, offset, expected))


def _position(failure: UnexpectedInput, text: str) -> tuple[int, set[str]]:
    if isinstance(failure, UnexpectedToken):
        ends = failure.token.type == "$END"
        offset = len(text) if ends else failure.token.start_pos
        return offset or 0, set(failure.accepts or failure.expected)
    if isinstance(failure, UnexpectedCharacters):
        return failure.pos_in_stream or 0, set(failure.allowed or ())
    return len(text), set()


def _hint(text: str, offset: int, expected: set[str]) -> str:
    return (
        _slip_in_words(text, offset)
        or _slip_in_signs(text, offset)
        or _slip_in_shape(text, offset, expected)
        or f"expected {_wanted(expected)}"
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


def _wanted(expected: set[str]) -> str:
    rest = set(expected)
    names = []
    for terminals, words in _WANTED:
        group = set(terminals.split())
        if group <= rest:
            names.append(words)
            rest -= group
    if not names:
        return "something else"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
