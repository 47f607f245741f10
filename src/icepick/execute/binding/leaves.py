"""The inputs of operations, worked out once for each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from icepick.inputs import Slot
from icepick.openapi.shape import Schemas, keyword, types
from icepick.openapi.types import Operation
from icepick.resources.fields import inputs
from icepick.resources.types import Field, Location
from icepick.resources.words import words

_UNIQUE = frozenset(
    {"code", "email", "handle", "key", "login", "name", "nickname", "sku", "slug", "title"}
)
_UNIQUE_LAST = frozenset({"email", "mail", "username", "slug"})


class Leaves:
    """What one operation takes."""

    def __init__(self, operation: Operation, schemas: Schemas) -> None:
        self._schemas = schemas
        self.all = inputs(operation, schemas)

    @cached_property
    def by_slot(self) -> Mapping[Slot, Field]:
        """Every input by its place."""
        return {(one.location, one.path): one for one in self.all}

    @cached_property
    def unique(self) -> tuple[Field, ...]:
        """The texts of the body that services often want to be unique."""
        return tuple(
            leaf
            for leaf in self.all
            if leaf.location is Location.BODY and not leaf.is_many
            if not leaf.read_only and self._is_unique(leaf)
        )

    def _is_unique(self, leaf: Field) -> bool:
        plain = types(leaf.schema, self._schemas) == {"string"}
        if not plain or keyword(leaf.schema, "enum", self._schemas):
            return False
        said = tuple(words(leaf.name))
        return bool(said) and ("".join(said) in _UNIQUE or said[-1] in _UNIQUE_LAST)


class AllLeaves:
    """What every operation takes."""

    def __init__(self, schemas: Schemas) -> None:
        self.schemas = schemas
        self._known: dict[str, Leaves] = {}

    def of(self, operation: Operation) -> Leaves:
        """The inputs of an operation."""
        if operation.id not in self._known:
            self._known[operation.id] = Leaves(operation, self.schemas)
        return self._known[operation.id]
