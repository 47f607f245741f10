"""`icepick catalogue`: reusable clauses, made concrete for an API and added to its contracts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from icepick.cli.command import Command, common_options
from icepick.cli.contracts import read_source
from icepick.cli.files import write_text
from icepick.cli.output import Output, escape
from icepick.errors import Code, UsageError
from icepick.glacier.extend import with_added
from icepick.glacier.inference.catalogue import (
    CATALOGUE,
    Instance,
    Template,
    as_contracts,
    instances,
)
from icepick.openapi import ApiSpec, ReadOptions, read_spec
from icepick.resources.find import find_resources


@click.command(cls=Command)
@click.argument("schema", required=False)
@click.option(
    "--add",
    "names",
    multiple=True,
    type=click.Choice([template.name for template in CATALOGUE]),
    help="Add the clauses of this template to the document; may be repeated.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write the document; SCHEMA itself if it is a file.",
)
@common_options
def catalogue(out: Output, schema: str | None, names: tuple[str, ...], output: Path | None) -> int:
    """List reusable clauses, and those that apply to SCHEMA."""
    if schema is None:
        if names or output:
            raise UsageError(Code.USAGE, "--add and --output need a SCHEMA to add clauses to")
        _print_templates(out)
        return 0
    spec = read_spec(schema)
    resources = find_resources(spec)
    chosen = [template for template in CATALOGUE if not names or template.name in names]
    found = {template.name: instances(template, spec, resources) for template in chosen}
    if names:
        output = output or Path(schema)
        _write(schema, spec, output, [instance for name in names for instance in found[name]])
    out.result(_as_json(spec, chosen, found, output))
    for template in chosen:
        _print_instances(out, template, found[template.name])
    if output is not None:
        out.line(f"written to {escape(str(output))}")
    return 0


def _write(schema: str, spec: ApiSpec, output: Path, chosen: list[Instance]) -> None:
    source = read_source(str(output) if output.exists() else schema, ReadOptions())
    write_text(output, with_added(source, spec, as_contracts(chosen, spec)))


def _print_templates(out: Output) -> None:
    out.result({"templates": [{"name": t.name, "summary": t.summary} for t in CATALOGUE]})
    width = max(len(template.name) for template in CATALOGUE)
    for template in CATALOGUE:
        out.line(f"[bold]{template.name.ljust(width)}[/]  {template.summary}")


def _print_instances(out: Output, template: Template, found: tuple[Instance, ...]) -> None:
    out.line(f"[bold]{template.name}[/]  [dim]{template.summary}[/]")
    for instance in found:
        where = f"{instance.operation} ensures: " if instance.operation else ""
        out.line(f"  {escape(where + instance.text)}")
    if not found:
        out.line("  [dim]does not apply[/]")


def _as_json(
    spec: ApiSpec,
    chosen: list[Template],
    found: dict[str, tuple[Instance, ...]],
    output: Path | None,
) -> dict[str, Any]:
    return {
        "source": spec.source,
        "output": str(output) if output else None,
        "templates": [
            {
                "name": template.name,
                "summary": template.summary,
                "clauses": [
                    {"text": instance.text, "operation": instance.operation}
                    for instance in found[template.name]
                ],
            }
            for template in chosen
        ],
    }
