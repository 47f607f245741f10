"""What an operation took once it is sent again, and what is given twice was created once."""

from __future__ import annotations

from pathlib import Path

import pytest

from icepick.execute.events import (
    DEVIATION,
    Event,
    Exchanged,
    FindingFound,
    LeftBehind,
    LifeCycle,
    Noted,
    PhaseStarted,
)
from icepick.execute.types import Purpose
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import quick, ran
from tests.pipeline.serving import serving
from tests.pipeline.workshop import Workshop, workshop_document


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    folder: Path = tmp_path_factory.mktemp("workshop")
    workshop = Workshop()
    with serving(*workshop.routes()) as url:
        found = ran(workshop_document(folder), quick(url), RunSettings(seed=1, wrong=1))
    assert not workshop.machines
    assert not workshop.files
    return found


def statuses(events: list[Event], label: str, phase: str) -> list[int | None]:
    """How the calls of an operation were answered in a phase."""
    now, found = "", []
    for one in events:
        if isinstance(one, PhaseStarted):
            now = one.name
        elif isinstance(one, Exchanged) and now == phase:
            exchange = one.exchange
            method, _, path = label.partition(" ")
            asked = exchange.request.method == method and path in exchange.request.url
            if asked and exchange.purpose is Purpose.CALL:
                found.append(exchange.status)
    return found


def test_every_life_cycle_is_seen_whole(events: list[Event]) -> None:
    lives = {one.resource: dict(one.missing) for one in events if isinstance(one, LifeCycle)}
    assert lives == {"Machine": {}, "File": {}}


def test_what_took_one_known_value_alone_gets_it_again(events: list[Event]) -> None:
    walked = statuses(events, "POST /machines", "walk")
    assert walked
    assert set(walked) == {201}


def test_what_can_be_told_of_inputs_by_refusals_alone_is_kept(events: list[Event]) -> None:
    walked = statuses(events, "PUT /files/", "walk")
    assert walked.count(201) > 0
    assert walked[-1] in {200, 201}


def test_what_fell_over_while_it_was_learned_is_found_all_the_same(events: list[Event]) -> None:
    titles = [one.finding.title for one in events if isinstance(one, FindingFound)]
    assert titles == ["POST /machines answered 500"]


def test_a_creation_that_gives_what_is_there_is_a_convention(events: list[Event]) -> None:
    notes = [one.text for one in events if isinstance(one, Noted) and one.kind == DEVIATION]
    assert "it creates nothing new, but gives what is there already" in notes


def test_a_service_that_names_things_itself_has_the_last_word(events: list[Event]) -> None:
    notes = [one.text for one in events if isinstance(one, Noted) and one.kind == DEVIATION]
    assert "it gives what it creates an identifier of its own, whatever it is sent" in notes


def test_nothing_is_left_behind(events: list[Event]) -> None:
    assert [one for one in events if isinstance(one, LeftBehind)] == []
