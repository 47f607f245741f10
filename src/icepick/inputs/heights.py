"""How deep the smallest value of a schema is: where recursion can end, and whether it does."""

from __future__ import annotations

import math

from icepick.openapi.shape import Schemas, reference_name
from icepick.openapi.types import Schema


class Heights:
    """The least number of objects and arrays around one another in any value of a schema."""

    def __init__(self, schemas: Schemas) -> None:
        self._named = dict.fromkeys(schemas, math.inf)
        self._known: dict[int, tuple[Schema, float]] = {}
        changed = True
        while changed:
            changed = False
            for name, schema in schemas.items():
                height = self._height(schema)
                changed |= height < self._named[name]
                self._named[name] = height

    def of(self, schema: Schema) -> float:
        """Its height; infinite where every value would have to hold another of its own kind."""
        found = self._known.get(id(schema))
        if found is None:
            found = self._known[id(schema)] = (schema, self._height(schema))
        return found[1]

    def _height(self, schema: Schema) -> float:
        name = reference_name(schema)
        own = [self._named.get(name, 0.0) if name is not None else 0.0, self._inside(schema)]
        own += [self._height(part) for part in schema.get("allOf", ())]
        own += [
            min(self._height(part) for part in schema[keyword])
            for keyword in ("anyOf", "oneOf")
            if schema.get(keyword)
        ]
        return max(own)

    def _inside(self, schema: Schema) -> float:
        if "null" in (schema.get("type") or ()) or "enum" in schema or "const" in schema:
            return 0.0
        properties = schema.get("properties", {})
        read_only = [name for name, part in properties.items() if part.get("readOnly") is True]
        inner = [
            self._height(properties[name])
            for name in schema.get("required", ())
            if name in properties and name not in read_only
        ]
        if schema.get("minItems", 0) > 0:
            inner += [self._height(schema["items"])] if "items" in schema else []
            inner += [self._height(p) for p in schema.get("prefixItems", ())[: schema["minItems"]]]
        return 1 + max(inner) if inner else 0.0
