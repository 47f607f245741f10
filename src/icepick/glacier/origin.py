"""Where the text of a formula comes from, so that trouble in it can be pointed at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from icepick.errors import Code, ContractError, IcepickError, Place, place_in


class Pointing(Protocol):
    """A text in whichever language, whose errors point at its characters."""

    @property
    def text(self) -> str:
        """The whole text."""

    def error(self, code: Code, message: str, offset: int, hint: str | None = None) -> IcepickError:
        """The error that points at a character of the text."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A text, the name of its source, and the line of that source on which it starts."""

    text: str
    source: str
    line: int

    def place(self, offset: int) -> Place:
        """The place of a character of the text."""
        return place_in(self.text, offset, self.source, self.line)

    def error(
        self, code: Code, message: str, offset: int, hint: str | None = None
    ) -> ContractError:
        """The error that points at a character of the text."""
        return ContractError(code, message, place=self.place(offset), hint=hint)
