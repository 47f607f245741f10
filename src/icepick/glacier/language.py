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
from icepick.glacier.tree import Span


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


def as_token(child: Tree[Token] | Token) -> Token:
    """What the grammar says is a token."""
    assert isinstance(child, Token)  # noqa: S101 - the grammar says so
    return child


def token_at(tree: Tree[Token], index: int) -> Token:
    """The token that stands there in a tree."""
    return as_token(tree.children[index])


def start_of(token: Token) -> int:
    """Where a token begins in its text."""
    return token.start_pos or 0


def span_of(child: Tree[Token] | Token) -> Span:
    """Where a part of a tree begins and ends in its text."""
    if isinstance(child, Token):
        return start_of(child), child.end_pos or 0
    return child.meta.start_pos, child.meta.end_pos
