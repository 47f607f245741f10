"""Processes that never outlive the block that started them, nor do their children."""

from __future__ import annotations

import os
import signal
import subprocess
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_GRACE_SECONDS = 10.0
_MARK = "ICEPICK_SERVICE_RUN"


@contextmanager
def process(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a group of its own, writing to the log; ended when the block is left."""
    mark = uuid.uuid4().hex
    with log.open("ab") as output:
        started = subprocess.Popen(
            command,
            cwd=folder,
            env={**environment, _MARK: mark},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield started
    finally:
        _end(started, mark)


def finish(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    log: Path,
    seconds: float,
) -> int:
    """The exit code of a command; TimeoutExpired where it has none in time."""
    with process(command, folder, environment, log) as started:
        return started.wait(seconds)


def _end(started: subprocess.Popen[bytes], mark: str) -> None:
    """Ask the group to end, then make it; `finally` holds for a second Ctrl-C too."""
    try:
        _signal_group(started.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            started.wait(_GRACE_SECONDS)
    finally:
        _signal_group(started.pid, signal.SIGKILL)
        # Kernels and terminals of a notebook server lead groups of their own.
        for pid in _marked(mark):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        started.wait()


def _signal_group(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _marked(mark: str) -> list[int]:
    """Every process that inherited the mark; none where the system has no /proc."""
    wanted = f"{_MARK}={mark}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return found
