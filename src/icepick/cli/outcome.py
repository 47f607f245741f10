"""What a run comes to: reports, what is printed, and the exit code."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from icepick import __version__
from icepick.cli.files import write_text, writing
from icepick.cli.output import Output, escape, plural
from icepick.cli.runs import events_of
from icepick.execute.events import Ending, Exchanged
from icepick.execute.types import Finding, Verdict
from icepick.report import (
    Baseline,
    RunRecord,
    read_baseline,
    summary,
    to_html,
    to_json,
    to_junit,
    updated,
    write_baseline,
    write_har,
)
from icepick.report.curl import curl_line
from icepick.report.places import places
from icepick.report.summary import MOST_FINDINGS
from icepick.report.text import line as shortened

KINDS = {"html": "report.html", "junit": "junit.xml", "json": "report.json", "har": "report.har"}
_FAILING = {
    "err": (Verdict.ERR,),
    "warn": (Verdict.ERR, Verdict.WARN),
    "not-tested": (Verdict.ERR, Verdict.WARN, Verdict.NOT_TESTED),
}
_BESIDE = 12
_PLACES = 6
_LONGEST_PLACE = 160
_LONGEST_LINE = 2_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be made of a run."""

    kinds: tuple[str, ...] = ()
    folder: Path | None = None
    fail_on: str = "warn"
    baseline: Path | None = None
    update: bool = False
    known: Baseline | None = None


def report_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--report` and `--report-dir`, and a baseline to compare with."""
    for decorate in (
        click.option(
            "--baseline",
            type=click.Path(path_type=Path, dir_okay=False),
            help="Findings that are known; only others count.",
        ),
        click.option(
            "--report-dir",
            type=click.Path(path_type=Path, file_okay=False),
            help="Where to write reports.  [default: the folder of the run]",
        ),
        click.option(
            "--report",
            "reports",
            multiple=True,
            metavar=",".join(KINDS),
            callback=_kinds,
            help="Write reports of these kinds.",
        ),
    ):
        function = decorate(function)
    return function


def failing_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """When the exit code is 1, and what becomes known."""
    for decorate in (
        click.option(
            "--baseline-update", is_flag=True, help="Write the findings into the baseline."
        ),
        click.option(
            "--fail-on",
            type=click.Choice(list(_FAILING)),
            default="warn",
            show_default=True,
            help="Leave with code 1 for findings of this level and above.",
        ),
    ):
        function = decorate(function)
    return function


def _kinds(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    found = [part.strip() for value in values for part in value.split(",") if part.strip()]
    for kind in found:
        if kind not in KINDS:
            raise click.BadParameter(f"{kind!r} is none of {', '.join(KINDS)}")
    return tuple(dict.fromkeys(found))


def wanted_from(options: dict[str, Any]) -> Wanted:
    """What the options say, which are taken out; UsageError where the baseline cannot be read."""
    path: Path | None = options.pop("baseline")
    update = options.pop("baseline_update", False)
    if update and path is None:
        raise click.UsageError("--baseline-update needs --baseline FILE")
    known = read_baseline(path) if path is not None and (path.exists() or not update) else None
    return Wanted(
        options.pop("reports"),
        options.pop("report_dir"),
        options.pop("fail_on", "warn"),
        path,
        update,
        known,
    )


def told(out: Output, record: RunRecord, journal: Path, wanted: Wanted) -> int:
    """Write the reports, print what was found, and return the exit code."""
    if wanted.update and wanted.baseline is not None:
        with writing(wanted.baseline):
            write_baseline(wanted.baseline, updated(record, wanted.known))
    known = list(wanted.known.findings) if wanted.known is not None else []
    written = write_reports(record, journal, wanted, known)
    out.result(to_json(record, known))
    _print(out, record, written, known)
    accepted = [finding.id for finding in record.findings] if wanted.update else known
    return exit_code(record, wanted.fail_on, accepted)


def write_reports(
    record: RunRecord, journal: Path, wanted: Wanted, known: Collection[str]
) -> dict[str, str]:
    """The paths of the reports by kind."""
    folder = wanted.folder or journal.parent
    auth = bool(record.settings.get("auth"))
    written = {}
    for kind in wanted.kinds:
        path = folder / KINDS[kind]
        match kind:
            case "html":
                write_text(path, to_html(record, known, auth=auth))
            case "junit":
                write_text(path, to_junit(record, known))
            case "json":
                write_text(path, json.dumps(to_json(record, known), indent=2) + "\n")
            case _:
                _write_har(path, journal)
        written[kind] = str(path)
    return written


def _write_har(path: Path, journal: Path) -> None:
    exchanges = (event for event in events_of(journal) if isinstance(event, Exchanged))
    with writing(path), path.open("w", encoding="utf-8") as file:
        write_har(file, exchanges, __version__)


def _print(out: Output, record: RunRecord, written: dict[str, str], known: Collection[str]) -> None:
    labels = {operation.id: operation.label for operation in record.operations}
    for finding in record.findings[:MOST_FINDINGS]:
        for line in _reproduction(finding, labels):
            out.line(line)
    width = shutil.get_terminal_size().columns
    lines = summary(record, written, known, width=width)
    fits = len(", ".join(written.values())) + _BESIDE <= width
    for line in lines if fits else lines[:-1]:
        out.line(line)
    for kind, path in () if fits else written.items():
        out.line(f"{kind:<{_BESIDE}}{escape(path)}")


def _reproduction(finding: Finding, labels: Mapping[str, str]) -> Iterator[str]:
    """A finding with its code, its places and the call that shows it; those before it are in the
    reports."""
    style = "bold red" if finding.level is Verdict.ERR else "yellow"
    yield f"[{style}]{finding.level.value}[/] [bold]{finding.id}[/] {escape(finding.title)}"
    for text in places(finding, labels, _PLACES):
        yield f"  [dim]-[/] {escape(shortened(text, _LONGEST_PLACE))}"
    exchange = finding.steps[-1].exchange if finding.steps else None
    if exchange is not None:
        text = _short(curl_line(exchange))
        fits = len(text) <= _LONGEST_LINE and "\n" not in text
        before = f"  [dim]# after {plural(len(finding.steps) - 1, 'call')}[/]"
        yield f"  {escape(text)}{before}" if fits else "  [dim]# a call too long for a line[/]"
    yield f"  icepick replay {finding.id}\n"


def _short(line: str) -> str:
    """The same call on one line, without what matters to unusual addresses only."""
    line = line.replace(" \\\n  ", " ").removesuffix(" -w '\\n'")
    plain = not any(part in line for part in ("[", "]", "/./", "/../"))
    return line.replace(" --globoff --path-as-is", "") if plain else line


def exit_code(record: RunRecord, fail_on: str, known: Collection[str]) -> int:
    """0 where nothing speaks against it, 1 for findings; 2 and 130 where a run was not to end."""
    levels = _FAILING[fail_on]
    if any(one.level in levels and one.id not in known for one in record.findings):
        return 1
    if Verdict.NOT_TESTED in levels and record.verdicts.get(Verdict.NOT_TESTED):
        return 1
    return {Ending.OUTAGE: 2, Ending.INTERRUPTED: 130}.get(record.ending or Ending.FINISHED, 0)
