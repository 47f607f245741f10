"""Try every recipe: install, start, read the document, create something, stop."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from bench.services.client import Call, send
from bench.services.errors import ServiceError
from bench.services.recipe import Recipe, Running

from icepick.errors import IcepickError
from icepick.openapi import ReadOptions, read_spec

_HEADING = (
    f"{'service':<16} {'version':<9} {'install s':>10} {'start s':>8} {'stop s':>7}"
    f" {'operations':>11} {'create':>7}"
)


@dataclass(frozen=True, slots=True)
class Trial:
    """What one recipe came to; `install_seconds` is None where it was installed before."""

    recipe: Recipe
    install_seconds: float | None
    start_seconds: float
    stop_seconds: float
    operations: int
    created: int

    @property
    def ok(self) -> bool:
        """Whether the document has operations and the example created something."""
        return self.operations > 0 and 200 <= self.created < 300


def check(chosen: Iterable[Recipe], documents: Path | None = None) -> bool:
    """Print a row for each; keep the documents in a folder where one is given."""
    good = True
    print(_HEADING, flush=True)
    for recipe in chosen:
        try:
            trial = _try(recipe, documents)
        except (ServiceError, IcepickError, OSError, HTTPException) as error:
            good = False
            print(f"{recipe.name:<16} {recipe.version:<9} {error}", flush=True)
            continue
        good = good and trial.ok
        print(_row(trial), flush=True)
    return good


def _try(recipe: Recipe, documents: Path | None) -> Trial:
    began = time.perf_counter()
    fresh = recipe.install()
    installed = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix=f"icepick-{recipe.name}-") as folder:
        with recipe.start(Path(folder) / "run") as running:
            started = time.perf_counter()
            operations = _operations(running)
            if documents is not None:
                _keep(recipe, running, documents)
            created = running.call(recipe.example)
            ending = time.perf_counter()
        ended = time.perf_counter()
    seconds = installed - began if fresh else None
    return Trial(recipe, seconds, started - installed, ended - ending, operations, created)


def _operations(running: Running) -> int:
    options = ReadOptions(headers=running.credentials.headers)
    return len(read_spec(running.schema_location, options).operations)


def _keep(recipe: Recipe, running: Running, documents: Path) -> None:
    answer = send(running.schema_location, Call("GET", ""), running.credentials.headers)
    ending = "json" if answer.body.lstrip().startswith(b"{") else "yaml"
    documents.mkdir(parents=True, exist_ok=True)
    (documents / f"{recipe.name}.{ending}").write_bytes(answer.body)


def _row(trial: Trial) -> str:
    install = "before" if trial.install_seconds is None else f"{trial.install_seconds:.1f}"
    return (
        f"{trial.recipe.name:<16} {trial.recipe.version:<9} {install:>10}"
        f" {trial.start_seconds:>8.1f} {trial.stop_seconds:>7.1f}"
        f" {trial.operations:>11} {trial.created:>7}"
    )
