"""Runs commands as a person would, in this process or in one of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from icepick.cli.command import run
from icepick.cli.main import cli

DEMO = Path(__file__).parents[2] / "src" / "icepick" / "demo"
TOURNAMENTS = str(DEMO / "tournaments" / "openapi.yaml")
SHOP = str(DEMO / "shop" / "openapi.yaml")
SMALL = ("--bounds", "Player=1,Tournament=1,Enrolment=1", "--wrong-inputs", "0")
DELETE_KEEPS = "e3c330ad"
"""The finding behind the fault delete-player-keeps."""


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Icepick = Callable[..., Done]


@pytest.fixture
def icepick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Icepick:
    """The command line, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Done:
        capsys.readouterr()
        code = run(cli, [*arguments, "--no-color"])
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return call


@contextmanager
def spawned(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The command line in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "icepick", *arguments], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "COLUMNS": "120"},
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def journal(folder: Path) -> Path:
    """The journal of the only run."""
    (path,) = folder.glob(".icepick/runs/*/journal.ndjson")
    return path


def events(folder: Path) -> list[dict[str, Any]]:
    """The whole lines of the journal of the only run, without the first."""
    lines = journal(folder).read_text().split("\n")[1:-1]
    return [json.loads(line) for line in lines]


def wait_for(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Return when something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


def wait_for_calls(folder: Path, number: int) -> None:
    """Return when so many exchanges are in the journal."""

    def there() -> bool:
        found = list(folder.glob(".icepick/runs/*/journal.ndjson"))
        return bool(found) and found[0].read_text().count('"event":"exchanged"') >= number

    wait_for(there)


def get(url: str) -> Any:
    """The body of an answer."""
    with urlopen(url) as answer:
        return json.load(answer)
