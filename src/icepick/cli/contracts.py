"""`icepick contracts`: what REST conventions say about an API, as clauses to read and edit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from icepick.cli.command import Command, common_options
from icepick.cli.documents import earlier_version, read_source
from icepick.cli.files import write_text
from icepick.cli.output import Output, escape, plural
from icepick.cli.schema import read_document, read_options, schema_argument
from icepick.glacier.contracts import Clause, Role
from icepick.glacier.extend import with_inferred
from icepick.glacier.inference.infer import Inference, infer_contracts
from icepick.resources.find import find_resources


@click.command(cls=Command)
@schema_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write SCHEMA with the clauses in it; what a person wrote there before stays.",
)
@click.option("--force", is_flag=True, help="Replace a file that is something else.")
@click.option("--explain", is_flag=True, help="Say why each is believed, and what is missing.")
@common_options
def contracts(
    out: Output, schema: str, output: Path | None, force: bool, explain: bool, **reading: Any
) -> int:
    """Infer contracts for the operations of SCHEMA from its resources."""
    options = read_options(**reading)
    spec = read_document(out, schema, options)
    inference = infer_contracts(spec, find_resources(spec))
    if output is not None:
        source = read_source(schema, options)
        earlier = earlier_version(output, source, force=force)
        write_text(output, with_inferred(source, spec, inference.contracts, earlier))
    out.result(_as_json(spec.source, inference))
    _print(out, inference, explain)
    count = sum(1 for _ in inference.contracts.clauses())
    operations = len(inference.contracts.operations)
    out.line(f"{plural(count, 'clause')} for {plural(operations, 'operation')}")
    if not count:
        out.line("nothing that can be observed changes: there is no resource with a life cycle")
    if output is not None:
        out.line(f"written to {escape(str(output))}")
    return 0


def _print(out: Output, inference: Inference, explain: bool) -> None:
    for label, contract in inference.contracts.operations.items():
        out.line(f"[bold]{escape(label)}[/]")
        for role, clauses in ((Role.REQUIRES, contract.requires), (Role.ENSURES, contract.ensures)):
            for clause in clauses:
                _print_clause(out, role, clause, explain)
        for gap in inference.gaps.get(label, ()) if explain else ():
            out.line(f"  [yellow]missing[/]  {escape(gap)}")
        out.line()
    for label, gaps in inference.gaps.items() if explain else ():
        if label not in inference.contracts.operations:
            out.line(f"[bold]{escape(label)}[/]\n  [yellow]missing[/]  {escape('; '.join(gaps))}")


def _print_clause(out: Output, role: Role, clause: Clause, explain: bool) -> None:
    out.line(f"  [cyan]{role.value:8}[/] {escape(clause.text)}")
    if explain:
        out.line(f"           [dim]{clause.confidence:.2f} {escape(clause.reason)}[/]")


def clause_json(clause: Clause) -> dict[str, Any]:
    """A clause with its evidence."""
    return {
        "text": clause.text,
        "provenance": clause.provenance.value,
        "confidence": clause.confidence,
        "reason": clause.reason,
    }


def _as_json(source: str, inference: Inference) -> dict[str, Any]:
    found = inference.contracts
    return {
        "source": source,
        "operations": {
            label: {
                "requires": [clause_json(clause) for clause in contract.requires],
                "ensures": [clause_json(clause) for clause in contract.ensures],
            }
            for label, contract in found.operations.items()
        },
        "invariants": [clause_json(clause) for clause in found.invariants],
        "missing": {label: list(gaps) for label, gaps in inference.gaps.items()},
    }
