"""Inputs that a service is known to take, for operations whose document does not say enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from icepick.inputs import Case, Fresh, Slot, Values
from icepick.inputs.hints import with_hints
from icepick.inputs.learn import Learned, OperationLearner, Setting, beside_of
from icepick.openapi.types import Operation, Schema
from icepick.resources.types import Field, ResourceMap

_MANY = 8
_FEW = 4
"""One input in so many that is taken is few, once that many were sent."""


class Taught:
    """Makes inputs like those that were taken; `learned` grows while lessons go on."""

    def __init__(
        self, setting: Setting, learned: Mapping[str, Learned], resources: ResourceMap
    ) -> None:
        self._setting = setting
        self._learned = learned
        self._resources = resources
        self._hinted: dict[tuple[str, Slot, str], Schema] = {}

    def schema(self, operation: Operation, leaf: Field) -> Schema:
        """The schema of an input under what was learned of it; the same one each time."""
        known = self._learned.get(operation.id)
        slot = (leaf.location, leaf.path)
        hint = known.hints.get(slot) if known is not None else None
        if hint is None:
            return leaf.schema
        key = (operation.id, slot, repr(hint))
        if key not in self._hinted:
            self._hinted[key] = with_hints(leaf.schema, self._setting.schemas, {(): hint})
        return self._hinted[key]

    def case(
        self, operation: Operation, given: Values, fresh: Fresh, rng: Random, *, sure: bool = False
    ) -> Case | None:
        """An input with the given values; None where the document is enough to make one.

        Where it must be `sure`, the rest is as in an input that was taken.
        """
        known = self._learned.get(operation.id)
        if known is None or not known.successes:
            return None
        again = sure and bool(known.taken)
        if not again and not _says_more(known):
            return None
        setting = replace(self._setting, fresh=fresh, given=given)
        if known.undeclared:
            beside = beside_of(operation, self._resources, setting.schemas)
            setting = replace(setting, beside=beside)
        learner = OperationLearner(operation, setting, rng, known=known)
        trial = learner.like(known.taken) if again else learner.valid()
        return trial.case if trial is not None else None

    def picky(self, operation: Operation) -> frozenset[Slot]:
        """The inputs that take known values alone, however unique they look."""
        known = self._learned.get(operation.id)
        return frozenset(known.picky) if known is not None else frozenset()

    def is_hard(self, operation: Operation) -> bool:
        """Whether an operation took few of the inputs that it was sent."""
        known = self._learned.get(operation.id)
        return known is not None and known.calls >= max(_MANY, _FEW * known.successes)


def _says_more(known: Learned) -> bool:
    """Whether anything was learned that the document does not say; what was merely missing, such
    as something to refer to, is no reason to send as little as possible."""
    more = known.relations or known.forbidden or known.examples or known.picky
    return bool(known.hints or known.undeclared or more)
