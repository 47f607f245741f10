"""`icepick export`: tests that fail while the fault is there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from icepick.demo.tournaments import TOURNAMENTS as SERVICE
from tests.cli.invoking import DELETE_KEEPS, SMALL, TOURNAMENTS, Icepick, icepick
from tests.glacier.live import served

__all__ = ["icepick"]


def pytest_says(file: Path, url: str) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
    environment = {**os.environ, "ICEPICK_URL": url}
    done = subprocess.run(
        [*command, str(file)], cwd=file.parent, env=environment, capture_output=True, check=False
    )
    return done.returncode


def test_an_exported_finding_fails_until_it_is_mended(icepick: Icepick, tmp_path: Path):
    file = tmp_path / "tests" / "test_faults.py"
    with served(SERVICE, "delete-player-keeps") as url:
        icepick("run", TOURNAMENTS, "-u", url, *SMALL)
        done = icepick("export", "all", "-o", str(file), "--json")
        assert (done.code, done.json["findings"]) == (0, [DELETE_KEEPS])
    with served(SERVICE, "delete-player-keeps") as again:
        assert pytest_says(file, again) == 1
    with served(SERVICE) as mended:
        assert pytest_says(file, mended) == 0


def test_a_file_that_is_there_stays(icepick: Icepick, tmp_path: Path):
    file = tmp_path / "mine.py"
    file.write_text("mine = 1\n")
    with served(SERVICE, "delete-player-keeps") as url:
        icepick("run", TOURNAMENTS, "-u", url, *SMALL)
    done = icepick("export", "1", "-o", str(file))
    assert (done.code, "ICP005" in done.err, file.read_text()) == (2, True, "mine = 1\n")
    assert icepick("export", DELETE_KEEPS, "-o", str(file), "--force").code == 0
    assert "def test_" in file.read_text()


def test_a_run_without_findings_has_nothing_to_export(icepick: Icepick):
    with served(SERVICE) as url:
        icepick("run", TOURNAMENTS, "-u", url, *SMALL, "--max-calls", "3")
    done = icepick("export", "all")
    assert (done.code, "ICP613" in done.err) == (2, True)
