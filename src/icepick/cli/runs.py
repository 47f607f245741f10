"""Recorded runs: which one is meant, and what is in its journal."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from icepick.errors import Code, ExecuteError, Place, UsageError
from icepick.execute.events import Event, FindingFound
from icepick.execute.journal.journal import NAME, latest, read_journal, runs
from icepick.execute.types import Finding

STATE = Path(".icepick")
_CHUNK = 65_536
_SECOND = len("20261103-142530")


def journal_of(run: str | None) -> Path:
    """The journal of a run: by its name, its folder or the file itself; else the newest."""
    if run is None:
        return next(journals(), None) or latest(STATE)
    for path in (STATE / "runs" / run / NAME, Path(run) / NAME, Path(run)):
        if path.is_file():
            return path
    names = [path.parent.name for path in journals()][:3]
    raise ExecuteError(
        Code.NO_RUN,
        f"there is no run {run!r}",
        place=Place(str(STATE)),
        hint=f"the newest runs are {', '.join(names)}" if names else "run a test first",
    )


def journals() -> Iterator[Path]:
    """The journals of all runs, the newest first."""
    found = [folder / NAME for folder in runs(STATE)]
    # The name tells the second in which a run began, which two runs may share.
    yield from sorted(found, key=_age, reverse=True)


def _age(path: Path) -> tuple[str, int]:
    return path.parent.name[:_SECOND], path.stat().st_mtime_ns


def findings_of(path: Path) -> list[Finding]:
    """The findings of a run; the last word on each."""
    found = {}
    for event in read_journal(path):
        if isinstance(event, FindingFound):
            found[event.finding.id] = event.finding
    return sorted(found.values(), key=lambda finding: (finding.number, finding.id))


def find_finding(wanted: str, run: str | None) -> tuple[Path, Finding]:
    """A finding by its id or number, in this run, or by its id in the newest run that has it."""
    first = journal_of(run)
    by_number = wanted.isdecimal() and len(wanted) < 8
    paths = [first] if run is not None or by_number else journals()
    for path in paths:
        for finding in findings_of(path):
            if wanted.lower() == finding.id or (by_number and int(wanted) == finding.number):
                return path, finding
    known = [f"{finding.number} ({finding.id})" for finding in findings_of(first)]
    raise UsageError(
        Code.NO_FINDING,
        f"there is no finding {wanted!r}",
        place=Place(str(first)),
        hint=f"the run has {', '.join(known[:8])}" if known else "the run has no findings",
    )


def events_of(path: Path) -> Iterator[Event]:
    """The events of a journal, one at a time."""
    return read_journal(path)


def reopened(path: Path) -> io.FileIO:
    """A journal to be continued; what is left of a line that was cut off is removed."""
    file = io.FileIO(path, "r+")
    end = file.seek(0, io.SEEK_END)
    while end > 0:
        start = max(0, end - _CHUNK)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        if newline >= 0:
            end = start + newline + 1
            break
        end = start
    file.truncate(end)
    file.seek(0, io.SEEK_END)
    return file
