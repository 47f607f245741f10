"""Defects of a document that is otherwise usable: data, never exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from icepick.errors.codes import Code
from icepick.errors.place import Place


class Severity(StrEnum):
    """How much a defect costs: something was left out, something was guessed, something is odd."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One defect: what is wrong, where, and what to do; `operation` names the one it hits."""

    code: Code
    severity: Severity
    message: str
    place: Place
    hint: str | None = None
    operation: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The form in which `--json` prints it."""
        return {
            "code": self.code.value,
            "severity": self.severity.value,
            "message": self.message,
            "place": self.place.to_json(),
            "hint": self.hint,
            "operation": self.operation,
        }
