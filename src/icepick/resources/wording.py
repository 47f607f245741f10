"""Operations in words: what their paths and summaries call them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from icepick.openapi.shape import Schemas
from icepick.openapi.types import ApiSpec, Operation
from icepick.resources.words import words


@dataclass(frozen=True, slots=True)
class Wording:
    """An operation in words: the fixed parts of its path, its id, its summary."""

    operation: Operation
    schemas: Schemas
    parts: tuple[str, ...]
    """The fixed parts of the path, as words."""
    has_holes: bool
    ends_in_hole: bool
    is_collection: bool
    """Whether items have addresses below it."""
    item: str
    """The parameter by which they are addressed."""
    said: str
    has_start: bool
    """Whether what it stands below is started beside it."""

    @property
    def last(self) -> str:
        """What the path ends with, but for a hole."""
        return self.parts[-1] if self.parts else ""

    @property
    def changes(self) -> bool:
        """Whether it is more than a look."""
        return not self.operation.is_safe

    @property
    def is_alone(self) -> bool:
        """Whether it is about no instance and no list: a command, or the one thing of its kind."""
        return not self.has_holes and not self.is_collection

    def is_called(self, pattern: re.Pattern[str]) -> bool:
        """Whether it is a command of that name: at the end of its path, where what changes
        something may have two parts for it (`/logout/all`)."""
        names = (self.last, " ".join(self.parts[-2:])) if self.changes else (self.last,)
        return self.is_alone and any(pattern.fullmatch(name) for name in names)

    def says(self, pattern: re.Pattern[str]) -> bool:
        """Whether its summary says something of that kind."""
        return pattern.search(self.said) is not None


def in_words(spec: ApiSpec) -> Iterator[Wording]:
    """The operations of a document."""
    above = {
        _above(one.path): one.path.rstrip("/")[:-1].rpartition("{")[2] for one in spec.operations
    }
    paths = frozenset(one.path.rstrip("/") for one in spec.operations)
    for operation in spec.operations:
        yield _worded(operation, spec.schemas, above, paths)


def _above(path: str) -> str | None:
    """The path of the list that an item path is in."""
    start, _, last = path.rstrip("/").rpartition("/")
    return start if last.startswith("{") else None


def _worded(
    operation: Operation,
    schemas: Schemas,
    above: Mapping[str | None, str],
    paths: frozenset[str],
) -> Wording:
    path = operation.path.rstrip("/")
    parts = [part for part in path.split("/") if part]
    return Wording(
        operation,
        schemas,
        tuple(phrase(part) for part in parts if "{" not in part),
        "{" in path,
        bool(parts) and "{" in parts[-1],
        path in above,
        above.get(path, ""),
        phrase(operation.summary or operation.description.partition(".")[0]),
        f"{path.rpartition('/')[0]}/start" in paths,
    )


def phrase(text: str) -> str:
    """The words of a name or a sentence, in lower case."""
    return " ".join(words(text))
