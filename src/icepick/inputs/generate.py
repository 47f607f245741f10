"""Values that fit their schema, or the reason why there is none."""

from __future__ import annotations

from random import Random

from icepick.inputs.flatten import Flattener
from icepick.inputs.heights import Heights
from icepick.inputs.making import Maker, Tools
from icepick.inputs.merge import Flat
from icepick.inputs.types import Given, Made, NotMade, NoValueError, Options, Result
from icepick.openapi.shape import Schemas, items, keyword, types
from icepick.openapi.source import path_of
from icepick.openapi.types import ABSENT, Json, MediaType, Parameter, Schema
from icepick.openapi.validate import Direction, Problem, Validators
from icepick.resources.types import Path

_TRIES = 30
_REFUSALS = 4
_SAME = 8
"""So often in a row the same is wrong before that is not put down to chance."""
_DEFAULT = Options()
_NOTHING: Given = {}


class Generator:
    """Makes values for the schemas of one API; what it learns of a schema it keeps.

    A schema is known by its identity, so the same one should be passed again, not an equal copy.
    """

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self._validators = Validators(schemas, formats=True)
        self._tools = Tools(schemas, Flattener(schemas), Heights(schemas), self._validators)
        self._sent: dict[int, tuple[Parameter, Schema]] = {}
        self._ones: dict[int, tuple[Schema, Schema]] = {}

    def value(
        self,
        schema: Schema,
        rng: Random,
        options: Options = _DEFAULT,
        given: Given = _NOTHING,
        name: str = "",
    ) -> Result:
        """A value that validates, with the given ones inside it as they are.

        The name says what a value by itself stands for. What is given need not fit the schema.
        """
        refused = NotMade("no value fits")
        refusals, wrong = 0, list[str]()
        for _ in range(_TRIES):
            try:
                made = self._make(schema, rng, options, given, name)
            except NoValueError as error:
                refused, refusals = NotMade(error.reason, _inside(error.path, name)), refusals + 1
                if refusals == _REFUSALS:
                    return refused
                continue
            problems = self._validators.problems(schema, made, Direction.REQUEST)
            if problems is None:
                return NotMade("the schema itself cannot be used")
            left = [one for one in problems if not _excused(one, given)]
            if not left:
                return Made(made)
            refused = _refusal(left[0])
            wrong.append(f"{left[0].pointer} {left[0].keyword}")
            if given and len(wrong) >= _SAME and len(set(wrong[-_SAME:])) == 1:
                break  # it is what was given that leaves no choice here
        return refused

    def _make(self, schema: Schema, rng: Random, options: Options, given: Given, name: str) -> Json:
        if not name:
            return Maker(self._tools, rng, options, given).value(schema)
        moved = {(name, *path): value for path, value in given.items()}
        return Maker(self._tools, rng, options, moved).value(schema, (name,))

    def branches(
        self, schema: Schema, rng: Random, options: Options = _DEFAULT
    ) -> tuple[Result, ...]:
        """A value of each variant of a schema: every branch of `oneOf` and `anyOf`."""
        return tuple(
            self._branch(schema, index, rng, options)
            for index in range(len(self._tools.flattener.variants(schema)))
        )

    def _branch(self, schema: Schema, index: int, rng: Random, options: Options) -> Result:
        refused = NotMade("no value fits")
        flat = self._tools.flattener.variants(schema)[index]
        for _ in range(_REFUSALS):
            try:
                made = Maker(self._tools, rng, options, {}).variant(schema, flat)
            except NoValueError as error:
                refused = NotMade(error.reason, error.path)
                continue
            if self.fits(schema, made):
                return Made(made)
        return refused

    def variants(self, schema: Schema) -> tuple[Flat, ...]:
        """Every way to read a schema, its references, parts and choices merged."""
        return self._tools.flattener.variants(schema)

    def fits(self, schema: Schema, value: Json) -> bool:
        """Whether a value of a request validates, formats included."""
        return self._validators.problems(schema, value, Direction.REQUEST) == ()

    def body(
        self, media: MediaType, rng: Random, options: Options = _DEFAULT, given: Given = _NOTHING
    ) -> Result:
        """The value of a request body, one of its examples where those are preferred."""
        if options.examples and not given:
            for example in media.examples:
                if self.fits(media.schema, example):
                    return Made(example)
        # A body that is a picture has no name that says so.
        name = "image" if media.content_type.startswith("image/") else ""
        return self.value(self._of_one(media.schema), rng, options, given, name)

    def _of_one(self, schema: Schema) -> Schema:
        """A list as a body has one element where it may: none would ask for nothing, and of more
        it could not be told which the answer is about."""
        key = id(schema)
        if key not in self._ones:
            low, high = (keyword(schema, name, self._schemas) for name in ("minItems", "maxItems"))
            is_list = items(schema, self._schemas) is not None and (low or 0) <= 1 and high != 0
            one = {"allOf": [schema], "minItems": 1, "maxItems": 1} if is_list else schema
            self._ones[key] = (schema, one)
        return self._ones[key][1]

    def parameter(self, parameter: Parameter, rng: Random, options: Options = _DEFAULT) -> Result:
        """The value of a parameter that can be sent: never an empty text or array if avoidable."""
        if options.examples:
            for example in parameter.examples:
                if self.fits(parameter.schema, example):
                    return Made(example)
        made = self.value(self._sendable(parameter), rng, options, name=parameter.name)
        if isinstance(made, Made):
            return made
        return self.value(parameter.schema, rng, options, name=parameter.name)

    def _sendable(self, parameter: Parameter) -> Schema:
        """The schema without the values that would vanish on the way."""
        found = self._sent.get(id(parameter))
        if found is None:
            kinds = types(parameter.schema, self._schemas)
            more: dict[str, Json] = {"minLength": 1, "minItems": 1}
            more |= {"minProperties": 1} if kinds == {"object"} else {}
            schema = {"allOf": [parameter.schema, more]}
            found = self._sent[id(parameter)] = (parameter, schema)
        return found[1]


def _inside(path: Path, name: str) -> Path:
    return path[1:] if name and path[:1] == (name,) else path


def _refusal(problem: Problem) -> NotMade:
    return NotMade(problem.message, tuple(problem.pointer.split("/")[1:]))


def _excused(problem: Problem, given: Given) -> bool:
    """Whether a problem is about a value that was given, or about one that was to be left out."""
    parts = path_of(problem.pointer)
    for path, value in given.items():
        if value is ABSENT and problem.keyword == "required" and _covers(path[:-1], parts):
            if f'"{path[-1]}"' in problem.message:
                return True
        elif _covers(path, parts[: len(path)]):
            return True
    return False


def _covers(path: Path, parts: Path) -> bool:
    return len(path) == len(parts) and all(
        one == other or (one == "[]" and other.isdigit())
        for one, other in zip(path, parts, strict=True)
    )
