"""From text to tree."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from lark import Lark, Tree
from lark.exceptions import UnexpectedInput
from lark.lexer import Token

from icepick.protocol.brackets import MAX_DEPTH, check_brackets, too_deep
from icepick.protocol.builder import Builder
from icepick.protocol.mistakes import explain
from icepick.protocol.origin import Origin
from icepick.protocol.tree import Text


def parse_protocol(text: str, source: str = "protocol") -> Text:
    """The tree of one file; ProtocolError (or ContractError inside an assertion), with the place
    and a hint, where there is none."""
    origin = Origin(text, source)
    check_brackets(origin)
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as failure:
        raise explain(failure, origin) from None
    _check_depth(tree, origin)
    return Builder(origin).build(tree)


@cache
def _parser() -> Lark:
    grammar = files("icepick.protocol").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", propagate_positions=True, maybe_placeholders=False)


def _check_depth(tree: Tree[Token], origin: Origin) -> None:
    """Level by level: a long flow nests without brackets, and recursion would not survive it."""
    level = [tree]
    for _ in range(2 * MAX_DEPTH):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if not level:
            return
    raise too_deep(origin, level[0].meta.start_pos)
