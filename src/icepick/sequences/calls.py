"""The calls of a plan, each with a number."""

from __future__ import annotations

from icepick.explore.ground import Bound, GroundAction
from icepick.explore.layout import Layout, value_text
from icepick.model.types import Action, OneOf, Parameter, Reference
from icepick.sequences.types import Argument, Call, Kind


class Calls:
    """A growing list of different calls; the first ones are the ground actions in their order."""

    def __init__(self, layout: Layout, actions: tuple[GroundAction, ...]) -> None:
        self._layout = layout
        self._actions = {action.name: action for action in layout.model.actions}
        self._numbers: dict[Call, int] = {}
        for ground in actions:
            self.add(self.of(ground))

    @property
    def table(self) -> tuple[Call, ...]:
        """All calls so far, by number."""
        return tuple(self._numbers)

    def add(self, call: Call) -> int:
        """The number of a call."""
        return self._numbers.setdefault(call, len(self._numbers))

    def of(
        self, ground: GroundAction, kind: Kind = Kind.TRANSITION, violated: tuple[str, ...] = ()
    ) -> Call:
        """The call of a ground action."""
        parameters = self._actions[ground.action].parameters
        arguments = tuple(
            _argument(self._layout, parameter, bound)
            for parameter, bound in zip(parameters, ground.bounds, strict=True)
        )
        return Call(kind, ground.operation, arguments, ground.action, violated=violated)


def binding(action: Action, ground: GroundAction) -> dict[str, Bound]:
    """The encoded arguments by the names of the parameters."""
    names = (parameter.name for parameter in action.parameters)
    return dict(zip(names, ground.bounds, strict=True))


def _argument(layout: Layout, parameter: Parameter, bound: Bound) -> Argument:
    if isinstance(parameter.kind, OneOf):
        assert isinstance(bound, int)  # noqa: S101 (a single value is one integer)
        return value_text(layout.model, parameter.kind.domain, bound, layout.symbols)
    assert isinstance(bound, tuple)  # noqa: S101 (a set is a tuple)
    domain = Reference(parameter.kind.resource)
    return tuple(value_text(layout.model, domain, value, layout.symbols) for value in bound)
