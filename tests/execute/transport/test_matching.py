"""To want an entity tag with every change is a convention; to pay no heed to it is a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from icepick.execute.events import (
    DEVIATION,
    Event,
    FindingFound,
    LeftBehind,
    LifeCycle,
    NotConfirmed,
    Noted,
)
from icepick.pipeline.settings import RunSettings
from tests.execute.tagged import Notes, notes_document
from tests.pipeline.running import quick, ran
from tests.pipeline.serving import serving

SETTINGS = RunSettings(seed=1, wrong=0)


def run(notes: Notes, folder: Path, *, declared: bool = False) -> list[Event]:
    with serving(*notes.routes()) as url:
        return ran(notes_document(folder, declared=declared), quick(url), SETTINGS)


def titles(events: list[Event]) -> list[str]:
    found = [one.finding.title for one in events if isinstance(one, FindingFound)]
    return found + [one.unconfirmed.title for one in events if isinstance(one, NotConfirmed)]


def deviations(events: list[Event]) -> dict[str, str]:
    return {
        one.subject: one.text for one in events if isinstance(one, Noted) and one.kind == DEVIATION
    }


@pytest.mark.parametrize("bare", [428, 412])
def test_a_tag_that_is_wanted_is_sent(bare: int, tmp_path: Path) -> None:
    notes = Notes(bare)
    events = run(notes, tmp_path)
    assert titles(events) == []
    assert [one.missing for one in events if isinstance(one, LifeCycle)] == [{}]
    assert [one for one in events if isinstance(one, LeftBehind)] == []
    assert notes.held == {}
    text = f"wants If-Match: without an entity tag, it answers {bare}"
    assert set(deviations(events).values()) == {text}
    bared = [one for one in notes.seen if one[1] == bare and one[2] is None]
    assert 3 <= len(bared) <= 6  # of each operation once, before the walk and in it


def test_a_tag_that_the_document_asks_for_is_the_one_that_is_there(tmp_path: Path) -> None:
    notes = Notes()
    events = run(notes, tmp_path, declared=True)
    assert titles(events) == []
    assert [one.missing for one in events if isinstance(one, LifeCycle)] == [{}]
    assert deviations(events) == {}
    assert not [one for one in notes.seen if one[1] == 428]


def test_a_service_that_wants_none_is_sent_none(tmp_path: Path) -> None:
    notes = Notes(bare=None)
    events = run(notes, tmp_path)
    assert titles(events) == []
    assert deviations(events) == {}
    assert {one[2] for one in notes.seen} == {None}


def test_a_tag_that_does_not_fit_is_to_be_refused(tmp_path: Path) -> None:
    events = run(Notes(overwrites=True), tmp_path, declared=True)
    assert any("with an entity tag that does not fit answered 200" in one for one in titles(events))
