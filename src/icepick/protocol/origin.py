"""The text of a protocol file, so that trouble in it can be pointed at."""

from __future__ import annotations

from dataclasses import dataclass

from icepick.errors import Code, Diagnostic, Place, ProtocolError, Severity, place_in


@dataclass(frozen=True, slots=True)
class Origin:
    """A text and the name of its source."""

    text: str
    source: str

    def place(self, offset: int) -> Place:
        """The place of a character of the text."""
        return place_in(self.text, offset, self.source)

    def error(
        self, code: Code, message: str, offset: int, hint: str | None = None
    ) -> ProtocolError:
        """The error that points at a character of the text."""
        return ProtocolError(code, message, place=self.place(offset), hint=hint)

    def diagnostic(
        self,
        code: Code,
        severity: Severity,
        message: str,
        offset: int,
        hint: str | None = None,
    ) -> Diagnostic:
        """The defect that points at a character of the text."""
        return Diagnostic(code, severity, message, self.place(offset), hint)
