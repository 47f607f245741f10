"""`icepick plan`: the sequences that cover a model."""

from __future__ import annotations

import resource
import time
from pathlib import Path
from typing import Any

import click

from icepick.cli.bounds import model_argument
from icepick.cli.command import Command, common_options
from icepick.cli.explore import shown_progress
from icepick.cli.files import writing
from icepick.cli.output import Output, escape
from icepick.cli.schema import read_options
from icepick.errors import Code, UsageError
from icepick.explore import Exploration, explore
from icepick.model.derive.derive import Derivation
from icepick.openapi import read_spec
from icepick.pipeline.models import Described, describe, models
from icepick.pipeline.sizes import explored
from icepick.pipeline.upkeep import left_out, upkeep
from icepick.sequences import (
    Coverage,
    Options,
    Plan,
    Refusals,
    Strategy,
    Summary,
    Writer,
    carried_out,
    plan,
)

_LARGE = 100_000
"""Transitions from which on a person waits long enough to be told what for."""

_COVERED = ("states", "transitions", "updates", "reads", "actions", "refusals")
_OPTIONS = ("strategy", "max_length", "max_calls", "refusals", "transition_identity", "seed")


@click.command("plan", cls=Command)
@model_argument
@click.option(
    "--strategy",
    type=click.Choice([one.value for one in Strategy]),
    default=Strategy.TOUR.value,
    show_default=True,
    help="The paper's paths, a tour of all transitions, or one of all states.",
)
@click.option(
    "--max-length",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="The most calls in a sequence of a tour.",
)
@click.option("--max-calls", type=click.IntRange(min=1), help="The most calls in all.")
@click.option(
    "--refusals",
    type=click.Choice([one.value for one in Refusals]),
    default=Refusals.NONE.value,
    show_default=True,
    help="Try what the model forbids: one call of each kind, or each.",
)
@click.option("--updates", is_flag=True, help="Make a place for updates, reads and actions too.")
@click.option("--symmetry", is_flag=True, help="Take one of the transitions that are alike.")
@click.option(
    "--transition-identity/--no-transition-identity",
    default=True,
    help="Whether parallel transitions are different ones.  [default: yes]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Decides every choice.")
@click.option("--out", "written", type=click.Path(path_type=Path), help="Write it as NDJSON.")
@common_options
def plan_command(
    out: Output,
    schema: str,
    bounds: dict[str, int],
    written: Path | None,
    updates: bool,
    symmetry: bool,
    **options: Any,
) -> int:
    """Plan the sequences of calls that cover the life cycles of SCHEMA."""
    asked = _options({name: options.pop(name) for name in _OPTIONS})
    api = describe(read_spec(schema, read_options(**options)))
    found = models(api, bounds)
    if len(found) > 1 and written is not None:
        raise UsageError(
            Code.USAGE,
            f"this API is planned as {len(found)} models, which do not fit one file",
            hint="--bounds makes it one model",
        )
    # Of several models nobody chose the sizes: they are planned for as a run does.
    whole = bool(bounds) or len(found) == 1
    printed = [
        _planned(out, _explored(out, one, symmetry, whole), api, asked, written, updates=updates)
        for one in found
    ]
    missing = list(left_out(api, (one.model for one in found))) if updates else []
    result = printed[0] if len(printed) == 1 else {"models": printed}
    out.result({**result, "left_out": missing})
    for printing in printed:
        _print(out, printing)
    for operation in missing:
        out.line(f"[yellow]no place for[/] {escape(operation)}")
    if written is not None:
        out.line(f"written {escape(str(written))}")
    return 0


def _options(values: dict[str, Any]) -> Options:
    strategy, refusals = Strategy(values.pop("strategy")), Refusals(values.pop("refusals"))
    return Options(strategy=strategy, refusals=refusals, **values)


def _explored(out: Output, derivation: Derivation, symmetry: bool, whole: bool) -> Exploration:
    if whole:
        return explore(derivation.model, symmetry=symmetry, progress=shown_progress(out))
    return explored(derivation, symmetry, whole=False)


def _planned(
    out: Output,
    exploration: Exploration,
    api: Described,
    options: Options,
    written: Path | None,
    *,
    updates: bool,
) -> dict[str, Any]:
    start = time.perf_counter()
    if exploration.found.transitions > _LARGE:
        out.status(f"[dim]planning for {exploration.found.transitions:,} transitions[/]")
    made = plan(exploration, options, upkeep(api, exploration.model) if updates else ())
    summary = _written(made, written) if written is not None else carried_out(made)
    found = {**_about(made), **_as_json(summary)}
    found["seconds"] = round(time.perf_counter() - start, 3)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**found, "peak_rss_mb": round(peak, 1)}


def _written(made: Plan, path: Path) -> Summary:
    with writing(path), path.open("wb") as file:
        return carried_out(made, Writer(file, made.calls, made.graph.states, _about(made)))


def _about(made: Plan) -> dict[str, Any]:
    options = made.options
    return {
        "model": made.exploration.model.name,
        "bounds": {one.name: one.size for one in made.exploration.model.resources},
        "strategy": options.strategy.value,
        "symmetry": made.exploration.orbits is not None,
        "seed": options.seed,
        "max_length": None if options.strategy is Strategy.PAPER else options.max_length,
        "max_calls": options.max_calls,
    }


def _as_json(summary: Summary) -> dict[str, Any]:
    found: dict[str, Any] = {
        "paths": summary.paths,
        "calls": summary.calls,
        "min": summary.shortest,
        "max": summary.longest,
        "mean": round(summary.mean, 2),
    }
    for name in _COVERED:
        coverage: Coverage = getattr(summary, name)
        found[name] = coverage.total
        found[f"{name}_covered"] = coverage.covered
        found[f"{name}_percent"] = round(coverage.percent, 1)
    gaps = [{"what": gap.what, "number": gap.number, "reason": gap.reason} for gap in summary.gaps]
    return {**found, "uncovered": gaps}


def _print(out: Output, found: dict[str, Any]) -> None:
    sizes = ", ".join(f"{name}={size}" for name, size in found["bounds"].items())
    out.line(f"[bold]{escape(found['model'])}[/] {escape(sizes)}, strategy {found['strategy']}")
    out.line(
        f"  {found['paths']:,} sequences, {found['calls']:,} calls "
        f"({found['min']} to {found['max']}, {found['mean']:.1f} on average)"
    )
    for name in _COVERED:
        if found[name]:
            covered, total = found[f"{name}_covered"], found[name]
            out.line(f"  {name}: {covered:,} of {total:,} ({found[f'{name}_percent']} %)")
    for gap in found["uncovered"]:
        out.line(f"  [yellow]left out:[/] {gap['number']:,} {escape(gap['what'])}")
        out.line(f"      {escape(gap['reason'])}")
    out.line(f"  {found['seconds']:.2f} s, {found['peak_rss_mb']:.0f} MB, seed {found['seed']}")
