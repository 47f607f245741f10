"""How the arguments of an action become inputs of its operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from icepick.model.expressions import Term
from icepick.resources.types import Location, Path, Use


@dataclass(frozen=True, slots=True)
class Binding:
    """Where the values of an action stand in a call of its operation.

    A term is a parameter of the action, or a field of one. `several` is the list in the body of a
    bulk creation.
    """

    operation: str
    resource: str
    use: Use
    inputs: Mapping[tuple[Location, Path], Term]
    several: Path | None = None
