"""The entry point."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import click

from icepick import __version__
from icepick.cli.command import LazyGroup, run
from icepick.errors import Code

COMMANDS = {
    "check": ("icepick.cli.check:check", "Read a document and list its defects."),
    "graph": ("icepick.cli.graph:graph", "Find resources, references and who feeds whom."),
    "contracts": ("icepick.cli.contracts:contracts", "Infer contracts from REST conventions."),
    "catalogue": ("icepick.cli.catalogue:catalogue", "List and add reusable clauses."),
    "model": ("icepick.cli.model:model", "Derive the life-cycle model, also as TLA+."),
    "explore": ("icepick.cli.explore:explore_command", "Explore every state of the model."),
    "plan": ("icepick.cli.plan:plan_command", "Plan the sequences that cover the model."),
    "protocol": ("icepick.cli.protocol:protocol", "Test the flows that a model describes."),
    "run": ("icepick.cli.run:run_command", "Test a service."),
    "fuzz": ("icepick.cli.fuzz:fuzz", "Learn which inputs a service takes, and try wrong ones."),
    "resume": ("icepick.cli.resume:resume", "Go on with a run that was cut off."),
    "replay": ("icepick.cli.replay:replay", "Make the calls of a finding again."),
    "report": ("icepick.cli.report:report", "Report a run from its journal."),
    "export": ("icepick.cli.export:export", "Write findings as tests for pytest."),
    "demo": ("icepick.cli.demo:demo", "Find the faults of a service that icepick brings along."),
    "demo-service": (
        "icepick.cli.demo_service:demo_service",
        "Run a demo service until it is interrupted.",
    ),
}


@click.group(
    cls=LazyGroup,
    commands_at=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="icepick")
@click.pass_context
def cli(context: click.Context) -> None:
    """Test a REST API systematically, from its OpenAPI document.

    Exit codes: 0 clean, 1 findings, 2 usage, configuration or document error.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run icepick and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A document may hold characters that the terminal's encoding lacks.
            stream.reconfigure(errors="backslashreplace")
    try:
        code = run(cli, arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has left (`icepick ... | head`): that is no error.
        code = _silenced(0)
    except OSError as error:
        message = f"error {Code.CANNOT_WRITE.value} cannot write the output: {error.strerror}"
        code = _silenced(2)
        click.echo(message, err=True)
    sys.exit(code)


def _silenced(code: int) -> int:
    """Keep Python from complaining once more about an output that is gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code
