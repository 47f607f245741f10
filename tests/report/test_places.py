"""A finding that shows in several places says where, in every report."""

from __future__ import annotations

from icepick.execute.types import Exchange, Finding, Purpose, Request, Response, Sighting
from icepick.report import to_html, to_json, to_junit
from icepick.report.places import places
from tests.report import records


def shown_in(*operations: str) -> Finding:
    first, *_ = records.findings()
    exchanges = [
        Exchange(900 + at, 0.0, Purpose.CALL, Request("GET", f"http://x/{one}"), Response(404))
        for at, one in enumerate(operations)
    ]
    sightings = [
        Sighting(one, "answered 404", exchange)
        for one, exchange in zip(operations, exchanges, strict=True)
    ]
    made: Finding = records.replaced(first, sightings=tuple(sightings))
    return made


def test_one_place_needs_no_list() -> None:
    assert places(shown_in("getPlayer"), {}) == []


def test_places_are_labelled_and_cut() -> None:
    labels = {"getPlayer": "GET /players/{pid}"}
    found = shown_in("getPlayer", "deletePlayer", "updatePlayer")
    assert places(found, labels, 2) == [
        "GET /players/{pid}: answered 404", "deletePlayer: answered 404", "and 1 more"
    ]  # fmt: skip
    assert len(places(found, labels)) == 3


def test_every_report_has_the_places() -> None:
    record = records.record(found=[shown_in("getPlayer", "deletePlayer")])
    assert "  GET /players/{pid}: answered 404\n" in to_junit(record)
    page = to_html(record)
    assert "it shows in 2 places" in page
    assert "http://x/deletePlayer" in page
    [finding] = to_json(record)["findings"]
    assert [one["operation"] for one in finding["sightings"]] == ["getPlayer", "deletePlayer"]
    assert finding["sightings"][1]["exchange"]["response"]["status"] == 404
