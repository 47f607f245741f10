"""`icepick catalogue`: reusable clauses, made concrete for an API and added to its contracts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from icepick.cli.command import Command, common_options
from icepick.cli.documents import earlier_version, read_source
from icepick.cli.files import write_text
from icepick.cli.output import Output, escape
from icepick.cli.schema import read_document, read_options, reading_options
from icepick.errors import Code, UsageError
from icepick.glacier.extend import with_added
from icepick.glacier.inference.catalogue import (
    CATALOGUE,
    Instance,
    Template,
    as_contracts,
    instances,
)
from icepick.openapi import ApiSpec
from icepick.openapi.web import is_url
from icepick.resources.find import find_resources


@click.command(cls=Command)
@click.argument("schema", required=False)
@reading_options
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
    help="With --add: where to write the document.",
)
@click.option("--in-place", is_flag=True, help="With --add: write into SCHEMA itself.")
@click.option("--force", is_flag=True, help="Replace a file that is something else.")
@common_options
def catalogue(
    out: Output,
    schema: str | None,
    names: tuple[str, ...],
    output: Path | None,
    in_place: bool,
    force: bool,
    **reading: Any,
) -> int:
    """List reusable clauses, and those that apply to SCHEMA."""
    target = _target(schema, names, output, in_place)
    if schema is None:
        _print_templates(out)
        return 0
    options = read_options(**reading)
    spec = read_document(out, schema, options)
    resources = find_resources(spec)
    chosen = [template for template in CATALOGUE if not names or template.name in names]
    found = {template.name: instances(template, spec, resources) for template in chosen}
    if target is not None:
        source = read_source(schema, options)
        base = source if in_place else earlier_version(target, source, force=force) or source
        added = [instance for name in dict.fromkeys(names) for instance in found[name]]
        write_text(target, with_added(base, spec, as_contracts(added, spec)))
    out.result(_as_json(spec, chosen, found, target))
    for template in chosen:
        _print_instances(out, template, found[template.name])
    if target is not None:
        out.line(f"written to {escape(str(target))}")
    return 0


def _target(
    schema: str | None, names: tuple[str, ...], output: Path | None, in_place: bool
) -> Path | None:
    """Where the document goes; nothing is written that nobody asked for."""
    if not names:
        if output or in_place:
            raise UsageError(Code.USAGE, "there is nothing to write without --add")
        return None
    if schema is None:
        raise UsageError(Code.USAGE, "--add needs a SCHEMA to add clauses to")
    if (output is None) is not in_place:
        raise UsageError(
            Code.USAGE, "--add needs either -o FILE or --in-place, so that it is clear what changes"
        )
    if in_place and is_url(schema):
        raise UsageError(Code.USAGE, "a document behind a URL cannot be changed; write it with -o")
    return output or Path(schema)


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
