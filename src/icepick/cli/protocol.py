"""`icepick protocol`: test the flows that a model describes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Any

import click
from click.core import ParameterSource

from icepick.cli.command import common_options
from icepick.cli.config import Configured, config_option
from icepick.cli.outcome import failing_options, report_options, wanted_from
from icepick.cli.output import Output
from icepick.cli.protocol_files import checked, exported, first_model, imported, usable
from icepick.cli.protocol_log import RunLogs
from icepick.cli.protocol_replay import replayed
from icepick.cli.reach import keep_secret, reach_from, reach_options, ways_in
from icepick.cli.runs import STATE, find_finding
from icepick.cli.schema import read_document, read_options, reading_options
from icepick.cli.watch import Watch, seen_through
from icepick.execute.journal.journal import new_run_id, open_journal
from icepick.openapi.types import ApiSpec
from icepick.pipeline.models import describe
from icepick.pipeline.protocol import ProtocolSession, models_of
from icepick.pipeline.reach import Reach
from icepick.protocol import Protocols, load_protocols
from icepick.protocol.driver import USUAL_RUNS, DriverOptions, Strategy

_COUNT = click.IntRange(min=1)
_SECONDS = click.FloatRange(min=0, min_open=True)
_FILE = click.Path(path_type=Path, dir_okay=False)


def _strategy(context: click.Context, parameter: click.Parameter, text: str) -> Strategy:
    """The configuration file may have the strategy of `icepick run`, which means nothing here."""
    if text in list(Strategy):
        return Strategy(text)
    if context.get_parameter_source(parameter.name or "") is ParameterSource.DEFAULT_MAP:
        return Strategy.COVER
    raise click.BadParameter(f"{text!r} is neither {' nor '.join(Strategy)}")


def walk_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is walked, and for how long."""
    for decorate in reversed(
        (
            click.option(
                "--model", "names", multiple=True, metavar="NAME",
                help="Run this model of the file; may be repeated.  [default: all]",
            ),
            click.option(
                "--strategy", default=Strategy.COVER.value, show_default=True,
                metavar="random|cover", callback=_strategy,
                help="Choose calls by chance, or such that every pair of branches is taken.",
            ),
            click.option(
                "--runs", type=_COUNT, metavar="N",
                help="How many runs of each model.  [default: as many as needed to cover it, "
                f"or {USUAL_RUNS} by chance]",
            ),
            click.option(
                "--seed", type=click.IntRange(min=0),
                help="Decides every choice; run N of a model has seed + N.  [default: random]",
            ),
            click.option(
                "--max-length", type=_COUNT, default=50, show_default=True,
                help="The most calls in a run by chance.",
            ),
            click.option("--max-calls", type=_COUNT, help="Stop after so many calls."),
            click.option("--max-time", type=_SECONDS, metavar="SECONDS", help="Stop after this."),
            click.option("--max-failures", type=_COUNT, help="Stop after so many failures."),
            click.option(
                "--outage", type=click.FloatRange(min=0), default=30.0, show_default=True,
                metavar="SECONDS", help="How long to wait for a service that went away.",
            ),
            click.option(
                "--log", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
                help="Write a text file for each run, and a script for each that failed.",
            ),
        )
    ):  # fmt: skip
        function = decorate(function)
    return function


def file_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What can be done with a model without a service."""
    for decorate in reversed(
        (
            click.option("--check", is_flag=True, help="Check the model; send nothing."),
            click.option(
                "--from-contracts", is_flag=True,
                help="Write a first model from the resources and contracts of SCHEMA.",
            ),
            click.option(
                "--from-arazzo", type=_FILE, help="Write a model from this Arazzo description."
            ),
            click.option(
                "--to-arazzo", type=_FILE, help="Write the linear models as an Arazzo description."
            ),
            click.option(
                "-o", "--output", type=_FILE, help="Where to write a model.  [default: print it]"
            ),
            click.option("--force", is_flag=True, help="Replace a file that exists."),
            click.option("--replay", metavar="ID", help="Make the calls of a finding again."),
        )
    ):  # fmt: skip
        function = decorate(function)
    return function


@click.command("protocol", cls=Configured)
@click.argument("files", nargs=-1, metavar="[MODEL] SCHEMA")
@reading_options
@config_option()
@walk_options
@file_options
@reach_options
@report_options
@failing_options
@common_options
def protocol(out: Output, files: tuple[str, ...], **options: Any) -> int:
    """Test the service of SCHEMA along the flows of MODEL, a protocol file.

    With --from-contracts or --from-arazzo, SCHEMA stands alone and a model is written.
    """
    from_contracts, arazzo = options.pop("from_contracts"), options.pop("from_arazzo")
    headers = options["headers"]
    reading = read_options(*(options.pop(name) for name in _READING))
    output, force = options.pop("output"), options.pop("force")
    if from_contracts or arazzo is not None:
        (schema,) = _named(files, "SCHEMA")
        spec = read_document(out, schema, reading)
        if arazzo is not None:
            return imported(out, arazzo, spec, output, force=force)
        return first_model(out, spec, output, force=force)
    model, schema = _named(files, "MODEL", "SCHEMA")
    spec = read_document(out, schema, reading)
    protocols = load_protocols(Path(model))
    target = options.pop("to_arazzo")
    if options.pop("check"):
        return checked(out, protocols, spec)
    usable(out, protocols, spec)
    if target is not None:
        return exported(out, protocols, spec, target, force=force)
    return _live(out, protocols, spec, {**options, "file": model}, headers)


_READING = ("wait", "headers", "allow_remote_refs", "max_size")


def _named(files: tuple[str, ...], *wanted: str) -> tuple[str, ...]:
    if len(files) != len(wanted):
        asked = " and ".join(wanted)
        raise click.UsageError(f"it takes {asked}, and was given {len(files) or 'nothing'}")
    return files


def _live(
    out: Output,
    protocols: Protocols,
    spec: ApiSpec,
    options: dict[str, Any],
    headers: dict[str, str],
) -> int:
    wanted, replay, log = wanted_from(options), options.pop("replay"), options.pop("log")
    reach = reach_from(options, spec, headers, 1)
    api = describe(spec)
    models = models_of(protocols, api, options["names"])
    if replay is not None:
        return replayed(out, find_finding(replay, None)[1], api, models, reach)
    driving = _driver_options(options)
    run_id = new_run_id(datetime.now(UTC), SystemRandom())
    session = ProtocolSession(api, models, reach, driving, run_id)
    keep_secret(session.secrets, headers)
    watch = Watch(session.secrets, partial(open_journal, STATE, run_id, session.secrets))
    watch.warn(f"run {run_id} against {session.url}, seed {driving.seed}")
    events = session.events(_about(options, spec, driving, reach))
    if log is not None:
        events = RunLogs(log, session.secrets).through(events)
    return seen_through(out, watch, events, session.stop, wanted)


def _driver_options(options: dict[str, Any]) -> DriverOptions:
    seed = options["seed"]
    return DriverOptions(
        strategy=options["strategy"],
        runs=options["runs"],
        seed=SystemRandom().randrange(2**31) if seed is None else seed,
        max_length=options["max_length"],
        max_calls=options["max_calls"],
        max_time=options["max_time"],
        max_failures=options["max_failures"],
        outage=options["outage"],
    )


def _about(
    options: dict[str, Any], spec: ApiSpec, driving: DriverOptions, reach: Reach
) -> dict[str, Any]:
    """What the journal keeps of how the run was started."""
    return {
        "protocol": options["file"],
        "schema": spec.source,
        "models": list(options["names"]),
        "strategy": driving.strategy.value,
        "runs": driving.runs,
        "seed": driving.seed,
        "max_length": driving.max_length,
        "auth": ways_in(reach.auth),
    }
