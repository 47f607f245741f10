"""A document that is wrong, put right by its service; contracts and models follow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from icepick.demo.catalogue import SERVICES
from icepick.execute.chains.types import ChainOptions
from icepick.execute.events import (
    Exchanged,
    LeftBehind,
    ModelPlanned,
    Noted,
    PhaseStarted,
    RunEnded,
)
from icepick.openapi import read_spec
from icepick.pipeline.correction import recorrected, redescribed
from icepick.pipeline.models import describe
from icepick.pipeline.planning import planned
from icepick.pipeline.reach import Reach
from icepick.pipeline.rerun import fits, past_of
from icepick.pipeline.settings import RunSettings
from icepick.resources.types import Provenance
from tests.execute.test_engine import EXAMPLES, ONE
from tests.glacier.live import served
from tests.pipeline.running import corrected, covered, covered_demo, demo, ran
from tests.pipeline.serving import Notes, notes_document, serving

TWICE = ChainOptions(successes=2)
LIGHT = RunSettings(seed=1, wrong=0, bounds={"Note": 1})


def test_correction_is_what_makes_the_operations_succeed(tmp_path: Path) -> None:
    document = notes_document(tmp_path)
    with serving(*Notes().routes()) as url:
        without = covered(document, Reach(url))
        corrected = covered(document, Reach(url), correction=True)
    assert set(without.without_success()) == {
        "getNote",
        "replaceNote",
        "deleteNote",
        "addComment",
        "getComment",
    }
    assert corrected.without_success() == []
    assert corrected.chains.calls < 40


def test_what_could_not_be_found_at_first_is_removed_later(tmp_path: Path) -> None:
    service = Notes()
    with serving(*service.routes()) as url:
        covered(notes_document(tmp_path), Reach(url), correction=True)
    assert service.made > 2
    assert service.notes == {}


def test_contracts_are_inferred_anew(tmp_path: Path) -> None:
    with serving(*Notes().routes()) as url:
        found = corrected(notes_document(tmp_path), url, TWICE)
    texts = [one.text for one in found.api.contracts.of("POST /notes").ensures]
    assert "res_code(GET /notes/res_body(@){data.uid}) = 200" in texts
    assert any("{data.notes}.len = prev" in text for text in texts)
    subjects = [one.subject for one in found.notes]
    assert {"Note", "Comment", "Comment.about = Note.uid"} <= set(subjects)
    assert found.gaps == ()


def test_an_equality_is_learned_from_two_values(tmp_path: Path) -> None:
    with serving(*Notes().routes()) as url:
        found = corrected(notes_document(tmp_path), url, TWICE)
    (equal,) = found.graph.equal
    assert str(equal) == "Comment.about = Note.uid"
    assert equal.evidence.provenance is Provenance.LEARNED


@pytest.mark.parametrize("service", ["petstore", "features"])
def test_a_document_that_is_right_is_not_corrected(service: str) -> None:
    found = covered_demo(service, TWICE, correction=True)
    assert found.chains.resources == found.api.resources
    assert found.chains.graph.dropped == ()


def test_written_contracts_survive_a_correction() -> None:
    api = describe(read_spec(str(EXAMPLES / "tournaments.yaml")))
    player = api.resources.resources["Player"]
    changed = replace(player, joins=("Tournament",))
    others = {**api.resources.resources, "Player": changed}
    again = redescribed(api, replace(api.resources, resources=others), api.spec)
    before, now = api.contracts, again.contracts
    assert now.invariants == before.invariants
    assert now.of("POST /players") == before.of("POST /players")
    assert now.of("POST /enrolments") == before.of("POST /enrolments")
    assert set(now.operations) >= set(before.operations)
    assert again.resources.resources["Player"] is changed


def test_a_run_corrects_before_it_plans(tmp_path: Path) -> None:
    with serving(*Notes().routes()) as url:
        events = ran(notes_document(tmp_path), Reach(url), LIGHT)
    kinds = [type(one) for one in events]
    notes = [one for one in events if isinstance(one, Noted) and one.kind == "correction"]
    assert any(one.subject == "Note" for one in notes)
    phases = [one.name for one in events if isinstance(one, PhaseStarted)]
    assert phases[0] == "correct"
    assert kinds.index(PhaseStarted) < kinds.index(ModelPlanned)
    numbers = [one.exchange.number for one in events if isinstance(one, Exchanged)]
    assert len(set(numbers)) == len(numbers)
    end = events[-1]
    assert isinstance(end, RunEnded)
    assert end.requests == len(numbers)
    (model,) = [one for one in events if isinstance(one, ModelPlanned)]
    assert model.sizes["Note"] == 1
    left = [one for one in events if isinstance(one, LeftBehind)]
    assert {one.resource for one in left} <= {"Comment"}


def test_a_journal_tells_how_a_run_corrected(tmp_path: Path) -> None:
    document = notes_document(tmp_path)
    with serving(*Notes().routes()) as url:
        events = ran(document, Reach(url), LIGHT)
    api = describe(read_spec(document))
    past = past_of(events)
    assert fits(past, api.spec, planned(recorrected(api, events), LIGHT))
    assert not fits(past, api.spec, planned(api, LIGHT))


@pytest.mark.parametrize(
    "settings",
    [
        RunSettings(seed=1, wrong=0, correction=False),
        RunSettings(seed=1, wrong=0, graph=False),
    ],
)
def test_corrections_can_be_switched_off(tmp_path: Path, settings: RunSettings) -> None:
    with serving(*Notes().routes()) as url:
        events = ran(notes_document(tmp_path), Reach(url), settings)
    assert not [one for one in events if isinstance(one, Noted) and one.kind == "correction"]
    assert "correct" not in [one.name for one in events if isinstance(one, PhaseStarted)]


def test_a_document_without_doubts_costs_no_call() -> None:
    with served(SERVICES["tournaments"]) as url:
        found = ran(demo("tournaments"), Reach(url), RunSettings(seed=1, wrong=0, bounds=ONE))
    assert "correct" not in [one.name for one in found if isinstance(one, PhaseStarted)]
