"""`icepick export`: findings as tests that need nothing but pytest."""

from __future__ import annotations

from pathlib import Path

import click

from icepick.cli.command import Command, common_options
from icepick.cli.files import write_text
from icepick.cli.output import Output, escape, plural
from icepick.cli.runs import events_of, find_finding, findings_of, journal_of
from icepick.errors import Code, Place, UsageError
from icepick.execute.events import RunStarted
from icepick.report import export_tests


@click.command("export", cls=Command)
@click.argument("finding", metavar="ID|all")
@click.option("--run", metavar="RUN", help="The run that has it.  [default: the newest]")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("test_findings.py"),
    show_default=True,
    help="Where to write the tests.",
)
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
@common_options
def export(out: Output, finding: str, run: str | None, output: Path, force: bool) -> int:
    """Write the finding ID, its code or number, or all of a run, as tests for pytest."""
    if finding == "all":
        path = journal_of(run)
        found = findings_of(path)
    else:
        path, one = find_finding(finding, run)
        found = [one]
    if not found:
        message = f"{path.parent.name} has no findings"
        raise UsageError(Code.NO_FINDING, message, place=Place(str(path)))
    if output.exists() and not force:
        raise UsageError(
            Code.CANNOT_WRITE,
            f"{output} exists",
            place=Place(str(output)),
            hint="choose another file, or replace it with --force",
        )
    start = next(event for event in events_of(path) if isinstance(event, RunStarted))
    write_text(output, export_tests(found, start.url, start.operations.values()))
    out.result({"file": str(output), "findings": [one.id for one in found]})
    out.line(f"{plural(len(found), 'test')} written to {escape(str(output))}: pytest runs it")
    return 0
