"""Where the text of a formula comes from, so that trouble in it can be pointed at."""

from __future__ import annotations

from dataclasses import dataclass

from icepick.errors import Code, ContractError, Place

_LONGEST_EXCERPT = 1000


@dataclass(frozen=True, slots=True)
class Origin:
    """A text, the name of its source, and the line of that source on which it starts."""

    text: str
    source: str
    line: int

    def place(self, offset: int) -> Place:
        """The place of a character of the text."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        excerpt = self.text[start : end if end >= 0 else None].expandtabs(1).rstrip()
        return Place(
            self.source,
            self.line + self.text.count("\n", 0, offset),
            offset - start + 1,
            excerpt=excerpt if len(excerpt) <= _LONGEST_EXCERPT else None,
        )

    def error(
        self, code: Code, message: str, offset: int, hint: str | None = None
    ) -> ContractError:
        """The error that points at a character of the text."""
        return ContractError(code, message, place=self.place(offset), hint=hint)
