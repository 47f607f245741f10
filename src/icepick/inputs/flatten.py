"""A schema as the list of its variants: references followed, parts merged, one branch chosen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from icepick.inputs.merge import Flat, is_empty, merged
from icepick.openapi.shape import Schemas, expandable, reference_name, single
from icepick.openapi.types import Json, Schema

_MAX_VARIANTS = 64
_NEVER: Schema = {"not": {}}
_APPLIED = {"$ref", "allOf", "anyOf", "oneOf", "not", "const", "pattern", "if", "then", "else"}
_Names = tuple[str, ...]


class Flattener:
    """Gives the variants of the schemas of one API, each worked out once."""

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self._known: dict[int, tuple[Schema, tuple[Flat, ...]]] = {}
        self._extended: dict[tuple[int, _Names], tuple[Flat, Flat]] = {}
        self._subtypes = _subtypes(schemas)

    def variants(self, schema: Schema) -> tuple[Flat, ...]:
        """Every way to read a schema; none where it contradicts itself."""
        found = self._known.get(id(schema))
        if found is None:
            # The schema is kept beside its variants so that its id stays its own.
            variants = tuple(islice(self._expand(schema, ()), _MAX_VARIANTS))
            found = self._known[id(schema)] = (schema, variants)
        return found[1]

    def with_dependents(self, flat: Flat, names: list[str]) -> Flat:
        """The variant with what the presence of these properties adds to it."""
        if "dependentSchemas" not in flat:
            return flat
        present = tuple(name for name in flat["dependentSchemas"] if name in names)
        if not present:
            return flat
        found = self._extended.get((id(flat), present))
        if found is None:
            extended = flat
            for name in present:
                for added in self.variants(flat["dependentSchemas"][name])[:1]:
                    extended = merged(extended, added)
            found = self._extended[id(flat), present] = (flat, extended)
        return found[1]

    def _expand(self, schema: Schema, inside: _Names) -> Iterator[Flat]:
        combined: Iterator[Flat] = iter([_own(schema)])
        for keyword in ("$ref", "allOf", "anyOf", "oneOf", "if"):
            if keyword in schema:
                combined = _product(combined, self._applied(keyword, schema, inside))
        for flat in combined:
            if not is_empty(flat):
                yield flat

    def _applied(self, keyword: str, schema: Schema, inside: _Names) -> Iterator[Flat]:
        if keyword == "$ref":
            yield from self._named(str(reference_name(schema)), inside)
        elif keyword == "allOf":
            yield from self._all(schema["allOf"], inside)
        elif keyword == "if":
            yield from self._conditional(schema, inside)
        else:
            yield from self._branches(schema, keyword, inside)

    def _named(self, name: str, inside: _Names) -> Iterator[Flat]:
        if name in inside:
            return
        schema = self._schemas.get(name, {})
        found = self._expand(schema, (*inside, name))
        discriminator = _inherited(schema, self._schemas)
        if discriminator is None or {"anyOf", "oneOf"} & schema.keys():
            yield from found
            return
        subtypes = [one for one in self._subtypes.get(name, ()) if one not in inside]
        if "discriminator" in schema and subtypes and not _heirs(inside, name, self._subtypes):
            for subtype in subtypes:
                yield from self._named(subtype, inside)
        else:
            heir = next((one for one in inside if name in _bases(one, self._schemas)), name)
            yield from (_marked(flat, discriminator, heir) for flat in found)

    def _all(self, schemas: list[Schema], inside: _Names) -> Iterator[Flat]:
        combined: Iterator[Flat] = iter([{}])
        for schema in schemas:
            combined = _product(combined, self._expand(schema, inside))
        yield from combined

    def _branches(self, schema: Schema, keyword: str, inside: _Names) -> Iterator[Flat]:
        discriminator = schema.get("discriminator")
        # In turn, so that a bound on the number of variants leaves out no branch.
        parts = self._told_shortest(schema, schema[keyword])
        waiting = [(part, self._expand(part, inside)) for part in parts]
        while waiting:
            left = []
            for part, variants in waiting:
                for flat in islice(variants, 1):
                    name = reference_name(part)
                    chosen = _marked(flat, discriminator, name) if discriminator and name else flat
                    chosen = _tagged(chosen) if len(parts) > 1 else chosen
                    yield {**chosen, "hard": True} if keyword == "oneOf" else chosen
                    left.append((part, variants))
            waiting = left

    def _told_shortest(self, schema: Schema, parts: list[Schema]) -> list[Schema]:
        """One of many where either is taken, and an identifier where a whole thing is: what is
        made inside another thing is nobody's to find and remove again."""
        one = single(schema)
        if one is not schema:
            return [one]
        whole = expandable(schema, self._schemas)
        named = whole[1] if whole else ()
        return [part for part in parts if reference_name(part) not in named]

    def _conditional(self, schema: Schema, inside: _Names) -> Iterator[Flat]:
        holds = [schema["if"], schema.get("then", {})]
        fails = [{"not": schema["if"]}, schema.get("else", {})]
        for parts in (holds, fails):
            for flat in self._all(parts, inside):
                yield {**flat, "hard": True}


def _product(flats: Iterator[Flat], others: Iterator[Flat]) -> Iterator[Flat]:
    """Every flat merged with every other, the first few of each: choices multiply."""
    expanded = list(islice(others, _MAX_VARIANTS))
    for flat in islice(flats, _MAX_VARIANTS):
        for other in expanded:
            both = merged(flat, other)
            if not is_empty(both):
                yield both


def _own(schema: Schema) -> Flat:
    """The keywords of the schema itself."""
    flat: dict[str, Any] = {key: value for key, value in schema.items() if key not in _APPLIED}
    if "const" in schema:
        flat["enum"] = [schema["const"]]
    if "pattern" in schema:
        flat["patterns"] = [schema["pattern"]]
    if "not" in schema:
        flat |= {"nots": [schema["not"]], "hard": True}
    if "contains" in schema or "patternProperties" in schema:
        flat["hard"] = True
    if schema.get("additionalProperties") == _NEVER and "patternProperties" not in schema:
        flat["names"] = list(schema.get("properties", {}))
    return flat


def _marked(flat: Flat, discriminator: Json, name: str) -> Flat:
    """The variant with the discriminator's property set to the value that means this schema."""
    named, mapping = discriminator["propertyName"], discriminator.get("mapping", {})
    values = [value for value, target in mapping.items() if target == name] or [name]
    own = flat.get("properties", {}).get(named, {})
    if "const" in own or ("enum" in own and not set(values) & set(map(str, own["enum"]))):
        return flat
    properties = {**flat.get("properties", {}), named: {**own, "enum": values}}
    required = list(dict.fromkeys([*flat.get("required", ()), named]))
    return {**flat, "properties": properties, "required": required}


def _tagged(flat: Flat) -> Flat:
    """The variant with those properties required that can have one value alone: they tell it from
    others, and a service that does not get them may take it for any."""
    told = [name for name, one in flat.get("properties", {}).items() if _is_constant(one)]
    required = list(dict.fromkeys([*flat.get("required", ()), *told]))
    return {**flat, "required": required} if told else flat


def _is_constant(schema: Json) -> bool:
    if not isinstance(schema, dict) or schema.get("readOnly"):
        return False
    return "const" in schema or len(schema.get("enum", ())) == 1


def _bases(name: str, schemas: Schemas) -> list[str]:
    parts = schemas.get(name, {}).get("allOf", ())
    return [base for part in parts if (base := reference_name(part)) is not None]


def _inherited(schema: Schema, schemas: Schemas) -> Json:
    """The discriminator of a schema, or of one that it extends."""
    named = [schemas.get(str(reference_name(part)), {}) for part in schema.get("allOf", ())]
    found = (one["discriminator"] for one in (schema, *named) if "discriminator" in one)
    return next(found, None)


def _subtypes(schemas: Schemas) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in schemas:
        for base in _bases(name, schemas):
            found.setdefault(base, []).append(name)
    return found


def _heirs(inside: _Names, name: str, subtypes: dict[str, list[str]]) -> bool:
    return any(one in subtypes.get(name, ()) for one in inside)
