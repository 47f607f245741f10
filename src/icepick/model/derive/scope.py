"""What names stand for inside a formula: the values of the action, and quantified variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from icepick.glacier.tree import Expression, Part
from icepick.model.derive.requests import Path, sent, variable
from icepick.model.expressions import Term


@dataclass(frozen=True, slots=True)
class Instance:
    """A value of a resource as a term."""

    resource: str
    term: Term


@dataclass(frozen=True, slots=True)
class Element:
    """What a quantified variable stands for: an instance, listed whole or by its identifier."""

    instance: Instance
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Scope:
    """The values that an action gives to the parts of its call, and the variables around."""

    path: Mapping[str, Instance] = field(default_factory=dict)
    body: Mapping[Path, Instance] = field(default_factory=dict)
    query: Mapping[str, Instance] = field(default_factory=dict)
    answer: Mapping[Path, Instance] = field(default_factory=dict)
    numbers: Mapping[Path, Term] = field(default_factory=dict)
    created: str | None = None
    """The resource whose fields the body gives, in an action that creates."""
    several: tuple[Path, str, str] | None = None
    """The list in the body of a bulk creation: its path, its resource, and the set parameter."""
    variables: Mapping[str, Element] = field(default_factory=dict)
    parameters: frozenset[str] = frozenset()
    """The names of the action's own parameters."""

    def plus(self, name: str, element: Element) -> Scope:
        """The scope inside a quantifier."""
        return replace(self, variables={**self.variables, name: element})

    def instance(self, expression: Expression) -> Instance | None:
        """The instance whose identifier an expression is; None where it is none that is known."""
        if (called := variable(expression)) is not None:
            name, path = called
            if name in self.variables:
                element = self.variables[name]
                return element.instance if not path and not element.is_whole else None
            return self.path.get(name) if not path else None
        part = sent(expression)
        if part is None:
            return None
        kind, path = part
        known: dict[Part, Mapping[Path, Instance]] = {
            Part.REQ_BODY: self.body,
            Part.RES_BODY: self.answer,
            Part.PATH_PARAM: {(name,): value for name, value in self.path.items()},
            Part.QUERY_PARAM: {(name,): value for name, value in self.query.items()},
        }
        return known.get(kind, {}).get(path)


class UnmodelledError(Exception):
    """A formula that no view can express; its reason is the message."""


class Fresh:
    """Gives out variables that nothing around them uses."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def avoid(self, names: Iterable[str]) -> None:
        """Start a formula in which these names are taken."""
        self._taken = set(names)

    def __call__(self, name: str) -> str:
        """A variable: of this very name where it is free."""
        chosen, number = name, 1
        while chosen in self._taken:
            chosen, number = f"{name}_{number}", number + 1
        self._taken.add(chosen)
        return chosen
