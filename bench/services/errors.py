"""What can go wrong with a service, as one exception with a message for people."""

from __future__ import annotations

from pathlib import Path

_TAIL_LINES = 12


class ServiceError(RuntimeError):
    """A service cannot be installed or started."""


def with_log(message: str, log: Path) -> ServiceError:
    """An error that says where the log is, and how it ends."""
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    tail = "\n".join(f"  | {line[:200]}" for line in lines[-_TAIL_LINES:])
    return ServiceError(f"{message}; the log is {log}\n{tail}".rstrip())
