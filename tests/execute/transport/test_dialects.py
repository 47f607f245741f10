"""A service that takes one dialect of PATCH and says so is spoken to in that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from icepick.execute.transport.dialects import in_dialect
from icepick.execute.types import Request
from tests.execute.tagged import Notes
from tests.execute.transport.test_matching import deviations, run, titles

KINDS = ["application/merge-patch+json", "application/json-patch+json"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_dialect_that_is_asked_for_is_spoken(kind: str, tmp_path: Path) -> None:
    notes = Notes(bare=None, patches=kind)
    events = run(notes, tmp_path)
    assert titles(events) == []
    text = f"takes {kind} alone: it answers 415 to what is declared"
    assert deviations(events) == {"patch_notes_id": text}
    assert ("PATCH", 200, None) in notes.seen


def test_a_dialect_nobody_speaks_is_no_finding(tmp_path: Path) -> None:
    notes = Notes(bare=None, patches="application/x-secret")
    events = run(notes, tmp_path)
    assert titles(events) == []
    assert deviations(events) == {}
    assert ("PATCH", 200, None) not in notes.seen


def test_fields_as_changes() -> None:
    body = json.dumps({"a/b": 1, "c": None}).encode()
    request = Request("PATCH", "http://x", (("Content-Type", "application/json"),), body)
    made = in_dialect(request, KINDS[1])
    assert made is not None
    assert made.headers == (("Content-Type", KINDS[1]),)
    assert json.loads(made.body or b"") == [
        {"op": "add", "path": "/a~1b", "value": 1},
        {"op": "add", "path": "/c", "value": None},
    ]
    assert in_dialect(made, KINDS[0]) is None
    assert in_dialect(Request("PATCH", "http://x", (), b"no"), KINDS[0]) is None
