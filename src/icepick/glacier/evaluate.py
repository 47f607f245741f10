"""Clauses against an environment: true, false or unknown, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from icepick.glacier.code import Context
from icepick.glacier.compile import Compiled, compile_formula
from icepick.glacier.contracts import Clause
from icepick.glacier.environment import Answer, Environment
from icepick.glacier.explain import explain
from icepick.glacier.values import Unknown, truth
from icepick.openapi.types import Json


class Truth(StrEnum):
    """The three values of a formula."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Check:
    """A clause ready to be evaluated any number of times."""

    clause: Clause
    compiled: Compiled


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a clause.

    `asked` and `asked_before` are the GETs it used, in order. Where it is false, `bindings` are the
    variables under which it failed and `explanation` says what did; where it is unknown, `reason`
    says why.
    """

    value: Truth
    clause: Clause
    asked: Mapping[str, Answer | None]
    asked_before: Mapping[str, Answer | None]
    bindings: Mapping[str, Json] = field(default_factory=dict)
    explanation: str = ""
    reason: str = ""


def prepare(clause: Clause) -> Check:
    """A clause compiled."""
    return Check(clause, compile_formula(clause.formula))


def evaluate(check: Check, env: Environment) -> Outcome:
    """A clause evaluated; it asks for the GETs it needs, in order, each once."""
    return Trial(check, env).outcome()


class Trial:
    """A clause evaluated, of which no more than the GETs it asked for may be wanted."""

    __slots__ = ("_check", "_context", "_value")

    def __init__(self, check: Check, env: Environment) -> None:
        self._check = check
        self._context = Context(env, check.compiled.slots)
        self._value = truth(check.compiled.code.run(self._context))

    @property
    def asked(self) -> Mapping[str, Answer | None]:
        """The GETs it used, in order."""
        return self._context.now

    def outcome(self) -> Outcome:
        """What became of it."""
        return _outcome(self._check, self._context, self._value)


def _outcome(check: Check, context: Context, value: bool | Unknown) -> Outcome:
    compiled, clause = check.compiled, check.clause
    if value is True:
        return Outcome(Truth.TRUE, clause, context.now, context.before)
    if isinstance(value, Unknown):
        return Outcome(Truth.UNKNOWN, clause, context.now, context.before, reason=value.reason)
    why = explain(compiled.code, context)
    return Outcome(Truth.FALSE, clause, context.now, context.before, why.bindings, why.text)


def truth_of(compiled: Compiled, env: Environment) -> Truth:
    """The bare truth value of a formula."""
    value = truth(compiled.code.run(Context(env, compiled.slots)))
    if isinstance(value, Unknown):
        return Truth.UNKNOWN
    return Truth.TRUE if value else Truth.FALSE
