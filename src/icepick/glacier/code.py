"""What a formula is compiled to: closures, each with the node it came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from icepick.glacier.comparison import Rules
from icepick.glacier.environment import Answer, Environment
from icepick.glacier.tree import Expression
from icepick.openapi.types import Json


class Context:
    """One evaluation: the values of the variables, and every answer asked for so far."""

    __slots__ = ("before", "env", "now", "variables")

    def __init__(self, env: Environment, slots: int) -> None:
        self.env = env
        self.variables: list[Json] = [None] * slots
        self.now: dict[str, Answer | None] = {}
        self.before: dict[str, Answer | None] = {}

    def get(self, path: str) -> Answer | None:
        """What GET path answers now, asked once."""
        if path in self.now:
            return self.now[path]
        answer = self.now[path] = self.env.get(path)
        return answer

    def get_before(self, path: str) -> Answer | None:
        """What GET path answered before the call, asked once."""
        if path in self.before:
            return self.before[path]
        answer = self.before[path] = self.env.get_before(path)
        return answer


Run = Callable[[Context], Any]
"""A compiled expression: a JSON value (True and False among them) or Unknown."""


@dataclass(frozen=True, slots=True)
class Code:
    """A compiled node with its compiled parts.

    `slots` are the variables that a quantifier sets: its parts are the collection and the body.
    `path` gives the path of a GET, and `earlier` tells that it is read before the call, as `before`
    tells of any part. `rules` gives how the sides of an equality are compared.
    """

    node: Expression
    run: Run
    parts: tuple[Code, ...] = ()
    slots: tuple[int, ...] = ()
    path: Run | None = None
    rules: Callable[[Context], Rules] | None = None
    before: bool = False
    earlier: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable in force: where its value is kept, and the collection it goes through."""

    slot: int
    collection: Expression
    scope: Scope


@dataclass(frozen=True, slots=True)
class Scope:
    """What surrounds an expression: the variables in force, and whether `prev` is around it."""

    variables: Mapping[str, Variable] = field(default_factory=dict)
    depth: int = 0
    before: bool = False

    def binding(self, names: tuple[str, ...], collection: Expression) -> Scope:
        """The scope with further variables; one of the same name hides the outer."""
        new = {
            name: Variable(self.depth + index, collection, self) for index, name in enumerate(names)
        }
        return Scope({**self.variables, **new}, self.depth + len(names), self.before)

    def earlier(self) -> Scope:
        """The scope inside `prev`."""
        return Scope(self.variables, self.depth, before=True)


Build = Callable[[Expression, Scope], Code]
"""How the parts of a node are compiled."""
