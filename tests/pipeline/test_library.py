"""Keys of several parts, changes of many and references that only a path explains, live."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from icepick.execute.engine import RunOptions
from icepick.execute.events import Event, Exchanged, FindingFound
from icepick.execute.types import Finding
from icepick.openapi import read_spec
from icepick.pipeline.run import RunSettings
from icepick.pipeline.session import Reach
from tests.pipeline.library import Library, library_document
from tests.pipeline.running import ran
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
