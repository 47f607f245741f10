"""Where in a text something is."""

from __future__ import annotations

from dataclasses import dataclass

_LONGEST_EXCERPT = 1000


@dataclass(frozen=True, slots=True)
class Place:
    """A spot in a source: line and column count from 1, `pointer` is a JSON pointer."""

    source: str
    line: int | None = None
    column: int | None = None
    pointer: str | None = None
    excerpt: str | None = None

    def __str__(self) -> str:
        numbers = [str(n) for n in (self.line, self.column) if n is not None]
        spot = ":".join([self.source, *numbers])
        return f"{spot} at {self.pointer}" if self.pointer else spot

    def caret(self) -> str | None:
        """Two lines, the source line and a caret under the column, where both are known."""
        if self.excerpt is None or self.column is None:
            return None
        return f"{self.excerpt}\n{' ' * (self.column - 1)}^"

    def to_json(self) -> dict[str, str | int]:
        """The fields that are known."""
        fields = {
            "source": self.source,
            "line": self.line,
            "column": self.column,
            "pointer": self.pointer,
        }
        return {name: value for name, value in fields.items() if value is not None}


def place_in(text: str, offset: int, source: str, line: int = 1) -> Place:
    """The place of a character of a text that starts on a line of its source."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    excerpt = text[start : end if end >= 0 else None].expandtabs(1).rstrip()
    return Place(
        source,
        line + text.count("\n", 0, offset),
        offset - start + 1,
        excerpt=excerpt if len(excerpt) <= _LONGEST_EXCERPT else None,
    )
