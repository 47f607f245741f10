"""Chance that can be had again."""

from __future__ import annotations

from random import Random


def dice(*parts: object) -> Random:
    """A source of chance that depends on these parts and nothing else."""
    return Random(" ".join(map(str, parts)))  # noqa: S311 (nothing here is a secret)
