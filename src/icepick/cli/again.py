"""A recorded run as something to work with again: its task, its API, its plans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from icepick.cli.config import config_option
from icepick.cli.reach import reach_from, reach_options
from icepick.cli.schema import reading_options
from icepick.errors import Code, Place, UsageError
from icepick.execute.events import RunStarted
from icepick.execute.journal.journal import read_journal
from icepick.pipeline.calibration import Known, mannered, seen_in
from icepick.pipeline.correction import recorrected
from icepick.pipeline.models import Described
from icepick.pipeline.planning import Planned, planned
from icepick.pipeline.reach import Reach
from icepick.pipeline.record import Task, read_api, recalled
from icepick.pipeline.rerun import Past, fits


@dataclass(frozen=True, slots=True)
class Again:
    """What a run was, put together once more."""

    task: Task
    api: Described
    plans: tuple[Planned, ...]
    reach: Reach
    headers: dict[str, str]
    known: Known
    """How the service was seen to do things in the run."""


def again_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Credentials are never recorded, so they are given again; `prepared` takes the values."""
    return config_option()(reading_options(reach_options(function)))


def prepared(past: Past, journal: Path, options: dict[str, Any], *, same: bool = False) -> Again:
    """The run once more; with `same`, UsageError where its plans are others by now."""
    start, task = _task(past, journal)
    remote = options.pop("allow_remote_refs") or task.allow_remote_refs
    options.pop("max_size")
    headers = options.pop("headers")
    whole, api = read_api(
        replace(task, allow_remote_refs=remote), headers=headers, wait=options.pop("wait")
    )
    options["url"] = options["url"] or start.url
    reach = reach_from(options, whole, headers, task.settings.engine.workers)
    manners = seen_in(read_journal(journal))
    api = mannered(recorrected(api, read_journal(journal)), manners)
    plans = planned(api, task.settings)
    if same and not fits(past, api.spec, plans):
        message = f"{task.schema} has changed since the run, or icepick has"
        raise _changed(message, journal)
    return Again(task, api, plans, reach, headers, Known(manners))


def _task(past: Past, journal: Path) -> tuple[RunStarted, Task]:
    message = "the journal does not tell how the run was started"
    if past.start is None:
        raise _changed(message, journal)
    try:
        return past.start, recalled(past.start.settings)
    except (KeyError, TypeError, ValueError) as error:
        raise _changed(message, journal) from error


def _changed(message: str, journal: Path) -> UsageError:
    place = Place(str(journal))
    return UsageError(Code.CHANGED_SINCE, message, place=place, hint="start a new run")
