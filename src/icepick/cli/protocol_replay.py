"""The calls of a finding that a model made, once more."""

from __future__ import annotations

import asyncio
from random import SystemRandom
from typing import Any

from icepick.cli.output import Output
from icepick.cli.replayed import call_text, print_replayed
from icepick.errors import Code, UsageError
from icepick.execute.events import CallJudged
from icepick.execute.types import Finding, Judged
from icepick.pipeline.models import Described
from icepick.pipeline.protocol import ProtocolSession
from icepick.pipeline.reach import Reach
from icepick.protocol import Model
from icepick.protocol.driver import DriverOptions
from icepick.protocol.findings import shows, way_to
from icepick.protocol.scripts import Script


def replayed(
    out: Output, finding: Finding, api: Described, models: tuple[Model, ...], reach: Reach
) -> int:
    """Make the calls again and say whether the fault still shows: 1 where it does, else 0."""
    model, script = _way(finding, models)
    options = DriverOptions(seed=SystemRandom().randrange(2**31))
    session = ProtocolSession(api, models, reach, options, "replay")
    found = asyncio.run(session.replayed(model, script))
    shown = any(shows(one, finding) for one in found)
    masked = [session.secrets.masked_event(CallJudged(0, 0, 0, one)) for one in found]
    judged = [event.judged for event in masked if isinstance(event, CallJudged)]
    out.result(_as_json(finding, judged, shown=shown))
    print_replayed(out, finding, judged, shown)
    if len(judged) < len(finding.steps) and not shown:
        out.line("[yellow]not all of its calls could be made[/]")
        return 2
    return int(shown)


def _way(finding: Finding, models: tuple[Model, ...]) -> tuple[Model, Script]:
    for model in models:
        script = way_to(finding, model.automaton)
        if script is not None:
            return model, script
    raise UsageError(
        Code.CHANGED_SINCE,
        f"no model has the calls of finding {finding.id}",
        hint="name the protocol that found it; where it has changed since, start a new run",
    )


def _as_json(finding: Finding, judged: list[Judged], *, shown: bool) -> dict[str, Any]:
    calls = [
        {"label": one.label, "call": call_text(one), "verdict": one.verdict.value} for one in judged
    ]
    return {"id": finding.id, "title": finding.title, "shows": shown, "calls": calls}
