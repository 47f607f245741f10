"""Writing artefacts: a folder that is missing is made, a failure is a clear error."""

from __future__ import annotations

from pathlib import Path

from icepick.errors import Code, Place, UsageError


def write_text(path: Path, text: str) -> None:
    """Write a file; UsageError where that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(
            Code.CANNOT_WRITE,
            f"cannot write {path}: {error.strerror or error}",
            place=Place(str(path)),
            hint="choose a path in a folder that you may write to",
        ) from error
