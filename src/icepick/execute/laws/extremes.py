"""What is refused changes nothing, tried with the extremes that the document allows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

from icepick.execute.binding.emulator import Instance
from icepick.execute.laws.errands import Arrived, Errands
from icepick.execute.laws.items import (
    UPDATES,
    ItemLaw,
    Wrong,
    is_refused,
    look,
    look_at_items,
    send,
    update_of,
)
from icepick.execute.phases import Stage
from icepick.inputs.learn.mutate import put
from icepick.openapi.shape import keyword, types
from icepick.openapi.types import Json, Operation
from icepick.resources.fields import inputs
from icepick.resources.types import Field, Location, Resource
from icepick.resources.words import words

EXTREMES = "extremes"


class Extremes:
    """Sends the largest and smallest numbers that are allowed: a service may refuse them still."""

    def __init__(self, errands: Errands) -> None:
        self._errands = errands
        self._kit = errands.kit

    async def run(self, stage: Stage) -> None:
        """Look at an item of every resource whose updates have bounded numbers."""
        await look_at_items(ItemLaw(EXTREMES, self._concerns, self._wrong), self._errands, stage)

    def _concerns(self, resource: Resource) -> bool:
        updates = [self._kit.operations[use.operation] for use in resource.having(*UPDATES)]
        return any(True for one in updates for _ in self._bounds(one, resource))

    async def _wrong(
        self, arrived: Arrived, resource: Resource, instance: Instance
    ) -> AsyncIterator[Wrong]:
        first, before = await look(self._kit, instance), await look(self._kit, instance)
        if first is None or before is None or first.body != before.body:
            return
        for use in resource.having(*UPDATES):
            operation = self._kit.operations[use.operation]
            for leaf, bound in self._bounds(operation, resource):
                case = update_of(arrived, operation, instance)
                if case is None:
                    continue
                case = replace(case, body=put(case.body, leaf.path, bound))
                call = await send(self._kit, self._kit.scene.client.request(case), operation)
                after = await look(self._kit, instance)
                if after is None:
                    return
                if is_refused(call) and after.body != before.body:
                    law = "what is refused changes nothing"
                    text = f"{operation.label} answered {call.status}, and what is read changed"
                    shown = (before.exchange, after.exchange, call)
                    yield law, text, f"{operation.id} {leaf.name} refused and done", shown
                before = after

    def _bounds(self, operation: Operation, resource: Resource) -> Iterator[tuple[Field, Json]]:
        """The numbers of a body with the largest and smallest that the document allows."""
        schemas = self._kit.scene.schemas
        for leaf in inputs(operation, schemas):
            numeric = types(leaf.schema, schemas) & {"integer", "number"}
            for word in ("maximum", "minimum") if numeric and _is_plain(leaf, resource) else ():
                bound = keyword(leaf.schema, word, schemas)
                if bound is not None:
                    yield leaf, bound


def _is_plain(leaf: Field, resource: Resource) -> bool:
    """Whether an input is a value, and does not say which thing is meant."""
    identifier = resource.identifier.property if resource.identifier is not None else None
    named = {
        path[-1] for path in (identifier, *(one.field.path for one in resource.references)) if path
    }
    points = leaf.path[-1] in named or words(leaf.name)[-1:] == ("id",)
    return (
        leaf.location is Location.BODY and not leaf.is_many and "[]" not in leaf.path and not points
    )
