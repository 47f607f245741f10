"""From text to the parser's tree, for whichever language has its grammar in a package."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from lark import Lark, Tree
from lark.exceptions import UnexpectedInput
from lark.lexer import Token

from icepick.glacier.brackets import Bracketing, check_brackets, check_depth
from icepick.glacier.mistakes import Wording, explain
from icepick.glacier.origin import Pointing


@dataclass(frozen=True, slots=True)
class Language:
    """A language: the package that has its `grammar.lark`, and how its mistakes are told."""

    package: str
    bracketing: Bracketing
    wording: Wording


def read_tree(origin: Pointing, language: Language) -> Tree[Token]:
    """The tree of a text; the error of its origin, with the place and a hint, where there is
    none."""
    check_brackets(origin, language.bracketing)
    try:
        tree = _parser(language.package).parse(origin.text)
    except UnexpectedInput as failure:
        raise explain(failure, origin, language.wording) from None
    check_depth(tree, origin, language.bracketing)
    return tree


@cache
def _parser(package: str) -> Lark:
    grammar = files(package).joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", propagate_positions=True, maybe_placeholders=False)
