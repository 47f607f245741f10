"""`icepick model`: the life cycles of an API as a model, and as TLA+."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from icepick.cli.bounds import derivations, model_argument
from icepick.cli.command import Command, common_options
from icepick.cli.files import write_text
from icepick.cli.output import Output, escape
from icepick.model import to_json
from icepick.model.derive.derive import Derivation
from icepick.model.tla import tla_text
from icepick.model.types import Action, Numbers, OneOf, Parameter, Reference


@click.command(cls=Command)
@model_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write NAME.tla and NAME.cfg into this folder.",
)
@click.option("--explain", is_flag=True, help="Show guards, assumptions and unused clauses.")
@common_options
def model(
    out: Output,
    schema: str,
    bounds: dict[str, int],
    output: Path | None,
    explain: bool,
    **reading: Any,
) -> int:
    """Derive the life-cycle model of SCHEMA from its contracts."""
    found = derivations(out, schema, bounds, **reading)
    written = [path for number, one in enumerate(found) for path in _write(one, number, output)]
    out.result({"models": [_as_json(one) for one in found], "written": [str(p) for p in written]})
    for one in found:
        _print(out, one, explain)
    for path in written:
        out.line(f"written {escape(str(path))}")
    return 0


def _write(derivation: Derivation, number: int, output: Path | None) -> list[Path]:
    if output is None:
        return []
    text = tla_text(derivation.model)
    folder = output if number == 0 else output / str(number + 1)
    module, config = folder / f"{text.name}.tla", folder / f"{text.name}.cfg"
    write_text(module, text.module)
    write_text(config, text.config)
    return [module, config]


def _print(out: Output, derivation: Derivation, explain: bool) -> None:
    found = derivation.model
    out.line(f"[bold]{escape(found.name)}[/]")
    for resource in found.resources:
        fields = ", ".join(f"{field.name}: {_domain(field.domain)}" for field in resource.fields)
        values = ", ".join(resource.value_name(index) for index in range(resource.size))
        out.line(
            f"  {resource.name} {{{values}}}" + (f"  [dim]{escape(fields)}[/]" if fields else "")
        )
    for action in found.actions:
        out.line(f"  [cyan]{escape(_signature(action))}[/]")
        for conjunct in action.guard if explain else ():
            out.line(f"      if {escape(conjunct.clause or 'implied: ' + str(conjunct.condition))}")
    for invariant in found.invariants:
        out.line(f"  invariant {escape(invariant.clause or invariant.name)}")
    for assumption in derivation.assumptions if explain else ():
        out.line(f"  [yellow]assumed[/] {escape(assumption)}")
    for unused in derivation.unused if explain else ():
        where = f"{unused.operation}: " if unused.operation else ""
        out.line(f"  [dim]not in the model:[/] {escape(where + unused.clause.text)}")
        out.line(f"      [dim]{escape(unused.reason)}[/]")
    out.line(
        f"  {len(found.actions)} actions, {len(found.invariants)} invariants; "
        f"{len(derivation.unused)} clauses are checked at run time only"
    )


def _signature(action: Action) -> str:
    return f"{action.name}({', '.join(map(_parameter, action.parameters))})"


def _parameter(parameter: Parameter) -> str:
    if isinstance(parameter.kind, OneOf):
        return f"{parameter.name}: {_domain(parameter.kind.domain)}"
    return f"{parameter.name}: some of {parameter.kind.resource}"


def _domain(domain: object) -> str:
    match domain:
        case Reference(resource=resource):
            return resource
        case Numbers(low=low, high=high):
            return f"{low}..{high}"
    return type(domain).__name__.lower()


def _as_json(derivation: Derivation) -> dict[str, Any]:
    return {
        "model": to_json(derivation.model),
        "unused": [
            {
                "operation": unused.operation,
                "clause": unused.clause.text,
                "reason": unused.reason,
            }
            for unused in derivation.unused
        ],
        "assumptions": list(derivation.assumptions),
    }
