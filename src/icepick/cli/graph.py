"""`icepick graph`: the resources of an API and how its operations hang together."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import click

from icepick.cli.command import Command, common_options
from icepick.cli.files import write_text
from icepick.cli.output import Output, escape, plural
from icepick.cli.reach import reach_from, reach_options
from icepick.cli.schema import read_document, read_options, schema_argument
from icepick.cli.watch import run_until_stopped
from icepick.errors import Code, ExecuteError
from icepick.execute.events import LeftBehind
from icepick.openapi.options import ReadOptions
from icepick.openapi.types import ApiSpec
from icepick.pipeline.correction import MOST_CALLS, correction_options
from icepick.pipeline.live import Visit, visited
from icepick.pipeline.selection import Filters, described
from icepick.resources.build import build_graph
from icepick.resources.export import to_dot, to_json
from icepick.resources.find import find_resources
from icepick.resources.page import to_html
from icepick.resources.sequences import call_sequences
from icepick.resources.types import Resource, ResourceMap, Role


@click.command(cls=Command)
@schema_argument
@reach_options
@click.option("--dot", type=click.Path(path_type=Path), help="Write the graph for Graphviz.")
@click.option("--html", type=click.Path(path_type=Path), help="Write a page to look at.")
@click.option("--explain", is_flag=True, help="Say why each thing is believed.")
@click.option("--read-only", is_flag=True, help="With --url: call GET and HEAD operations only.")
@click.option(
    "--max-calls",
    type=click.IntRange(min=1),
    default=MOST_CALLS,
    show_default=True,
    help="With --url: make at most so many calls.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Decides every choice.")
@common_options
def graph(
    out: Output, schema: str, dot: Path | None, html: Path | None, explain: bool, **options: Any
) -> int:
    """Find the resources of SCHEMA, their identifiers and references, and who feeds whom.

    With --url, the operations of the service are called, and what it answers corrects the rest.
    """
    spec = read_document(out, schema, _reading(options))
    visit = _visit(spec, options) if options["url"] is not None else None
    resources = visit.corrected.api.resources if visit else find_resources(spec)
    found = visit.corrected.graph if visit else build_graph(spec, resources)
    sequences = call_sequences(found, visit.corrected.api.spec if visit else spec)
    if dot:
        write_text(dot, to_dot(found, spec))
    if html:
        write_text(html, to_html(spec, resources, found, sequences))
    live = {"live": _live(visit)} if visit else {}
    out.result({"source": spec.source, **to_json(resources, found, sequences), **live})
    _print(out, resources, explain)
    if visit is not None:
        _print_visit(out, visit, explain)
    edges = len(found.produces) + len(found.consumes) + len(found.equal)
    out.line(
        f"{plural(len(found.schemas), 'schema')}, {plural(len(found.operations), 'operation')}, "
        f"{plural(edges, 'edge')}, {plural(len(sequences), 'sequence')}"
    )
    for path in (dot, html):
        if path:
            out.line(f"written to {escape(str(path))}")
    return 0


def _reading(options: dict[str, Any]) -> ReadOptions:
    names = ("wait", "headers", "allow_remote_refs", "max_size")
    return read_options(**{name: options[name] for name in names})


def _visit(spec: ApiSpec, options: dict[str, Any]) -> Visit:
    """Call the service; ExecuteError where nothing is answered."""
    reach = reach_from(options, spec, options["headers"], 1)
    api = described(spec, Filters(read_only=options["read_only"]))
    limits = correction_options(options["max_calls"])
    stop = Event()
    found: list[Visit] = []

    async def main() -> None:
        found.append(await visited(api, reach, limits, options["seed"], stop.is_set))

    whole = run_until_stopped(main(), stop.set, lambda _: None)
    if not whole or not found:
        raise click.Abort
    unanswered = found[0].unanswered
    if unanswered:
        message = f"the service at {reach.url} does not answer: {unanswered}"
        raise ExecuteError(Code.UNREACHABLE, message, hint="is it running, and is --url right?")
    return found[0]


def _live(visit: Visit) -> dict[str, Any]:
    """What calling the service came to, as JSON."""
    found = visit.corrected
    return {
        "calls": found.calls,
        "corrections": [{"subject": one.subject, "text": one.text} for one in found.notes],
        "gaps": [{"operation": one.subject, "reason": one.text} for one in found.gaps],
        "left_behind": [
            {"resource": one.resource, "url": one.url, "reason": one.reason}
            for one in visit.events
            if isinstance(one, LeftBehind)
        ],
    }


def _print_visit(out: Output, visit: Visit, explain: bool) -> None:
    found = visit.corrected
    done = len(found.api.spec.operations) - len(found.gaps)
    total = plural(len(found.api.spec.operations), "operation")
    out.line(f"{done} of {total} succeeded, {plural(found.calls, 'call')}")
    for gap in found.gaps:
        out.line(f"  [yellow]{escape(gap.subject)}[/] {escape(gap.text)}")
    for label, reason in found.api.left_out:
        out.line(f"  [yellow]{escape(label)}[/] {escape(reason)}, left out")
    out.line(f"{plural(len(found.notes), 'correction')}")
    for note in found.notes:
        text = note.text if explain else note.text.partition(": ")[0].partition("; ")[0]
        out.line(f"  [cyan]{escape(note.subject)}[/] {escape(text)}")
    left = sum(isinstance(one, LeftBehind) for one in visit.events)
    if left:
        out.line(f"[yellow]{plural(left, 'instance')} could not be removed again[/]")
    out.line()


def _print(out: Output, resources: ResourceMap, explain: bool) -> None:
    for resource in resources.resources.values():
        out.line(f"[bold]{escape(resource.name)}[/]{_where(resource)}")
        _print_identifier(out, resource, explain)
        for reference in resource.references:
            arrow = "->" if reference.writable else "~>"
            why = f"  [dim]{escape(reference.evidence.reason)}[/]" if explain else ""
            out.line(f"  {escape(str(reference.field))} {arrow} {reference.target}{why}")
        for use in resource.uses:
            owner = f" of {use.owner}" if use.owner else ""
            why = f"  [dim]{escape(use.evidence.reason)}[/]" if explain else ""
            also = ", creates" if use.creates and use.role is Role.REPLACE else ""
            out.line(f"  [cyan]{use.role.value}{also}{owner}[/] {escape(use.operation)}{why}")
        out.line()
    if resources.standalone:
        out.line(f"outside any resource: {escape(', '.join(resources.standalone))}\n")


def _where(resource: Resource) -> str:
    parts = [escape(resource.item_path or resource.collection_path or "")]
    parts += [f"in {resource.parent}"] if resource.parent else []
    parts += [f"joins {' and '.join(resource.joins)}"] if resource.joins else []
    return "  [dim]" + ", ".join(parts) + "[/]"


def _print_identifier(out: Output, resource: Resource, explain: bool) -> None:
    identifier = resource.identifier
    if identifier is None:
        out.line("  one only" if resource.is_singleton else "  items have no address")
        return
    place = ".".join(identifier.property) if identifier.property else "not shown"
    why = f"  [dim]{escape(identifier.evidence.reason)}[/]" if explain else ""
    out.line(
        f"  id {escape(f'{{{identifier.parameter}}}')} is {escape(place)}, "
        f"chosen by {identifier.chooser.value}{why}"
    )
