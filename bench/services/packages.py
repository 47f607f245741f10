"""Packages of a service, installed into a folder of their own at versions that stay the same."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.services.errors import ServiceError, with_log
from bench.services.processes import finish

_SECONDS = 1_800.0


@dataclass(frozen=True, slots=True)
class PythonPackages:
    """From PyPI into a virtual environment; `pins` fixes what the requirements bring along."""

    requirements: tuple[str, ...]
    pins: Path

    def fingerprint(self) -> str:
        """Changes when another installation would come out."""
        return _digest(*self.requirements, self.pins.read_text())

    def install(self, home: Path, log: Path) -> None:
        """Make the virtual environment and fill it."""
        _run([sys.executable, "-m", "venv", str(home)], home, log)
        pip = [str(home / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
        _run([*pip, "install", "-c", str(self.pins), *self.requirements], home, log)


@dataclass(frozen=True, slots=True)
class NodePackages:
    """From npm; what the requirements bring along is taken as it was on the day `before`."""

    requirements: tuple[str, ...]
    before: str

    def fingerprint(self) -> str:
        """Changes when another installation would come out."""
        return _digest(*self.requirements, self.before)

    def install(self, home: Path, log: Path) -> None:
        """Make a folder that npm takes for a project, and fill it."""
        npm = shutil.which("npm")
        if npm is None:
            raise ServiceError("npm is not on the path; install Node.js 20 or newer")
        (home / "package.json").write_text(json.dumps({"private": True}))
        options = ["--before", self.before, "--save-exact", "--no-audit", "--no-fund"]
        _run([npm, "install", *options, *self.requirements], home, log)


Packages = PythonPackages | NodePackages


def install(packages: Packages, home: Path) -> bool:
    """Install unless it is done already; what an earlier attempt left half done goes first."""
    done = home / ".installed"
    fingerprint = packages.fingerprint()
    if done.exists() and done.read_text() == fingerprint:
        return False
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    packages.install(home, home / "install.log")
    done.write_text(fingerprint)
    return True


def _run(command: list[str], home: Path, log: Path) -> None:
    try:
        code = finish(command, home, os.environ, log, _SECONDS)
    except subprocess.TimeoutExpired as error:
        raise with_log(f"cannot install into {home}: it took too long", log) from error
    if code != 0:
        raise with_log(f"cannot install into {home}: code {code}", log)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
