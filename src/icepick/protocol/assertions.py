"""Assertions on responses: read from between `<` and `>`, and decided.

Several are separated by semicolons. One that has the form of a call with plain names, such as
`checkCustomer(c1, c2)`, is a Python function unless GLACIER has a function of that name; all
others are GLACIER clauses on the exchange that just took place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from icepick.errors import ContractError
from icepick.glacier import (
    Environment,
    Provenance,
    Sent,
    Truth,
    compile_formula,
    evaluate,
    parse_formula,
)
from icepick.glacier.contracts import Clause as Contract
from icepick.glacier.environment import Around
from icepick.glacier.evaluate import Check
from icepick.glacier.spelling import FUNCTIONS, PARTS, PREV, STRICT
from icepick.glacier.tree import Formula, Gathered, Name, Node, Quantifier, children
from icepick.openapi.types import Json
from icepick.protocol.origin import Origin
from icepick.protocol.tree import Assertion, Clause, Function

_CALL = re.compile(r"([^\W\d]\w*)\s*\(\s*((?:[^\W\d]\w*\s*(?:,\s*[^\W\d]\w*\s*)*)?)\)")
_PIECES = re.compile(r"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^"';])+""")
_OWN = frozenset({*PARTS, *FUNCTIONS, *PREV, STRICT})

Functions = Mapping[str, Callable[..., object]]
"""The functions of `gen.py` by name."""

BROKEN_CODE = (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError)
"""What Python code that is wrong usually raises."""


def read_assertions(text: str, origin: Origin, start: int | None = None) -> tuple[Assertion, ...]:
    """The assertions of a token `<...>`; ContractError where a clause cannot be read."""
    first = getattr(text, "start_pos", None) if start is None else start
    inside = (first or 0) + 1
    return tuple(
        _assertion(match, inside, origin)
        for match in _PIECES.finditer(text[1:-1])
        if match[0].strip()
    )


def _assertion(match: re.Match[str], inside: int, origin: Origin) -> Assertion:
    piece = match[0].strip()
    start = inside + match.start() + len(match[0]) - len(match[0].lstrip())
    span = (start, start + len(piece))
    call = _CALL.fullmatch(piece)
    if call is not None and call[1] not in _OWN:
        return Function(call[1], tuple(re.findall(r"\w+", call[2])), span=span)
    return Clause(piece, _formula(piece, span[0], origin), span=span)


def _formula(piece: str, start: int, origin: Origin) -> Formula:
    """Read behind blanks in place of what stands before it, so that spans are those of the file."""
    before = re.sub(r"[^\n]", " ", origin.text[:start])
    try:
        return parse_formula(before + piece, origin.source)
    except ContractError as error:
        place = error.place
        if place is None or place.line is None or place.column is None:
            raise
        lines = origin.text.split("\n")[: place.line - 1]
        offset = sum(len(line) + 1 for line in lines) + place.column - 1
        raise ContractError(
            error.code, error.message, place=origin.place(offset), hint=error.hint
        ) from None


def names_in(assertion: Assertion) -> list[tuple[str, int]]:
    """The variables that an assertion uses, with the offset of each."""
    if isinstance(assertion, Function):
        return [(name, assertion.span[0]) for name in assertion.arguments]
    return _free(assertion.formula, frozenset())


def _free(node: Node, bound: frozenset[str]) -> list[tuple[str, int]]:
    if isinstance(node, Name):
        return [] if node.name in bound else [(node.name, node.span[0])]
    found: list[tuple[str, int]] = []
    for child in children(node):
        found += _free(child, bound)
        if isinstance(node, Quantifier | Gathered):
            bound |= {name for part in node.ranges if part is child for name in part.names}
    return found


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of an assertion: where it is not true, `explanation` says why."""

    assertion: Assertion
    value: Truth
    explanation: str = ""


def judge(
    assertion: Assertion, env: Environment, bound: Mapping[str, Json], functions: Functions
) -> Judgement:
    """An assertion decided after an exchange, with the variables in force.

    In a GLACIER clause a bound variable is a name like that of a path parameter, and goes before a
    path parameter of the same name: the environment is asked through `with_variables`.
    """
    if isinstance(assertion, Function):
        return _called(assertion, bound, functions)
    clause = Contract(
        assertion.formula, assertion.text, Provenance.WRITTEN, Origin("", "").place(0)
    )
    check = Check(clause, compile_formula(assertion.formula))
    outcome = evaluate(check, with_variables(env, bound))
    return Judgement(assertion, outcome.value, outcome.explanation or outcome.reason)


def _called(assertion: Function, bound: Mapping[str, Json], functions: Functions) -> Judgement:
    function = functions.get(assertion.name)
    missing = [name for name in assertion.arguments if name not in bound]
    if function is None or missing:
        what = f"`{missing[0]}` is not bound" if missing else f"there is no {assertion.name}"
        return Judgement(assertion, Truth.UNKNOWN, what)
    try:
        answer = function(*(bound[name] for name in assertion.arguments))
    except AssertionError as error:
        return Judgement(assertion, Truth.FALSE, str(error) or f"{assertion.name} failed")
    except BROKEN_CODE as error:
        reason = f"{assertion.name} raised {type(error).__name__}: {error}"
        return Judgement(assertion, Truth.UNKNOWN, reason)
    # A function that only asserts returns nothing.
    holds = answer is None or bool(answer)
    shown = ", ".join(f"{name} = {bound[name]!r}" for name in assertion.arguments)
    explanation = "" if holds else f"{assertion.name} is false for {shown}"
    return Judgement(assertion, Truth.TRUE if holds else Truth.FALSE, explanation)


def with_variables(env: Environment, bound: Mapping[str, Json]) -> Environment:
    """The environment with bound variables among the names that a formula may use."""
    return _WithVariables(env, bound)


class _WithVariables(Around):
    def __init__(self, env: Environment, bound: Mapping[str, Json]) -> None:
        super().__init__(env)
        self._bound = bound

    @property
    def sent(self) -> Sent:
        sent = super().sent
        return replace(sent, path={**sent.path, **self._bound})
