"""What a caller may decide about reading a document, and the limits that keep reading safe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """`headers` go to the host of the document alone; `wait_seconds` is how long an unreachable
    URL is tried again; `max_nodes` counts the values of a document after its YAML aliases are
    expanded; `max_documents` counts the files that its references lead to."""

    allow_remote_refs: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout_seconds: float = 30.0
    wait_seconds: float = 0.0
    max_bytes: int = 64 * MEGABYTE
    max_nodes: int = 2_000_000
    max_depth: int = 200
    max_documents: int = 1_000
