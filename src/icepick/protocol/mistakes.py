"""From what the parser could not read to what a person should change."""

from __future__ import annotations

import re

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from icepick.errors import Code
from icepick.protocol.origin import Origin, ProtocolError

_FOUND = re.compile(r"\w+|[!?&+<>=.:,]|\S", re.DOTALL)
_WANTED = (
    ("BANG QMARK REC END NAME", "a call (!operation), a response (?C200), rec, end or a name"),
    ("BANG", "a call such as !operation(...)"),
    ("QMARK", "a response such as ?C200(...)"),
    ("OPERATION STRING", "the operationId of a call, and its arguments in parentheses"),
    ("STATUS", "a response code such as C201 or C4XX"),
    ("TYPE", "a type"),
    ("PATH", "a place in the answer, such as body.id"),
    ("NAME", "a name"),
    ("EQUAL", "`=`"),
    ("COLON", "`:`"),
    ("DOT", "`.` and how the protocol goes on (`. end` where it is over)"),
    ("COMMA", "`,`"),
    ("LPAR", "`(`"),
    ("RPAR", "`)`"),
    ("LBRACE", "`{`"),
    ("RBRACE", "`}`"),
    ("$END", "the end of the file"),
)


def explain(failure: UnexpectedInput, origin: Origin) -> ProtocolError:
    """The error that tells a person what to change."""
    text = origin.text
    offset, expected = _position(failure, text)
    found = _FOUND.match(text, offset)
    if found is None:
        offset = len(text.rstrip())
        message = "the protocol ends too early"
    else:
        message = f"`{found[0]}` cannot stand here"
    return origin.error(Code.PROTOCOL_SYNTAX, message, offset, _hint(text, offset, expected))


def _position(failure: UnexpectedInput, text: str) -> tuple[int, set[str]]:
    if isinstance(failure, UnexpectedToken):
        ends = failure.token.type == "$END"
        offset = len(text) if ends else failure.token.start_pos
        return offset or 0, set(failure.accepts or failure.expected)
    if isinstance(failure, UnexpectedCharacters):
        return failure.pos_in_stream or 0, set(failure.allowed or ())
    return len(text), set()


def _hint(text: str, offset: int, expected: set[str]) -> str:
    return _slip(text, offset, expected) or f"expected {_wanted(expected)}"


def _slip(text: str, offset: int, expected: set[str]) -> str | None:
    """The mistakes that are common enough to be known by sight."""
    here = text[offset:]
    if "STATUS" in expected:
        return "a response is a code or a class of codes: ?C201(...) or ?C4XX(...)"
    if "ASSERTION" in expected and here.startswith("<"):
        return "an assertion ends with `>` and a full stop: <assertion> . how it goes on"
    if "DOT" in expected and re.match(r"[!?&+]|\w", here):
        return "a full stop leads from one message to the next: !call(...) . ?C200(...) . end"
    if "DOT" in expected and here[:1] in {",", "}", ")"}:
        return "say how it goes on: `. end` where the protocol is over here"
    if "OPERATION" in expected:
        return "a call is written !operationId(arguments), with () where there are none"
    if here.startswith(";"):
        return "definitions need nothing between them, and messages are joined by full stops"
    if re.match(r"(?:[Rr]ec|[Ee]nd|END|REC|mu|μ)\b", here):
        return "the words of the language are `rec`, `end` and `include`"
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
