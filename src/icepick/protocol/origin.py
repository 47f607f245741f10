"""The text of a protocol file, so that trouble in it can be pointed at."""

from __future__ import annotations

from dataclasses import dataclass

from icepick.errors import Code, Diagnostic, IcepickError, Place, Severity

_LONGEST_EXCERPT = 1000


class ProtocolError(IcepickError):
    """A protocol cannot be read."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A text and the name of its source."""

    text: str
    source: str

    def place(self, offset: int) -> Place:
        """The place of a character of the text."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        excerpt = self.text[start : end if end >= 0 else None].expandtabs(1).rstrip()
        return Place(
            self.source,
            1 + self.text.count("\n", 0, offset),
            offset - start + 1,
            excerpt=excerpt if len(excerpt) <= _LONGEST_EXCERPT else None,
        )

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
