"""From text to tree."""

from __future__ import annotations

import re

from icepick.errors import Code
from icepick.glacier.brackets import Bracketing
from icepick.glacier.build import Builder
from icepick.glacier.language import Language, read_tree
from icepick.glacier.mistakes import Wording
from icepick.glacier.origin import Origin
from icepick.glacier.slips import slip
from icepick.glacier.tree import Formula

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
_BRACKETING = Bracketing(
    subject="formula",
    comment=r"(?:\#|(?<!\S)//)[^\n]*",
    earlier="further left",
    depth=100,
    levels=100,
    brackets=Code.CONTRACT_BRACKETS,
    unclosed_text=Code.CONTRACT_SYNTAX,
    too_deep=Code.CONTRACT_TOO_DEEP,
    too_deep_hint="split it into several clauses",
    text_hint="a text ends on the line it starts on, with the quote it starts with; write \\n for "
    "a line break",
)
_WORDING = Wording(
    subject="formula",
    code=Code.CONTRACT_SYNTAX,
    found=re.compile(r"\w+|[=<>!&|:~?^/%+*-]+|\S", re.DOTALL),
    wanted=_WANTED,
    slip=slip,
)
_GLACIER = Language("icepick.glacier", _BRACKETING, _WORDING)


def parse_formula(text: str, source: str = "formula", line: int = 1) -> Formula:
    """The tree of a formula; ContractError, with the place and a hint, where there is none."""
    origin = Origin(text, source, line)
    return Builder(origin).build(read_tree(origin, _GLACIER))
