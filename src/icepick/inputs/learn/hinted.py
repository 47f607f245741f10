"""What was learned in the form that makers of cases take."""

from __future__ import annotations

from dataclasses import replace

from icepick.inputs.case import Slot, SlotHints
from icepick.inputs.learn.types import Kind, Learned, Relation
from icepick.inputs.types import Hint, RequiredIf


def slot_hints(learned: Learned) -> SlotHints:
    """The hints of an operation, with the needs of one field for another among them.

    Hints cannot say that fields exclude one another or stand in an order: an `OperationLearner`
    that is told what was learned makes inputs that heed this too.
    """
    found: dict[Slot, Hint] = dict(learned.hints)
    for slot in learned.forbidden:
        found[slot] = replace(found.get(slot, Hint()), required=False)
    for one in learned.relations:
        if one.kind is Kind.REQUIRES and _are_siblings(one):
            known = found.get(one.slot, Hint())
            condition = RequiredIf(one.others[0][1][-1], one.value)
            found[one.slot] = replace(known, required_if=(*known.required_if, condition))
    return found


def _are_siblings(one: Relation) -> bool:
    (location, path), (other, beside) = one.slot, one.others[0]
    return location is other and path[:-1] == beside[:-1]
