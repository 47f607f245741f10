"""Sign-ins that were refused: many services lock out whoever is guessed at too often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from icepick.inputs import Case
from icepick.openapi.shape import Schemas
from icepick.openapi.types import Json
from icepick.resources.signing import names_somebody, signs_in

TOO_OFTEN = "more wrong guesses might lock somebody out"
_MOST = 3


class Attempts:
    """Counts refused sign-ins by the names they were tried with.

    A name may belong to somebody who is there, whether the run has seen it in an answer or in an
    example of the document.
    """

    def __init__(self, schemas: Schemas) -> None:
        self._schemas = schemas
        self._doors: dict[str, bool] = {}
        self._refused: Counter[tuple[str, str]] = Counter()

    def may(self, case: Case) -> bool:
        """Whether a call can be made without harm to somebody."""
        return all(self._refused[name] < _MOST for name in self._names(case))

    def note(self, case: Case, status: int) -> None:
        """Take in an answer."""
        if not 200 <= status < 300:
            self._refused.update(self._names(case))

    def _names(self, case: Case) -> list[tuple[str, str]]:
        operation = case.operation
        if operation.id not in self._doors:
            self._doors[operation.id] = signs_in(operation, self._schemas)
        if not self._doors[operation.id]:
            return []
        return list(dict.fromkeys(_texts((dict(case.query), case.body))))


def _texts(value: Json, name: str = "") -> Iterator[tuple[str, str]]:
    """The texts that stand for somebody, with the names of their fields."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner, name)
    elif isinstance(value, str) and value.strip() and names_somebody(name):
        yield name, value
