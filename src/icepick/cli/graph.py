"""`icepick graph`: the resources of an API and how its operations hang together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from icepick.cli.command import Command, common_options
from icepick.cli.files import write_text
from icepick.cli.output import Output, escape, plural
from icepick.cli.schema import read_document, read_options, schema_argument
from icepick.resources.build import build_graph
from icepick.resources.export import to_dot, to_json
from icepick.resources.find import find_resources
from icepick.resources.page import to_html
from icepick.resources.sequences import call_sequences
from icepick.resources.types import Resource, ResourceMap, Role


@click.command(cls=Command)
@schema_argument
@click.option("--dot", type=click.Path(path_type=Path), help="Write the graph for Graphviz.")
@click.option("--html", type=click.Path(path_type=Path), help="Write a page to look at.")
@click.option("--explain", is_flag=True, help="Say why each thing is believed.")
@common_options
def graph(
    out: Output, schema: str, dot: Path | None, html: Path | None, explain: bool, **reading: Any
) -> int:
    """Find the resources of SCHEMA, their identifiers and references, and who feeds whom."""
    spec = read_document(out, schema, read_options(**reading))
    resources = find_resources(spec)
    found = build_graph(spec, resources)
    sequences = call_sequences(found, spec)
    if dot:
        write_text(dot, to_dot(found, spec))
    if html:
        write_text(html, to_html(spec, resources, found, sequences))
    out.result({"source": spec.source, **to_json(resources, found, sequences)})
    _print(out, resources, explain)
    edges = len(found.produces) + len(found.consumes) + len(found.equal)
    out.line(
        f"{plural(len(found.schemas), 'schema')}, {plural(len(found.operations), 'operation')}, "
        f"{plural(edges, 'edge')}, {plural(len(sequences), 'sequence')}"
    )
    for path in (dot, html):
        if path:
            out.line(f"written to {escape(str(path))}")
    return 0


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
