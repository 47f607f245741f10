"""Keys of several parts, changes of many and references that only a path explains, live."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from icepick.execute.engine import RunOptions
from icepick.execute.events import (
    DEVIATION,
    CallJudged,
    Event,
    Exchanged,
    FindingFound,
    Noted,
)
from icepick.execute.types import Finding, Verdict
from icepick.openapi import read_spec
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.library import Library, library_document
from tests.pipeline.running import covered, ran
from tests.pipeline.serving import serving

SETTINGS = RunSettings(seed=3, wrong=0, engine=RunOptions(max_calls=700))


def _found(events: list[Event]) -> list[Finding]:
    return [one.finding for one in events if isinstance(one, FindingFound)]


def test_every_operation_succeeds_and_nothing_is_found(tmp_path: Path) -> None:
    library, document = Library(), library_document(tmp_path)
    with serving(*library.routes()) as url:
        events = ran(document, Reach(url), SETTINGS)
    good = Counter(
        one.exchange.operation
        for one in events
        if isinstance(one, Exchanged) and 200 <= (one.exchange.status or 0) < 300
    )
    assert [one.id for one in read_spec(document).operations if not good[one.id]] == []
    assert [one.title for one in _found(events)] == []
    assert [*library.tables["books"].rows.values()] == [library.stranger]
    assert library.tables["authorships"].rows == {}


def test_chains_alone_reach_every_operation(tmp_path: Path) -> None:
    library, document = Library(), library_document(tmp_path)
    with serving(*library.routes()) as url:
        chains = covered(document, Reach(url))
    assert chains.without_success() == []
    assert chains.left == []
    assert [*library.tables["books"].rows.values()] == [library.stranger]


def test_an_answer_that_is_not_as_documented_ends_no_sequence(tmp_path: Path) -> None:
    library, document = Library(sloppy=True), library_document(tmp_path)
    with serving(*library.routes()) as url:
        events = ran(document, Reach(url), SETTINGS)
    assert {one.complaint.check for one in _found(events)} == {"response-schema"}
    judged = [one.judged for one in events if isinstance(one, CallJudged)]
    deletions = [one for one in judged if one.label.startswith("delete_books_id(")]
    assert any(one.verdict is Verdict.OK for one in deletions)
    assert not [one.reason for one in judged if "went wrong before it" in one.reason]


def test_a_change_of_many_names_one_of_the_own_by_every_part_of_its_key(tmp_path: Path) -> None:
    library, document = Library(), library_document(tmp_path)
    with serving(*library.routes()) as url:
        events = ran(document, Reach(url), SETTINGS)
    sent = [one.exchange.request.url for one in events if isinstance(one, Exchanged)]
    queries = {
        url.rpartition("/")[2].partition("?")[0]: sorted(
            part.partition("=")[0] for part in url.partition("?")[2].split("&")
        )
        for url in sent
        if "where" in url
    }
    assert queries == {
        "writers": ["where.id.eq"],
        "books": ["where.id.eq"],
        "authorships": ["where.bookId.eq", "where.writerId.eq"],
    }


def test_a_put_that_creates_is_a_convention_and_what_it_created_is_removed(tmp_path: Path) -> None:
    library, document = Library(upserts=True), library_document(tmp_path)
    with serving(*library.routes()) as url:
        events = ran(document, Reach(url), SETTINGS)
    assert [one.title for one in _found(events)] == []
    notes = {one.subject: one.text for one in events if isinstance(one, Noted)}
    assert notes["put_books_id"] == "an update of what is absent creates it"
    assert [*library.tables["books"].rows.values()] == [library.stranger]
    assert library.tables["writers"].rows == {}


def test_a_put_that_is_taken_and_creates_nothing_is_found(tmp_path: Path) -> None:
    library, document = Library(swallows=True), library_document(tmp_path)
    with serving(*library.routes()) as url:
        events = ran(document, Reach(url), SETTINGS)
    assert "put_books_id" in {one.operation for one in _found(events)}
    assert not any(isinstance(one, Noted) and one.kind == DEVIATION for one in events)
