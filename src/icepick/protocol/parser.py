"""From text to tree."""

from __future__ import annotations

import re

from icepick.errors import Code
from icepick.glacier.brackets import Bracketing
from icepick.glacier.language import Language, read_tree
from icepick.glacier.mistakes import Wording
from icepick.protocol.builder import Builder
from icepick.protocol.origin import Origin
from icepick.protocol.slips import slip
from icepick.protocol.tree import Text

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
_BRACKETING = Bracketing(
    subject="protocol",
    comment=r"(?:\#|//)[^\n]*",
    earlier="further up",
    depth=200,
    levels=400,
    brackets=Code.PROTOCOL_BRACKETS,
    unclosed_text=Code.PROTOCOL_BRACKETS,
    too_deep=Code.PROTOCOL_TOO_DEEP,
    too_deep_hint="give its parts names, and use the names",
)
_WORDING = Wording(
    subject="protocol",
    code=Code.PROTOCOL_SYNTAX,
    found=re.compile(r"\w+|[!?&+<>=.:,]|\S", re.DOTALL),
    wanted=_WANTED,
    slip=slip,
)
_PROTOCOL = Language("icepick.protocol", _BRACKETING, _WORDING)


def parse_protocol(text: str, source: str = "protocol") -> Text:
    """The tree of one file; ProtocolError (or ContractError inside an assertion), with the place
    and a hint, where there is none."""
    origin = Origin(text, source)
    return Builder(origin).build(read_tree(origin, _PROTOCOL))
