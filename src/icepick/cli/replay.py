"""`icepick replay`: the calls of a finding once more, alone and with fresh values."""

from __future__ import annotations

from dataclasses import replace
from random import SystemRandom
from typing import Any

import click

from icepick.cli.again import Again, again_options, prepared
from icepick.cli.command import common_options
from icepick.cli.config import Configured
from icepick.cli.output import Output
from icepick.cli.reach import keep_secret
from icepick.cli.replayed import call_text, print_replayed
from icepick.cli.runs import events_of, find_finding
from icepick.cli.watch import run_until_stopped
from icepick.errors import Code, Place, UsageError
from icepick.execute.engine import RunOptions
from icepick.execute.events import CallJudged
from icepick.execute.types import Finding, Judged, Verdict
from icepick.pipeline.beginning import Earlier
from icepick.pipeline.planning import Planned
from icepick.pipeline.rerun import (
    Past,
    elsewhere,
    is_wrong_input,
    past_of,
    shows,
    steps_of,
    without_sequences,
)
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from icepick.sequences.types import Step

_PATIENCE = 2.0


@click.command("replay", cls=Configured)
@click.argument("finding", metavar="ID")
@click.option("--run", metavar="RUN", help="The run that has it.  [default: the newest]")
@again_options
@common_options
def replay(out: Output, finding: str, run: str | None, **options: Any) -> int:
    """Make the calls of the finding ID again, its code or number; 1 where the fault still shows."""
    path, found = find_finding(finding, run)
    past = past_of(events_of(path))
    _check_command(past, found, str(path))
    was = prepared(past, path, options)
    start = past.start.url if past.start is not None else ""
    judged: list[Judged] = []
    if is_wrong_input(found):
        session = Session(was.api, was.reach, was.task.settings, "replay")
        main = _resent(session, found, start, judged)
    else:
        model, steps = _steps(found, was.plans, past, str(path))
        earlier = Earlier((model,), known=was.known)
        session = Session(was.api, was.reach, _settings(was), "replay", earlier)
        main = _replayed(session, steps, judged)
    keep_secret(session.secrets, was.headers)
    run_until_stopped(main, session.stop, lambda _: None)
    shown = _shown(found, judged)
    out.result(_as_json(found, judged, shown))
    print_replayed(out, found, judged, shown)
    return 2 if shown is None else int(shown)


def _check_command(past: Past, finding: Finding, journal: str) -> None:
    """A finding of a protocol is shown again by the model it came from."""
    settings = past.start.settings if past.start is not None else {}
    if "protocol" in settings:
        command = f"icepick protocol {settings['protocol']} {settings.get('schema', 'SCHEMA')}"
        raise UsageError(
            Code.CHANGED_SINCE,
            f"finding {finding.id} is one of a protocol",
            place=Place(journal),
            hint=f"{command} --url URL --replay {finding.id}",
        )


def _steps(
    finding: Finding, plans: tuple[Planned, ...], past: Past, journal: str
) -> tuple[Planned, tuple[Step, ...]]:
    found = steps_of(finding, plans, past)
    if found is None:
        raise UsageError(
            Code.CHANGED_SINCE,
            f"the calls of finding {finding.id} are not in the plan any more",
            place=Place(journal),
            hint="start a new run",
        )
    return without_sequences(found[0]), found[1]


def _settings(was: Again) -> RunSettings:
    """As in the run, but with values that it did not use, and without what comes after it."""
    patience = min(was.task.settings.engine.outage, _PATIENCE)
    seed = SystemRandom().randrange(2**31)
    engine = RunOptions(workers=1, outage=patience)
    return replace(was.task.settings, seed=seed, wrong=0, engine=engine)


async def _replayed(session: Session, steps: tuple[Step, ...], judged: list[Judged]) -> None:
    for index, one in enumerate(await session.replay(steps)):
        masked = session.secrets.masked_event(CallJudged(0, 0, index, one))
        judged += [masked.judged] if isinstance(masked, CallJudged) else []


async def _resent(session: Session, finding: Finding, base: str, judged: list[Judged]) -> None:
    """A wrong input is wrong whatever the service holds, so it is sent as it was."""
    (step,) = finding.steps
    if step.exchange is None:
        return
    exchange = await session.resend(elsewhere(step.exchange.request, base, session.url))
    same = exchange.status == step.exchange.status
    judged.append(
        replace(
            step,
            exchange=session.secrets.masked(exchange),
            verdict=step.verdict if same else Verdict.OK,
            complaints=step.complaints if same else (),
        )
    )


def _shown(finding: Finding, judged: list[Judged]) -> bool | None:
    """Whether the fault shows; None where its calls could not all be made."""
    if any(shows(one, finding) for one in judged):
        return True
    answered = [one for one in judged if one.status is not None]
    return False if len(answered) >= len(finding.steps) else None


def _as_json(finding: Finding, judged: list[Judged], shown: bool | None) -> dict[str, Any]:
    return {
        "id": finding.id,
        "title": finding.title,
        "shows": shown,
        "calls": [
            {
                "label": one.label,
                "call": call_text(one),
                "verdict": one.verdict.value,
                "complaints": [complaint.happened for complaint in one.complaints],
            }
            for one in judged
        ],
    }
