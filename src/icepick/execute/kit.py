"""What sequences work with: the parts that a whole run shares, and the model they walk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from icepick.execute.binding.bind import Binder
from icepick.execute.calibration.conventions import Conventions
from icepick.execute.judging.care import Care
from icepick.execute.judging.promises import Promises
from icepick.execute.laws.echo import Echo
from icepick.execute.laws.frame import Frame, Looking
from icepick.execute.laws.views import Views
from icepick.execute.reads import Scene
from icepick.openapi.types import Operation
from icepick.resources.types import ResourceMap


@dataclass(frozen=True, slots=True)
class Course:
    """A model as sequences walk it; `exists` tells the values of a state, where it can."""

    number: int
    binder: Binder
    exists: Callable[[int], frozenset[str] | None]


@dataclass(frozen=True, slots=True)
class Kit:
    """What the sequences of a run work with."""

    scene: Scene
    operations: Mapping[str, Operation]
    resources: ResourceMap
    promises: Promises
    looking: Looking
    views: Views
    echo: Echo
    care: Care
    conventions: Conventions
    frame: Frame = Frame.END
