"""`icepick check`: read a document and say everything that is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

import click

from icepick.cli.command import Command, common_options
from icepick.cli.output import Output, escape, plural
from icepick.cli.schema import read_options, schema_argument
from icepick.errors import Diagnostic, Severity
from icepick.glacier import contracts_of, load_contracts
from icepick.glacier.static import check_contracts
from icepick.openapi import ApiSpec, check_spec

_SHOWN_OF_A_KIND = 5
_ORDER = list(Severity)


@click.command(cls=Command)
@schema_argument
@click.option(
    "--contracts",
    "contract_files",
    multiple=True,
    metavar="FILE",
    help="Check the contracts of this file too; those inside SCHEMA always are.",
)
@click.option("--strict", is_flag=True, help="Leave with code 1 for warnings too.")
@click.option("--all", "show_all", is_flag=True, help="List every diagnostic of a kind.")
@common_options
def check(
    out: Output,
    schema: str,
    contract_files: tuple[str, ...],
    strict: bool,
    show_all: bool,
    **reading: Any,
) -> int:
    """Read SCHEMA, a path or URL of an OpenAPI document, and list its defects."""
    spec = check_spec(schema, read_options(**reading))
    found = (*spec.diagnostics, *_contract_diagnostics(spec, contract_files))
    spec = replace(spec, diagnostics=tuple(dict.fromkeys(found)))
    counts = Counter(diagnostic.severity for diagnostic in spec.diagnostics)
    out.result(_as_json(spec, counts))
    print_summary(out, spec)
    _print_diagnostics(out, spec.diagnostics, show_all)
    out.line(", ".join(plural(counts[severity], severity.value) for severity in Severity))
    return int(counts[Severity.ERROR] > 0 or (strict and counts[Severity.WARNING] > 0))


def _contract_diagnostics(spec: ApiSpec, files: Iterable[str]) -> Iterator[Diagnostic]:
    """What is wrong with the contracts of a document and of files beside it."""
    for loaded in (contracts_of(spec), *(load_contracts(file, spec) for file in files)):
        yield from loaded.diagnostics
        yield from check_contracts(loaded.contracts, spec)


def print_summary(out: Output, spec: ApiSpec) -> None:
    """What the document holds, in three lines."""
    dialect = "Swagger" if spec.dialect.value == "2.0" else "OpenAPI"
    out.line(
        f"[bold]{escape(spec.title)}[/] {escape(spec.version)} ({dialect} {spec.dialect.value})"
    )
    paths = len({operation.path for operation in spec.operations})
    left_out = f", {len(spec.left_out)} left out" if spec.left_out else ""
    out.line(
        f"{plural(len(spec.operations), 'operation')} on {plural(paths, 'path')}{left_out}, "
        f"{plural(len(spec.schemas), 'schema')}"
    )
    schemes = ", ".join(f"{s.name} ({s.kind.value})" for s in spec.security_schemes.values())
    out.line(f"security: {escape(schemes) or 'none declared'}")


def _print_diagnostics(out: Output, diagnostics: Iterable[Diagnostic], show_all: bool) -> None:
    for group in _kinds(diagnostics):
        shown = group if show_all else group[:_SHOWN_OF_A_KIND]
        for diagnostic in shown:
            out.diagnostic(diagnostic)
        if len(shown) < len(group):
            rest = len(group) - len(shown)
            out.line(f"    [dim]... and {rest} more of {group[0].code.value} (--all lists them)[/]")


def _kinds(diagnostics: Iterable[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """Diagnostics of one code together, the worst first, otherwise in the document's order."""

    def kind(diagnostic: Diagnostic) -> tuple[int, str]:
        return _ORDER.index(diagnostic.severity), diagnostic.code.value

    for _, group in groupby(sorted(diagnostics, key=kind), key=kind):
        yield list(group)


def _as_json(spec: ApiSpec, counts: Counter[Severity]) -> dict[str, Any]:
    return {
        "source": spec.source,
        "title": spec.title,
        "version": spec.version,
        "dialect": spec.dialect.value,
        "servers": [server.expanded() for server in spec.servers],
        "operations": [
            {"id": operation.id, "method": operation.method, "path": operation.path}
            for operation in spec.operations
        ],
        "left_out": list(spec.left_out),
        "schemas": list(spec.schemas),
        "security_schemes": {s.name: s.kind.value for s in spec.security_schemes.values()},
        "counts": {severity.value: counts[severity] for severity in Severity},
        "diagnostics": [diagnostic.to_json() for diagnostic in spec.diagnostics],
    }
