"""`icepick run`: a whole run against a service."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from random import SystemRandom
from typing import Any

import click

from icepick.cli.bounds import model_argument
from icepick.cli.command import common_options
from icepick.cli.config import Configured, config_option
from icepick.cli.explain import explain_plan, explain_record, print_plan
from icepick.cli.filters import filter_options, filters_from
from icepick.cli.learning import explain_learned, forget_option, keep_learned, recall_learned
from icepick.cli.outcome import failing_options, report_options, wanted_from
from icepick.cli.output import Output
from icepick.cli.reach import keep_secret, reach_from, reach_options, ways_in, workers
from icepick.cli.runs import STATE
from icepick.cli.schema import read_options
from icepick.cli.watch import Watch, seen_through
from icepick.execute.engine import RunOptions
from icepick.execute.journal.journal import new_run_id, open_journal
from icepick.execute.judging.care import Judge
from icepick.execute.laws.frame import Frame
from icepick.pipeline.beginning import Earlier
from icepick.pipeline.planning import planned
from icepick.pipeline.reach import base_url
from icepick.pipeline.record import Task, read_api, recorded
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from icepick.sequences import Refusals, Strategy

_SECONDS = click.FloatRange(min=0, min_open=True)
_COUNT = click.IntRange(min=1)
_Decorate = Callable[[Callable[..., Any]], Callable[..., Any]]


def plan_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is walked, and for how long; `task_from` takes the values."""
    for decorate in reversed((*_walking(), *_lasting())):
        function = decorate(function)
    return function


def _walking() -> tuple[_Decorate, ...]:
    return (
        click.option("--seed", type=int, help="Decides every choice.  [default: random]"),
        click.option(
            "--strategy", type=click.Choice([one.value for one in Strategy]),
            default=Strategy.TOUR.value, show_default=True,
            help="The paper's paths, a tour of all transitions, or one of all states.",
        ),
        click.option(
            "--refusals", type=click.Choice([one.value for one in Refusals]),
            default=Refusals.ONE.value, show_default=True,
            help="Try what the model forbids: one call of each kind, or each.",
        ),
        click.option(
            "--updates/--no-updates", default=True,
            help="Make a place for updates, reads and actions too.  [default: yes]",
        ),
        click.option("--symmetry", is_flag=True, help="Take one of transitions that are alike."),
        click.option(
            "--frame", type=click.Choice([one.value for one in Frame]),
            default=Frame.END.value, show_default=True,
            help="When to see whether what was not touched has stayed as it was.",
        ),
        click.option(
            "--judge", type=click.Choice([one.value for one in Judge]),
            default=Judge.NEW.value, show_default=True,
            help="Judge a call by its whole contract when it is new in a state, or every time.",
        ),
        click.option(
            "--learn/--no-learn", default=True,
            help="Learn from refusals which inputs the service takes.  [default: yes]",
        ),
        click.option(
            "--wrong-inputs", type=click.IntRange(min=0), metavar="N",
            help="Try so many wrong inputs at the end.  [default: some for each operation]",
        ),
        click.option(
            "--correction/--no-correction", default=True,
            help="Ask the service what the document leaves open.  [default: yes]",
        ),
        click.option(
            "--calibrate/--no-calibrate", default=True,
            help="See how the service does things before it is judged.  [default: yes]",
        ),
        click.option(
            "--settle", type=click.FloatRange(min=0), default=2.0, show_default=True,
            metavar="SECONDS", help="How long something created or deleted may take to show.",
        ),
        click.option(
            "--graph/--no-graph", default=True,
            help="Outside the models, take values from other calls' answers.  [default: yes]",
        ),
        click.option(
            "--max-length", type=_COUNT, default=50, show_default=True,
            help="The most calls in a sequence of a tour.",
        ),
    )  # fmt: skip


def _lasting() -> tuple[_Decorate, ...]:
    return (
        click.option("--max-calls", type=_COUNT, help="Stop after so many calls of the walk."),
        click.option(
            "--max-requests", type=_COUNT,
            help="Stop after so many requests in all, shared out as the time is; what is done then"
            " does not depend on how fast the service is.",
        ),
        click.option(
            "--max-time", type=_SECONDS, metavar="SECONDS", default=300.0, show_default=True,
            help="Stop after this; every part of the run and every model gets its share.",
        ),
        click.option("--max-failures", type=_COUNT, help="Stop after so many different faults."),
        click.option(
            "--outage", type=click.FloatRange(min=0), default=30.0, show_default=True,
            metavar="SECONDS", help="How long to wait for a service that went away.",
        ),
        click.option(
            "-w", "--workers", metavar="N|auto", default="8", show_default=True, callback=workers,
            help="How many sequences run side by side.",
        ),
    )  # fmt: skip


@click.command("run", cls=Configured)
@model_argument
@config_option(strict=True)
@click.option(
    "--contracts",
    "contract_files",
    multiple=True,
    metavar="FILE",
    help="Use the contracts of this file too; those inside SCHEMA always are.",
)
@reach_options
@filter_options
@plan_options
@report_options
@failing_options
@click.option("--dry-run", is_flag=True, help="Print the calls that would be made; send nothing.")
@click.option("--explain", is_flag=True, help="Say more of what was planned, and what was not.")
@forget_option
@common_options
def run_command(out: Output, schema: str, dry_run: bool, explain: bool, **options: Any) -> int:
    """Test the service of SCHEMA, a path or URL of an OpenAPI document."""
    wanted = wanted_from(options)
    headers, wait = options.pop("headers"), options.pop("wait")
    forget = options.pop("forget")
    task = task_from(schema, options)
    whole, api = read_api(task, headers=headers, wait=wait)
    reach = None if dry_run else reach_from(options, whole, headers, task.settings.engine.workers)
    if explain or reach is None or task.settings.bounds:
        # Bounds that make no sense are told before anything is sent.
        plans = planned(api, task.settings)
    if explain:
        explain_plan(out, api, plans)
    if reach is None:
        print_plan(out, api, plans, task.settings.seed)
        return 0
    run_id = new_run_id(datetime.now(UTC), SystemRandom())
    kept = recall_learned(whole, base_url(whole, reach.url), forget=forget)
    earlier = Earlier(learned=kept.learned, known=kept.known)
    session = Session(api, reach, task.settings, run_id, earlier)
    keep_secret(session.secrets, headers)
    watch = Watch(session.secrets, partial(open_journal, STATE, run_id, session.secrets))
    watch.warn(f"run {run_id} against {session.url}, seed {task.settings.seed}")
    kept.tell(watch.warn)
    about = {**recorded(task), "auth": ways_in(reach.auth)}
    code = seen_through(out, watch, session.events(about), session.stop, wanted)
    keep_learned(kept, whole, session.url, session.learned, session.secrets, session.known)
    if explain:
        explain_record(out, watch.recorder.record())
        explain_learned(out, session.learned)
    return code


def task_from(schema: str, options: dict[str, Any]) -> Task:
    """What the options ask for, which are taken out."""
    reading = read_options(0.0, {}, options.pop("allow_remote_refs"), options.pop("max_size"))
    seed = options.pop("seed")
    settings = RunSettings(
        seed=SystemRandom().randrange(2**31) if seed is None else seed,
        bounds=options.pop("bounds"),
        strategy=Strategy(options.pop("strategy")),
        refusals=Refusals(options.pop("refusals")),
        updates=options.pop("updates"),
        symmetry=options.pop("symmetry"),
        max_length=options.pop("max_length"),
        frame=Frame(options.pop("frame")),
        judge=Judge(options.pop("judge")),
        learn=options.pop("learn"),
        wrong=options.pop("wrong_inputs"),
        calibrate=options.pop("calibrate"),
        settle=options.pop("settle"),
        correction=options.pop("correction"),
        graph=options.pop("graph"),
        engine=RunOptions(
            workers=options.pop("workers"),
            max_calls=options.pop("max_calls"),
            max_requests=options.pop("max_requests"),
            max_time=options.pop("max_time"),
            max_failures=options.pop("max_failures"),
            outage=options.pop("outage"),
        ),
    )
    return Task(
        schema,
        options.pop("contract_files"),
        filters_from(options),
        settings,
        reading.allow_remote_refs,
        reading.max_bytes,
    )
