"""What calls are made of: operations, resources, inputs, and the chance that chooses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from icepick.execute.binding.bound import NotBound
from icepick.execute.binding.leaves import AllLeaves
from icepick.execute.binding.taught import Taught
from icepick.execute.binding.unique import freshened
from icepick.inputs import Case, CaseMaker, Fresh, NotMade, Options, Slot
from icepick.openapi.shape import Schemas
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.types import Location, ResourceMap, Use

LAST = 2
"""The last attempt at inputs of a call, counted from 0."""


@dataclass(frozen=True, slots=True)
class Chance:
    """Where the choices of one sequence come from; `seed` is what they all depend on, `attempt`
    how often inputs of the same call were refused before."""

    seed: str
    rng: Random
    fresh: Fresh
    options: Options
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Subject:
    """What calls are made of: the operations, the resources, and how inputs are made."""

    operations: Mapping[str, Operation]
    resources: ResourceMap
    schemas: Schemas
    maker: CaseMaker
    leaves: AllLeaves
    taught: Taught | None = None

    def use(self, operation: Operation, resource: str) -> Use | None:
        """What an operation does to a resource."""
        for owner, use in self.resources.uses_of(operation.id):
            if owner.name == resource:
                return use
        return None

    def made(
        self,
        operation: Operation,
        chance: Chance,
        given: Mapping[Slot, Json],
        *,
        creates: bool = False,
    ) -> Case | NotBound:
        """A call with these values; references that nobody binds are left out where that is legal,
        since an invented identifier would be refused."""
        leaves = self.leaves.of(operation)
        full = dict(given)
        for resource, use in self.resources.uses_of(operation.id):
            start = use.request.path if use.request else ()
            for reference in resource.references:
                slot = (Location.BODY, (*start, *reference.field.path))
                leaf = leaves.by_slot.get(slot)
                if slot not in given and leaf is not None and not leaf.required:
                    full[slot] = ABSENT
        made: Case | NotMade | None = None
        if self.taught is not None:
            # So much depends on what is created that no other input is tried first where few do.
            hard = creates and self.taught.is_hard(operation)
            sure = (chance.attempt >= LAST) is not hard
            made = self.taught.case(operation, full, chance.fresh, chance.rng, sure=sure)
        if made is None:
            made = self.maker.make(operation, chance.rng, chance.options, full)
        if isinstance(made, NotMade):
            return NotBound(f"no input could be made: {made}")
        if self.taught is None:
            return freshened(made, leaves, chance.fresh, frozenset(given))
        # What takes known values alone may still be unique: the second attempt sees to that.
        picky = self.taught.picky(operation) if chance.attempt != 1 else frozenset()
        settled = frozenset(given) | picky
        return freshened(made, leaves, chance.fresh, settled, self.taught.schema)
