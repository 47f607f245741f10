"""`icepick resume`: the rest of a run that was cut off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from icepick.cli.again import again_options, prepared
from icepick.cli.command import common_options
from icepick.cli.config import Configured
from icepick.cli.files import writing
from icepick.cli.outcome import failing_options, report_options, told, wanted_from
from icepick.cli.output import Output
from icepick.cli.reach import keep_secret, ways_in
from icepick.cli.runs import events_of, journal_of, journals, reopened
from icepick.cli.watch import Watch, seen_through
from icepick.errors import Code, Place, UsageError
from icepick.execute.events import Ending
from icepick.execute.journal.journal import Journal
from icepick.pipeline.beginning import Earlier
from icepick.pipeline.leftovers import leftovers
from icepick.pipeline.record import recorded
from icepick.pipeline.rerun import Past, continued, done, past_of
from icepick.pipeline.session import Session
from icepick.report import Recorder

_CUT_OFF = {Ending.INTERRUPTED, Ending.OUTAGE}


@click.command("resume", cls=Configured)
@click.argument("run", required=False)
@again_options
@report_options
@failing_options
@common_options
def resume(out: Output, run: str | None, **options: Any) -> int:
    """Go on with RUN, or with the newest run that was cut off."""
    wanted = wanted_from(options)
    path, past = _chosen(run)
    recorder = Recorder()
    for event in events_of(path):
        recorder.add(event)
    if past.has_finished:
        out.line(f"{path.parent.name} has finished: there is nothing left to do\n")
        return told(out, recorder.record(), path, wanted)
    _check_command(past, path)
    was = prepared(past, path, options, same=True)
    engine = replace(was.task.settings.engine, done=done(past, was.plans))
    settings = replace(was.task.settings, engine=engine)
    remains = leftovers(was.api, events_of(path))
    earlier = Earlier(was.plans, remains, known=was.known)
    session = Session(was.api, was.reach, settings, path.parent.name, earlier)
    keep_secret(session.secrets, was.headers)

    def opened(warn: Callable[[str], None]) -> Journal:
        with writing(path):
            return Journal(path, reopened(path), session.secrets, warn)

    watch = Watch(session.secrets, opened, recorder)
    watch.warn(
        f"run {path.parent.name} goes on: {len(engine.done)} sequences are done, "
        f"{len(remains)} instances are left to remove, seed {settings.seed}"
    )
    about = {**recorded(was.task), "auth": ways_in(was.reach.auth)}
    events = continued(session.events(about), past)
    return seen_through(out, watch, events, session.stop, wanted)


def _check_command(past: Past, journal: Path) -> None:
    """Only runs go on: what fuzz and protocol do has no sequences to leave out."""
    settings = past.start.settings if past.start is not None else {}
    command = str(settings.get("command", "protocol" if "protocol" in settings else "run"))
    if command != "run":
        raise UsageError(
            Code.USAGE,
            f"this was `icepick {command}`, which cannot be resumed",
            place=Place(str(journal)),
            hint=f"start `icepick {command}` again; what it learned is kept",
        )


def _chosen(run: str | None) -> tuple[Path, Past]:
    """The run that is named, or the newest one that was cut off, or else the newest."""
    if run is None:
        for path in journals():
            past = past_of(events_of(path))
            if past.start is not None and (past.end is None or past.end.ending in _CUT_OFF):
                return path, past
    path = journal_of(run)
    return path, past_of(events_of(path))
