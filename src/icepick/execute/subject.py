"""What calls are made of: operations, resources, inputs, and the chance that chooses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from icepick.execute.bound import NotBound
from icepick.execute.leaves import AllLeaves
from icepick.execute.taught import Taught
from icepick.execute.unique import freshened
from icepick.inputs import Case, CaseMaker, Fresh, NotMade, Options, Slot
from icepick.openapi.shape import Schemas
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.types import Location, ResourceMap, Use


@dataclass(frozen=True, slots=True)
class Chance:
    """Where the choices of one sequence come from; `seed` is what they all depend on."""

    seed: str
    rng: Random
    fresh: Fresh
    options: Options


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
        self, operation: Operation, chance: Chance, given: Mapping[Slot, Json]
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
            made = self.taught.case(operation, full, chance.fresh, chance.rng)
        if made is None:
            made = self.maker.make(operation, chance.rng, chance.options, full)
        if isinstance(made, NotMade):
            return NotBound(f"no input could be made: {made}")
        if self.taught is None:
            return freshened(made, leaves, chance.fresh, frozenset(given))
        return freshened(made, leaves, chance.fresh, frozenset(given), self.taught.schema)
