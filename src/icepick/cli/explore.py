"""`icepick explore`: every reachable state of a model."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from icepick.cli.bounds import derivations, model_argument
from icepick.cli.command import Command, common_options
from icepick.cli.files import writing
from icepick.cli.output import Output, escape
from icepick.errors import Code, ExploreError, UsageError
from icepick.explore import Exploration, Progress, explore, read_dot, save, trace, write_dot
from icepick.explore.tlc import TlcRun, explore_with_tlc
from icepick.explore.tlc_run import find_tools
from icepick.model.types import Model

_MEGABYTE = 1024 * 1024


@click.command("explore", cls=Command)
@model_argument
@click.option(
    "--engine",
    type=click.Choice(["embedded", "tlc"]),
    default="embedded",
    show_default=True,
    help="Who explores.",
)
@click.option(
    "--tlc-jar", type=click.Path(path_type=Path), help="A tla2tools.jar for --engine tlc."
)
@click.option("--symmetry", is_flag=True, help="Explore one of the states that are alike.")
@click.option("--count", is_flag=True, help="Count transitions without keeping them.")
@click.option("--max-states", type=click.IntRange(min=1), help="Stop after this many states.")
@click.option("--max-memory", type=click.IntRange(min=1), metavar="MB", help="Stop past this.")
@click.option("--dot", type=click.Path(path_type=Path), help="Write the state graph for Graphviz.")
@click.option("--save", "saved", type=click.Path(path_type=Path), help="Write it as .npz.")
@common_options
def explore_command(
    out: Output,
    schema: str,
    bounds: dict[str, int],
    dot: Path | None,
    saved: Path | None,
    **options: Any,
) -> int:
    """Explore the life cycles of SCHEMA: states, transitions, contradictions between contracts.

    SCHEMA may also be a state graph that TLC wrote (a .dot file): it is read and counted.
    """
    if schema.endswith(".dot"):
        return _dumped(out, Path(schema))
    engine = {name: options.pop(name) for name in _ENGINE}
    found = derivations(out, schema, bounds, **options)
    if len(found) > 1 and (dot or saved):
        raise UsageError(
            Code.USAGE,
            f"this API is explored as {len(found)} models, which do not fit one file",
            hint="--bounds makes it one model",
        )
    results = [_explored(out, one.model, engine) for one in found]
    for exploration, _ in results:
        _write(exploration, dot, saved)
    printed = [_as_json(exploration, seconds, engine) for exploration, seconds in results]
    out.result(printed[0] if len(printed) == 1 else {"models": printed})
    for (exploration, _), one in zip(results, printed, strict=True):
        _print(out, exploration, one)
    return int(any(exploration.violations for exploration, _ in results))


_ENGINE = ("engine", "tlc_jar", "symmetry", "count", "max_states", "max_memory")


def _explored(out: Output, model: Model, engine: dict[str, Any]) -> tuple[Exploration, float]:
    start = time.perf_counter()
    if engine["engine"] == "tlc":
        exploration = _with_tlc(model, engine["tlc_jar"])
    else:
        memory = engine["max_memory"]
        exploration = explore(
            model,
            max_states=engine["max_states"],
            max_memory=memory * _MEGABYTE if memory else None,
            graph=not engine["count"],
            symmetry=engine["symmetry"],
            progress=shown_progress(out),
        )
    return exploration, time.perf_counter() - start


def _with_tlc(model: Model, jar: Path | None) -> Exploration:
    run: TlcRun = explore_with_tlc(model, tools=find_tools(jar))
    if run.broken is not None:
        steps = ", ".join(step.action.name for step in run.broken.trace)
        raise ExploreError(
            Code.CONTRADICTION,
            f"the contracts contradict one another: {run.broken.invariant} fails after {steps}",
            hint="the embedded engine goes on past a violation and shows the clause",
        )
    assert run.exploration is not None  # noqa: S101 - either it broke or it finished
    return run.exploration


def _dumped(out: Output, path: Path) -> int:
    """What a state graph that TLC wrote holds."""
    try:
        graph = read_dot(path)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            Code.UNREADABLE,
            f"cannot read {path}: {getattr(error, 'strerror', None) or 'it is not text'}",
            hint="give a document, or a state graph that TLC wrote with -dump dot,actionlabels",
        ) from error
    actions = sorted({edge.action for edge in graph.edges})
    found = {"states": len(graph.states), "transitions": len(graph.edges), "actions": actions}
    repeated = graph.lines - len(graph.edges)
    out.result(
        {**found, "initial": len(graph.initial), "repeated_lines": repeated, "engine": "dot"}
    )
    out.line(
        f"{len(graph.states):,} states, {len(graph.edges):,} transitions "
        f"({repeated:,} lines repeat one), actions {escape(', '.join(actions))}"
    )
    return 0


def shown_progress(out: Output) -> Callable[[Progress], None]:
    """Tells a person every second how far an exploration is."""
    last = [time.monotonic()]

    def tell(progress: Progress) -> None:
        if time.monotonic() - last[0] > 1:
            last[0] = time.monotonic()
            out.status(
                f"[dim]depth {progress.depth}: {progress.states:,} states, "
                f"{progress.transitions:,} transitions[/]"
            )

    return tell


def _write(exploration: Exploration, dot: Path | None, saved: Path | None) -> None:
    for path, write in ((dot, write_dot), (saved, save)):
        if path is not None:
            with writing(path):
                write(exploration, path)


def _as_json(exploration: Exploration, seconds: float, engine: dict[str, Any]) -> dict[str, Any]:
    totals = exploration.totals
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "model": exploration.model.name,
        "bounds": {one.name: one.size for one in exploration.model.resources},
        "states": totals.states,
        "transitions": totals.transitions,
        "finals": totals.finals,
        "depth": len(exploration.levels) - 2,
        "actions": len(exploration.actions),
        "representatives": exploration.found.states,
        "deadlocks": len(exploration.deadlocks),
        "untaken": list(exploration.untaken),
        "violations": [
            {
                "invariant": violation.invariant,
                "states": violation.states,
                "trace": [step.action.name for step in trace(exploration, violation.state)],
            }
            for violation in exploration.violations
        ],
        "stopped": exploration.stopped,
        "seconds": round(seconds, 3),
        "peak_rss_mb": round(peak, 1),
        "engine": engine["engine"],
    }


def _print(out: Output, exploration: Exploration, found: dict[str, Any]) -> None:
    sizes = ", ".join(f"{name}={size}" for name, size in found["bounds"].items())
    out.line(f"[bold]{escape(found['model'])}[/] {escape(sizes)}")
    out.line(
        f"  {found['states']:,} states, {found['transitions']:,} transitions, "
        f"{found['finals']:,} final, depth {found['depth']}"
    )
    out.line(
        f"  {found['actions']} actions with their arguments, {found['seconds']:.2f} s, "
        f"{found['peak_rss_mb']:.0f} MB, {found['engine']} engine"
    )
    if found["untaken"]:
        out.line(f"  [yellow]never possible:[/] {escape(', '.join(found['untaken']))}")
    if found["stopped"]:
        out.line(f"  [yellow]stopped early:[/] {escape(found['stopped'])}")
    clauses = {invariant.name: invariant.clause for invariant in exploration.model.invariants}
    for violation in found["violations"]:
        name = violation["invariant"]
        out.line(f"  [bold red]contradiction[/] {escape(clauses.get(name) or name)}")
        out.line(f"      fails in {violation['states']:,} states, first after:")
        for step in violation["trace"]:
            out.line(f"        {escape(step)}")
