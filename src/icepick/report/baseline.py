"""Findings that are known already, so that a run fails on new ones only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from icepick.errors import Code, Place, UsageError
from icepick.execute.events import Ending
from icepick.execute.types import Finding
from icepick.openapi.types import Json
from icepick.report.text import clean
from icepick.report.types import RunRecord

FORMAT = "icepick-baseline/1"
_HINT = "Write it anew with `--baseline-update`, or name another file."


@dataclass(frozen=True, slots=True)
class Known:
    """A finding of an earlier run."""

    id: str
    title: str
    operation: str = ""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The findings that are known, by id."""

    findings: Mapping[str, Known]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run against a baseline: what is new, what was known, and what was not seen again."""

    new: tuple[Finding, ...]
    known: tuple[Finding, ...]
    gone: tuple[Known, ...]


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file; UsageError where there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _error(Code.NOT_FOUND, "there is no baseline at that path", path) from None
    except IsADirectoryError:
        raise _error(Code.NOT_A_FILE, "the baseline is a directory", path) from None
    except UnicodeDecodeError:
        raise _error(Code.BAD_BASELINE, "the baseline is no text", path) from None
    except OSError as error:
        raise _error(
            Code.UNREADABLE, f"the baseline cannot be read: {error.strerror}", path
        ) from error
    return _parsed(text, path)


def _error(code: Code, message: str, path: Path, line: int | None = None) -> UsageError:
    return UsageError(code, message, place=Place(str(path), line), hint=_HINT)


def _parsed(text: str, path: Path) -> Baseline:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"the baseline is not JSON: {error.msg}"
        raise _error(Code.BAD_BASELINE, message, path, error.lineno) from None
    except RecursionError:
        raise _error(Code.BAD_BASELINE, "the baseline is nested too deeply", path) from None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        message = f'the file is no baseline: its "format" is not "{FORMAT}"'
        raise _error(Code.BAD_BASELINE, message, path)
    items = value.get("findings")
    if not isinstance(items, list) or not all(map(_is_known, items)):
        message = 'the baseline is broken: "findings" is a list of objects with an "id"'
        raise _error(Code.BAD_BASELINE, message, path)
    known = [
        Known(item["id"], str(item.get("title", "")), str(item.get("operation", "")))
        for item in items
    ]
    return Baseline({each.id: each for each in known})


def _is_known(item: Json) -> bool:
    return isinstance(item, dict) and isinstance(item.get("id"), str)


def compare(record: RunRecord, baseline: Baseline) -> Comparison:
    """Which findings of a run are new."""
    seen = {finding.id for finding in record.findings}
    return Comparison(
        new=tuple(f for f in record.findings if f.id not in baseline.findings),
        known=tuple(f for f in record.findings if f.id in baseline.findings),
        gone=tuple(known for name, known in baseline.findings.items() if name not in seen),
    )


def updated(record: RunRecord, baseline: Baseline | None = None) -> Baseline:
    """The baseline after a run: its findings, and what a run that was cut short did not see."""
    cut_short = record.ending is not Ending.FINISHED
    kept = dict(baseline.findings) if baseline is not None and cut_short else {}
    now = {f.id: Known(f.id, f.title, f.operation) for f in record.findings}
    return Baseline(kept | now)


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write it in an order that stays, so that a change of it is a change of findings."""
    findings = sorted(baseline.findings.values(), key=lambda known: known.id)
    value = {
        "format": FORMAT,
        "findings": [
            {"id": each.id, "operation": clean(each.operation), "title": clean(each.title)}
            for each in findings
        ],
    }
    try:
        path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(
            Code.CANNOT_WRITE,
            f"the baseline cannot be written: {error.strerror}",
            place=Place(str(path)),
            hint="Check the path, its permissions and the space left.",
        ) from error
