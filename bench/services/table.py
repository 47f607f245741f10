"""icepick and Schemathesis on services that other people wrote, side by side.

Each tool gets a service of its own that was just started, the same document, credentials, number
of workers and seconds; both are counted from a proxy in front of the service. Operations that
icepick leaves out because they look dangerous are taken out of the document of the other tool too.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from bench.inputs import tool, version
from bench.services.client import Call, send
from bench.services.errors import ServiceError
from bench.services.recipe import Recipe, Running
from bench.services.recording import Recording, counted, recorded

from icepick.openapi import read_spec

_SEED = "1"
_WORKERS = "8"
_LONG = 1_800.0
_HEADING = (
    f"{'':<16} {'':>10} {'operations with a 2xx':^24} {'calls':^16} {'life cycles':>12} {'':>9}\n"
    f"{'service':<16} {'operations':>10} {'icepick':>11} {'Schemathesis':>12} {'icepick':>7}"
    f" {'Schem.':>8} {'whole':>12} {'findings':>9}"
)


@dataclass(frozen=True, slots=True)
class Ran:
    """What one tool came to; `report` is that of icepick."""

    operations: int
    good: int
    calls: int
    report: Mapping[str, Any] = field(default_factory=dict)

    @property
    def findings(self) -> dict[str, str]:
        """The titles of the findings by their ids."""
        return {one["id"]: one["title"] for one in self.report.get("findings", ())}

    @property
    def lives(self) -> str:
        """So many of so many life cycles were seen whole."""
        found = self.report.get("life_cycles", ())
        return f"{sum(one['whole'] for one in found)} of {len(found)}"


def table(chosen: Iterable[Recipe], seconds: float, requests: int | None = None) -> bool:
    """Print a row for each service; whether all of them could be had and, with `requests`, whether
    two runs of so many find the same."""
    heading = f"{seconds:.0f} s each; Schemathesis {version()}\n{_HEADING}"
    print(heading if requests is None else f"two runs of {requests:,} requests each")
    alike = True
    for recipe in chosen:
        try:
            recipe.install()
            if requests is None:
                _side_by_side(recipe, seconds)
            else:
                alike = _twice(recipe, requests) and alike
        except ServiceError as error:
            alike = False
            print(f"{recipe.name:<16} {error}", flush=True)
    return alike


def _side_by_side(recipe: Recipe, seconds: float) -> None:
    own = _icepick(recipe, seconds)
    left_out = [one["subject"] for one in own.report["notes"] if one["kind"] == "left out"]
    other = _schemathesis(recipe, seconds, left_out)
    print(
        f"{recipe.name:<16} {own.operations:>10} {own.good:>11} {other.good:>12} {own.calls:>7,}"
        f" {other.calls:>8,} {own.lives:>12} {len(own.findings):>9}",
        flush=True,
    )
    for life in own.report["life_cycles"]:
        for part, why in life["missing"].items():
            print(f"    {life['resource']}: {part}: {why[:100]}")
    for name, title in own.findings.items():
        print(f"    {name} {title[:110]}", flush=True)


def _twice(recipe: Recipe, requests: int) -> bool:
    # Time would cut the two runs at different places.
    limit = ("--max-requests", str(requests))
    one, two = (_icepick(recipe, _LONG, *limit).findings for _ in range(2))
    both = one.keys() & two.keys()
    print(f"{recipe.name:<16} {len(both)} findings in both runs", flush=True)
    for label, some, other in (("first", one, two), ("second", two, one)):
        for name in sorted(some.keys() - other.keys()):
            print(f"    only in the {label}: {name} {some[name][:100]}")
    return one.keys() == two.keys()


@contextmanager
def _started(recipe: Recipe) -> Iterator[tuple[Running, Recording, Path]]:
    """A fresh service behind a proxy, and a folder with its document."""
    with tempfile.TemporaryDirectory(prefix=f"icepick-{recipe.name}-") as made:
        folder = Path(made)
        with recipe.start(folder / "run") as running, recorded(running.url) as recording:
            answer = send(running.schema_location, Call("GET", ""), running.credentials.headers)
            (folder / "openapi.yaml").write_bytes(answer.body)
            yield running, recording, folder


def _icepick(recipe: Recipe, seconds: float, *more: str) -> Ran:
    with _started(recipe) as (running, recording, folder):
        command = [sys.executable, "-m", "icepick", "run", str(folder / "openapi.yaml")]
        command += ["--url", recording.url, "--seed", _SEED, "--workers", _WORKERS]
        command += ["--max-time", str(seconds), "--report", "json", "--report-dir", str(folder)]
        _finish([*command, *more, *shlex.split(running.credentials.options)], folder, seconds)
        report = folder / "report.json"
        if not report.exists():
            said = (folder / "output.txt").read_text().splitlines()
            raise ServiceError(f"icepick wrote no report: {' '.join(said[-2:])}")
        found = json.loads(report.read_text(encoding="utf-8"))
        return _counted(running, recording, folder, seconds, found)


def _schemathesis(recipe: Recipe, seconds: float, left_out: Iterable[str]) -> Ran:
    with _started(recipe) as (running, recording, folder):
        path = folder / "allowed.json"
        text = (folder / "openapi.yaml").read_text(encoding="utf-8")
        path.write_text(json.dumps(_without(yaml.safe_load(text), left_out), default=str))
        command = [str(tool() / "bin" / "st"), "run", str(path), "--url", recording.url]
        command += ["--seed", _SEED, "--workers", _WORKERS, "--max-time", str(int(seconds))]
        command += ["--continue-on-failure", "--generation-database", "none", "--no-color"]
        _finish([*command, *shlex.split(running.credentials.options)], folder, seconds)
        return _counted(running, recording, folder, seconds, {})


def _without(document: dict[str, Any], left_out: Iterable[str]) -> dict[str, Any]:
    for label in left_out:
        method, _, path = label.partition(" ")
        document["paths"].get(path, {}).pop(method.lower(), None)
    return document


def _counted(
    running: Running, recording: Recording, folder: Path, seconds: float, report: Mapping[str, Any]
) -> Ran:
    spec = read_spec(str(folder / "openapi.yaml"))
    base = urlsplit(running.url).path.rstrip("/")
    found = counted(spec, base, recording.passed, seconds)
    return Ran(len(spec.operations), found.good, found.calls, report)


def _finish(command: list[str], folder: Path, seconds: float) -> None:
    """Run a tool; one that does not keep to its time is ended."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    if Path(command[0]).name == "st":
        environment.pop("PYTHONPATH")
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            process.wait(seconds * 2 + 60)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
