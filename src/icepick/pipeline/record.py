"""What a run was asked to do, as values that its journal keeps and from which it can go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from icepick.execute.engine import RunOptions
from icepick.execute.judging.care import Judge
from icepick.execute.laws.frame import Frame
from icepick.openapi import ReadOptions, read_spec
from icepick.openapi.types import ApiSpec, Json
from icepick.pipeline.models import Described
from icepick.pipeline.selection import Filters, Pattern, Trait, described
from icepick.pipeline.settings import RunSettings
from icepick.sequences import Refusals, Strategy


@dataclass(frozen=True, slots=True)
class Task:
    """What a run is about and what it does. How it is let in is no part of it."""

    schema: str
    contract_files: tuple[str, ...] = ()
    filters: Filters = field(default_factory=Filters)
    settings: RunSettings = field(default_factory=RunSettings)
    allow_remote_refs: bool = False
    max_bytes: int = ReadOptions().max_bytes


def read_api(
    task: Task, *, headers: Mapping[str, str] | None = None, wait: float = 0.0
) -> tuple[ApiSpec, Described]:
    """The whole document, and what is known of the part that the run is about."""
    options = ReadOptions(
        allow_remote_refs=task.allow_remote_refs,
        headers=headers or {},
        wait_seconds=wait,
        max_bytes=task.max_bytes,
    )
    whole = read_spec(task.schema, options)
    return whole, described(whole, task.filters, task.contract_files)


def recorded(task: Task) -> dict[str, Json]:
    """A task as JSON; `recalled` is the way back."""
    settings, engine = task.settings, task.settings.engine
    return {
        "schema": task.schema,
        "contracts": list(task.contract_files),
        "include": [_plain(one) for one in task.filters.include],
        "exclude": [_plain(one) for one in task.filters.exclude],
        "read_only": task.filters.read_only,
        "dangerous": task.filters.dangerous,
        "allow_remote_refs": task.allow_remote_refs,
        "max_bytes": task.max_bytes,
        "seed": settings.seed,
        "bounds": dict(settings.bounds),
        "strategy": settings.strategy.value,
        "refusals": settings.refusals.value,
        "updates": settings.updates,
        "symmetry": settings.symmetry,
        "max_length": settings.max_length,
        "frame": settings.frame.value,
        "judge": settings.judge.value,
        "learn": settings.learn,
        "calibrate": settings.calibrate,
        "settle": settings.settle,
        "correction": settings.correction,
        "graph": settings.graph,
        "wrong_inputs": settings.wrong,
        "workers": engine.workers,
        "max_calls": engine.max_calls,
        "max_requests": engine.max_requests,
        "max_time": engine.max_time,
        "max_failures": engine.max_failures,
        "outage": engine.outage,
    }


def _plain(pattern: Pattern) -> list[Json]:
    return [pattern.trait.value, pattern.text, pattern.regex]


def recalled(settings: Mapping[str, Json]) -> Task:
    """The task of a run from the settings in its journal; KeyError where they are others'."""
    return Task(
        schema=settings["schema"],
        contract_files=tuple(settings["contracts"]),
        filters=Filters(
            tuple(_pattern(one) for one in settings["include"]),
            tuple(_pattern(one) for one in settings["exclude"]),
            settings["read_only"],
            settings.get("dangerous", True),
        ),
        settings=_run_settings(settings),
        allow_remote_refs=settings["allow_remote_refs"],
        max_bytes=settings["max_bytes"],
    )


def _pattern(value: Json) -> Pattern:
    trait, text, regex = value
    return Pattern(Trait(trait), text, regex)


def _run_settings(settings: Mapping[str, Json]) -> RunSettings:
    return RunSettings(
        seed=settings["seed"],
        bounds=settings["bounds"],
        strategy=Strategy(settings["strategy"]),
        refusals=Refusals(settings["refusals"]),
        updates=settings["updates"],
        symmetry=settings["symmetry"],
        max_length=settings["max_length"],
        frame=Frame(settings["frame"]),
        judge=Judge(settings["judge"]),
        learn=settings["learn"],
        calibrate=settings.get("calibrate", True),
        settle=settings.get("settle", 2.0),
        correction=settings["correction"],
        graph=settings["graph"],
        wrong=settings["wrong_inputs"],
        engine=RunOptions(
            workers=settings["workers"],
            max_calls=settings["max_calls"],
            max_requests=settings.get("max_requests"),
            max_time=settings["max_time"],
            max_failures=settings["max_failures"],
            outage=settings["outage"],
        ),
    )
