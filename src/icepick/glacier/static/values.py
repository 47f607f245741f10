"""What is known of a value before the formula runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from icepick.glacier.static.kinds import ALL, SCALARS, Kinds, kinds
from icepick.openapi.shape import Schemas
from icepick.openapi.types import Json, Schema


@dataclass(frozen=True, slots=True)
class Value:
    """The schema of a value.

    `is_sure` where it is there whenever the exchange is as declared; `is_wire` where it travels as
    text, in a path, a query or a header; `length_of` what it is the length of.
    """

    schema: Schema = field(default_factory=dict)
    is_sure: bool = False
    is_wire: bool = False
    length_of: Schema | None = None

    def kinds(self, schemas: Schemas) -> Kinds:
        """The JSON types that it can have, or can be compared as."""
        found = kinds(self.schema, schemas)
        if not self.is_wire or found == ALL:
            return found
        return found | (SCALARS if "string" in found else {"string"})

    def is_null(self, schemas: Schemas) -> bool:
        """Whether it may be null."""
        return "null" in kinds(self.schema, schemas)


def constant(value: Json) -> Value:
    """A literal."""
    return Value({"const": value}, is_sure=True)


UNKNOWN = Value()
