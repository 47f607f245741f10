"""What a person at a terminal sees of a run while it goes on."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from icepick.execute.events import (
    CallJudged,
    Event,
    FindingFound,
    ModelPlanned,
    PhaseStarted,
    RunEnded,
)
from icepick.report.record import Counts, Recorder
from icepick.report.text import line, plural
from icepick.report.types import Part

Clock = Callable[[], float]

_EVERY = 5.0
_WINDOW = 3.0
_WALK = "walk"


class Progress:
    """One line that stays up to date on a terminal, and a line every few seconds elsewhere.

    It is given every event after `recorder` was, from which it takes its numbers.
    """

    def __init__(
        self,
        console: Console,
        recorder: Recorder,
        clock: Clock = time.monotonic,
        every: float = _EVERY,
    ) -> None:
        self._console = console
        self._recorder = recorder
        self._clock = clock
        self._every = every
        self._started = self._said = clock()
        self._marks: list[tuple[float, int]] = [(self._started, 0)]
        self._live: Live | None = None
        self._told: set[str] = set()
        self._models: dict[int, str] = {}
        self._walked: Counter[int] = Counter()
        self._last: int | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live = Live(
                get_renderable=self._current,
                console=self._console,
                refresh_per_second=4,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def add(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case ModelPlanned(model=number, sizes=sizes):
                self._models[number] = _about(sizes)
            case CallJudged(model=number) if number in self._models:
                self._walked[number] += 1
                self._last = number
        match event:
            case FindingFound(finding=finding) if finding.id not in self._told:
                self._told.add(finding.id)
                text = f"{finding.level.value} {finding.number}. {line(finding.title, 100)}"
                self._print(Text(text, style="red" if finding.level.value == "ERR" else "yellow"))
            case PhaseStarted() | RunEnded():
                self._tell()
            case _ if self._clock() - self._said >= self._every:
                self._tell()

    def _print(self, text: Text) -> None:
        self._console.print(text, soft_wrap=True)

    def _tell(self) -> None:
        """Where there is no terminal, say where the run stands."""
        self._said = self._clock()
        if self._live is None:
            self._print(self.line())

    def line(self) -> Text:
        """Where the run stands, on one line."""
        counts = self._recorder.counts()
        model = [("states", counts.states), ("transitions", counts.transitions)]
        parts = [
            line(counts.phase, 20) or "starting",
            *self._model(counts),
            *(f"{name} {_of(part)}" for name, part in model if part.total),
            f"{self._rate(counts):,.0f} calls/s",
            plural(counts.findings, "finding"),
        ]
        text = Text("  ".join(parts))
        if counts.findings:
            text.highlight_words([parts[-1]], "red")
        return text

    def _model(self, counts: Counts) -> Iterator[str]:
        """Which model the last call was of, and how much of the walk has gone to it: models take
        turns."""
        if counts.phase == _WALK and self._last is not None and len(self._models) > 1:
            order = sorted(self._models).index(self._last) + 1
            share = self._walked[self._last] / self._walked.total()
            name = line(self._models[self._last], 24)
            yield f"model {order}/{len(self._models)} {name} {share:.0%}"

    def _current(self) -> Text:
        text = self.line()
        text.truncate(self._console.width, overflow="ellipsis")
        return text

    def _rate(self, counts: Counts) -> float:
        """Calls a second, over the last few seconds."""
        now = self._clock()
        if now - self._marks[-1][0] >= 0.25:
            self._marks.append((now, counts.calls))
            recent = [mark for mark in self._marks if now - mark[0] <= _WINDOW]
            self._marks = recent if len(recent) > 1 else self._marks[-2:]
        since, before = self._marks[0]
        return (counts.calls - before) / (now - since) if now > since else 0.0


def _about(sizes: Mapping[str, int]) -> str:
    """What a model is about: the resources that it has most of."""
    most = max(sizes.values(), default=0)
    return ", ".join(name for name, size in sizes.items() if size == most)


def _of(part: Part) -> str:
    return f"{part.covered:,}/{part.total:,}"
