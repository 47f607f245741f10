"""What a check of one clause has to say."""

from __future__ import annotations

from icepick.errors import Code, Diagnostic, Severity
from icepick.glacier.contracts import Clause
from icepick.glacier.static.places import place_of
from icepick.glacier.tree import Node

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}
_LONGEST = 60


class Findings:
    """Collects the diagnostics of one clause; the same one is kept once."""

    def __init__(self, clause: Clause, operation: str | None) -> None:
        self.text = clause.text
        self._clause = clause
        self._operation = operation
        self._found: dict[tuple[int, int, str, str], Diagnostic] = {}

    def error(self, code: Code, message: str, at: int | Node, hint: str | None = None) -> None:
        """Something that cannot work."""
        self.add(Severity.ERROR, code, message, at, hint)

    def warning(self, code: Code, message: str, at: int | Node, hint: str | None = None) -> None:
        """Something that most likely is not what was meant."""
        self.add(Severity.WARNING, code, message, at, hint)

    def note(self, code: Code, message: str, at: int | Node, hint: str | None = None) -> None:
        """Something that could be left out."""
        self.add(Severity.NOTE, code, message, at, hint)

    def add(
        self, severity: Severity, code: Code, message: str, at: int | Node, hint: str | None
    ) -> None:
        """A diagnostic at an offset, or at the start of a node."""
        offset = at.span[0] if isinstance(at, Node) else at
        place = place_of(self._clause, offset)
        self._found.setdefault(
            (offset, _RANK[severity], code.value, message),
            Diagnostic(code, severity, message, place, hint, self._operation),
        )

    def shown(self, node: Node) -> str:
        """A part of the clause as it is written, on one line and cut where it is long."""
        text = " ".join(self.text[slice(*node.span)].split())
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All of them, from left to right."""
        return tuple(self._found[key] for key in sorted(self._found))
