"""A text file for each run of a model, and a script for each run that failed."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

from icepick.cli.files import write_text
from icepick.execute.events import (
    CallJudged,
    Event,
    Exchanged,
    ModelPlanned,
    PhaseStarted,
    RunStarted,
    SequenceEnded,
)
from icepick.execute.transport.secrets import Secrets
from icepick.execute.types import Exchange, Finding, Judged, Response
from icepick.report import curl_lines
from icepick.report.text import outcome, shown_body, visible

_LONGEST_BODY = 100_000


class RunLogs:
    """Writes `MODEL-NNN.log` for every run into a folder, and `MODEL-NNN.sh` for failed ones."""

    def __init__(self, folder: Path, secrets: Secrets) -> None:
        self._folder = folder
        self._secrets = secrets
        self._names: dict[int, str] = {}
        self._seed = 0
        self._url = ""
        self._calls: list[tuple[Judged, list[Exchange]]] = []
        self._waiting: list[Exchange] = []
        self._is_walking = True

    async def through(self, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
        """The same events; files are written on the way."""
        async for event in events:
            self._take(self._secrets.masked_event(event))
            yield event

    def _take(self, event: Event) -> None:
        match event:
            case Exchanged(exchange=exchange) if self._is_walking:
                self._waiting.append(exchange)
            case CallJudged(judged=judged):
                self._calls.append((judged, self._waiting))
                self._waiting = []
            case SequenceEnded(model=model, sequence=sequence):
                self._write(model, sequence)
                self._calls, self._waiting = [], []
            case RunStarted(seed=seed, url=url):
                self._seed, self._url = seed, url
            case ModelPlanned(model=model, name=name):
                self._names[model] = name
            case PhaseStarted(name=name):
                self._is_walking = name == "walk"

    def _write(self, model: int, sequence: int) -> None:
        stem = f"{self._names.get(model, model)}-{sequence:03}"
        text = "\n".join(self._lines(model, sequence)) + "\n"
        write_text(self._folder / f"{stem}.log", text)
        failed = [judged for judged, _ in self._calls if judged.complaints]
        if failed:
            script = curl_lines(_whole(failed[-1], [judged for judged, _ in self._calls]))
            write_text(self._folder / f"{stem}.sh", "#!/bin/sh\n" + script)

    def _lines(self, model: int, sequence: int) -> Iterator[str]:
        seed = self._seed + sequence
        yield f"model {self._names.get(model, model)}, run {sequence}, seed {seed}"
        yield f"service {self._url}"
        for number, (judged, made) in enumerate(self._calls, start=1):
            yield ""
            yield f"{number}. {judged.verdict.value} {judged.label}"
            yield from (f"   not made: {judged.reason}" for _ in range(not made))
            for complaint in judged.complaints:
                yield f"   {complaint.check}: {visible(complaint.promised)}"
                yield f"   but {visible(complaint.happened)}"
            for exchange in made:
                yield from _exchange(exchange)
        if self._waiting:
            yield ""
            yield "clean-up"
        for exchange in self._waiting:
            yield from _exchange(exchange)


def _whole(failed: Judged, calls: list[Judged]) -> Finding:
    """A run as it was, in the form of a finding that nobody has made shorter."""
    complaint = failed.complaints[0]
    return Finding(
        "", 0, complaint.level, complaint.happened, failed.operation, failed.label, failed.action,
        failed.status, complaint, tuple(calls), len(calls),
    )  # fmt: skip


def _exchange(exchange: Exchange) -> Iterator[str]:
    request, reply = exchange.request, exchange.reply
    yield f"   > {request.method} {request.url}"
    yield from (f"   > {name}: {value}" for name, value in request.headers)
    yield from _body(request.body or b"", ">")
    yield f"   < {outcome(exchange)} after {reply.seconds * 1000:.0f} ms"
    if isinstance(reply, Response):
        yield from _body(reply.body, "<")


def _body(body: bytes, mark: str) -> Iterator[str]:
    lines = shown_body(body, _LONGEST_BODY).splitlines() if body else []
    yield from (f"   {mark} {line}" for line in lines)
