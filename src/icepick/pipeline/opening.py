"""How every run opens: what it is of, and what of that is left out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from icepick import __version__
from icepick.execute.events import LEFT_OUT, Event, Noted, RunStarted
from icepick.openapi.types import ApiSpec, Json
from icepick.pipeline.models import Described


def started(
    run_id: str, spec: ApiSpec, url: str, seed: int, about: Mapping[str, Json] | None,
    labels: Mapping[str, str],
) -> RunStarted:  # fmt: skip
    """That a run has begun; `about` are the options as the person gave them, `labels` those of the
    operations that it may call."""
    return RunStarted(
        run_id, time.time(), __version__, spec.source, spec.title, url, seed, dict(about or {}),
        dict(labels),
    )  # fmt: skip


def opening(
    run_id: str, api: Described, url: str, seed: int, about: Mapping[str, Json] | None
) -> Iterator[Event]:
    """The first events of a run on all operations of an API."""
    labels = {operation.id: operation.label for operation in api.spec.operations}
    yield started(run_id, api.spec, url, seed, about, labels)
    for label, reason in api.left_out:
        yield Noted(LEFT_OUT, label, reason)
