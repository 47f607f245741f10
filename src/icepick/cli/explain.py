"""What a run is about to do, and what it could not do, in more words."""

from __future__ import annotations

from typing import Any

from icepick.cli.output import Output, escape, plural
from icepick.pipeline.models import Described
from icepick.pipeline.planning import Planned
from icepick.pipeline.upkeep import left_out
from icepick.report import RunRecord


def print_plan(out: Output, api: Described, plans: tuple[Planned, ...], seed: int) -> None:
    """The calls of every sequence; nothing is sent."""
    labels = {operation.id: operation.label for operation in api.spec.operations}
    width = max((len(label) for label in labels.values()), default=0)
    shown: list[dict[str, Any]] = []
    for one in plans:
        name, sequences = one.exploration.model.name, []
        for number, sequence in enumerate(one.plan.sequences(), start=1):
            out.line(f"[bold]{escape(name)} {number}[/]")
            calls = []
            for step in sequence.steps:
                label = labels[step.call.operation]
                out.line(f"  {escape(label.ljust(width))}  {escape(step.call.name)}")
                calls.append({"operation": label, "call": step.call.name})
            sequences.append(calls)
        shown.append({"model": name, "sequences": sequences})
    total = sum(one.summary.calls for one in plans)
    paths = sum(one.summary.paths for one in plans)
    out.line(f"{plural(paths, 'sequence')}, {plural(total, 'call')}, seed {seed}; nothing was sent")
    out.result({"seed": seed, "models": shown})


def explain_plan(out: Output, api: Described, plans: tuple[Planned, ...]) -> None:
    """What is known of the API, and what of it has a place in the run."""
    for resource in api.resources.resources.values():
        out.line(f"[bold]{escape(resource.name)}[/] {escape(resource.item_path or '')}")
    clauses = plural(sum(1 for _ in api.contracts.clauses()), "clause")
    out.line(f"{clauses} for {plural(len(api.contracts.operations), 'operation')}")
    for one in plans:
        sizes = ", ".join(f"{r.name}={r.size}" for r in one.exploration.model.resources)
        found, summary = one.exploration.found, one.summary
        out.line(
            f"{escape(one.exploration.model.name)} ({escape(sizes)}): {found.states:,} states, "
            f"{found.transitions:,} transitions; {summary.paths:,} sequences, "
            f"{summary.calls:,} calls"
        )
        for gap in summary.gaps:
            text = f"{gap.number:,} {gap.what}: {gap.reason}"
            out.line(f"  [yellow]left out:[/] {escape(text)}")
        for unused in one.derivation.unused:
            text = f"{unused.operation}: {unused.clause.text} ({unused.reason})"
            out.line(f"  [dim]not modelled:[/] {escape(text)}")
    for operation in left_out(api, (one.exploration.model for one in plans)):
        out.line(f"[yellow]no place for[/] {escape(operation)}")
    out.line()


def explain_record(out: Output, record: RunRecord) -> None:
    """Why calls were not made, which clauses were never decided, what else was noticed."""
    out.line()
    for reason, number in record.not_tested.items():
        out.line(f"[yellow]not tested[/] {number:,} times: {escape(reason)}")
    for clause in record.clauses:
        if not clause.true and not clause.false:
            whose = clause.operation or "invariant"
            text = f"{whose}: {clause.text} {f'({clause.reason})' if clause.reason else ''}"
            out.line(f"[yellow]never decided[/] {escape(text.strip())}")
    for one in record.unconfirmed:
        out.line(f"[yellow]seen {one.seen:,} times, not again alone:[/] {escape(one.title)}")
    for note in record.notes:
        out.line(f"[dim]{escape(note.kind)}[/] {escape(note.subject)}: {escape(note.text)}")
    for left in record.left_behind:
        out.line(f"[yellow]left behind[/] {escape(left.url)}: {escape(left.reason)}")
