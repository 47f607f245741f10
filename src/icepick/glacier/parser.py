"""From text to tree."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from lark import Lark, Tree
from lark.exceptions import UnexpectedInput
from lark.lexer import Token

from icepick.glacier.brackets import MAX_DEPTH, check_brackets, too_deep
from icepick.glacier.build import Builder
from icepick.glacier.mistakes import explain
from icepick.glacier.origin import Origin
from icepick.glacier.tree import Formula


def parse_formula(text: str, source: str = "formula", line: int = 1) -> Formula:
    """The tree of a formula; ContractError, with the place and a hint, where there is none."""
    origin = Origin(text, source, line)
    check_brackets(origin)
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as failure:
        raise explain(failure, origin) from None
    _check_depth(tree, origin)
    return Builder(origin).build(tree)


@cache
def _parser() -> Lark:
    grammar = files("icepick.glacier").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", propagate_positions=True, maybe_placeholders=False)


def _check_depth(tree: Tree[Token], origin: Origin) -> None:
    """Level by level: a formula can nest without brackets, and recursion would not survive it."""
    level = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if not level:
            return
    raise too_deep(origin, level[0].meta.start_pos)
