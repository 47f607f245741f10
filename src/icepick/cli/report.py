"""`icepick report`: what a run came to, from its journal alone."""

from __future__ import annotations

from typing import Any

import click

from icepick.cli.command import common_options
from icepick.cli.config import Configured, config_option
from icepick.cli.outcome import report_options, told, wanted_from
from icepick.cli.output import Output
from icepick.cli.runs import events_of, journal_of
from icepick.report import Recorder


@click.command("report", cls=Configured)
@click.argument("run", required=False)
@config_option()
@report_options
@common_options
def report(out: Output, run: str | None, **options: Any) -> int:
    """Print what RUN came to, or the newest run, and write reports of it."""
    wanted = wanted_from(options)
    path = journal_of(run)
    recorder = Recorder()
    for event in events_of(path):
        recorder.add(event)
    told(out, recorder.record(), path, wanted)
    return 0
