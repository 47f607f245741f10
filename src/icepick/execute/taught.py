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

    def case(self, operation: Operation, given: Values, fresh: Fresh, rng: Random) -> Case | None:
        """An input with the given values; None where the document is enough to make one."""
        known = self._learned.get(operation.id)
        if known is None or not known.successes or not _says_more(known):
            return None
        setting = replace(self._setting, fresh=fresh, given=given)
        if known.undeclared:
            beside = beside_of(operation, self._resources, setting.schemas)
            setting = replace(setting, beside=beside)
        trial = OperationLearner(operation, setting, rng, known=known).valid()
        return trial.case if trial is not None else None


def _says_more(known: Learned) -> bool:
    """Whether anything was learned that the document does not say; what was merely missing, such
    as something to refer to, is no reason to send as little as possible."""
    return bool(known.hints or known.relations or known.forbidden or known.examples)
