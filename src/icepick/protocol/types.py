"""The data types of a protocol: the basic ones, and the schemas of the document by name."""

from __future__ import annotations

from difflib import get_close_matches

from icepick.openapi.shape import items, types
from icepick.openapi.types import ApiSpec, Json, Schema
from icepick.openapi.validate import Direction, Validators
from icepick.protocol.tree import Type
from icepick.resources.payloads import schema_name

_BASIC = {
    "int": "integer",
    "integer": "integer",
    "long": "integer",
    "number": "number",
    "float": "number",
    "double": "number",
    "string": "string",
    "bool": "boolean",
    "boolean": "boolean",
    "object": "object",
    "list": "array",
    "array": "array",
    "any": "",
}
_SHOWN = ("Int", "Number", "String", "Bool", "Object", "List", "Any")


class Types:
    """What the types of a protocol mean beside one document."""

    def __init__(self, spec: ApiSpec) -> None:
        self.spec = spec
        self._schemas: dict[Type, Schema | None] = {}
        self.validators = Validators(spec.schemas)

    def schema(self, of: Type) -> Schema | None:
        """The schema that a type stands for, always the same object; None where it is unknown."""
        if of not in self._schemas:
            self._schemas[of] = self._made(of)
        return self._schemas[of]

    def _made(self, of: Type) -> Schema | None:
        if of.many:
            element = self.schema(Type(of.name))
            return None if element is None else {"type": "array", "items": element}
        if of.name in self.spec.schemas:
            return self.spec.schemas[of.name]
        basic = _BASIC.get(of.name.lower())
        if basic is None:
            return None
        return {"type": basic} if basic else {}

    def kinds(self, of: Type) -> frozenset[str]:
        """The JSON types of its values; empty where it may be any."""
        schema = self.schema(of)
        return types(schema, self.spec.schemas) if schema else frozenset()

    def nearest(self, of: Type) -> str:
        """What to write in place of an unknown type."""
        found = get_close_matches(of.name, [*_SHOWN, *self.spec.schemas], n=1, cutoff=0.6)
        return f"did you mean `{found[0]}`?" if found else f"basic types are {', '.join(_SHOWN)}"

    def is_named(self, of: Type, schema: Schema) -> bool:
        """Whether a schema of the document goes by the name of a type."""
        if of.many:
            element = items(schema, self.spec.schemas)
            return element is not None and self.is_named(Type(of.name), element)
        named = schema_name(schema, self.spec.schemas)
        return named == of.name and of.name in self.spec.schemas

    def may_be(self, of: Type, schema: Schema) -> bool:
        """Whether a value of a type may fit a schema, as far as JSON types tell."""
        return overlap(self.kinds(of), types(schema, self.spec.schemas))

    def problem(self, of: Type, value: Json, direction: Direction) -> str | None:
        """Why a value is not of a type, if it is not."""
        schema = self.schema(of)
        if schema is None:
            return f"there is no type {of}"
        found = self.validators.problems(schema, value, direction)
        if not found:
            return None
        return f"{found[0].message} at {found[0].pointer}" if found[0].pointer else found[0].message

    def misfit(self, of: Type, value: Json) -> str | None:
        """Why a value that a request may hold is not of a type, if it is not."""
        return self.problem(of, value, Direction.REQUEST)


def overlap(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether two sets of JSON types have a value in common; an empty set is every type."""
    if not some or not others:
        return True
    numbers = {"integer", "number"}
    return bool(some & others) or bool(some & numbers and others & numbers)
