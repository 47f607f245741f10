"""`icepick fuzz`: which inputs a service takes, and what it makes of wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Any

import click

from icepick.cli.command import common_options
from icepick.cli.config import Configured, config_option
from icepick.cli.explain import explain_record
from icepick.cli.files import write_text
from icepick.cli.filters import filter_options, filters_from
from icepick.cli.learning import explain_learned, forget_option, keep_learned, recall_learned
from icepick.cli.outcome import failing_options, report_options, wanted_from
from icepick.cli.output import Output
from icepick.cli.reach import keep_secret, reach_from, reach_options, ways_in
from icepick.cli.runs import STATE
from icepick.cli.schema import read_options, schema_argument
from icepick.cli.watch import Watch, seen_through
from icepick.execute.engine import RunOptions
from icepick.execute.journal.journal import new_run_id, open_journal
from icepick.inputs.learn import Learned
from icepick.openapi.types import ApiSpec, Json
from icepick.pipeline.fuzz import FuzzPhase, FuzzSession, FuzzSettings
from icepick.pipeline.learned import contracts_text, overlay_text
from icepick.pipeline.reach import base_url
from icepick.pipeline.record import Task, read_api, recorded
from icepick.pipeline.settings import RunSettings

_FILE = click.Path(path_type=Path, dir_okay=False)


def fuzz_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is done, and for how long; `settings_from` takes the values."""
    for decorate in reversed((
        click.option("--seed", type=int, help="Decides every choice.  [default: random]"),
        click.option(
            "--phase", type=click.Choice([one.value for one in FuzzPhase]),
            default=FuzzPhase.BOTH.value, show_default=True,
            help="Learn inputs, try wrong ones, or both.",
        ),
        click.option(
            "--max-calls", type=click.IntRange(min=1),
            help="Stop after so many requests; what was created is still removed.",
        ),
        click.option(
            "--max-time", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
            help="Stop after this.",
        ),
        click.option(
            "--outage", type=click.FloatRange(min=0), default=30.0, show_default=True,
            metavar="SECONDS", help="How long to wait for a service that went away.",
        ),
    )):  # fmt: skip
        function = decorate(function)
    return function


@click.command("fuzz", cls=Configured)
@schema_argument
@config_option()
@reach_options
@filter_options
@fuzz_options
@report_options
@failing_options
@click.option("--explain", is_flag=True, help="Say what was learned, and from which sentences.")
@click.option(
    "--write-overlay", "overlay", type=_FILE, metavar="FILE",
    help="Write what was learned as an OpenAPI Overlay, to be reviewed.",
)  # fmt: skip
@click.option(
    "--write-contracts", "contracts", type=_FILE, metavar="FILE",
    help="Write what was learned as contracts, to be reviewed.",
)  # fmt: skip
@forget_option
@common_options
def fuzz(out: Output, schema: str, explain: bool, **options: Any) -> int:
    """Learn which inputs the service of SCHEMA takes, and see what it makes of wrong ones.

    SCHEMA is a path or URL of an OpenAPI document. Only what the run created itself is changed
    or deleted. What was learned is kept for later runs.
    """
    wanted = wanted_from(options)
    headers, wait = options.pop("headers"), options.pop("wait")
    forget, overlay, contracts = (options.pop(n) for n in ("forget", "overlay", "contracts"))
    settings = settings_from(options)
    task = _task(schema, settings, options)
    whole, api = read_api(task, headers=headers, wait=wait)
    reach = reach_from(options, whole, headers, 1)
    kept = recall_learned(whole, base_url(whole, reach.url), forget=forget)
    run_id = new_run_id(datetime.now(UTC), SystemRandom())
    session = FuzzSession(api, reach, settings, run_id, kept.learned)
    keep_secret(session.secrets, headers)
    watch = Watch(session.secrets, partial(open_journal, STATE, run_id, session.secrets))
    watch.warn(f"fuzz {run_id} against {session.url}, seed {settings.seed}")
    kept.tell(watch.warn)
    events = session.events(_about(task, settings, ways_in(reach.auth)))
    code = seen_through(out, watch, events, session.stop, wanted)
    keep_learned(kept, whole, session.url, session.learned, session.secrets)
    _write(whole, session.learned, overlay, contracts)
    if explain:
        explain_record(out, watch.recorder.record())
        explain_learned(out, session.learned)
    return code


def settings_from(options: dict[str, Any]) -> FuzzSettings:
    """What the options ask for, which are taken out."""
    seed = options.pop("seed")
    return FuzzSettings(
        seed=SystemRandom().randrange(2**31) if seed is None else seed,
        phase=FuzzPhase(options.pop("phase")),
        max_calls=options.pop("max_calls"),
        max_time=options.pop("max_time"),
        outage=options.pop("outage"),
    )


def _task(schema: str, settings: FuzzSettings, options: dict[str, Any]) -> Task:
    """The same in the form of a run: what `replay` needs to find its way back."""
    reading = read_options(0.0, {}, options.pop("allow_remote_refs"), options.pop("max_size"))
    engine = RunOptions(
        workers=1, max_calls=settings.max_calls, max_time=settings.max_time, outage=settings.outage
    )
    run = RunSettings(seed=settings.seed, engine=engine)
    return Task(
        schema, (), filters_from(options), run, reading.allow_remote_refs, reading.max_bytes
    )


def _about(task: Task, settings: FuzzSettings, ways: list[str]) -> dict[str, Json]:
    return {**recorded(task), "auth": ways, "command": "fuzz", "phase": settings.phase.value}


def _write(
    spec: ApiSpec, learned: Mapping[str, Learned], overlay: Path | None, contracts: Path | None
) -> None:
    if overlay is not None:
        write_text(overlay, overlay_text(spec, learned, overlay.suffix))
    if contracts is not None:
        write_text(contracts, contracts_text(spec, learned))
