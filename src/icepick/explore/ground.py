"""Ground actions: every action with every choice of arguments, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from icepick.errors import Code, ExploreError
from icepick.explore.layout import Layout, domain_values, value_text
from icepick.model.types import (
    Action,
    OneOf,
    Parameter,
    Reference,
)

MOST_ACTIONS = 2**16

Bound = int | tuple[int, ...]
"""The encoded value of a parameter, or the members of a set parameter."""


@dataclass(frozen=True, slots=True)
class GroundAction:
    """An action with its arguments, encoded and as text."""

    action: str
    operation: str
    bounds: tuple[Bound, ...]
    arguments: tuple[str, ...]

    @property
    def name(self) -> str:
        """As in `postEnrolment(e1, p2, t1)`."""
        return f"{self.action}({', '.join(self.arguments)})"


def ground_actions(layout: Layout) -> tuple[GroundAction, ...]:
    """The ground actions of a model: actions in order, first parameters vary slowest."""
    number = sum(_how_many(layout, action) for action in layout.model.actions)
    if number > MOST_ACTIONS:
        raise ExploreError(
            Code.MODEL_TOO_LARGE,
            f"the actions of {layout.model.name} have {number} choices of arguments",
            hint=f"Lower the bounds: at most {MOST_ACTIONS} are explored.",
        )
    return tuple(g for action in layout.model.actions for g in _ground(layout, action))


def _how_many(layout: Layout, action: Action) -> int:
    return prod(_size(layout, parameter) for parameter in action.parameters)


def _size(layout: Layout, parameter: Parameter) -> int:
    if isinstance(parameter.kind, OneOf):
        return len(domain_values(layout.model, parameter.kind.domain, layout.symbols))
    return int(2 ** layout.model.resource(parameter.kind.resource).size - 1)


def _ground(layout: Layout, action: Action) -> Iterator[GroundAction]:
    choices = [list(_choices(layout, parameter)) for parameter in action.parameters]
    for bounds in product(*choices):
        texts = tuple(
            _text(layout, parameter, bound)
            for parameter, bound in zip(action.parameters, bounds, strict=True)
        )
        yield GroundAction(action.name, action.operation or action.name, bounds, texts)


def _choices(layout: Layout, parameter: Parameter) -> Iterator[Bound]:
    if isinstance(parameter.kind, OneOf):
        yield from domain_values(layout.model, parameter.kind.domain, layout.symbols)
        return
    size = layout.model.resource(parameter.kind.resource).size
    for mask in range(1, 2**size):
        yield tuple(value for value in range(size) if mask >> value & 1)


def _text(layout: Layout, parameter: Parameter, bound: Bound) -> str:
    if isinstance(parameter.kind, OneOf):
        assert isinstance(bound, int)  # noqa: S101 (a single value is one integer)
        return value_text(layout.model, parameter.kind.domain, bound, layout.symbols)
    assert isinstance(bound, tuple)  # noqa: S101 (a set is a tuple)
    domain = Reference(parameter.kind.resource)
    names = [value_text(layout.model, domain, value, layout.symbols) for value in bound]
    return "{" + ", ".join(names) + "}"
