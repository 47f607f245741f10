"""Values for inputs: what is asked for, what comes back, and how a leaf may get its value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from icepick.openapi.types import ABSENT, Json
from icepick.resources.types import Path


@dataclass(frozen=True, slots=True)
class Made:
    """A value that fits its schema."""

    value: Json


@dataclass(frozen=True, slots=True)
class NotMade:
    """Why there is no value, and where inside it the trouble lies."""

    reason: str
    path: Path = ()

    def __str__(self) -> str:
        return f"{'.'.join(self.path)}: {self.reason}" if self.path else self.reason


Result = Made | NotMade
Given = Mapping[Path, Json]
"""Values that a body must have, by path; `[]` is every element of an array, ABSENT leaves out."""


class Optionals(StrEnum):
    """Which of the fields that are not required a value has."""

    NONE = "none"
    ALL = "all"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Options:
    """How values are chosen.

    `examples` prefers the examples and defaults of the document, `realistic` what a name suggests.
    Optional fields end at `max_depth` objects and arrays, or once there are `max_values` values.
    """

    optionals: Optionals = Optionals.RANDOM
    examples: bool = False
    realistic: bool = True
    max_depth: int = 5
    max_values: int = 500


@dataclass(frozen=True, slots=True)
class RequiredIf:
    """A field is required where its sibling has this value, or any value at all."""

    sibling: str
    value: Json = ABSENT


@dataclass(frozen=True, slots=True)
class Hint:
    """What is known of a field beyond its schema; each part overrides what the schema says."""

    allowed: tuple[Json, ...] = ()
    pattern: str | None = None
    format: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    required: bool | None = None
    required_if: tuple[RequiredIf, ...] = ()


Hints = Mapping[Path, Hint]
"""Hints by the path of the field."""


class Why(StrEnum):
    """Where a fixed value comes from."""

    ENUM = "enum"
    EXAMPLE = "example"
    DEFAULT = "default"
    QUOTED = "quoted"
    BOUNDARY = "boundary"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Null:
    """Leave the parameter out: NS()."""

    def __str__(self) -> str:
        return "NS()"


@dataclass(frozen=True, slots=True)
class Fixed:
    """One value that matters: FS(value)."""

    value: Json
    why: Why = field(default=Why.EXAMPLE, compare=False)

    def __str__(self) -> str:
        return f"FS({self.value!r})"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A random value of a type or a format: RS(kind)."""

    kind: str

    def __str__(self) -> str:
        return f"RS({self.kind})"


@dataclass(frozen=True, slots=True)
class FromResponse:
    """A value that an earlier response had in a field: RBS(operation, field)."""

    operation: str
    field: str

    def __str__(self) -> str:
        return f"RBS({self.operation!r}, {self.field!r})"


Strategy = Null | Fixed | Drawn | FromResponse


class NoValueError(Exception):
    """No value can be made here; the public functions turn it into `NotMade`."""

    def __init__(self, reason: str, path: Path = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = path
