"""Creations with more than need be."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from icepick.inputs import Hint, Slot
from icepick.inputs.learn import Beside, Learned
from icepick.openapi.shape import Schemas, keyword, types
from icepick.openapi.types import Schema
from icepick.resources.types import Location


def with_more(
    known: Learned,
    more: frozenset[str],
    declared: Container[Slot],
    beside: Beside,
    schemas: Schemas,
) -> Learned:
    """What is known of a creation, and that it wants these properties, be they declared or not.

    What is not declared gets names of the run's own: one that was seen may be somebody's.
    """
    slots: list[Slot] = [(Location.BODY, (name,)) for name in sorted(more)]
    asked = {slot: replace(known.hints.get(slot, Hint()), required=True) for slot in slots}
    new = {
        slot: schema
        for slot in slots
        if slot not in declared and (schema := beside.schemas.get(slot[1][0])) is not None
    }
    named = (slot for slot, schema in new.items() if _is_a_name(schema, schemas))
    return replace(
        known,
        hints={**known.hints, **asked},
        undeclared={**new, **known.undeclared},
        unique=tuple(dict.fromkeys([*known.unique, *named])),
    )


def _is_a_name(schema: Schema, schemas: Schemas) -> bool:
    plain = types(schema, schemas) == {"string"}
    return plain and not any(keyword(schema, word, schemas) for word in ("enum", "const", "format"))
