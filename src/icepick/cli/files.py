"""Writing artefacts: a folder that is missing is made, a failure is a clear error."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES
from pathlib import Path
from tempfile import NamedTemporaryFile

from icepick.errors import Code, Place, UsageError


def write_text(path: Path, text: str) -> None:
    """Write a file; UsageError where that cannot be done."""
    with writing(path):
        _replace(path, text)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Around whatever writes a file: its folder is there, and a failure is a UsageError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise UsageError(
            Code.CANNOT_WRITE,
            f"cannot write {path}: {error.strerror or error}",
            place=Place(str(path)),
            hint="choose a path in a folder that you may write to, with room for it",
        ) from error


def _replace(path: Path, text: str) -> None:
    """Write beside the file and move into place: a full disk must not cost what was there."""
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")  # a device or a pipe; a directory fails here
        return
    if path.exists() and not path.stat().st_mode & 0o200:
        raise PermissionError(EACCES, "it is read-only", str(path))  # root is not stopped by that
    with NamedTemporaryFile(
        "w", encoding="utf-8", newline="", dir=path.parent, delete=False
    ) as file:
        temporary = Path(file.name)
        try:
            file.write(text)
        except OSError:
            temporary.unlink()
            raise
    if path.exists():
        temporary.chmod(path.stat().st_mode & 0o777)
    else:
        temporary.chmod(0o666 & ~_umask())
    temporary.replace(path)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
