"""`icepick demo`: a whole run on a service with faults, which icepick brings along."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from random import SystemRandom

import click

from icepick.cli.command import Command, common_options
from icepick.cli.outcome import Wanted
from icepick.cli.output import Output, escape, plural
from icepick.cli.runs import STATE
from icepick.cli.watch import Watch, seen_through
from icepick.demo.serve import running
from icepick.demo.tournaments import TOURNAMENTS
from icepick.execute.journal.journal import new_run_id, open_journal
from icepick.openapi import read_spec
from icepick.pipeline.beginning import Earlier
from icepick.pipeline.models import Described, describe
from icepick.pipeline.planning import Planned, planned
from icepick.pipeline.reach import Reach
from icepick.pipeline.record import Task, recorded
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from icepick.resources.types import Resource

FAULTS = TOURNAMENTS.faults[:3]
"""The three of the paper."""

_ONE_EACH = {"Player": 1, "Tournament": 1, "Enrolment": 1}
"""Enough for these faults, and over in seconds."""


@click.command(cls=Command)
@click.option("--seed", type=int, default=0, show_default=True, help="Decides every choice.")
@click.option("--keep", is_flag=True, help="Let the service run until Ctrl-C, to try `replay`.")
@common_options
def demo(out: Output, seed: int, keep: bool) -> int:
    """Start a service with three faults, and find them."""
    with _serving() as url:
        code = _tested(out, url, RunSettings(seed=seed, bounds=_ONE_EACH, wrong=0))
        if code > 1:
            return code
        out.line("\nThe same for your own:  icepick run openapi.yaml --url http://HOST:PORT")
        if keep:
            _wait(out, url)
    # That the faults are found is what this is for.
    return 0


def _tested(out: Output, url: str, settings: RunSettings) -> int:
    schema = f"{url}/openapi.json"
    api = describe(read_spec(schema))
    plans = planned(api, settings)
    _print(out, url, api, plans)
    run_id = new_run_id(datetime.now(UTC), SystemRandom())
    session = Session(api, Reach(url), settings, run_id, Earlier(plans))
    watch = Watch(session.secrets, partial(open_journal, STATE, run_id, session.secrets))
    events = session.events(recorded(Task(schema, settings=settings)))
    return seen_through(out, watch, events, session.stop, Wanted(kinds=("html",)))


@contextmanager
def _serving() -> Iterator[str]:
    """The address of the service, which runs in a thread of its own."""
    address: Future[str] = Future()
    stop = threading.Event()

    async def serve() -> None:
        async with running(TOURNAMENTS, [fault.name for fault in FAULTS]) as url:
            address.set_result(url)
            await asyncio.to_thread(stop.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    try:
        yield address.result(timeout=30)
    finally:
        stop.set()
        thread.join()


def _wait(out: Output, url: str) -> None:
    out.line(f"the service is at {url}; try `icepick replay 1` elsewhere. Ctrl-C stops it")
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        return


def _print(out: Output, url: str, api: Described, plans: tuple[Planned, ...]) -> None:
    """What each stage makes of the service."""
    out.line(f"[bold]service[/]     tournaments at {url}, with {plural(len(FAULTS), 'fault')}:")
    for fault in FAULTS:
        out.line(f"            {escape(fault.summary)}")
    for title, lines in _stages(api, plans):
        for number, line in enumerate(lines):
            out.line(f"[bold]{title if number == 0 else '':11}[/] {escape(line)}")
    out.line()


def _stages(api: Described, plans: tuple[Planned, ...]) -> Iterator[tuple[str, list[str]]]:
    spec = api.spec
    paths = len({operation.path for operation in spec.operations})
    yield "document", [f"{plural(len(spec.operations), 'operation')} on {plural(paths, 'path')}"]
    yield "resources", [_resource(one) for one in api.resources.resources.values()]
    label, contract = next(iter(api.contracts.operations.items()))
    clauses = plural(sum(1 for _ in api.contracts.clauses()), "clause")
    yield (
        "contracts",
        [
            f"{clauses}, such as",
            f"{label} requires {contract.requires[0].text}",
            f"{label} ensures  {contract.ensures[0].text}",
        ],
    )
    for one in plans:
        found, summary = one.exploration.found, one.summary
        sizes = ", ".join(f"{r.size} {r.name}" for r in one.exploration.model.resources)
        yield (
            "model",
            [f"{found.states:,} states and {found.transitions:,} transitions with {sizes}"],
        )
        yield "plan", [f"{plural(summary.calls, 'call')} in {plural(summary.paths, 'sequence')}"]


def _resource(resource: Resource) -> str:
    identifier = resource.identifier
    known = f", identified by {'.'.join(identifier.property or ('?',))}" if identifier else ""
    joins = f", joins {' and '.join(resource.joins)}" if resource.joins else ""
    return f"{resource.name} {resource.item_path}{known}{joins}"
