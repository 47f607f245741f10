"""Where a finding shows, in lines: a status that many operations answer has many places."""

from __future__ import annotations

from collections.abc import Mapping

from icepick.execute.types import Finding


def places(finding: Finding, labels: Mapping[str, str], most: int | None = None) -> list[str]:
    """A line for each place, none where there is but one; `labels` are those of operations."""
    shown = finding.sightings
    if len(shown) < 2:
        return []
    lines = [f"{labels.get(one.operation, one.operation)}: {one.text}" for one in shown[:most]]
    rest = len(shown) - len(lines)
    return [*lines, f"and {rest} more"] if rest else lines
