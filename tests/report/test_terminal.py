from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from rich.text import Text

from icepick.execute.events import (
    LEFT_OUT,
    CallJudged,
    Event,
    FindingFound,
    ModelPlanned,
    Noted,
    PhaseStarted,
)
from icepick.execute.types import Judged, Verdict
from icepick.report.record import Recorder
from icepick.report.summary import print_summary, summary
from icepick.report.terminal import Progress
from tests.report import hostile, records


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def _plain(lines: list[str]) -> list[str]:
    return [Text.from_markup(text).plain for text in lines]


def _many(count: int) -> list[object]:
    first, *_ = records.findings()
    return [
        records.replaced(first, id=f"id{i:06}", number=i + 1, title=f"finding {'x' * 300}")
        for i in range(count)
    ]


@pytest.mark.parametrize("count", [0, 1, 8, 9, 500])
def test_a_summary_fits_a_screen(count: int) -> None:
    record = records.record(found=_many(count))  # type: ignore[arg-type]
    reports = {"html": "icepick-report/report.html", "junit": "icepick-report/junit.xml"}
    lines = _plain(summary(record, reports))
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert sum("icepick replay" in text for text in lines) == min(count, 8)
    if count > 8:
        assert f"{count - 8} not shown here" in lines[-2]


def test_a_summary_says_what_matters() -> None:
    text = "\n".join(_plain(summary(records.record(), known={"0f9e8d7c"})))
    assert "seed 42" in text
    assert "operations  6 of 11 with a 2xx" in text
    assert "states 12/12; transitions 32/36; refusals 1/3" in text
    assert "310 GETs saved" in text
    assert "its player could not be made (4)" in text
    assert "2. ERR a deleted player can still be read (known)" in text
    assert "icepick replay 0f9e8d7c  (2 calls)" in text
    assert "3 findings, 2 new, 1 unconfirmed, 1 left behind (1 Player)" in text
    assert "curl" in text


def test_a_summary_says_what_was_left_out_and_why() -> None:
    notes = (
        Noted(LEFT_OUT, "POST /shutdown", "looks dangerous (shutdown)"),
        Noted(LEFT_OUT, "POST /logout", "looks dangerous (logout)"),
    )
    text = "\n".join(_plain(summary(records.replaced(records.record(), notes=notes))))
    assert "left out    2 operations, called with --include-dangerous" in text
    assert "POST /shutdown: looks dangerous (shutdown)" in text
    assert "left out" not in "\n".join(_plain(summary(records.record())))


def test_a_summary_of_a_run_that_was_cut_off() -> None:
    lines = _plain(summary(records.recorded(records.run_events()[:3])))
    assert "cut off" in lines[0]
    assert lines[-1] == "no findings"


def test_nothing_of_others_reaches_the_terminal_raw() -> None:
    record = records.record(found=[hostile.finding()])
    record = records.replaced(record, title=hostile.MARKUP, ending_text=hostile.MARKUP)
    file = io.StringIO()
    print_summary(Console(file=file, force_terminal=True, width=80), record)
    left = re.sub(r"\x1b\[[0-9;]*m", "", file.getvalue())
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066]", left)
    assert "\\x1b" in left or "\\x00" in left or "…" in left


def test_plain_lines_every_few_seconds_where_there_is_no_terminal() -> None:
    clock, recorder, file = Clock(), Recorder(), io.StringIO()
    console = Console(file=file, width=100)
    with Progress(console, recorder, clock) as progress:
        for event in records.run_events():
            recorder.add(event)
            progress.add(event)
            clock.now += 0.5
    lines = file.getvalue().splitlines()
    assert 5 < len(lines) < 30
    assert lines[0].startswith("walk  states 0/12  transitions 0/36")
    assert lines[-1].startswith("walk  states 12/12  transitions 32/36")
    assert lines[-1].endswith("3 findings")
    assert "ERR 2. a deleted player can still be read" in lines
    assert any(re.search(r" [1-9]\d* calls/s", text) for text in lines)


def test_one_line_that_stays_on_a_terminal() -> None:
    recorder, file = Recorder(), io.StringIO()
    console = Console(file=file, force_terminal=True, width=60, color_system=None)
    with Progress(console, recorder) as progress:
        for event in records.run_events():
            recorder.add(event)
            progress.add(event)
    written = file.getvalue()
    assert "1. POST /enrolments answers 500" in written
    assert "states 12/12" in written
    assert "\x1b[2K" in written
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written)
    assert max(len(text) for text in shown.replace("\r", "\n").split("\n")) <= 60


def test_a_hostile_title_is_no_markup_in_progress() -> None:
    recorder, file = Recorder(), io.StringIO()
    title = "[red]x[/nonsense] \x1b[2J"
    finding = records.replaced(records.crash(), title=title)
    with Progress(Console(file=file), recorder) as progress:
        progress.add(FindingFound(finding))
    assert "[red]x[/nonsense] \\x1b[2J" in file.getvalue()


def test_the_rate_is_that_of_the_last_seconds() -> None:
    clock, recorder = Clock(), Recorder()
    progress = Progress(Console(file=io.StringIO()), recorder, clock)
    events = records.run_events()
    for event in events[:3]:
        recorder.add(event)
    progress.line()
    clock.now = 100.0
    progress.line()
    for event in events[3:]:
        recorder.add(event)
    clock.now = 101.0
    assert "37 calls/s" in progress.line().plain


def test_a_finding_that_is_told_again_is_printed_once() -> None:
    file, recorder = io.StringIO(), Recorder()
    progress = Progress(Console(file=file, width=100), recorder)
    first, *_ = records.findings()
    for _ in range(3):
        progress.add(FindingFound(first))
    assert file.getvalue().count(first.title) == 1


def test_where_there_is_no_model_nothing_is_said_of_one() -> None:
    recorder = Recorder()
    progress = Progress(Console(file=io.StringIO(), width=100), recorder)
    assert "states" not in progress.line().plain
    for event in records.run_events():
        recorder.add(event)
    assert "states 12/12" in progress.line().plain


def test_which_model_is_walked_and_how_much_of_the_walk_it_had() -> None:
    recorder = Recorder()
    progress = Progress(Console(file=io.StringIO(), width=100), recorder)

    def add(event: Event) -> None:
        recorder.add(event)
        progress.add(event)

    sizes: tuple[dict[str, int], ...] = ({"Pet": 2, "Order": 2}, {"Pet": 1, "User": 2})
    for number, one in enumerate(sizes):
        add(ModelPlanned(number, "Shop", one, 3, 4, 1, 4, {}))
    judged = Judged("a", "a", "a", "transition", Verdict.OK)
    add(PhaseStarted("walk"))
    assert "model" not in progress.line().plain
    for number in (0, 0, 0, 1):
        add(CallJudged(number, 0, 0, judged))
    assert "walk  model 2/2 User 25%  states" in progress.line().plain
    add(CallJudged(0, 0, 0, judged))
    assert "model 1/2 Pet, Order 80%" in progress.line().plain
    add(PhaseStarted("confirm"))
    assert "model" not in progress.line().plain
