"""The journal of a run: one line of JSON for each event, on disk as soon as it happened."""

from __future__ import annotations

import io
import json
from collections import OrderedDict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from icepick.errors import Code, ExecuteError, Place
from icepick.execute.events import Event, Exchanged
from icepick.execute.journal.codec import dumps, loads
from icepick.execute.transport.secrets import Secrets
from icepick.execute.types import Exchange

FORMAT = 1
NAME = "journal.ndjson"
_MOST_REMEMBERED = 20_000
_LETTERS = "abcdefghjkmnpqrstvwxyz23456789"


def new_run_id(now: datetime, rng: Random) -> str:
    """A name for a run that sorts by time: `20261103-142530-k7pw`."""
    tail = "".join(rng.choice(_LETTERS) for _ in range(4))
    return f"{now.astimezone(UTC):%Y%m%d-%H%M%S}-{tail}"


def runs(folder: Path) -> list[Path]:
    """The folders of all recorded runs under `.icepick`, the oldest first."""
    return sorted(path.parent for path in folder.glob(f"runs/*/{NAME}"))


def latest(folder: Path) -> Path:
    """The journal of the newest run under `.icepick`; ExecuteError where there is none."""
    found = runs(folder)
    if not found:
        raise ExecuteError(
            Code.NO_RUN,
            f"there is no recorded run under {folder}",
            place=Place(str(folder)),
            hint="run a test first, or name the folder in which you did",
        )
    return found[-1] / NAME


class Journal:
    """Writes events as they come. A line is with the system when `write` returns.

    Trouble in the middle of a run must not cost the run: it is told once through `warn`, nothing
    more is written, and `complete` is False from then on.
    """

    def __init__(
        self, path: Path, file: io.FileIO, secrets: Secrets, warn: Callable[[str], None]
    ) -> None:
        self.path = path
        self.complete = True
        self._file = file
        self._secrets = secrets
        self._warn = warn

    def write(self, event: Event) -> None:
        """Add an event, without its secrets."""
        if not self.complete:
            return
        line = f"{dumps(self._secrets.masked_event(event))}\n".encode("ascii")
        try:
            _write(self._file, line)
        except OSError as error:
            self.complete = False
            reason = error.strerror or str(error)
            self._warn(f"the journal {self.path} is incomplete from here on: {reason}")

    def close(self) -> None:
        """Nothing more comes."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_journal(
    folder: Path, run_id: str, secrets: Secrets, warn: Callable[[str], None]
) -> Journal:
    """A journal under `folder/runs/ID`; ExecuteError where nothing can be written there."""
    path = folder / "runs" / run_id / NAME
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = io.FileIO(path, "x")
        try:
            # The first line also shows now, rather than in the middle, that there is no space.
            _write(file, f"{json.dumps({'journal': FORMAT})}\n".encode("ascii"))
        except OSError:
            file.close()
            path.unlink()
            raise
    except OSError as error:
        raise ExecuteError(
            Code.CANNOT_WRITE,
            f"the journal cannot be written: {error.strerror or error}",
            place=Place(str(path)),
            hint="choose a folder that you may write to, with room for it",
        ) from error
    return Journal(path, file, secrets, warn)


def _write(file: io.FileIO, line: bytes) -> None:
    """Write all of it; a disk that fills up takes a part before it says so."""
    while line:
        line = line[file.write(line) or 0 :]


def read_journal(path: Path) -> Iterator[Event]:
    """The events of a journal, whose last line may be cut; ExecuteError where another one is."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise ExecuteError(
            Code.NO_RUN,
            f"the journal cannot be read: {error.strerror or error}",
            place=Place(str(path)),
            hint="name the folder of a run, or the journal in it",
        ) from error
    known: OrderedDict[int, Exchange] = OrderedDict()
    with file:
        _check_head(file.readline(), path)
        for number, line in enumerate(file, start=2):
            try:
                event = loads(line, known)
            except ValueError as error:
                if not line.endswith(b"\n"):
                    return
                raise _broken(path, number, str(error)) from error
            if isinstance(event, Exchanged):
                _remember(known, event.exchange)
            yield event


def _remember(known: OrderedDict[int, Exchange], exchange: Exchange) -> None:
    """Keep those that a judged call can refer to: they come soon before it."""
    known[exchange.number] = exchange
    if len(known) > _MOST_REMEMBERED:
        known.popitem(last=False)


def _check_head(line: bytes, path: Path) -> None:
    try:
        value = json.loads(line)
        version = value.get("journal") if isinstance(value, dict) else None
    except ValueError:
        version = None
    if version is None:
        raise _broken(path, 1, "it is not the first line of a journal")
    if version != FORMAT:
        raise _broken(path, 1, f"the journal is of format {version}, and icepick reads {FORMAT}")


def _broken(path: Path, line: int, reason: str) -> ExecuteError:
    return ExecuteError(
        Code.BROKEN_JOURNAL,
        f"line {line} of the journal cannot be read: {reason}",
        place=Place(str(path), line),
        hint="was it written by another version of icepick, or changed since?",
    )
