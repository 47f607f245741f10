"""What inference writes: clauses to be, and what it cannot say."""

from __future__ import annotations

from dataclasses import dataclass

from icepick.resources.types import Resource


@dataclass(frozen=True, slots=True)
class Draft:
    """A clause before it is parsed."""

    text: str
    reason: str
    confidence: float = 0.9


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that cannot be inferred, and why."""

    reason: str


Line = Draft | Gap


def unseen(resource: Resource) -> Gap:
    """No view tells whether an instance is there."""
    return Gap(f"no GET shows whether one {resource.name} exists")
