"""From what a file holds under `requires`, `ensures` and `invariants` to clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches

from icepick.errors import Code, ContractError, Diagnostic, Place, Severity
from icepick.glacier.contracts import Clause, OperationContract, Provenance, Role
from icepick.glacier.marks import INFERRED, fingerprint
from icepick.glacier.parser import parse_formula
from icepick.openapi.types import Json

Path = tuple[str, ...]

EXTENSION = "x-glacier"
_SEARCHED_LINES = 20


class ClauseReader:
    """Reads the clauses of one file; what cannot be read is a diagnostic, and the rest goes on."""

    def __init__(self, name: str, text: str, place: Callable[[Path], Place]) -> None:
        self._name = name
        self._lines = text.splitlines()
        self.place = place
        self.diagnostics: list[Diagnostic] = []

    def contract(self, label: str, values: Mapping[str, Json], path: Path) -> OperationContract:
        """The contract of an operation."""
        self._report_misspelt(values, path, label)
        requires = self.clauses(Role.REQUIRES, values, path, label)
        ensures = self.clauses(Role.ENSURES, values, path, label)
        return OperationContract(label, requires, ensures)

    def clauses(
        self, role: Role, values: Mapping[str, Json], path: Path, label: str | None = None
    ) -> tuple[Clause, ...]:
        """The clauses of one role, under its bare name or as an extension."""
        found: list[Clause] = []
        for value, spot in _under(role, values, path):
            for text, place in self._texts(value, spot, label):
                found += self._clause(text, place, label)
        marks = _inferred(values)
        return tuple(
            replace(clause, provenance=Provenance.INFERRED)
            if marks and fingerprint(role, clause.formula) in marks
            else clause
            for clause in found
        )

    def report(
        self,
        code: Code,
        message: str,
        place: Place,
        hint: str | None = None,
        label: str | None = None,
    ) -> None:
        """Note what was left out."""
        self.diagnostics.append(Diagnostic(code, Severity.ERROR, message, place, hint, label))

    def _texts(self, value: Json, path: Path, label: str | None) -> Iterator[tuple[str, Place]]:
        listed = isinstance(value, list)
        for index, item in enumerate(value if listed else [value]):
            spot = (*path, str(index)) if listed else path
            text = _text(item)
            if text is not None:
                yield text, self.place(spot)
            elif item is not None:
                self.report(
                    Code.BROKEN_CONTRACT,
                    "a clause is a text; this one is left out",
                    self.place(spot),
                    "put the clause in quotes",
                    label,
                )

    def _clause(self, text: str, place: Place, label: str | None) -> list[Clause]:
        try:
            formula = parse_formula(text, self._name, place.line or 1)
        except ContractError as error:
            where = self._relocated(error.place, place) if error.place else place
            self.report(error.code, error.message, where, error.hint, label)
            return []
        first = next((line for line in text.splitlines() if line.strip()), "")
        written = self._relocated(Place(self._name, place.line, 1, excerpt=first), place)
        return [Clause(formula, text, Provenance.WRITTEN, written)]

    def _relocated(self, inside: Place, place: Place) -> Place:
        """The place in the file, where the line of the formula stands there as it is."""
        excerpt, column = inside.excerpt or "", inside.column or 1
        wanted = excerpt.strip()
        start = (place.line or 1) - 1
        for number in range(start, min(start + _SEARCHED_LINES, len(self._lines))):
            at = self._lines[number].find(wanted) if wanted and place.line else -1
            if at >= 0:
                shift = at - (len(excerpt) - len(excerpt.lstrip()))
                line = self._lines[number].expandtabs(1)
                return replace(place, line=number + 1, column=column + shift, excerpt=line)
        return replace(place, column=column, excerpt=inside.excerpt)

    def _report_misspelt(self, values: Mapping[str, Json], path: Path, label: str) -> None:
        for key in values:
            if key in list(Role) or key.startswith("x-"):
                continue
            near = get_close_matches(key.lower(), list(Role), n=1, cutoff=0.8)
            if near:
                message = f"`{key}` is no part of a contract; it is left out"
                hint = f"did you mean `{near[0]}`?"
                self.report(Code.BROKEN_CONTRACT, message, self.place((*path, key)), hint, label)


def _under(role: Role, values: Mapping[str, Json], path: Path) -> Iterator[tuple[Json, Path]]:
    for key in (role.value, f"x-{role.value}", f"{EXTENSION}-{role.value}"):
        if key in values:
            yield values[key], (*path, key)
    inner = values.get(EXTENSION)
    if isinstance(inner, Mapping) and role.value in inner:
        yield inner[role.value], (*path, EXTENSION, role.value)


def _inferred(values: Mapping[str, Json]) -> frozenset[str]:
    """The fingerprints of the clauses that inference wrote."""
    inner = values.get(EXTENSION)
    marks = inner.get(INFERRED) if isinstance(inner, Mapping) else None
    return frozenset(map(str, marks)) if isinstance(marks, list) else frozenset()


def _text(item: Json) -> str | None:
    """The text of a clause. YAML takes a bare `true` for a truth value, and a bare
    `for x in c : body` for a mapping of one key."""
    if isinstance(item, str):
        return item
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, Mapping) and len(item) == 1:
        [(head, body)] = item.items()
        return f"{head} : {body}" if isinstance(body, str) else None
    return None
