"""Build a value along its schema. What it cannot build in is left to the check that follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from icepick.inputs import numeric
from icepick.inputs.flatten import Flattener
from icepick.inputs.heights import Heights
from icepick.inputs.merge import Flat, contains, types_of
from icepick.inputs.objects import Chooser, extra_name, member_schema
from icepick.inputs.realistic import numbers_for
from icepick.inputs.texts import text
from icepick.inputs.types import Given, NoValueError, Optionals, Options
from icepick.openapi.shape import Schemas
from icepick.openapi.types import ABSENT, Json, Schema
from icepick.openapi.validate import Direction, Validators
from icepick.resources.types import Path

_TRIES = 25
_FEW_TRIES = 3
_VARIANTS = 8
_MAX_STEPS = 20_000
_MAX_ITEMS = 10_000
_RESTRICTING = {"patterns", "format", "minLength", "maxLength", "minimum", "maximum", "nots"}
_NEVER: Schema = {"not": {}}
_TYPES = {
    "string": str,
    "boolean": bool,
    "object": dict,
    "array": list,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}


@dataclass(frozen=True, slots=True)
class Tools:
    """What the values of one API are made with."""

    schemas: Schemas
    flattener: Flattener
    heights: Heights
    validators: Validators


class Maker:
    """Makes one value."""

    def __init__(self, tools: Tools, rng: Random, options: Options, given: Given) -> None:
        self._tools = tools
        self._rng = rng
        self._options = options
        self._given = given
        self._needed = {
            path[:end]
            for path, value in given.items()
            if value is not ABSENT
            for end in range(len(path) + 1)
        }
        self._steps = 0
        self._made = 0
        self._chooser = Chooser(tools, rng, options, given)

    def value(self, schema: Schema, path: Path = (), depth: int = 0, like: Json = ABSENT) -> Json:
        """A value; `like` is an example to follow where it fits."""
        given = self._given.get(path, ABSENT)
        if given is not ABSENT:
            return given
        self._steps += 1
        if self._steps > _MAX_STEPS:
            raise NoValueError("gave up after too many attempts", path)
        error: NoValueError | None = None
        for flat in self._ordered(schema, path, depth):
            try:
                return self._tried(schema, flat, path, depth, like)
            except NoValueError as refused:
                error = refused if refused.path else NoValueError(refused.reason, path)
        raise error or NoValueError("the schema contradicts itself: no value fits", path)

    def variant(self, schema: Schema, flat: Flat) -> Json:
        """A value of one variant of a schema."""
        return self._tried(schema, flat, (), 0, ABSENT)

    def _ordered(self, schema: Schema, path: Path, depth: int) -> Sequence[Flat]:
        """The variants to try, in order: those that can end in time and know what is given."""
        variants = self._tools.flattener.variants(schema)
        if len(variants) <= 1:
            return variants
        heights = [self._tools.heights.of(flat) for flat in variants]
        bound = max(self._options.max_depth - depth, min(heights))
        found = [flat for flat, height in zip(variants, heights, strict=True) if height <= bound]
        ordered = self._rng.sample(found, len(found))
        if depth < self._options.max_depth:
            ordered.sort(key=lambda flat: types_of(flat) == ["null"])
        if path in self._needed:
            names = [one[-1] for one in self._needed if one[:-1] == path and len(one) > len(path)]
            ordered.sort(key=lambda flat: _unknown(flat, names))
        return ordered[:_VARIANTS] + ordered[_VARIANTS:][-1:]

    def _tried(self, schema: Schema, flat: Flat, path: Path, depth: int, like: Json) -> Json:
        hard = flat.get("hard") or ("patterns" in flat and "format" in flat)
        if not hard and len(self._tools.flattener.variants(schema)) == 1:
            return self._flat(schema, flat, path, depth, like)
        value = None
        for _ in range(_TRIES if hard else _FEW_TRIES):
            value = self._flat(schema, flat, path, depth, like)
            if path in self._needed or self._fits(schema, value):
                return value
            like = ABSENT
        if "null" in (types_of(flat) or ()) and self._fits(schema, None):
            return None
        problems = self._tools.validators.problems(schema, value, Direction.REQUEST) or ()
        raise NoValueError(problems[0].message if problems else "no value fits", path)

    def _fits(self, schema: Schema, value: Json) -> bool:
        return self._tools.validators.problems(schema, value, Direction.REQUEST) == ()

    def _flat(self, schema: Schema, flat: Flat, path: Path, depth: int, like: Json) -> Json:
        self._made += 1
        if self._options.examples and path not in self._needed:
            like = self._example(flat) if like is ABSENT else like
            if (
                like is not ABSENT
                and not isinstance(like, dict | list)
                and self._fits(schema, like)
            ):
                return like
        if "enum" in flat and path not in self._needed:
            return self._listed(schema, flat)
        kind = self._kind(flat, path, depth)
        if kind == "object":
            return self._object(flat, path, depth, like if isinstance(like, dict) else {})
        if kind == "array":
            return self._array(flat, path, depth, like if isinstance(like, list) else [])
        return self._leaf(kind, flat, path)

    def _example(self, flat: Flat) -> Json:
        examples = [*flat.get("examples", ()), *([flat["default"]] if "default" in flat else [])]
        return examples[0] if examples else ABSENT

    def _listed(self, schema: Schema, flat: Flat) -> Json:
        kinds = types_of(flat)
        values = [one for one in flat["enum"] if kinds is None or _is_any(one, kinds)]
        if flat.keys() & _RESTRICTING:
            values = [one for one in values if self._fits(schema, one)]
        if not values:
            raise NoValueError("no value of the enum fits the rest of the schema")
        some = [one for one in values if one is not None]
        return self._rng.choice(some or values)

    def _kind(self, flat: Flat, path: Path, depth: int) -> str:
        kinds = types_of(flat) or [_guessed(flat)]
        if path in self._needed and (*path, "[]") in self._needed and "array" in kinds:
            return "array"
        if path in self._needed and "object" in kinds:
            return "object"
        if depth >= self._options.max_depth and "null" in kinds:
            return "null"
        some = [kind for kind in kinds if kind != "null"]
        return self._rng.choice(some) if some else "null"

    def _leaf(self, kind: str, flat: Flat, path: Path) -> Json:
        name = next((part for part in reversed(path) if part != "[]"), "")
        if kind == "null":
            return None
        if kind == "boolean":
            return self._rng.random() < 0.5
        if kind == "string":
            return text(flat, name, self._rng, realistic=self._options.realistic)
        numbers = numeric.number_range(flat, whole=kind == "integer")
        usual = numbers_for(name) if self._options.realistic else None
        drawn = numeric.draw(numbers, self._rng, usual)
        if drawn is None:
            raise NoValueError("no number is within the bounds", path)
        return drawn

    def _object(self, flat: Flat, path: Path, depth: int, like: dict[str, Json]) -> Json:
        if self._tools.heights.of(flat) == float("inf"):
            raise NoValueError("the schema requires itself without end", path)
        names = self._chooser.names(flat, path, depth, like, full=self._is_full())
        names = self._chooser.completed(flat, names, path)
        extended = self._tools.flattener.with_dependents(flat, names)
        if extended is not flat:
            flat, names = extended, self._chooser.completed(extended, names, path)
        made: dict[str, Json] = {}
        for name in names:
            self._member(made, name, flat, (path, depth), like)
        least = int(flat.get("minProperties", 0))
        for _ in range(20 * least):
            if len(made) >= least:
                break
            name = extra_name(flat, self._rng, self._named)
            if name not in made:
                self._member(made, name, flat, (path, depth), like)
        return made

    def _member(
        self,
        made: dict[str, Json],
        name: str,
        flat: Flat,
        place: tuple[Path, int],
        like: dict[str, Json],
    ) -> None:
        path, depth = (*place[0], name), place[1] + 1
        try:
            made[name] = self.value(member_schema(flat, name), path, depth, like.get(name, ABSENT))
        except NoValueError:
            if name in flat.get("required", ()) or path in self._needed:
                raise

    def _named(self, schema: Schema) -> str:
        return str(self.value(schema, ("",), 0))

    def _is_full(self) -> bool:
        return self._made > self._options.max_values

    def _array(self, flat: Flat, path: Path, depth: int, like: list[Json]) -> Json:
        prefix = flat.get("prefixItems", [])
        element = flat.get("items", {})
        size = self._size(flat, path, depth, like)
        made: list[Json] = []
        inner = (*path, "[]")
        wanted = [flat["contains"]] * int(flat.get("minContains", 1)) if "contains" in flat else []
        schemas = [*prefix, *wanted, *[element] * max(0, size - len(prefix) - len(wanted))]
        for index, schema in enumerate(schemas[: max(size, len(wanted))]):
            follow = like[index] if index < len(like) else ABSENT
            self._add(
                made, schema, (inner, depth + 1), follow, unique=bool(flat.get("uniqueItems"))
            )
        if len(made) < flat.get("minItems", 0):
            raise NoValueError(f"found only {len(made)} different elements", path)
        return made

    def _add(
        self,
        made: list[Json],
        schema: Schema,
        place: tuple[Path, int],
        like: Json,
        *,
        unique: bool,
    ) -> None:
        for _ in range(_TRIES if unique else 1):
            value = self.value(schema, *place, like)
            if not unique or not contains(made, value):
                made.append(value)
                return
            like = ABSENT

    def _size(self, flat: Flat, path: Path, depth: int, like: list[Json]) -> int:
        low, high = int(flat.get("minItems", 0)), int(flat.get("maxItems", _MAX_ITEMS))
        if flat.get("items") == _NEVER:
            high = min(high, len(flat.get("prefixItems", ())))
        if low > high or low > _MAX_ITEMS:
            raise NoValueError(f"no array has a length from {low} to {high}", path)
        if (*path, "[]") in self._needed:
            return max(low, 1)
        if (*path, "[]") in self._given:
            return low  # elements are to be left out
        element = self._tools.heights.of(flat.get("items", {}))
        if depth + 1 + element > self._options.max_depth or self._is_full():
            return low
        if like:
            return min(max(low, len(like)), high)
        least = max(low, min(high, len(flat.get("prefixItems", ()))))
        if self._options.optionals is Optionals.NONE:
            return least
        floor = max(least, min(1, high)) if self._options.optionals is Optionals.ALL else least
        return self._rng.randint(floor, max(floor, min(high, least + 2)))


def _unknown(flat: Flat, names: list[str]) -> int:
    known = flat.get("properties", {})
    return sum(name not in known and not (name == "[]" and "items" in flat) for name in names)


def _is_any(value: Json, kinds: list[str]) -> bool:
    if isinstance(value, bool):
        return "boolean" in kinds
    if isinstance(value, float) and value.is_integer() and "integer" in kinds:
        return True
    return any(isinstance(value, _TYPES[kind]) for kind in kinds)  # type: ignore[arg-type]


def _guessed(flat: Flat) -> str:
    """The type that the keywords are about, where none is named."""
    about: dict[str, tuple[str, ...]] = {
        "object": ("properties", "required", "additionalProperties", "minProperties"),
        "array": ("items", "prefixItems", "minItems", "contains", "uniqueItems"),
        "string": ("patterns", "minLength", "maxLength"),
        "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    }
    found: Any = next((kind for kind, keys in about.items() if flat.keys() & set(keys)), None)
    if found is None and str(flat.get("format", "")).startswith("int"):
        return "integer"
    return str(found or "string")
